"""``mneme restore``: show and bring back what the journal has and this checkout has not."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import DryRunOption, JsonOption, revision_given
from mneme_git.cli.output import answer_json, answer_line, notice_line
from mneme_git.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme_git.app.restore import Listing, Row
    from mneme_git.app.restore_plan import Restoration, Restored

_SHORT = 12


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("restore")(restore)


def restore(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...",
            help="Decision ids, or beginnings of version ids, state digests or memory names.",
        ),
    ] = None,
    all_lost: Annotated[
        bool, typer.Option("--all", help="Bring back all that is lost and replaces nothing.")
    ] = False,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE|ENTRY", help="Decisions of this branch as they were then."),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="REV", help="Take the records from this commit.", callback=revision_given
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option("--memory", metavar="FILE", help="Bring back a good version of this memory file."),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="With --memory: write what is shown.")] = False,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Show what was recorded here and is nowhere now, or bring it back.

    Without arguments it only lists. What is here is replaced only if you name it, and stays in the
    journal. --as-of takes a day (to its end), a time (UTC unless it says otherwise) or the number of a
    journal entry. Example: mneme restore ADR-007
    """
    from mneme_git.app import restore as use_case
    from mneme_git.app.open import here, open_git

    names = ids or []
    if sum((all_lost, as_of is not None, at is not None)) > 1 or (all_lost and names):
        raise InvalidInput(
            "--all, --as-of, --at and ids with --all cannot be combined", hint="see mneme restore --help"
        )
    if memory is not None:
        _only_with(all_lost or as_of is not None or at is not None, "--all, --as-of and --at")
        from mneme_git.cli.restore_memory import restore_file

        restore_file(memory, tuple(names), apply=apply and not dry_run, json=json)
        return
    if apply:
        raise InvalidInput("--apply goes with --memory", hint="leave it out: what you name is brought back")
    workspace = here()
    store = open_git(workspace)
    if not names and not all_lost and as_of is None and at is None:
        _list(use_case.listing(store), json=json)
        return
    if at is not None:
        made = use_case.plan_at(store, open_git(workspace, at=at), names)
    elif as_of is not None:
        made = use_case.plan_as_of(store, as_of, names)
    else:
        made = use_case.plan_all(store) if all_lost else use_case.plan_named(store, names)
    _show(made if dry_run else use_case.apply(store, made), json=json)


def _only_with(wrong: bool, what: str) -> None:
    if wrong:
        raise InvalidInput(
            f"{what} do not go with --memory", hint="name a version: see mneme restore --memory FILE"
        )


def _list(found: "Listing", *, json: bool) -> None:
    if json:
        answer_json({"code": "LOST" if found.lost else "NOTHING_LOST", **_fields(found)})
        return
    lost, elsewhere = _told(found.lost), _told(found.elsewhere)
    if not lost:
        answer_line("Nothing is lost: all that was recorded here is in a commit, the index or a work tree.")
    else:
        answer_line(f"Lost ({len(lost)}): in the journal, and in no commit, index or work tree")
        for row in lost:
            answer_line(f"  {_row_text(row)}")
        answer_line("Bring back all with `mneme restore --all`, or some with `mneme restore ID...`")
    if elsewhere:
        answer_line("")
        answer_line(f"Not here, but kept by a commit or another work tree ({len(elsewhere)}):")
        for row in elsewhere:
            answer_line(f"  {_row_text(row)}")


def _told(rows: "Sequence[Row]") -> "list[Row]":
    """Leave out the versions that come back with a decision of the list."""
    with_decisions = {name for row in rows for name in row.versions}
    return [row for row in rows if row.id not in with_decisions]


def _fields(found: "Listing") -> dict[str, object]:
    return {"lost": found.lost, "elsewhere": found.elsewhere}


def _row_text(row: "Row") -> str:
    name = f"{row.id} ({row.digest[:_SHORT]})" if row.digest else row.id
    when = f"{row.written or 'time unknown'} on {row.branch or 'a detached HEAD'}, entry {row.entry}"
    other = "; here in another state" if row.replaced else ""
    about = f": {row.about}" if row.about else ""
    return f"{row.kind:<8} {name}  {when}{other}{about}"


def _show(made: "Restoration", *, json: bool) -> None:
    for text in made.receipt.notices if made.receipt is not None else ():
        notice_line(text)
    if json:
        answer_json(
            {
                "code": _code(made),
                "as_of": made.as_of,
                "restored": made.restored,
                "skipped": made.skipped,
                "receipt": made.receipt,
            }
        )
        return
    if made.as_of:
        answer_line(f"As of {made.as_of}")
    verb = "Restored" if made.receipt is not None else "Would restore"
    for row in made.restored:
        answer_line(f"{verb} {_restored_text(row)}")
    for left in made.skipped:
        answer_line(f"Left {left.kind} {left.id}: {left.why}")
    if not made.restored:
        answer_line("Nothing to restore; nothing was written")


def _restored_text(row: "Restored") -> str:
    state = f" ({row.digest[:_SHORT]})" if row.digest else ""
    source = f", written {row.written} on {row.branch or 'a detached HEAD'}" if row.written else ""
    over = f", over {row.over[:_SHORT]}" if row.over else ""
    return f"{row.kind} {row.id}{state}{source}{over}"


def _code(made: "Restoration") -> str:
    if not made.restored:
        return "NOTHING_TO_RESTORE"
    return "RESTORED" if made.receipt is not None else "WOULD_RESTORE"
