"""``mneme adr import``."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import JsonOption, MemoryOption
from mneme_git.cli.output import answer, answer_json, answer_line, notice, notice_line
from mneme_git.text.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme_git.app.adr import Imported
    from mneme_git.app.workspace import Workspace
    from mneme_git.decisions.import_file import FilePreview
    from mneme_git.decisions.import_requests import Requests
    from mneme_git.model.adr import Problem
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
    preserve: Annotated[
        list[str] | None,
        typer.Option(
            "--preserve-protection",
            metavar="RULE_ID",
            help="Keep this bound rule although the new text does not state it; repeatable.",
        ),
    ] = None,
    release: Annotated[
        list[str] | None,
        typer.Option(
            "--release-protection", metavar="RULE_ID", help="Let go of this bound rule; repeatable."
        ),
    ] = None,
    pins: Annotated[
        list[str] | None,
        typer.Option(
            "--expected-predecessor",
            metavar="ADR-ID=VERSION_ID",
            help="Change this ADR only from this version; repeatable.",
        ),
    ] = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Show what a folder of ADR files would record, and record it with --apply.

    Example: mneme adr import docs/adr --apply
    """
    from mneme_git.app.open import here, open_store
    from mneme_git.decisions.import_requests import Requests, parse_requests
    from mneme_git.store.memory_file import MemoryFile

    if dry_run and apply:
        raise typer.BadParameter("--dry-run and --apply exclude each other")
    if plan and not apply:
        raise typer.BadParameter("--plan goes with --apply")
    workspace = here()
    opened = open_store(workspace, memory=memory)
    asked = Requests(
        apply=apply,
        update_existing=update_existing,
        partial=partial,
        approve_conflicts=approve_conflicts,
        preserve=tuple(preserve or ()),
        release=tuple(release or ()),
        pins=tuple(pins or ()),
    )
    if isinstance(opened.store, MemoryFile):
        _into_file(workspace, opened.store, folder, asked, expected=plan, json=json)
    else:
        options = parse_requests(asked, any_id=True)
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
            notice_line(f"NOTE: {fault.message}")
    if imported.receipt is not None:
        for text in imported.receipt.notices:
            notice_line(text)
        if not json:
            answer(applied(imported.plan, imported.receipt.staged, where=".mneme"))
    elif apply:
        notice_line("ERROR: ADR import refused; nothing was written")
        for refusal in imported.plan.refusals:
            notice_line(f"  - {refusal.message}")
            notice_line(f"    {refusal.hint}")
    elif not json and not imported.unprepared:
        answer(next_command(imported.plan, options, folder))
    if imported.unprepared:
        notice(
            "nothing can be recorded yet: run `mneme init`, then preview again (the id of the plan changes)"
        )


def _into_file(
    workspace: "Workspace",
    store: "MemoryFile",
    folder: str,
    asked: "Requests",
    *,
    expected: str,
    json: bool,
) -> None:
    from mneme_git.app import adr_file as use_case
    from mneme_git.decisions.import_requests import parse_requests

    use_case.require_places(workspace, store, folder)
    options = parse_requests(asked, any_id=False)
    found = use_case.preview_into_file(workspace, store, folder)
    if not found.problems and not json:
        answer(found.text)
    problems = found.problems or (found.held_back if asked.apply else ())
    if problems:
        _tell_problems(folder, problems, found.text, json=json)
        raise typer.Exit(_REFUSED)
    if not asked.apply:
        if json:
            answer_json(_previewed(workspace, store, folder, found, options))
        if found.has_findings:
            raise typer.Exit(_FINDINGS)
        return
    done = use_case.import_into_file(workspace, store, folder, found, options, expected=expected)
    for text in done.receipt.notices:
        notice_line(text)
    if json:
        answer_json(
            {"code": "APPLIED" if done.receipt.paths else "UNCHANGED", "preview": found.text, "done": done}
        )
        return
    answer_line(f"Wrote {done.active} decisions to {store.name}")
    for scope, ids in done.skipped:
        answer_line(f"Skipped conflicting scope {quoted(scope)}: {', '.join(ids)}")


def _tell_problems(folder: str, problems: "Sequence[Problem]", preview: str, *, json: bool) -> None:
    from mneme_git.decisions.import_report import located

    if json:
        answer_json({"code": "PROBLEMS", "preview": preview, "problems": problems})
    notice_line(f"ERROR: {len(problems)} problem(s) in {folder}")
    for problem in problems:
        notice_line(f"  - {located(problem, problem.hint)}")


def _previewed(
    workspace: "Workspace",
    store: "MemoryFile",
    folder: str,
    found: "FilePreview",
    options: "ImportOptions",
) -> dict[str, object]:
    """Return the preview for programs, with what applying it would be or why it would be refused."""
    from mneme_git.app.adr_file import planned_into_file
    from mneme_git.errors import Refused
    from mneme_git.model.plan import plan_id

    plan, refusals = "", []
    try:
        plan = plan_id(planned_into_file(workspace, store, folder, found, options))
    except Refused as error:
        refusals.append({"code": error.code, "message": error.message, "hint": error.hint})
    return {
        "code": "DIAGNOSTICS" if found.has_findings else "OK",
        "preview": found.text,
        "plan": plan,
        "problems": found.held_back,
        "refusals": refusals,
    }
