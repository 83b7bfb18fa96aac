"""Files of a branch as bytes in memory, and the records that they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mneme_git.model.codec import encode_version
from mneme_git.model.decision import Version, id_of
from mneme_git.model.memory import Memory, MemoryKind
from mneme_git.model.paths import decision_path, version_path
from mneme_git.model.proposal import Proposal
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.store.assemble import assemble
from mneme_git.store.branch_files import BranchFile, BranchFiles, Stage
from mneme_git.store.copies import Copies
from mneme_git.store.soundness import kind_of
from tests.support.make import make_rule, make_state, make_version

V1 = make_version("use-x", "Use X")
V2 = make_version("use-x", "Use X2", predecessor=id_of(V1))
S1 = make_state(V1)
S2 = make_state(V1, V2, rules=(make_rule(V2),))
HOME = decision_path("use-x")
OTHER = make_version("ADR-9", "Nine")
NINE = make_state(OTHER)
MEMORY = Memory(kind=MemoryKind.GOTCHA, body="mind\r\nthe gap", created_at="2024-01-01T00:00:00Z")
PROPOSAL = Proposal(title="T", statement="S", proposed_at="2024-01-01T00:00:00Z")

_NONE: Mapping[str, bytes] = {}


class Known(Copies):
    """Copies that a test lays out by hand."""

    def __init__(
        self,
        *,
        index: Mapping[str, bytes] = _NONE,
        head: Mapping[str, bytes] = _NONE,
        journal: Mapping[str, bytes] = _NONE,
    ) -> None:
        self._index, self._head, self._journal = dict(index), dict(head), dict(journal)

    def index(self, path: str) -> bytes | None:
        return self._index.get(path)

    def committed(self, path: str) -> bytes | None:
        return self._head.get(path)

    def journal(self, name: str) -> bytes | None:
        return self._journal.get(name)


def files_of(
    *pairs: tuple[str, bytes],
    stages: Iterable[tuple[str, int, bytes]] = (),
    copies: Copies | None = None,
    gone: tuple[str, ...] = (),
) -> BranchFiles:
    return BranchFiles(
        files=tuple(BranchFile(path, kind_of(path), data) for path, data in sorted(pairs)),
        stages=tuple(Stage(path=path, number=number, data=data) for path, number, data in stages),
        gone=gone,
        copies=copies or Known(),
    )


def version_file(version: Version) -> tuple[str, bytes]:
    return version_path(id_of(version)), encode_version(version)


def snapshot_of(*pairs: tuple[str, bytes], **more: Any) -> Snapshot:
    return assemble(files_of(*pairs, **more))


def only_fault(snapshot: Snapshot) -> Fault:
    (fault,) = snapshot.faults
    return fault
