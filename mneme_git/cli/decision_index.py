"""``mneme decision-index``: memory files of the existing format, given an index, into git and out again."""

import sys
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from mneme_git.cli.options import JsonOption
from mneme_git.cli.output import answer, answer_bytes, answer_json, answer_line, notice, notice_line, report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme_git.app.workspace import Workspace
    from mneme_git.decisions.adr_skeleton import Skeleton
    from mneme_git.model.migration import MigrationRefused
    from mneme_git.store.memory_file import MemoryFile

_USUAL = ".mneme/project_memory.json"
_FileOption = Annotated[
    str, typer.Option("--memory", metavar="FILE", help="The memory file.", show_default=True)
]
_ApplyOption = Annotated[bool, typer.Option("--apply", help="Preview, then write.")]


def register(app: typer.Typer) -> None:
    """Add the group to ``app``."""
    group = typer.Typer(no_args_is_help=False, help="Give a memory file an index; move it into git and out.")
    group.command("migrate")(migrate)
    group.command("export")(export)
    app.add_typer(group, name="decision-index")


def migrate(
    memory: _FileOption = _USUAL,
    apply: _ApplyOption = False,
    to_git: Annotated[
        bool,
        typer.Option(
            "--to-git", help="Move the file into the git store of this repository; again, take over changes."
        ),
    ] = False,
    proposals: Annotated[
        str | None,
        typer.Option(
            "--proposals", metavar="FILE", help="With --to-git: proposals that go along, if not beside FILE."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show what giving a memory file an index would do, and do it with --apply. Loses nothing or refuses.

    Example: mneme decision-index migrate --memory .mneme/project_memory.json --apply
    """
    from mneme_git.app.migrate import ways_out
    from mneme_git.app.open import here, open_file
    from mneme_git.model.migration import MigrationRefused

    workspace = here()
    store = open_file(workspace, memory)
    try:
        if to_git:
            _to_git(workspace, store, apply=apply, proposals=proposals, json=json)
        else:
            _in_place(workspace, store, apply=apply, json=json)
    except MigrationRefused as refused:
        _refuse(refused, ways_out(store, refused), json=json, always=to_git)


def export(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="Where to; - is standard output. Default: where it was."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that git never saw; a copy of it is kept.")
    ] = False,
    relocate: Annotated[
        bool, typer.Option("--relocate", help="Name ADR files as seen from FILE even if nothing has changed.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Write the decisions of the git store as a memory file of the existing format.

    If nothing changed since a file was moved into git, that file comes back byte for byte.
    Example: mneme decision-index export memory.json
    """
    from mneme_git.app.export import plan_export, write_export
    from mneme_git.app.open import here

    workspace = here()
    made = plan_export(workspace, None if file == "-" else file, relocate=relocate)
    if made.strays:
        notice("its ADR files are named as seen from where it was; --relocate names them as seen from here")
    if file == "-":
        answer_bytes(made.data)
        return
    done = write_export(workspace, made, force=force)
    for told in (*done.notices, *done.receipt.notices):
        notice_line(told)
    shown = file or str(made.path)
    if json:
        code = "EXPORTED" if done.written else "UNCHANGED"
        answer_json({"code": code, "path": shown, "decisions": made.decisions, "same": made.same})
        return
    answer_line(f"{'Wrote' if done.written else 'Nothing to write:'} {made.decisions} decisions to {shown}")
    if made.same:
        answer_line("It is the file that was moved into git, byte for byte: nothing has changed since.")


def _in_place(workspace: "Workspace", store: "MemoryFile", *, apply: bool, json: bool) -> None:
    from mneme_git.app.migrate import migrate_in_place
    from mneme_git.decisions import migration_text as text

    done = migrate_in_place(store, now=workspace.now(), apply=apply)
    for told in done.notices:
        notice_line(told)
    if json:
        code = "ALREADY_MIGRATED" if done.facts is None else "MIGRATED" if done.written else "PREVIEW"
        answer_json({"code": code, "memory": store.name, "facts": done.facts})
    elif done.facts is None:
        answer(text.already_text(store.name))
    else:
        answer(text.preview_text(store.name, done.facts))
        answer(text.migrated_text(store.name) if done.written else text.PREVIEW_ONLY)


def _to_git(
    workspace: "Workspace", store: "MemoryFile", *, apply: bool, proposals: str | None, json: bool
) -> None:
    from mneme_git.app.to_git import move_to_git
    from mneme_git.decisions.migration_text import to_git_text

    done = move_to_git(workspace, store, apply=apply, proposals=proposals)
    written = done.receipt is not None
    for told in done.receipt.notices if done.receipt is not None else ():
        notice_line(told)
    if done.ignored_by:
        notice(
            f"git ignores .mneme ({done.ignored_by}): decisions would not be committed. "
            "Add the line `!/.mneme/` after that rule"
        )
    if json:
        code = "MOVED" if written else "PREVIEW" if done.summary.changes else "UNCHANGED"
        answer_json({"code": code, "memory": store.name, "summary": done.summary, "receipt": done.receipt})
    else:
        answer(to_git_text(store.name, done.summary, written=written))


def _refuse(
    refused: "MigrationRefused", ways_out: "Sequence[Skeleton]", *, json: bool, always: bool
) -> NoReturn:
    """Say why not and, to a person or if ``always``, what can be done for each decision in the way."""
    report(refused, json=False)
    if json:
        answer_json({"code": refused.code, "message": refused.message, "skeletons": ways_out})
    elif always or sys.stderr.isatty():
        for each in ways_out:
            notice(
                f"\nDecision [{each.row_id}] can live on as an ADR: take its row out of the file, migrate, "
                f"save this as\ndocs/adr/{each.name} and import it with `mneme adr import docs/adr`:\n"
            )
            notice_line(each.text)
    raise typer.Exit(refused.exit_code)
