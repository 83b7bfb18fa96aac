"""``mneme audit``: how much of what the decisions say is protected."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import AtOption, MemoryOption
from mneme_git.cli.output import answer, answer_encoded, answer_line, json_bytes, notice_line
from mneme_git.errors import InvalidInput

if TYPE_CHECKING:
    from mneme_git.decisions.audit_report import Audit

_MILD = 1
_STDOUT = "-"


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("audit")(audit)


def audit(
    memory: MemoryOption = None,
    repo_root: Annotated[
        str | None,
        typer.Option(
            "--repo-root", metavar="DIR", help="Also look for CI files and declared tests below DIR."
        ),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write the report as JSON to FILE, - for stdout."),
    ] = None,
    at: AtOption = None,
) -> None:
    """Tell which decisions a rule protects, which a rule could protect, and which only advise.

    Example: mneme audit --repo-root .
    """
    from mneme_git.app.open import here
    from mneme_git.app.protect import assessed
    from mneme_git.decisions.audit_report import audit_report, audit_text, has_candidates

    found = assessed(here(), memory=memory, repo_root=repo_root, at=at)
    report = audit_report(found.assessments, found.place)
    for fault in found.faults:
        notice_line(f"WARN  {fault.code} {fault.message}")
    if json is None:
        answer(audit_text(report))
    else:
        _write(report, json)
    if has_candidates(found.assessments):
        if json != _STDOUT:
            answer_line("WARN: candidate enforcement evidence found; the CI mention does not fail the build")
        raise typer.Exit(_MILD)


def _write(report: "Audit", file: str) -> None:
    import msgspec

    data = msgspec.json.format(json_bytes(report), indent=2)
    if file == _STDOUT:
        answer_encoded(data)
        return
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_bytes(data + b"\n")
    except OSError as error:
        raise InvalidInput(
            f"the report cannot be written to {file}: {error.strerror}",
            hint="name a file that can be written",
        ) from error
    answer_line(f"Audit report written: {file}")
