"""``mneme adr import``."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import JsonOption, MemoryOption
from mneme_git.cli.output import answer, answer_json, notice

if TYPE_CHECKING:
    from mneme_git.app.adr import Imported
    from mneme_git.app.workspace import Workspace
    from mneme_git.model.adr_import import ImportOptions
    from mneme_git.store.memory_file import MemoryFile

_Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder that holds the ADR files.")]
_FINDINGS, _REFUSED = 1, 2


def register(app: typer.Typer) -> typer.Typer:
    """Add the group ``adr`` to the root command, and return it."""
    adr = typer.Typer(
        no_args_is_help=True, help="Write architecture decision records, and read them into the store."
    )
    adr.callback()(_group)
    adr.command("import")(import_command)
    app.add_typer(adr, name="adr")
    return adr


def _group() -> None:
    """Write architecture decision records, and read them into the store."""


def import_command(  # noqa: PLR0913, PLR0917 - one parameter for each option
    folder: _Folder,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Preview only; this is the default.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Preview, then write.")] = False,
    plan: Annotated[
        str, typer.Option("--plan", metavar="ID", help="With --apply: write only if the plan has this id.")
    ] = "",
    update_existing: Annotated[
        bool, typer.Option("--update-existing", help="Allow changes of decisions that are recorded.")
    ] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Import the good files although others have problems.")
    ] = False,
    approve_conflicts: Annotated[
        bool, typer.Option("--approve-conflicts", help="Leave out scopes whose ADRs contradict each other.")
    ] = False,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Show what a folder of ADR files would record, and record it with --apply.

    Example: mneme adr import docs/adr --apply
    """
    from mneme_git.app.open import here, open_store
    from mneme_git.model.adr_import import ImportOptions
    from mneme_git.store.memory_file import MemoryFile

    if dry_run and apply:
        raise typer.BadParameter("--dry-run and --apply exclude each other")
    if plan and not apply:
        raise typer.BadParameter("--plan goes with --apply")
    workspace = here()
    opened = open_store(workspace, memory=memory)
    options = ImportOptions(
        update_existing=update_existing, partial=partial, approve_conflicts=approve_conflicts
    )
    if isinstance(opened.store, MemoryFile):
        _into_file(workspace, opened.store, folder, apply=apply, json=json)
    else:
        _into_git(workspace, folder, options, apply=apply, expected=plan, json=json)


def _into_git(
    workspace: "Workspace",
    folder: str,
    options: "ImportOptions",
    *,
    apply: bool,
    expected: str,
    json: bool,
) -> None:
    from mneme_git.app.adr import import_adrs
    from mneme_git.decisions.import_json import as_object, outcome
    from mneme_git.decisions.import_report import preview

    imported = import_adrs(workspace, folder, options, apply=apply, expected=expected)
    code, status = outcome(imported.plan, options, apply=apply)
    if json:
        answer_json(as_object(imported.plan, code=code, receipt=imported.receipt))
    else:
        answer(preview(imported.plan, options))
    _tell(imported, options, folder, apply=apply, json=json)
    if status:
        raise typer.Exit(status)


def _tell(imported: "Imported", options: "ImportOptions", folder: str, *, apply: bool, json: bool) -> None:
    from mneme_git.decisions.import_report import applied, next_command

    for fault in imported.faults:
        if fault.blocks:
            notice(f"NOTE: {fault.message}")
    if imported.receipt is not None:
        for text in imported.receipt.notices:
            notice(text)
        if not json:
            answer(applied(imported.plan, imported.receipt.staged, where=".mneme"))
    elif apply:
        notice("ERROR: ADR import refused; nothing was written")
        for refusal in imported.plan.refusals:
            notice(f"  - {refusal.message}\n    {refusal.hint}")
    elif not json:
        answer(next_command(imported.plan, options, folder))


def _into_file(workspace: "Workspace", store: "MemoryFile", folder: str, *, apply: bool, json: bool) -> None:
    from mneme_git.app.adr import preview_into_file
    from mneme_git.decisions.import_report import located
    from mneme_git.errors import Refused

    found = preview_into_file(workspace, store, folder)
    if json:
        code = "PROBLEMS" if found.problems else "DIAGNOSTICS" if found.has_findings else "OK"
        answer_json({"code": code, "preview": found.text, "problems": found.problems})
    elif not found.problems:
        answer(found.text)
    if found.problems:
        notice(f"ERROR: {len(found.problems)} problem(s) in {folder}")
        for problem in found.problems:
            notice(f"  - {located(problem, problem.hint)}")
        raise typer.Exit(_REFUSED)
    if apply:
        raise Refused(
            f"this version previews an import into memory file {store.name} but does not write it",
            hint="leave --memory out to import into the git store (`mneme init` makes one)",
        )
    if found.has_findings:
        raise typer.Exit(_FINDINGS)
