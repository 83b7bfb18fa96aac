"""Whether the ADR files of a repository still hold what the git store's decisions were read from."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from mneme_git.decisions.freshness import Diagnostic
from mneme_git.model.decision import AdrEvidence, DecisionState, active_evidence
from mneme_git.model.snapshot import Snapshot


class Cited(Struct, frozen=True, kw_only=True):
    """The ADR file that the active version of a decision was read from."""

    decision_id: str
    evidence: AdrEvidence


def cited(snapshot: Snapshot) -> tuple[Cited, ...]:
    """Return what the decisions of ``snapshot`` cite, whatever their status, in their order.

    A contested decision cites nothing: which file it was read from is part of the contest.
    """
    return tuple(
        Cited(decision_id=state.decision_id, evidence=row)
        for state in snapshot.decisions
        for row in active_evidence(state)
        if isinstance(row, AdrEvidence)
    )


def cited_paths(snapshot: Snapshot) -> frozenset[str]:
    """Return every ADR path that any version of any decision cites, contested sides included."""
    sides = [side.state for contest in snapshot.contested for side in contest.sides if side.state]
    return frozenset(path for state in (*snapshot.decisions, *sides) for path in _paths(state))


def _paths(state: DecisionState) -> Iterable[str]:
    for entry in state.versions:
        for row in entry.evidence:
            if isinstance(row, AdrEvidence):
                yield row.source_locator


def compare(rows: Iterable[Cited], is_same: Callable[[AdrEvidence], bool | None]) -> tuple[Diagnostic, ...]:
    """Return a warning for each cited file that changed or is gone, changed ones first.

    ``is_same`` tells whether the file holds what the evidence says; None if there is no file.
    """
    changed: list[Diagnostic] = []
    missing: list[Diagnostic] = []
    for row in rows:
        path = row.evidence.source_locator
        same = is_same(row.evidence)
        if same is None:
            text = (
                f"the file that {row.decision_id} was read from is not there. If it was renamed or removed "
                f"on purpose, run `mneme adr import {folder_of(path)}`; otherwise restore it with git."
            )
            missing.append(Diagnostic(code="ADR_MISSING", adr_id=row.decision_id, message=text, path=path))
        elif not same:
            text = (
                f"the file holds text that was not imported. Run `mneme adr import {folder_of(path)} "
                "--update-existing` to see what would change."
            )
            changed.append(Diagnostic(code="ADR_CHANGED", adr_id=row.decision_id, message=text, path=path))
    return (*changed, *missing)


def folder_of(path: str) -> str:
    """Return the folder of a repository-relative path; ``.`` is the root."""
    return path.rpartition("/")[0] or "."
