"""The same decision in a memory file and in a git store: only where its ADR is said to be differs.

A memory file names an ADR as seen from its own folder, a git store as seen from the repository. A
git store knows the blob of an ADR too, which a memory file has no place for.
"""

import posixpath
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.model.decision import AdrEvidence, DecisionState, Evidence, LineageEntry
from mneme_git.model.ids import VersionId
from mneme_git.text.adr_name import names_its_decision

_Moved = Callable[[LineageEntry, Evidence], Evidence]


class Place(Struct, frozen=True):
    """Where a memory file is: the repository and the folder of the file, absolute, with ``/``."""

    root: str
    folder: str


class ForFile(Struct, frozen=True):
    """A state as a memory file has it.

    ``unnamed`` gives the place in the repository of each ADR whose file name the format would not
    take for that of its decision; the state then names no file.
    """

    state: DecisionState
    unnamed: dict[VersionId, str]


def in_repository(state: DecisionState, place: Place, unnamed: dict[VersionId, str]) -> DecisionState:
    """Return a state of a memory file as a git store has it, without blobs.

    ``unnamed`` is what the file remembers of ADRs that it names no file of.
    """

    def moved(entry: LineageEntry, row: Evidence) -> Evidence:
        if not isinstance(row, AdrEvidence):
            return row
        if not row.source_locator:
            return replace(row, source_locator=unnamed.get(entry.version_id, ""))
        return replace(row, source_locator=_seen_from(place.root, place.folder, row.source_locator))

    return _with_evidence(state, moved)


def without_blobs(state: DecisionState) -> DecisionState:
    """Return a state of a git store without what only a git store knows."""
    return _with_evidence(
        state,
        lambda _, row: replace(row, blob="", object_format="") if isinstance(row, AdrEvidence) else row,
    )


def in_file(state: DecisionState, place: Place) -> ForFile:
    """Return a state of a git store as the memory file at ``place`` has it."""
    unnamed: dict[VersionId, str] = {}

    def moved(entry: LineageEntry, row: Evidence) -> Evidence:
        if not isinstance(row, AdrEvidence):
            return row
        plain = replace(row, blob="", object_format="")
        if not row.source_locator:
            return plain
        if not names_its_decision(row.source_locator, state.decision_id):
            unnamed[entry.version_id] = row.source_locator
            return replace(plain, source_locator="")
        return replace(plain, source_locator=_seen_from(place.folder, place.root, row.source_locator))

    return ForFile(_with_evidence(state, moved), unnamed)


def _with_evidence(state: DecisionState, moved: _Moved) -> DecisionState:
    entries = tuple(
        replace(entry, evidence=tuple(moved(entry, row) for row in entry.evidence))
        for entry in state.versions
    )
    return replace(state, versions=entries)


def _seen_from(here: str, there: str, path: str) -> str:
    """Return ``path``, which is relative to ``there`` or absolute, relative to ``here``."""
    return posixpath.relpath(posixpath.join(there, path), here)
