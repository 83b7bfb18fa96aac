"""Is everything that is kept as it should be? The faults of a store, in three widths.

``all_faults`` is what ``check`` and ``status`` tell: it costs one more question to git than loading
did. ``verify`` also recomputes the whole index and journal and compares every ADR.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from mneme_git.app.open import Opened, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.consistency import Consistency, consistency, doubtful_adrs, unseen_adrs
from mneme_git.decisions.in_force import in_force
from mneme_git.decisions.state_faults import state_faults
from mneme_git.decisions.successors import Standing, adrs_of, in_question
from mneme_git.errors import MnemeError
from mneme_git.model.decision import AdrEvidence, DecisionState, Lifecycle
from mneme_git.model.enforced import Enforced
from mneme_git.model.faults import FAULT_CODES
from mneme_git.model.ids import DecisionId, ObjectId
from mneme_git.model.paths import decision_path
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.store.backend import GitBackend
from mneme_git.store.git_store import GitStore
from mneme_git.text.conflict_marks import conflict_at

_FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*---")


_CONSISTENCIES = msgspec.msgpack.Decoder(tuple[Consistency, ...])


class Verified(Struct, frozen=True, kw_only=True):
    """What was looked at and what is wrong, sorted by path, then code.

    ``verdicts`` counts them by what their signatures are worth.
    """

    decisions: int
    versions: int
    index: int
    journal: int
    verdicts: dict[str, int] = {}
    faults: tuple[Fault, ...]

    @property
    def code(self) -> Literal["CLEAN", "NOTICES", "FAULTY"]:
        """Return one word for the result."""
        if any(fault.blocks for fault in self.faults):
            return "FAULTY"
        return "NOTICES" if self.faults else "CLEAN"


def verify(workspace: Workspace, *, at: str | None = None) -> Verified:
    """Verify the work tree, the index and the journal, or the tree of one revision.

    Raises:
        NoRepository: there is none.
        NotFound: ``at`` names no commit.
    """
    from mneme_git.app.verdicts import judgements, signature_faults
    from mneme_git.store.verify import index_faults, journal_faults

    store = open_git(workspace, at=at)
    snapshot = store.load(anew=True)
    judged = judgements(store, snapshot)
    faults = [*all_faults(store, snapshot), *signature_faults(judged)]
    indexed = kept = 0
    if at is None:
        indexed, in_index = index_faults(store.backend)
        kept, in_journal = journal_faults(store.backend)
        faults += [*in_index, *in_journal, *adr_faults(store, snapshot)]
    return Verified(
        decisions=len(snapshot.decisions) + len(snapshot.contested),
        versions=len(snapshot.versions),
        index=indexed,
        journal=kept,
        verdicts=dict(sorted(Counter(each.signature for each in judged).items())),
        faults=tuple(sorted(faults, key=lambda fault: (fault.path, fault.code, fault.message))),
    )


def all_faults(store: GitStore, snapshot: Snapshot) -> tuple[Fault, ...]:
    """Return what is wrong with the files, with single decisions and between them."""
    return examine(store, snapshot).faults


class Holding(Struct, frozen=True, kw_only=True):
    """What a store holds: the snapshot, all its faults, and what is in force, in the store's order."""

    snapshot: Snapshot
    faults: tuple[Fault, ...]
    decisions: tuple[Enforced, ...]


def what_holds(opened: Opened, *, root: str = "") -> Holding:
    """Return what is in force, with decisions that are enforced only because a merge left them alone.

    ``root`` replaces the absolute folder of ``opened``, for paths without symbolic links.
    """
    snapshot = opened.store.load()
    found = Consistency(faults=snapshot.faults)
    if isinstance(opened.store, GitStore):
        found = examine(opened.store, snapshot)
    decisions = in_force(snapshot, root=root or str(opened.root), also=found.also)
    return Holding(snapshot=snapshot, faults=found.faults, decisions=decisions)


def examine(store: GitStore, snapshot: Snapshot) -> Consistency:
    """Return all faults, and the decisions that are enforced although they are not active."""
    known = store.derived("examined", _CONSISTENCIES, lambda: _examined_alone(snapshot))
    between = known[0] if known else _between(store, snapshot)
    faults = [
        *snapshot.faults,
        *(_contested(contest.decision_id, contest.why) for contest in snapshot.contested),
        *(() if known else state_faults(snapshot)),
        *between.faults,
    ]
    if store.revision is None:
        from mneme_git.store.removals import records_removed

        faults += records_removed(store.backend, snapshot)
    return Consistency(faults=tuple(faults), also=between.also)


def _examined_alone(snapshot: Snapshot) -> tuple[Consistency, ...]:
    """Return what is wrong with single decisions and between them; nothing if their ADRs must be asked."""
    if in_question(snapshot) or doubtful_adrs(snapshot):
        return ()
    between = consistency(snapshot, {})
    return (Consistency(faults=(*state_faults(snapshot), *between.faults), also=between.also),)


def _between(store: GitStore, snapshot: Snapshot) -> Consistency:
    standings = _standings(store.backend, in_question(snapshot))
    doubtful = doubtful_adrs(snapshot)
    there = _current(store, doubtful) if doubtful else {}
    found = consistency(snapshot, standings, present=frozenset(there))
    current = {path: _names(store.backend, data) for path, data in there.items()}
    torn = frozenset(path for path, data in there.items() if conflict_at(data) is not None)
    return Consistency(faults=(*found.faults, *unseen_adrs(snapshot, current, torn=torn)), also=found.also)


def _standings(backend: GitBackend, states: Iterable[DecisionState]) -> dict[DecisionId, Standing]:
    """Read the ADRs of ``states`` as they were imported: not the work tree, which may be newer."""
    from mneme_git.store.journal import tip

    found: dict[DecisionId, Standing] = {}
    has_journal = cache(lambda: tip(backend) is not None)
    for state in states:
        rows = adrs_of(state)
        data = next((data for row in rows if (data := _imported(backend, row, has_journal))), b"")
        if state.decision_id in found or not _may_rank(state, data):
            continue
        from mneme_git.decisions.standing import standing_of

        standing = standing_of(rows[0].source_locator, data)
        if standing is not None:
            found[state.decision_id] = standing
    return found


def _may_rank(state: DecisionState, data: bytes) -> bool:
    """Tell cheaply whether an ADR is worth reading; precedence orders front matter only."""
    if state.lifecycle_status is Lifecycle.SUPERSEDED:
        return bool(data)
    return _FRONT_MATTER.match(data) is not None and b"accepted" in data and b"scope:" in data


def _imported(backend: GitBackend, row: AdrEvidence, has_journal: Callable[[], bool]) -> bytes | None:
    """Return the bytes that a version was read from; None if neither git nor the journal has them."""
    from mneme_git.store.journal import evidence_name, read_record

    try:
        if row.blob and row.object_format == backend.object_format:
            return backend.read(ObjectId(row.blob)).data
    except MnemeError:
        pass
    try:
        return read_record(backend, evidence_name(row.sha256)) if has_journal() else None
    except MnemeError:
        return None


def _current(store: GitStore, paths: Iterable[str]) -> dict[str, bytes]:
    """Return the ADRs that are there and can be read, as git stores them."""
    from mneme_git.store.adr_folder import clean_or_problem
    from mneme_git.store.copies import GitCopies

    backend = store.backend
    if store.revision is None and backend.work_tree is not None:
        asked = clean_or_problem(backend, paths)
        return {path: data for path, data in asked.items() if isinstance(data, bytes)}
    commit = backend.resolve(store.revision or "HEAD")
    if commit is None:
        return {}
    copies = GitCopies(backend, {}, commit)
    return {path: data for path in paths if (data := copies.at(commit, path)) is not None}


def _names(backend: GitBackend, data: bytes) -> frozenset[str]:
    """Return the blob id and the sha256 of ``data``."""
    from mneme_git.store.objects import blob, object_id
    from mneme_git.text.canonical import sha256_hex

    return frozenset({object_id(blob(data), backend.object_format), sha256_hex(data)})


def _contested(decision_id: DecisionId, why: str) -> Fault:
    return Fault(
        code="CONTESTED",
        path=decision_path(decision_id),
        decision_id=decision_id,
        message=f"decision '{decision_id}' is contested ({why}); the rules of every side are enforced",
        hint=f"mneme decision resolve {decision_id}",
    )


def adr_faults(store: GitStore, snapshot: Snapshot) -> tuple[Fault, ...]:
    """Return the cited ADRs that are not as they were imported; others in their folders are no fault."""
    from mneme_git.app.freshness import of_git

    return tuple(
        Fault(
            code=found.code,
            path=found.path or "",
            decision_id=found.adr_id,
            message=found.message,
            hint=found.hint,
        )
        for found in of_git(store, snapshot, None)
        if found.code in FAULT_CODES
    )
