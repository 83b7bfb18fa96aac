"""Whether the ADR files of a repository still hold what the git store's decisions were read from."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from mneme_git.decisions.freshness import Diagnostic
from mneme_git.model.decision import AdrEvidence, DecisionState, Lifecycle, active_evidence
from mneme_git.model.snapshot import Snapshot

Look = Literal["same", "changed", "torn", "gone", "unreadable"]


class Cited(Struct, frozen=True, kw_only=True):
    """The ADR file that the active version of a decision was read from."""

    decision_id: str
    evidence: AdrEvidence
    is_active: bool = True


class Moved(Struct, frozen=True, kw_only=True):
    """A file that may be the one that is gone: it has its text, or else only its name."""

    path: str
    same_text: bool


def cited(snapshot: Snapshot) -> tuple[Cited, ...]:
    """Return what the decisions of ``snapshot`` cite, whatever their status, in their order.

    A contested decision cites nothing: which file it was read from is part of the contest.
    """
    return tuple(
        Cited(
            decision_id=state.decision_id,
            evidence=row,
            is_active=state.lifecycle_status is Lifecycle.ACTIVE,
        )
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


def compare(looks: Iterable[tuple[Cited, Look]], moved: Mapping[str, Moved]) -> tuple[Diagnostic, ...]:
    """Return a warning for each cited file that is not as it was imported: changed, gone, unreadable ones.

    A ``torn`` file changed: it holds conflict markers. ``moved`` tells by path where files that are gone
    may be now. That the file of a decision out of force is gone is no news.
    """
    looks = tuple(looks)
    return (
        *_changed((row, look == "torn") for row, look in looks if look in {"changed", "torn"}),
        *_gone((row for row, look in looks if look == "gone" and row.is_active), moved),
        *_unreadable(row for row, look in looks if look == "unreadable"),
    )


def _changed(rows: Iterable[tuple[Cited, bool]]) -> Iterator[Diagnostic]:
    for row, torn in rows:
        hint = (
            f"run `{import_command(row.evidence.source_locator)} --update-existing` to see what would change"
        )
        fact = "the file holds text that was not imported"
        if torn:
            fact, hint = (
                "the file holds conflict markers of a merge",
                f"settle the conflict first, then {hint}",
            )
        yield _warning("ADR_CHANGED", row, fact, hint)


def _gone(rows: Iterable[Cited], moved: Mapping[str, Moved]) -> Iterator[Diagnostic]:
    for row in rows:
        fact = f"the file that {row.decision_id} was read from is not there"
        now = moved.get(row.evidence.source_locator)
        if now is None:
            hint = "restore it with git, or retire the decision with `mneme decision deprecate ID`"
        elif now.same_text:
            fact += f"; '{now.path}' holds the same text"
            hint = f"run `{import_command(now.path)}` to record where it is now"
        else:
            fact += f"; '{now.path}' has the same name"
            hint = f"run `{import_command(now.path)} --update-existing` to see what would change"
        yield _warning("ADR_MISSING", row, fact, hint)


def _unreadable(rows: Iterable[Cited]) -> Iterator[Diagnostic]:
    for row in rows:
        fact = f"the file that {row.decision_id} was read from cannot be read, so it may have been changed"
        yield _warning("ADR_UNREADABLE", row, fact, "make it readable, or restore it with git")


def _warning(code: str, row: Cited, fact: str, hint: str) -> Diagnostic:
    path = row.evidence.source_locator
    return Diagnostic(code=code, adr_id=row.decision_id, message=fact, path=path, hint=hint)


def import_command(path: str) -> str:
    """Return the command that previews the folder of the ADR file at ``path``."""
    return f"mneme adr import {shlex.quote(folder_of(path))}"


def folder_of(path: str) -> str:
    """Return the folder of a repository-relative path; ``.`` is the root."""
    return path.rpartition("/")[0] or "."
