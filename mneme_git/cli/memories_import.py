"""``mneme memory import`` and ``mneme memory search-projects``."""

from typing import Annotated

import typer

from mneme_git.cli.memories import opened, tell
from mneme_git.cli.memories_options import AllowSecretOption, LimitOption, QueryArgument
from mneme_git.cli.options import JsonOption
from mneme_git.cli.output import notice_line

_REFUSED = 1


def register(group: typer.Typer) -> None:
    """Add the commands to ``mneme memory``."""
    group.command("import")(import_memories)
    group.command("search-projects")(search_projects)


def import_memories(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Databases of the existing engine, or their folders; else that of this repository and the "
            "global one.",
            show_default=False,
        ),
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Import; without it only shown what would be.")
    ] = False,
    with_forgotten: Annotated[
        bool, typer.Option("--with-forgotten", help="Import what was forgotten there, as forgotten.")
    ] = False,
    allow_secret: AllowSecretOption = False,
    json: JsonOption = False,
) -> None:
    """Bring over the memories of the existing engine: verbatim, with their times and recall counts.

    Its databases are only read. Importing again changes nothing. The exit status is 1 if a memory is refused.
    Example: mneme memory import --apply
    """
    from mneme_git.app.memories_import import Options, import_text, imported
    from mneme_git.app.open import here

    options = Options(with_forgotten=with_forgotten, allow_secret=allow_secret)
    done = imported(here(), paths or [], apply=apply, options=options)
    tell(done, import_text(done), json=json)
    if done["counts"].get("refused"):
        raise typer.Exit(_REFUSED)


def search_projects(
    words: QueryArgument = None,
    limit: LimitOption = 20,
    json: JsonOption = False,
) -> None:
    """Search the memories of the other projects that you allow, and your global ones.

    Off until you allow it: `git config --global mneme.crossProject true`. The exit status is 1 if nothing
    is found. Example: mneme memory search-projects "connection pool"
    """
    from mneme_git.app.search_projects import search_projects as search
    from mneme_git.app.search_projects import search_text

    query = " ".join(words or ())
    with opened() as memories:
        found = search(memories.clone, query, limit=limit)
    for row in found.get("skipped", ()):
        notice_line(f"not searched: {row['project']}: {row['reason']}")
    tell(found, search_text(found), json=json)
    if not found["matches"] and "info" not in found:
        raise typer.Exit(1)
