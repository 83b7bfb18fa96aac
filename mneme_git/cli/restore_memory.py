"""``mneme restore --memory``: a good version of a memory file."""

from typing import TYPE_CHECKING

import typer

from mneme_git.cli.output import answer_json, answer_line, notice_line
from mneme_git.store.instants import utc_text

if TYPE_CHECKING:
    from mneme_git.app.restore_memory import FileRestoration
    from mneme_git.store.memory_versions import FileVersion

_DIGITS = 12


def restore_file(memory: str, names: tuple[str, ...], *, apply: bool, json: bool) -> None:
    """Show which version could be brought back and what changed since, and write it if asked."""
    from mneme_git.app.open import here
    from mneme_git.app.restore_memory import apply_file_restore, plan_file_restore

    workspace = here()
    planned = plan_file_restore(workspace, memory, names)
    written = apply and planned.chosen is not None
    for told in apply_file_restore(workspace, planned) if written else ():
        notice_line(told)
    code = "RESTORED" if written else _code(planned)
    if json:
        answer_json(
            {
                "code": code,
                "memory": memory,
                "problem": planned.problem,
                "chosen": _row(planned.chosen) if planned.chosen is not None else None,
                "since": planned.since,
                "versions": [_row(each) for each in planned.versions],
            }
        )
    else:
        _tell(memory, planned, written=written)
    if code == "NOTHING_GOOD":
        raise typer.Exit(2)


def _code(planned: "FileRestoration") -> str:
    if planned.chosen is not None:
        return "WOULD_RESTORE"
    return "NOTHING_GOOD" if planned.problem else "NOTHING_TO_RESTORE"


def _tell(memory: str, planned: "FileRestoration", *, written: bool) -> None:
    if planned.problem:
        answer_line(f"{memory} is damaged: {planned.problem}")
    elif planned.chosen is None:
        answer_line(f"{memory} is good; nothing to restore")
    if planned.chosen is not None:
        label = "Restored" if written else "Newest good version" if planned.problem else "Chosen"
        answer_line(f"{label}: {_line(planned.chosen)}")
        if planned.since:
            answer_line(f"{'It had' if written else 'The file has'} since then:")
            for line in planned.since:
                answer_line(f"  {line}")
        if not written:
            answer_line("Nothing was written. Re-run with --apply to write that version.")
        return
    if planned.problem:
        answer_line("No good version of it is in a commit or in the journal.")
    if planned.versions:
        answer_line("Versions, newest first (name one to bring it back):")
        for each in planned.versions:
            answer_line(f"  {_line(each)}")


def _line(version: "FileVersion") -> str:
    damage = f"  damaged: {version.problem}" if version.problem else ""
    return f"{version.sha256[:_DIGITS]}  {utc_text(version.time)}  {version.source}{damage}"


def _row(version: "FileVersion") -> dict[str, str]:
    return {
        "sha256": version.sha256,
        "time": utc_text(version.time),
        "source": version.source,
        "problem": version.problem,
    }
