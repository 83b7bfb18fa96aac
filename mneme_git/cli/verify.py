"""``mneme verify``."""

import typer

from mneme_git.cli.options import AtOption, JsonOption
from mneme_git.cli.output import answer, answer_json, answer_line
from mneme_git.model.snapshot import severity, told

_SIGNATURES = {
    "good": "with a good signature",
    "bad": "with a bad signature",
    "unknown": "signed by a key that nothing here vouches for",
    "unsigned": "unsigned",
}
_EXIT = {"CLEAN": 0, "NOTICES": 1, "FAULTY": 2}


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("verify")(verify)


def verify(at: AtOption = None, json: JsonOption = False) -> None:
    """Recompute every digest and name, and report all that is not as it should be.

    Exit status: 0 nothing found, 1 notices only, 2 something that makes enforcement incomplete or
    that has lost data.

    Example: mneme verify --json
    """
    from mneme_git.app.open import here
    from mneme_git.app.verify import verify as use_case
    from mneme_git.decisions.together import together

    found = use_case(here(), at=at)
    if json:
        answer_json(
            {
                "code": found.code,
                "checked": {
                    "decisions": found.decisions,
                    "versions": found.versions,
                    "index": found.index,
                    "journal": found.journal,
                    "verdicts": found.verdicts,
                },
                "faults": found.faults,
            }
        )
    else:
        for fault in together(found.faults):
            answer_line(f"{severity(fault)} {fault.code} {told(fault)}")
            if fault.hint:
                answer_line(f"      hint: {fault.hint}")
        answer(
            f"{found.code}: {found.decisions} decisions, {found.versions} versions, "
            f"{found.index} records in the index, {found.journal} in the journal{_verdicts(found.verdicts)}"
        )
    raise typer.Exit(_EXIT[found.code])


def _verdicts(counts: dict[str, int]) -> str:
    if not counts:
        return ""
    told = ", ".join(f"{count} {_SIGNATURES[worth]}" for worth, count in counts.items())
    return f"; {sum(counts.values())} verdicts: {told}"
