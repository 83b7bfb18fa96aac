"""Commands run inside the test's process, with groups that the root may not have yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from typer.testing import CliRunner

from mneme_git.cli import protect
from mneme_git.cli.main import build


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*args: str) -> Said:
    """Run a command in the present folder."""
    app = build()
    for group in (protect,):
        if group.__name__.rsplit(".", 1)[-1] not in {known.name for known in app.registered_groups}:
            group.register(app)
    ran = CliRunner().invoke(app, list(args))
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Said(ran.exit_code, ran.stdout, ran.stderr)
