"""Whether a memory file and a folder of ADR files still agree; warnings only.

These are the diagnostics of the existing format, which looks at the ADRs themselves in a lenient way:
each file is read on its own, and only what keeps it from being read at all is said of it. How the git
store compares its evidence with the files is in ``decisions/evidence.py``.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from mneme_git.text.quoting import quoted

PRIORITIES = ("exception", "normal", "foundational")
_NO_SCOPE = "None"


class Diagnostic(Struct, frozen=True, kw_only=True):
    """One warning about an ADR.

    ``hint`` says what to do next; the messages of the existing format say so themselves.
    """

    code: str
    adr_id: str
    message: str
    path: str | None
    hint: str = ""

    @property
    def text(self) -> str:
        """Return the message with the hint, if any."""
        return f"{self.message}; {self.hint}" if self.hint else self.message


class AdrFacts(Struct, frozen=True, kw_only=True):
    """What these diagnostics need of one ADR file; ``problem`` says why it could not be read.

    ``path`` is as it is shown. Texts are as the front matter has them; ``scope`` is empty for global.
    ``sha256`` is of the file's bytes.
    """

    path: str
    id: str
    status: str = ""
    scope: str = ""
    priority: str = ""
    date: str = ""
    supersedes: tuple[str, ...] = ()
    sha256: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        """Return the name of the file."""
        return self.path.rsplit("/", 1)[-1]


class LedgerRow(Struct, frozen=True, kw_only=True):
    """A decision of the memory file and the ADR it names (all empty if it names none).

    ``sha256`` is what the row says the file had; ``exists`` whether there is such a file.
    """

    id: str
    path: str = ""
    sha256: str = ""
    exists: bool = False


def diagnostics(
    adrs: Sequence[AdrFacts], rows: Sequence[LedgerRow], memory_name: str
) -> tuple[Diagnostic, ...]:
    """Return all warnings, grouped by code in a fixed order, each (code, ADR, path) once.

    ``adrs`` come in the order of their file names, ``rows`` in the order of the memory file.
    """
    # Of several files with one id the last counts; that there are several is for the import to say.
    by_id = {adr.id: adr for adr in adrs if not adr.problem}
    read = [by_id[name] for name in sorted(by_id)]
    status = graph_status(read)
    found = (
        *_unparseable(adrs),
        *_unimported(read, status, rows, memory_name),
        *_changed(rows, [adr for adr in read if status[adr.id] == "active"]),
        *_missing(rows),
        *_dangling(read),
        *_orphans(read),
        *_contradictions(read, status),
        *_eliminated(read, status),
        *_mismatches(rows, status),
    )
    once: dict[tuple[str, str, str | None], Diagnostic] = {}
    for one in found:
        once.setdefault((one.code, one.adr_id, one.path), one)
    return tuple(once.values())


def graph_status(adrs: Iterable[AdrFacts]) -> dict[str, str]:
    """Return the lifecycle that each ADR has among the others, by id."""
    adrs = tuple(adrs)
    gone = {older for adr in adrs if adr.status == "accepted" for older in adr.supersedes}
    return {adr.id: _status(adr, adr.id in gone) for adr in adrs}


def _status(adr: AdrFacts, is_superseded: bool) -> str:
    if adr.status == "accepted":
        return "superseded" if is_superseded else "active"
    return adr.status if adr.status in {"superseded", "deprecated"} else "inactive"


def _unparseable(adrs: Iterable[AdrFacts]) -> Iterator[Diagnostic]:
    for adr in adrs:
        if adr.problem:
            text = (
                f"{adr.name} could not be parsed as an ADR: {adr.problem}. "
                "Fix the frontmatter or rename the file out of the ADR-*.md pattern."
            )
            yield Diagnostic(code="ADR_UNPARSEABLE", adr_id=adr.id, message=text, path=adr.path)


def _unimported(
    adrs: Iterable[AdrFacts], status: dict[str, str], rows: Iterable[LedgerRow], memory_name: str
) -> Iterator[Diagnostic]:
    known = {row.id for row in rows}
    for adr in adrs:
        if status[adr.id] == "active" and adr.id not in known:
            text = (
                f"{adr.id} exists in {adr.path} but no matching decision is present in {memory_name}. "
                "Run `mneme adr import` to import it."
            )
            yield Diagnostic(code="ADR_UNIMPORTED", adr_id=adr.id, message=text, path=adr.path)


def _changed(rows: Iterable[LedgerRow], adrs: Iterable[AdrFacts]) -> Iterator[Diagnostic]:
    """Compare by id: a row with the active ADR of its id, wherever in the folder that is now."""
    found = {adr.id: adr.sha256 for adr in adrs}
    for row in sorted(rows, key=lambda row: row.id):
        if row.sha256 and found.get(row.id, row.sha256) != row.sha256:
            text = (
                f"{row.id} source file changed since import (hash mismatch). "
                "Re-run `mneme adr import` to refresh the imported decision."
            )
            yield Diagnostic(code="ADR_CHANGED", adr_id=row.id, message=text, path=row.path)


def _missing(rows: Iterable[LedgerRow]) -> Iterator[Diagnostic]:
    for row in rows:
        if row.path and not row.exists:
            text = (
                f"Decision {row.id} references ADR source {row.path} but that file does not exist. "
                "Either restore the file or remove the decision."
            )
            yield Diagnostic(code="ADR_MISSING", adr_id=row.id, message=text, path=row.path)


def _dangling(adrs: Sequence[AdrFacts]) -> Iterator[Diagnostic]:
    known = {adr.id for adr in adrs}
    for adr in adrs:
        for older in adr.supersedes:
            if older not in known:
                text = (
                    f"{adr.id} supersedes unknown ADR {quoted(older)} — the target does not exist in the "
                    "corpus. Fix the reference or add the missing ADR."
                )
                yield Diagnostic(code="DANGLING_SUPERSEDES", adr_id=adr.id, message=text, path=adr.path)


def _orphans(adrs: Sequence[AdrFacts]) -> Iterator[Diagnostic]:
    gone = {older for adr in adrs if adr.status == "accepted" for older in adr.supersedes}
    for adr in adrs:
        if adr.status == "superseded" and adr.id not in gone:
            text = (
                f"{adr.id} is marked superseded (declared or via link) but has no recorded successor "
                "(superseded_by is None). Add a supersedes link from the replacing ADR or update status."
            )
            yield Diagnostic(code="ORPHAN_SUPERSEDED", adr_id=adr.id, message=text, path=adr.path)


def _contradictions(adrs: Iterable[AdrFacts], status: dict[str, str]) -> Iterator[Diagnostic]:
    tied = [(scope, ranked) for scope, ranked in _ranked(adrs, status) if _is_tied(ranked)]
    for scope, ranked in sorted(tied, key=lambda pair: _tied_ids(pair[1])):
        ids = _tied_ids(ranked)
        text = (
            f"Active-active contradiction at scope {quoted(scope)} between: {', '.join(ids)}. These accepted "
            "ADRs share the same scope, priority, and date — precedence cannot break the tie. Resolve by "
            "editing status/priority/date or adding an explicit supersedes link."
        )
        yield Diagnostic(code="ACTIVE_CONTRADICTION", adr_id=",".join(ids), message=text, path=None)


def _eliminated(adrs: Iterable[AdrFacts], status: dict[str, str]) -> Iterator[Diagnostic]:
    losers = [
        (loser, ranked[0], scope)
        for scope, ranked in _ranked(adrs, status)
        if not _is_tied(ranked)
        for loser in ranked[1:]
    ]
    for loser, winner, scope in sorted(losers, key=lambda found: found[0].id):
        text = (
            f"{loser.id} was silently eliminated by precedence in scope {quoted(scope)} "
            f"(winner: {winner.id}). Both claim active status with no explicit supersedes link. "
            "Add an explicit supersedes link or retire one decision."
        )
        yield Diagnostic(code="SILENT_PRECEDENCE_ELIMINATION", adr_id=loser.id, message=text, path=loser.path)


def _mismatches(rows: Iterable[LedgerRow], status: dict[str, str]) -> Iterator[Diagnostic]:
    for row in sorted(rows, key=lambda row: row.id):
        now = status.get(row.id, "active")
        if row.path and row.exists and now != "active":
            text = (
                f"Ledger decision {row.id} references an ADR whose current derived status is {quoted(now)}, "
                "not active. The ledger entry remains retrievable and enforceable. Re-import after updating "
                "the ADR or retire the decision explicitly."
            )
            yield Diagnostic(code="LEDGER_STATUS_MISMATCH", adr_id=row.id, message=text, path=row.path)


def _ranked(adrs: Iterable[AdrFacts], status: dict[str, str]) -> Iterator[tuple[str, list[AdrFacts]]]:
    """Yield each scope that several active ADRs claim, with them in order of precedence, ties by id.

    Higher priority first, then the newer date, compared as text.
    """
    scopes: dict[str, list[AdrFacts]] = {}
    for adr in adrs:
        if status[adr.id] == "active" and adr.priority in PRIORITIES and adr.date and adr.scope != _NO_SCOPE:
            scopes.setdefault(adr.scope, []).append(adr)
    for scope, claiming in scopes.items():
        if len(claiming) > 1:
            by_date = sorted(sorted(claiming, key=lambda adr: adr.id), key=lambda adr: adr.date, reverse=True)
            yield scope, sorted(by_date, key=lambda adr: -PRIORITIES.index(adr.priority))


def _is_tied(ranked: Sequence[AdrFacts]) -> bool:
    first, second = ranked[0], ranked[1]
    return (first.priority, first.date) == (second.priority, second.date)


def _tied_ids(ranked: Sequence[AdrFacts]) -> list[str]:
    first = ranked[0]
    return sorted(adr.id for adr in ranked if (adr.priority, adr.date) == (first.priority, first.date))
