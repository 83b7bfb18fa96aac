"""``mneme commit``."""

from typing import Annotated

import typer

from mneme_git.cli.memories import opened, tell
from mneme_git.cli.memories_options import ScopeName
from mneme_git.cli.options import DryRunOption, JsonOption
from mneme_git.errors import InvalidInput


def commit(
    message: Annotated[
        str,
        typer.Option("--message", "-m", metavar="TEXT", help="The message; else it names what is committed."),
    ] = "",
    branch: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="BRANCH", help="Take what waits for another branch, or for one that is gone."
        ),
    ] = None,
    detached: Annotated[
        bool, typer.Option("--detached", help="Take what was recorded while HEAD was detached.")
    ] = False,
    scope: Annotated[
        ScopeName,
        typer.Option("--scope", help="The memories of this project, or your global ones."),
    ] = "project",
    no_verify: Annotated[
        bool, typer.Option("--no-verify", help="Pass over the hooks that may refuse, as git commit does.")
    ] = False,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Commit the memories that wait for this branch, and what was done to memories, and nothing else.

    What you and agents record is kept at once, but only in this clone: committed it travels with the
    branch, to whoever pulls it. What you have staged or changed stays as it is; your hooks run, and git
    signs as you have set it. If git refuses, all is as it was. What was forgotten before it was ever
    committed is left out. Example: mneme commit --dry-run
    """
    from mneme_git.app.memories_commit import committed, committed_text
    from mneme_git.memories.limits import scope_of

    if branch is not None and detached:
        raise InvalidInput("--from and --detached exclude each other", hint="give one of them")
    with opened() as memories:
        done = committed(
            memories,
            scope=scope_of(scope),
            branch="" if detached else branch,
            message=message,
            verify=not no_verify,
            dry_run=dry_run,
        )
    tell(done, committed_text(done), json=json)
