"""Commands run inside the test's process, with commands that the root may not have yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import typer
from typer.testing import CliRunner

from mneme_git.cli import adr_author, audit, blame, protect, retire
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
    ran = CliRunner().invoke(_whole(), list(args))
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Said(ran.exit_code, ran.stdout, ran.stderr)


def _whole() -> typer.Typer:
    app = build()
    groups = {info.name: info.typer_instance for info in app.registered_groups}
    if "protect" not in groups:
        protect.register(app)
    if "new" not in {info.name for info in groups["adr"].registered_commands}:
        adr_author.register(groups["adr"])
    if "deprecate" not in {info.name for info in groups["decision"].registered_commands}:
        retire.register(groups["decision"])
        blame.register(groups["decision"])
    if "audit" not in {info.name for info in app.registered_commands}:
        audit.register(app)
    return app
