"""``mneme context``, ``lookup``, ``callers``, ``callees``, ``outline``: questions about the code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from mneme_git.cli.options import AtOption, JsonOption
from mneme_git.cli.output import answer, answer_json, notice, notice_line

if TYPE_CHECKING:
    from mneme_git.app.code import Code
    from mneme_indexer.answers import Refreshed

KindOption = Literal["any", "function", "class", "method", "interface", "type", "enum", "const"]
FileOption = Annotated[
    str,
    typer.Option(
        "--file",
        metavar="FILE",
        help="Only the symbol of that name in this file: from here, from the root, or the end of a path.",
    ),
]
HopsOption = Annotated[int, typer.Option("--hops", min=1, max=5, help="How many calls away.")]
RelatedLimitOption = Annotated[
    int, typer.Option("--limit", min=1, max=10_000, help="The most symbols to show.")
]
SymbolArgument = Annotated[
    str,
    typer.Argument(metavar="NAME", help="A name, or a qualified one such as Cart.total.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("context")(context)
    app.command("lookup")(lookup)
    app.command("callers")(callers)
    app.command("callees")(callees)
    app.command("outline")(outline)


def context(
    task: Annotated[str, typer.Argument(help="What is to be done, in words.", show_default=False)],
    hint: Annotated[
        str, typer.Option("--hint", metavar="TEXT", help="Files or names that have to do with it.")
    ] = "",
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            min=500,
            max=50_000,
            help="The most tokens, of four characters, that the JSON may have; 6000, or mneme.tokenBudget.",
            show_default=False,
        ),
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Do not ask the discovery model, if one is configured.")
    ] = False,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show the code that bears on a task: ranked symbols, each with its text and why it is there.

    Example: mneme context "expired sessions are not removed" --budget 3000
    """
    from mneme_git.app.code import USUAL_BUDGET
    from mneme_git.app.code_text import context_text
    from mneme_indexer.answers import Query
    from mneme_indexer.discovery import UNAVAILABLE

    wanted = USUAL_BUDGET if budget is None else budget
    query = Query(task=task, hint=hint, budget=wanted, use_discovery_model=not no_model)
    with fresh(at) as (code, refreshed):
        reply = code.context(query, refreshed)
    if (reason := reply["fallback_reason"] or "").startswith(UNAVAILABLE):
        notice(f"nothing was narrowed: {reason}")
    if json:
        answer_json(reply)
    else:
        answer(context_text(reply))


def lookup(
    name: Annotated[
        str, typer.Argument(help="The name, or a part of it, whatever its case.", show_default=False)
    ],
    kind: Annotated[KindOption, typer.Option("--kind", help="Only symbols of this kind.")] = "any",
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="The most symbols to show.")] = 20,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show where symbols are defined: the very name first, then those that begin with it or hold it.

    A qualified name such as Cart.total finds that one first. The exit status is 1 if nothing is found.
    Example: mneme lookup parse_config --kind function
    """
    from mneme_git.app.code_text import matches_text

    with fresh(at) as (code, _):
        reply = code.lookup(name, kind, limit)
    if json:
        answer_json(reply)
    else:
        answer(matches_text(reply, name))
    if not reply["matches"]:
        raise typer.Exit(1)


def callers(
    symbol: SymbolArgument,
    file: FileOption = "",
    hops: HopsOption = 2,
    limit: RelatedLimitOption = 100,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show who calls a symbol, directly and through others, nearest first.

    The exit status is 1 if the index has no symbol of that name.
    Example: mneme callers Cart.total --hops 1
    """
    with fresh(at) as (code, _):
        reply = code.callers(symbol, file, hops, limit)
    _answer_related(reply, symbol, "calls", json=json)


def callees(
    symbol: SymbolArgument,
    file: FileOption = "",
    hops: HopsOption = 2,
    limit: RelatedLimitOption = 100,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show whom a symbol calls, directly and through others, nearest first.

    The exit status is 1 if the index has no symbol of that name.
    Example: mneme callees main --file tool/cli.py
    """
    with fresh(at) as (code, _):
        reply = code.callees(symbol, file, hops, limit)
    _answer_related(reply, symbol, "is called by", json=json)


def _answer_related(reply: dict[str, Any], symbol: str, verb: str, *, json: bool) -> None:
    from mneme_git.app.code_text import related_text

    if json:
        answer_json(reply)
    else:
        answer(related_text(reply, symbol, verb))


def outline(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A file: from here, from the root, or the end of a path.", show_default=False
        ),
    ],
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show the definitions of a file, in order, with their lines.

    Example: mneme outline src/cart.py --at v1.2
    """
    from mneme_git.app.code_text import outline_text

    with fresh(at) as (code, _):
        reply = code.outline(file)
    if json:
        answer_json(reply)
    else:
        answer(outline_text(reply))


@contextmanager
def fresh(at: str | None) -> "Iterator[tuple[Code, Refreshed]]":
    """Give the code of this repository, brought up to date; a long refresh is told on stderr."""
    from mneme_git.app.code import Code
    from mneme_git.app.open import here

    workspace = here()
    with Code(workspace, at=at, tell=notice) as code:
        refreshed = refresh(code, quiet=workspace.env.quiet)
        if note := code.incomplete().get("note"):
            notice(f"WARN  {note}: what follows is without them")
        for told in code.notices:
            notice_line(f"WARN  {told}")
        yield code, refreshed


def refresh(code: "Code", *, quiet: bool) -> "Refreshed":
    """Bring the index up to date; Ctrl-C stops it and keeps what was parsed."""
    from mneme_git.cli.progress import ProgressLine, stoppable

    line = ProgressLine(quiet=quiet)
    try:
        with stoppable() as stopped:
            return code.refresh(line, stopped)
    finally:
        line.clear()
