"""Options that several commands share, declared once."""

from typing import Annotated

import typer

from mneme_git.errors import NotFound


def revision_given(given: str | None) -> str | None:
    """Return what was given; a variable of a script that is not set must not mean the present."""
    if given is not None and not given.strip():
        raise NotFound("revision", given, hint="name a commit, branch or tag, or leave --at out")
    return given


MemoryOption = Annotated[
    str | None,
    typer.Option("--memory", metavar="FILE", help="Use this project_memory.json instead of the git store."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AtOption = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="REV", help="Read the state of this commit, branch or tag.", callback=revision_given
    ),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; write nothing.")]
