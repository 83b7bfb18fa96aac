"""From records to bring back to a plan that rests on what is here now."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from mneme_git.errors import CorruptRecord, Refused
from mneme_git.model.codec import decode_state, decode_version, encode_version, state_digest
from mneme_git.model.decision import DecisionState, LineageEntry, Version, id_of
from mneme_git.model.ids import ProposalId, VersionId
from mneme_git.model.paths import signature_path
from mneme_git.model.plan import ABSENT, Operation, Plan, PutFile, PutState, PutVersion, Read, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store import journal
from mneme_git.store.git_store import GitStore
from mneme_git.store.guard import contested
from mneme_git.store.lost import Kind, path_of
from mneme_git.store.objects import blob, object_id
from mneme_git.store.soundness import sound_state
from mneme_git.store.work_files import read_file
from mneme_git.text.quoting import quoted

DAMAGED = "damaged"
Versions = Callable[[VersionId], bytes | None]


class Wanted(Struct, frozen=True, kw_only=True):
    """A record to bring back, with the bytes of its file and where they are from.

    ``signature`` goes with a verdict; empty if it had none.
    """

    kind: Kind
    name: str
    data: bytes
    signature: bytes = b""
    branch: str = ""
    written: str = ""


class Restored(Struct, frozen=True, kw_only=True):
    """One record that is, or would be, brought back.

    ``over`` is the digest of the state that it takes the place of, ``damaged`` if that file cannot be
    trusted, empty if there is none.
    """

    kind: Kind
    id: str
    digest: str = ""
    branch: str = ""
    written: str = ""
    over: str = ""


class Skipped(Struct, frozen=True):
    """One record that is not brought back, and why."""

    kind: Kind
    id: str
    why: str


class Restoration(Struct, frozen=True, kw_only=True):
    """What a restore does: its plan, what it brings back, what it leaves; ``receipt`` once it is done.

    ``as_of`` tells the entry of the journal that a date was taken to mean.
    """

    plan: Plan
    restored: tuple[Restored, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    as_of: str = ""
    receipt: Receipt | None = None


class _Step(Struct, frozen=True, kw_only=True):
    """What one record adds to the plan, or why it adds nothing."""

    operations: tuple[Operation, ...] = ()
    reads: tuple[Read, ...] = ()
    over: str = ""
    skip: str = ""


def restoration(
    store: GitStore, wanted: Iterable[Wanted], *, named: bool, versions: Versions | None = None
) -> Restoration:
    """Return the plan that brings ``wanted`` back, in the given order.

    What is here in another form is replaced only if it was ``named``. ``versions`` gives the bytes
    of version files where the journal is not the source.

    Raises:
        Refused: a decision is contested, or a version that its lineage names is nowhere.
    """
    rows = list(wanted)
    snapshot = store.load()
    source = _version_source(store, snapshot, versions)
    steps = [(row, _step(store, snapshot, row, source, named=named)) for row in rows]
    done = [(row, step) for row, step in steps if not step.skip]
    plan = Plan(
        verb="restore",
        subject=done[0][0].name if len(done) == 1 else f"{len(done)} records",
        operations=tuple(dict.fromkeys(op for _, step in done for op in step.operations)),
        reads=tuple(sorted({read for _, step in done for read in step.reads})),
    )
    return Restoration(
        plan=plan,
        restored=tuple(_told(row, step) for row, step in done),
        skipped=tuple(Skipped(row.kind, row.name, step.skip) for row, step in steps if step.skip),
    )


def present_digest(store: GitStore, decision_id: str) -> str | None:
    """Return the digest of the decision file that is here, ``damaged``, or None if there is none."""
    data = _here(store, path_of("decision", decision_id))
    if data is None:
        return None
    try:
        return state_digest(sound_state(data)[0])
    except CorruptRecord:
        return DAMAGED


def _step(store: GitStore, snapshot: Snapshot, row: Wanted, versions: Versions, *, named: bool) -> _Step:
    path = path_of(row.kind, row.name)
    now = _here(store, path)
    if now == row.data:
        return _Step(skip="it is here already")
    if row.kind == "verdict":
        return _verdict_step(store, row, path, now)
    if row.kind != "decision":
        return _Step(operations=(_put(row, path),))
    state, _ = decode_state(row.data)
    if snapshot.contest(row.name) is not None:
        if named:
            raise contested(row.name)
        return _Step(skip="it is contested here")
    over = present_digest(store, row.name) or ""
    if over and not named:
        return _Step(skip="it is here in another state; name it to bring this one back")
    return _Step(
        operations=(*_lineage(state, versions), PutState(state)),
        reads=(_decision_read(snapshot, row.name), *_file_reads(store, path, over)),
        over=over,
    )


def _verdict_step(store: GitStore, row: Wanted, path: str, now: bytes | None) -> _Step:
    """A verdict is final: one that is here is never replaced, whatever was named."""
    if now is not None:
        return _Step(skip="another verdict on this proposal is here")
    signature = signature_path(ProposalId(row.name))
    files = [PutFile(path=path, data=row.data)]
    if row.signature and _here(store, signature) is None:
        files.append(PutFile(path=signature, data=row.signature))
    return _Step(operations=tuple(files))


def _put(row: Wanted, path: str) -> Operation:
    return (
        PutVersion(decode_version(row.data)[0])
        if row.kind == "version"
        else PutFile(path=path, data=row.data)
    )


def _decision_read(snapshot: Snapshot, decision_id: str) -> Read:
    state = snapshot.state(decision_id)
    return Read("decision", decision_id, ABSENT if state is None else state_digest(state))


def _file_reads(store: GitStore, path: str, over: str) -> Iterator[Read]:
    """A damaged file is replaced because it was looked at: the plan rests on its very bytes."""
    if over == DAMAGED:
        data = store.backend.clean_bytes(path)
        yield Read("file", path, object_id(blob(data), store.backend.object_format))


def _lineage(state: DecisionState, versions: Versions) -> Iterator[PutVersion]:
    for entry in state.versions:
        yield PutVersion(_version(state, entry, versions))


def _version(state: DecisionState, entry: LineageEntry, versions: Versions) -> Version:
    data = versions(entry.version_id)
    if data is None:
        raise Refused(
            f"version '{entry.version_id}' of decision {quoted(state.decision_id)} is nowhere in this clone",
            hint="fetch from where it was recorded, then try again; nothing was written",
        )
    version, _ = decode_version(data)
    if id_of(version) != entry.version_id:
        raise Refused(
            f"version '{entry.version_id}' of decision {quoted(state.decision_id)} is damaged",
            hint="run `mneme verify`; nothing was written",
        )
    return version


def _version_source(store: GitStore, snapshot: Snapshot, given: Versions | None) -> Versions:
    """Look for version files in what was given, in the journal, then in this checkout."""
    records = journal.contents(store.backend)

    def find(version_id: VersionId) -> bytes | None:
        found = given(version_id) if given is not None else None
        if found is not None:
            return found
        oid = records.get(journal.version_name(version_id))
        if oid is not None:
            return store.backend.read(oid).data
        here = snapshot.versions.get(version_id)
        return None if here is None else encode_version(here)

    return find


def _told(row: Wanted, step: _Step) -> Restored:
    return Restored(
        kind=row.kind,
        id=row.name,
        digest=state_digest(decode_state(row.data)[0]) if row.kind == "decision" else "",
        branch=row.branch,
        written=row.written,
        over=step.over,
    )


def _here(store: GitStore, path: str) -> bytes | None:
    root = store.backend.work_tree
    return None if root is None else read_file(root, path)
