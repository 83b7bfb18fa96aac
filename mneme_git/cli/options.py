"""Options that several commands share, declared once."""

from typing import Annotated

import typer

MemoryOption = Annotated[
    str | None,
    typer.Option("--memory", metavar="FILE", help="Use this project_memory.json instead of the git store."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AtOption = Annotated[
    str | None,
    typer.Option("--at", metavar="REV", help="Read the state of this commit, branch or tag."),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; write nothing.")]
