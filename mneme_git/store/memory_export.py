"""The decisions of a git store written into the document of a memory file."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from mneme_git.model.decision import DecisionState, Version, id_of
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.plan import Operation, PutState, PutVersion
from mneme_git.store.memory_change import change_index
from mneme_git.store.memory_index import MemoryIndex

UNNAMED_SOURCE = "mneme_source_locator"
"""Where the ADR of a version is, seen from the repository, if the format would not know it by its name."""


class Exported(Struct, frozen=True, kw_only=True):
    """A decision as the file is to have it, with the versions that the document lacks.

    ``created_at`` has the times that are known of these. ``moved`` tells that only the way to its
    ADRs is another one.
    """

    state: DecisionState
    moved: bool = False
    versions: tuple[Version, ...] = ()
    created_at: Mapping[VersionId, str] = {}
    unnamed: Mapping[VersionId, str] = {}
    updated_at: str = ""


def export_into(document: dict[str, Any], changed: Sequence[Exported], gone: frozenset[DecisionId]) -> None:
    """Bring an indexed document up to date in place.

    ``changed`` are decisions that are new or of another state, ``gone`` those that are no more. What
    is not named stays word for word. When a decision was changed last is not known any more.
    """
    _drop(document, gone)
    wanted = {each.state.decision_id: each for each in changed}
    for row in document["decision_index"]["decisions"]:
        each = wanted.get(row["decision_id"])
        if each is not None and not each.moved:
            row["updated_at"] = ""
    change_index(document, _operations(changed), keep_row=lambda name: name not in wanted)
    unnamed = {name: path for each in changed for name, path in each.unnamed.items()}
    for row in document["decision_index"]["versions"]:
        if row["version_id"] in unnamed:
            row[UNNAMED_SOURCE] = unnamed[row["version_id"]]
        elif row["decision_id"] in wanted:
            row.pop(UNNAMED_SOURCE, None)


def unnamed_in(index: MemoryIndex) -> dict[VersionId, str]:
    """Return where the ADRs are that an exported file names no file of."""
    rows = index.versions.items()
    return {
        VersionId(name): row[UNNAMED_SOURCE] for name, row in rows if isinstance(row.get(UNNAMED_SOURCE), str)
    }


def _operations(changed: Sequence[Exported]) -> list[Operation]:
    operations: list[Operation] = []
    for each in changed:
        for version in each.versions:
            operations.append(PutVersion(version, each.created_at.get(id_of(version), "")))
        operations.append(PutState(each.state, each.updated_at))
    return operations


def _drop(document: dict[str, Any], gone: frozenset[DecisionId]) -> None:
    section = document["decision_index"]
    for name in ("decisions", "versions", "rules"):
        section[name] = [row for row in section[name] if row["decision_id"] not in gone]
