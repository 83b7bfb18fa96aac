"""``mneme index build|dump`` and ``mneme reindex``: the index itself."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.code import fresh, refresh
from mneme_git.cli.options import AtOption, JsonOption
from mneme_git.cli.output import answer, answer_json, notice

if TYPE_CHECKING:
    from mneme_indexer.answers import Refreshed


def register(app: typer.Typer) -> None:
    """Add the group to ``app``."""
    group = typer.Typer(no_args_is_help=True, help="Build the code index, or print all that it holds.")
    group.command("build")(build)
    group.command("dump")(dump)
    app.add_typer(group, name="index")


def register_reindex(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("reindex")(reindex)


def build(at: AtOption = None, json: JsonOption = False) -> None:
    """Index the files that git knows, and those it does not ignore. Questions do this by themselves.

    A file is parsed once for all branches and work trees. Example: mneme index build
    """
    with fresh(at) as (_, done):
        pass
    _tell(done, json=json)


def reindex(at: AtOption = None, json: JsonOption = False) -> None:
    """Throw the index away and build it anew. It is a cache: nothing that you recorded is in it.

    Example: mneme reindex
    """
    from mneme_git.app.code import Code
    from mneme_git.app.open import here

    workspace = here()
    with Code(workspace, at=at, tell=notice) as code:
        code.start_anew()
        done = refresh(code, quiet=workspace.env.quiet)
    _tell(done, json=json)


def dump(
    all_kinds: Annotated[
        bool,
        typer.Option(
            "--all-kinds", help="Fields, variables, modules and headings too, not only public kinds."
        ),
    ] = False,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Print every file with its symbols and edges; with --json as one object a line, files by path.

    Example: mneme index dump --json --at HEAD
    """
    with fresh(at) as (code, _):
        for file in code.dump(all_kinds=all_kinds):
            if json:
                answer_json(file)
                continue
            answer(f"{file.file}  ({file.skipped or file.language})")
            for symbol in file.symbols:
                name = f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name
                answer(f"  {symbol.start_line}-{symbol.end_line}  {symbol.kind} {name}")
            for edge in file.edges:
                answer(f"  {edge.line}  {edge.src} {edge.kind} {edge.dst}  ({edge.confidence:g})")


def _tell(done: "Refreshed", *, json: bool) -> None:
    if json:
        answer_json(done)
        return
    what = (
        f"{done.files} files, {done.parsed} parsed now"
        if done.changed
        else f"{done.files} files, nothing new"
    )
    skipped = f", {done.skipped} not read (`mneme status` says why)" if done.skipped else ""
    answer(f"code index: {what}{skipped}; {done.took_ms / 1000:.2f} s")
