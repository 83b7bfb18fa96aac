"""Commands run inside the test's process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from typer.testing import CliRunner

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
    ran = CliRunner().invoke(build(), list(args))
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Said(ran.exit_code, ran.stdout, ran.stderr)
