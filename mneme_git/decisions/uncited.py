"""The files of an ADR folder that no decision was read from."""

import re
from collections.abc import Iterable

from mneme_git.decisions.adr_read import Outcome, read_file, stem_of
from mneme_git.decisions.evidence import import_command
from mneme_git.decisions.freshness import Diagnostic
from mneme_git.model.adr_source import AdrSource

_NUMBERED = re.compile(r"(?:adr-?)?[0-9]", re.IGNORECASE)


def unimported(sources: Iterable[AdrSource]) -> tuple[Diagnostic, ...]:
    """Return a warning for each file of an ADR folder that is an ADR, or is named like one, and not cited.

    Any other Markdown file beside the ADRs is nobody's business here.
    """
    found = [_uncited(source, read_file(source)) for source in sources]
    return tuple(one for one in found if one is not None)


def _uncited(source: AdrSource, outcome: Outcome) -> Diagnostic | None:
    name = source.path.rsplit("/", 1)[-1]
    stem = stem_of(source.path)
    if outcome.adr is not None:
        given = outcome.adr.stated_id or outcome.adr.number or stem
        return Diagnostic(
            code="ADR_UNIMPORTED",
            adr_id=given,
            message="no decision was read from this ADR",
            path=source.path,
            hint=f"run `{import_command(source.path)}` to see what it would record",
        )
    if outcome.problems and _NUMBERED.match(name):
        first = outcome.problems[0]
        line = f" (line {first.line})" if first.line else ""
        text = f"it is named like an ADR but cannot be read as one: {first.message}{line}."
        return Diagnostic(code="ADR_UNPARSEABLE", adr_id=stem, message=text, path=source.path)
    return None
