"""``mneme decision blame``."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import AtOption, JsonOption
from mneme_git.cli.output import answer_json, answer_line
from mneme_git.store.instants import utc_shown

if TYPE_CHECKING:
    from mneme_git.app.blame import Blamed


def register(group: typer.Typer) -> None:
    """Add the command to ``mneme decision``."""
    group.command("blame")(blame)


def blame(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="A decision id, or its first characters.")],
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Tell who brought each version of a decision, with which commit and from which ADR.

    Example: mneme decision blame ADR-007
    """
    from mneme_git.app.blame import blame as use_case
    from mneme_git.app.open import here, open_git

    found, rows = use_case(open_git(here(), at=at), decision_id)
    if json:
        answer_json({"decision_id": found, "versions": rows})
        return
    answer_line(f"[{found}]")
    for row in rows:
        for line in _lines(row):
            answer_line(line)


def _lines(row: "Blamed") -> list[str]:
    mark = "*" if row.is_active else " "
    lines = [f"{mark} {row.version_id}  {row.statement}"]
    if row.commit:
        when = utc_shown(row.time)
        lines.append(f"    commit {row.commit[:12]}  {when}  {row.author}")
        lines.append(f"    {row.subject}")
        if row.history_ends:
            lines.append("    history ends here (shallow clone): an older commit may have brought it")
    else:
        lines.append("    not committed")
    if row.adr:
        lines.append(f"    from {row.adr}" + (f", blob {row.blob[:12]}" if row.blob else ""))
    if row.approved_by:
        lines.append(f"    approved by {row.approved_by}")
    return lines
