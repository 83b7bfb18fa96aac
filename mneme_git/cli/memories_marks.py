"""``mneme memory forget|unforget|pin|unpin|gc|log|stale``, and ``mneme gc``."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.memories import opened, tell
from mneme_git.cli.memories_options import IdsArgument, ScopeName
from mneme_git.cli.options import JsonOption

if TYPE_CHECKING:
    from mneme_git.model.memory_view import Action


def register(group: typer.Typer) -> None:
    """Add the commands to ``mneme memory``."""
    group.command("forget")(forget)
    group.command("unforget")(unforget)
    group.command("pin")(pin)
    group.command("unpin")(unpin)
    group.command("gc")(gc)
    group.command("log")(log)
    group.command("stale")(stale)


def forget(ids: IdsArgument, json: JsonOption = False) -> None:
    """Forget memories: they are recalled no more, on this branch. Their texts are kept for audit.

    Example: mneme memory forget 3fa85f64
    """
    _mark("forget", ids, json=json)


def unforget(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="Ids of memories, their first characters, or numbers."),
    ] = None,
    entry: Annotated[
        list[str] | None,
        typer.Option(
            "--entry",
            metavar="ENTRY",
            help="All that this entry of `mneme memory log` forgot; may be given several times.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Bring forgotten memories back.

    Example: mneme memory unforget 3fa85f64
    """
    from mneme_git.app.memories_log import forgotten_by
    from mneme_git.errors import InvalidInput

    if not ids and not entry:
        raise InvalidInput("nothing was named", hint="name memories, or an entry with --entry")
    names = [*(ids or ())]
    if entry:
        with opened() as memories:
            names += [name for one in entry for name in forgotten_by(memories, one)]
    _mark("unforget", names, json=json)


def pin(ids: IdsArgument, json: JsonOption = False) -> None:
    """Keep memories from being collected by `mneme gc`, on this branch.

    Example: mneme memory pin 3fa85f64
    """
    _mark("pin", ids, json=json)


def unpin(ids: IdsArgument, json: JsonOption = False) -> None:
    """Let memories be collected again.

    Example: mneme memory unpin 3fa85f64
    """
    _mark("unpin", ids, json=json)


def gc(
    days: Annotated[int, typer.Option("--days", min=1, help="Only what is older than so many days.")] = 90,
    apply: Annotated[bool, typer.Option("--apply", help="Do it; else it is only shown.")] = False,
    purge: Annotated[
        bool,
        typer.Option(
            "--purge", help="Remove the files of what was forgotten so long ago, and forget nothing."
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show which memories nobody needs, each with the reason; with --apply they are forgotten.

    Those go that are older than --days, were never recalled in this clone and are not pinned. It is
    refused while this clone has counted recalls for fewer days than that. Example: mneme gc --days 180
    """
    from mneme_git.app.memories_gc import collected
    from mneme_git.app.memories_text import collected_text

    with opened() as memories:
        done = collected(memories, days=days, apply=apply, purge=purge)
    tell(done, collected_text(done), json=json, code="APPLIED" if apply else "PREVIEW")


def log(
    memory_id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A memory's id, its first characters, or its number."),
    ] = None,
    scope: Annotated[
        ScopeName, typer.Option("--scope", help="What was done in this project, or to global memories.")
    ] = "project",
    limit: Annotated[int, typer.Option("--limit", min=1, help="The most entries to show.")] = 50,
    json: JsonOption = False,
) -> None:
    """Show what was done to memories in this clone, the newest first: when, by whom, on which branch.

    Example: mneme memory log 3fa85f64
    """
    from mneme_git.app.memories_log import history
    from mneme_git.app.memories_text import history_text
    from mneme_git.memories.limits import scope_of

    with opened() as memories:
        reply = history(memories, memory_id, scope=scope_of(scope), limit=limit)
    tell(reply, history_text(reply), json=json)


def stale(json: JsonOption = False) -> None:
    """List the memories about files or symbols that have changed or vanished since they were recorded.

    The exit status is 1 if there are any. Example: mneme memory stale
    """
    from mneme_git.app.memories_text import stale_text

    with opened() as memories:
        reply = memories.stale()
    tell(reply, stale_text(reply), json=json)
    if reply["memories"]:
        raise typer.Exit(1)


def _mark(action: "Action", given: list[str], *, json: bool) -> None:
    from mneme_git.app.memories_text import marked_text

    with opened() as memories:
        done = memories.mark(action, given)
    code = "DONE" if done["changed"] else "UNCHANGED"
    tell(done, marked_text(action, done), json=json, code=code)
