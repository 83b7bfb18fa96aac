"""check and test_query."""

import sys
from typing import Annotated, Literal

import typer

from mneme_git.cli.check_output import print_check
from mneme_git.cli.options import AtOption, JsonOption, MemoryOption

Mode = Literal["strict", "warn"]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("check")(check)
    app.command("test_query")(show_query)


def check(  # noqa: PLR0913, PLR0917 - one argument for each option
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Files to judge; `-` is standard input.")
    ] = None,
    inputs: Annotated[
        list[str] | None, typer.Option("--input", metavar="FILE", help="A file to judge; repeatable.")
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            "--query",
            metavar="TEXT",
            help="What the change is about: the decisions that fit best are applied in full. Without it "
            "every phrase is looked for, and constraints of several words are not.",
        ),
    ] = None,
    memory: MemoryOption = None,
    target_path: Annotated[
        str | None,
        typer.Option("--target-path", metavar="PATH", help="Judge the text as if it stood at this path."),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", metavar="N", help="How many decisions the query picks; 0 picks none.")
    ] = 3,
    mode: Annotated[
        Mode, typer.Option("--mode", help="warn: exit 0 whatever is found, unless the check is incomplete.")
    ] = "strict",
    json: JsonOption = False,
    detail: Annotated[
        bool, typer.Option("--detail", help="Show line and ADR of each violation with a memory file, too.")
    ] = False,
    adr_dir: Annotated[
        str | None,
        typer.Option("--adr-dir", metavar="DIR", help="The ADR folder whose freshness is looked at."),
    ] = None,
    at: AtOption = None,
) -> None:
    """Judge files against the decisions in force.

    Exit status: 0 PASS, 1 WARN, 2 FAIL or INCOMPLETE. Example: mneme check src/db.py --query "add a cache"
    """
    from mneme_git.app.check import CheckRequest
    from mneme_git.app.check import check as use_case
    from mneme_git.app.open import here

    request = CheckRequest(
        inputs=(*(inputs or ()), *(paths or ())),
        query=query,
        memory=memory,
        at=at,
        target_path=target_path,
        top=top,
        mode=mode,
        adr_dir=adr_dir,
        detail=detail,
    )
    raise typer.Exit(print_check(use_case(here(), request, sys.stdin.buffer.read), json=json))


def show_query(
    query: Annotated[str, typer.Option("--query", metavar="TEXT", help="What the change is about.")],
    memory: MemoryOption = None,
    top: Annotated[int, typer.Option("--top", metavar="N", help="How many decisions are picked.")] = 3,
    json: JsonOption = False,
    at: AtOption = None,
) -> None:
    """Show how a query ranks the decisions, and the text that would be given to an agent.

    Example: mneme test_query --query "add a cache"
    """
    from mneme_git.app.check import decisions_in_force
    from mneme_git.app.open import here
    from mneme_git.cli.output import answer, answer_json
    from mneme_git.decisions.context_text import query_rows, query_text

    decisions = decisions_in_force(here(), memory=memory, at=at)
    if json:
        answer_json(query_rows(decisions, query, top))
    else:
        answer(query_text(decisions, query, top))
