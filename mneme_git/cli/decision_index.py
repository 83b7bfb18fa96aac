"""``mneme decision-index``: memory files of the existing format, given an index, into git and out again."""

import sys
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from mneme_git.cli.options import JsonOption
from mneme_git.cli.output import answer, answer_json, notice, report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme_git.decisions.adr_skeleton import Skeleton
    from mneme_git.model.migration import MigrationRefused

_USUAL = ".mneme/project_memory.json"
_FileOption = Annotated[
    str, typer.Option("--memory", metavar="FILE", help="The memory file.", show_default=True)
]
_ApplyOption = Annotated[bool, typer.Option("--apply", help="Preview, then write.")]


def register(app: typer.Typer) -> None:
    """Add the group to ``app``."""
    group = typer.Typer(no_args_is_help=False, help="Give a memory file an index; move it into git and out.")
    group.command("migrate")(migrate)
    app.add_typer(group, name="decision-index")


def migrate(memory: _FileOption = _USUAL, apply: _ApplyOption = False, json: JsonOption = False) -> None:
    """Show what giving a memory file an index would do, and do it with --apply. Loses nothing or refuses.

    Example: mneme decision-index migrate --memory .mneme/project_memory.json --apply
    """
    from mneme_git.app.migrate import migrate_in_place, ways_out
    from mneme_git.app.open import here, open_file
    from mneme_git.decisions import migration_text as text
    from mneme_git.model.migration import MigrationRefused

    workspace = here()
    store = open_file(workspace, memory)
    try:
        done = migrate_in_place(store, now=workspace.now(), apply=apply)
    except MigrationRefused as refused:
        _refuse(refused, ways_out(store, refused), json=json, always=False)
    for told in done.notices:
        notice(told)
    if json:
        code = "ALREADY_MIGRATED" if done.facts is None else "MIGRATED" if done.written else "PREVIEW"
        answer_json({"code": code, "memory": memory, "facts": done.facts})
    elif done.facts is None:
        answer(text.already_text(memory))
    else:
        answer(text.preview_text(memory, done.facts))
        answer(text.migrated_text(memory) if done.written else text.PREVIEW_ONLY)


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
            notice(each.text)
    raise typer.Exit(refused.exit_code)
