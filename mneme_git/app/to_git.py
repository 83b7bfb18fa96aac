"""Moving a memory file into the git store: everything, or nothing; and again when the file has changed."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.layout import missing_layout
from mneme_git.app.memory_base import Known, carried_read, known_file, last_agreed, rows_named
from mneme_git.app.open import need_work_tree, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.memory_places import without_blobs
from mneme_git.decisions.state_faults import state_faults
from mneme_git.decisions.to_git_plan import Fate, ToGit, fates
from mneme_git.decisions.to_git_proposals import ProposalMove, plan_proposals
from mneme_git.errors import InvalidInput, Refused
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import AdrEvidence, DecisionState, Evidence, LineageEntry, id_of
from mneme_git.model.ids import DecisionId, Digest
from mneme_git.model.migration import MigrationRefused
from mneme_git.model.paths import CARRIED, FORMAT
from mneme_git.model.plan import (
    ABSENT,
    Operation,
    Plan,
    PutEvidence,
    PutFile,
    PutState,
    PutVersion,
    Read,
    Receipt,
)
from mneme_git.model.proposal_entry import entries_of
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.carried import Carried, encode_carried
from mneme_git.store.git_store import GitStore
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_sound import not_storable
from mneme_git.store.objects import blob, object_id
from mneme_git.store.proposal_file import ProposalFile
from mneme_git.store.traces import in_git
from mneme_git.store.work_files import read_file
from mneme_git.text.canonical import sha256_hex
from mneme_git.text.quoting import quoted

_TAKEN = ("new", "changed")
_PROPOSALS = "decision_proposals.json"


class Moved(Struct, frozen=True, kw_only=True):
    """A move of a memory file into git; without a ``receipt`` nothing was written.

    ``ignored_by`` is the rule by which git ignores the store, or empty.
    """

    summary: ToGit
    receipt: Receipt | None = None
    ignored_by: str = ""


def move_to_git(
    workspace: Workspace, store: MemoryFile, *, apply: bool, proposals: str | None = None
) -> Moved:
    """Plan to move the file into the git store of the repository and, if asked, do it.

    The proposals go along: of the file that is named, or else of the one beside the memory file.

    Raises:
        MigrationRefused: something of the files has no place in git.
        Refused: a decision was changed on both sides, or the git store cannot be trusted.
        NoRepository: there is none, or it is bare.
    """
    git = open_git(workspace)
    root = need_work_tree(git)
    known = known_file(store.data(), store.path, root, name=store.name)
    _require_storable(known)
    here = _Here(git=git, root=root, file=store, known=known, present=git.load())
    found = _fates(here)
    _require_no_conflict(found, here.present, store.name)
    taken = {fate.decision_id for fate in found if fate.outcome in _TAKEN}
    sources = _adr_files(git, root, [known.states[name] for name in taken])
    states = [
        _with_blobs(known.states[fate.decision_id], sources) for fate in found if fate.decision_id in taken
    ]
    move = _proposals(workspace, here, proposals)
    plan = _plan(here, states, sources, move)
    summary = ToGit(
        fates=found,
        versions=len(known.snapshot.versions),
        rules=sum(len(state.rules) for state in known.snapshot.decisions),
        adrs=len({row.source_locator for state in states for row in _adrs(state) if row.blob}),
        carried=tuple(key for key in known.contents.document if key not in {"decisions", "decision_index"}),
        init=not in_git(git.backend),
        changes=bool(plan.operations),
        proposals=move.new,
        verdicts=move.settled,
    )
    receipt = git.commit(plan, stage=True) if apply and plan.operations else None
    return Moved(summary=summary, receipt=receipt, ignored_by=git.backend.ignored(FORMAT))


class _Here(Struct, frozen=True, kw_only=True):
    """The two stores: the repository with what it holds, and the file with what it holds."""

    git: GitStore
    root: Path
    file: MemoryFile
    known: Known
    present: Snapshot


def _fates(here: _Here) -> tuple[Fate, ...]:
    base, file = last_agreed(here.git.backend, here.root, here.present)
    if base is not None:
        _require_same_file(here, base, file)
    present = {state.decision_id: without_blobs(state) for state in here.present.decisions}
    return fates(base.states if base else {}, here.known.states, present)


def _require_same_file(here: _Here, base: Known, file: str) -> None:
    """Refuse a second file: the store has one place for what only a file holds.

    A file that was moved is no second one: it is gone from where it was, and is called the same.
    """
    if file == _in_repository(here.file.path, here.root):
        return
    is_gone = not (here.root / file).exists()
    if is_gone and base.contents.document.get("meta") == here.known.contents.document.get("meta"):
        return
    raise Refused(
        f"the git store carries the memory file '{file}' already, and has a place for one; "
        "nothing was written",
        hint=f"bring the decisions of {here.file.name} into that file first, or import their ADRs",
    )


def _require_storable(known: Known) -> None:
    snapshot = known.snapshot
    faults = state_faults(replace(snapshot, decisions=tuple(known.states.values())))
    problems = [*not_storable(snapshot), *(fault.message for fault in faults)]
    if problems:
        listed = "".join(f"\n  - {problem}" for problem in problems)
        raise MigrationRefused(f"not everything in it has a place in git; nothing was written:{listed}")


def _require_no_conflict(found: Sequence[Fate], present: Snapshot, name: str) -> None:
    blocking = next((fault for fault in present.faults if fault.blocks), None)
    if blocking is not None:
        raise Refused(
            f"the git store cannot be trusted as it is: {blocking.message}; nothing was written",
            hint=blocking.hint or "`mneme verify` tells what is wrong",
        )
    ids = [fate.decision_id for fate in found if fate.outcome == "conflict"]
    ids += [contest.decision_id for contest in present.contested if contest.decision_id not in ids]
    if ids:
        raise Refused(
            f"{name} and git each changed {', '.join(map(quoted, ids))}; nothing was written",
            hint="make one side of each like the other: `mneme decision show ID` tells what git has, "
            f"`mneme list_decisions --memory {name}` what the file has",
        )


def _proposals(workspace: Workspace, here: _Here, named: str | None) -> ProposalMove:
    path = workspace.cwd / named if named else here.file.path.with_name(_PROPOSALS)
    book = ProposalFile(path, as_given=named or str(path))
    if not book.exists():
        if named:
            raise InvalidInput(f"proposal store {named} does not exist")
        return ProposalMove()
    there = entries_of(here.present.proposals, here.present.verdicts)
    move = plan_proposals(book.entries(), there, here.known.states)
    if move.problems:
        listed = "".join(f"\n  - {problem}" for problem in move.problems)
        raise MigrationRefused(f"not every proposal has a place in git; nothing was written:{listed}")
    return move


class _Source(Struct, frozen=True):
    """The bytes of an ADR file as git stores them, and their names."""

    data: bytes
    sha256: str
    blob: str
    object_format: str


def _adr_files(git: GitStore, root: Path, states: Sequence[DecisionState]) -> Mapping[str, _Source]:
    """Return the ADR files of ``states`` that are there, by path."""
    paths = sorted({row.source_locator for state in states for row in _adrs(state)})
    inside = [
        path for path in paths if path and not path.startswith(("../", "/")) and (root / path).is_file()
    ]
    data = git.backend.clean_files(inside) if inside else {}
    object_format = git.backend.object_format
    return {
        path: _Source(found, sha256_hex(found), object_id(blob(found), object_format), object_format)
        for path, found in data.items()
    }


def _adrs(state: DecisionState) -> list[AdrEvidence]:
    return [row for entry in state.versions for row in entry.evidence if isinstance(row, AdrEvidence)]


def _with_blobs(state: DecisionState, sources: Mapping[str, _Source]) -> DecisionState:
    """Return ``state`` with the blob of each ADR that still has the bytes that were imported."""

    def known(row: Evidence) -> Evidence:
        source = sources.get(row.source_locator) if isinstance(row, AdrEvidence) else None
        if not isinstance(row, AdrEvidence) or source is None or source.sha256 != row.sha256:
            return row
        return replace(row, blob=source.blob, object_format=source.object_format)

    def entry_of(entry: LineageEntry) -> LineageEntry:
        return replace(entry, evidence=tuple(known(row) for row in entry.evidence))

    return replace(state, versions=tuple(map(entry_of, state.versions)))


def _plan(
    here: _Here, states: Sequence[DecisionState], sources: Mapping[str, _Source], move: ProposalMove
) -> Plan:
    operations = [*move.operations, *_decisions(here, states, sources)]
    carried = PutFile(path=CARRIED, data=_carried(here, operations))
    if read_file(here.root, CARRIED) != carried.data:
        operations.append(carried)
    if operations and not in_git(here.git.backend):
        operations += [PutFile(path=path, data=data) for path, data in missing_layout(here.git).items()]
    before = {state.decision_id: state_digest(state) for state in here.present.decisions}
    names = sorted(here.known.states)
    reads = [Read("decision", name, before.get(DecisionId(name), ABSENT)) for name in names]
    return Plan(
        verb="decision-index migrate",
        subject=_in_repository(here.file.path, here.root),
        operations=tuple(operations),
        reads=(*reads, *move.reads, carried_read(here.git.backend, here.root)),
    )


def _decisions(
    here: _Here, states: Sequence[DecisionState], sources: Mapping[str, _Source]
) -> Iterator[Operation]:
    for state in states:
        for entry in state.versions:
            if entry.version_id not in here.present.versions:
                yield PutVersion(here.known.snapshot.versions[entry.version_id])
        yield PutState(state)
        for row in _adrs(state):
            if row.blob:
                data = sources[row.source_locator].data
                yield PutEvidence(locator=row.source_locator, sha256=Digest(row.sha256), data=data)


def _carried(here: _Here, operations: Sequence[Operation]) -> bytes:
    """Return the store's copy of the file, which leans on the versions that are there afterwards."""
    added = {id_of(each.version): each.version for each in operations if isinstance(each, PutVersion)}
    carried = Carried(file=_in_repository(here.file.path, here.root), data=here.known.data)
    return encode_carried(carried, rows_named(here.known), here.present.versions | added)


def _in_repository(path: Path, root: Path) -> str:
    """Return the place of the file seen from the repository; its own links are not followed."""
    folder = path.parent.resolve()
    return Path(os.path.relpath(folder / path.name, root.resolve())).as_posix()
