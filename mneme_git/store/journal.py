"""The journal: a commit chain on ``refs/mneme/journal`` whose tree only grows.

Its tree holds every immutable record that this clone wrote or fetched, by kind and by the first two
hex digits of the hash in its name::

    generation                        a number; the higher one wins where two journals are joined
    versions/<hh>/<version id>.json   proposals/<hh>/<name>.json   memories/<hh>/<name>.json
    proposals/<hh>/<proposal id>.verdict.<32 hex digits of its bytes>.json
    states/<hh>/<digest>              the bytes of a decision file
    evidence/<hh>/<sha256>            the bytes of an ADR as git stores them
    files/<hh>/<sha256>               any other bytes
    erased/...                        empty blobs at the paths that were erased on purpose
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from weakref import WeakKeyDictionary

from msgspec import Struct

from mneme_git.errors import CorruptRecord, MissingObject, NotFound, RefMoved, Refused, StoreBusy
from mneme_git.model.ids import DecisionId, ObjectId, VersionId
from mneme_git.model.paths import decision_path
from mneme_git.store.backend import Absent, CommitInfo, Exactly, GitBackend, GitObject, TreeEntry
from mneme_git.store.journal_entry import JournalEntry, Note, entry_of, message_of, sequence_of
from mneme_git.store.journal_tree import GENERATION, Grove, files_of, find, insert, needed
from mneme_git.store.lock import Held
from mneme_git.store.objects import NewCommit, decode_commit, encode_commit, object_id
from mneme_git.store.refs import break_stale_lock

JOURNAL_REF = "refs/mneme/journal"
FIRST_GENERATION = b"1\n"
_TRIES = 20
_FINISH = "mneme: finish"
# A ref lock is stale if no git process can be behind it any more. While we hold the write lock no
# other mneme writes; git itself (packing refs) holds a lock for milliseconds.
_STALE_AFTER_CRASH_SECONDS = 1.0
_STALE_SECONDS = 10.0
_POLL_SECONDS = 0.05
# What the last entry of this process made: a process that writes again need not read it back. Trees
# never change, so nothing here can be out of date.
_last_made: WeakKeyDictionary[GitBackend, dict[ObjectId, Mapping[str, TreeEntry]]] = WeakKeyDictionary()


class Appended(Struct, frozen=True):
    """The commit that acknowledges a write, and its number in the journal."""

    commit: ObjectId
    sequence: int


class Last(Struct, frozen=True):
    """The last thing that was written about a decision on a branch; ``digest`` is empty for removed."""

    branch: str
    decision_id: str
    digest: str
    entry: JournalEntry


def version_name(version_id: VersionId) -> str:
    """Return where a version stands in the journal."""
    return f"versions/{version_id[5:7]}/{version_id}.json"


def state_name(digest: str) -> str:
    """Return where the bytes of a decision state stand in the journal."""
    return f"states/{digest[:2]}/{digest}"


def evidence_name(sha256: str) -> str:
    """Return where the bytes of an ADR stand in the journal."""
    return f"evidence/{sha256[:2]}/{sha256}"


def file_name(sha256: str) -> str:
    """Return where other bytes stand in the journal."""
    return f"files/{sha256[:2]}/{sha256}"


def tip(backend: GitBackend) -> ObjectId | None:
    """Return the newest commit of the journal, or None before the first write."""
    return backend.read_ref(JOURNAL_REF)


def append(
    backend: GitBackend,
    held: Held,
    note: Note,
    records: Mapping[str, bytes],
    *,
    now: int,
    before_swap: Callable[[ObjectId], None] = lambda _: None,
) -> Appended:
    """Add ``records`` (bytes by journal path) as one entry; acknowledged when this returns.

    ``before_swap`` is called with the commit that is about to be the tip; what it makes durable is
    there if the write is.

    Raises:
        Refused: one of the records was erased on purpose.
        StoreBusy: the ref stayed locked, or moved again at every try.
    """
    for _ in range(_TRIES):
        old = tip(backend)
        appended, objects = _entry(backend, old, note, records, now)
        backend.write(objects)
        before_swap(appended.commit)
        try:
            _swap(backend, held, old, appended.commit, f"mneme: {note.verb}")
        except RefMoved:
            continue
        return appended
    raise StoreBusy(
        f"{JOURNAL_REF} moved {_TRIES} times while this was written", hint="run the command again"
    )


def holds_entry(backend: GitBackend, commit: ObjectId) -> bool:
    """Tell whether ``commit`` is the tip of the journal or one of its ancestors."""
    newest = tip(backend)
    if newest is None or newest == commit:
        return newest is not None
    return any(found.oid == commit for found in commits(backend, newest))


def land_entry(backend: GitBackend, commit: ObjectId, held: Held | None) -> bool:
    """Tell whether the journal holds ``commit``, after making it the tip if it was made to follow the tip.

    Without ``held`` the lock of the ref is not waited for.

    Raises:
        StoreBusy: another process holds the lock of the ref.
    """
    if holds_entry(backend, commit):
        return True
    newest = tip(backend)
    try:
        parents = _commit(backend, commit).parents
    except (MissingObject, CorruptRecord):
        return False
    if parents != (() if newest is None else (newest,)):
        return False
    try:
        if held is not None:
            _swap(backend, held, newest, commit, _FINISH)
        else:
            expected = Absent() if newest is None else Exactly(newest)
            backend.compare_and_swap(JOURNAL_REF, expected, commit, message=_FINISH)
    except RefMoved:  # by the writer's own git program, or by somebody who does not take the lock
        return holds_entry(backend, commit)
    return True


def entries(backend: GitBackend) -> Iterator[JournalEntry]:
    """Yield the entries of the journal, newest first."""
    for commit in commits(backend, tip(backend)):
        yield entry_of(commit)


def commits(backend: GitBackend, newest: ObjectId | None) -> Iterator[CommitInfo]:
    """Yield the commits of the journal from ``newest`` on, newest first.

    Raises:
        CorruptRecord: ``newest`` is no commit of this repository.
    """
    if newest is None:
        return
    try:
        yield from backend.history([newest])
    except NotFound:
        raise CorruptRecord(
            f"{JOURNAL_REF} names {newest}, which is no commit of this repository",
            hint="run `git fsck`; where it lists a dangling commit whose message begins with `mneme:`, "
            "the ref may have been there",
        ) from None


def contents(backend: GitBackend) -> dict[str, ObjectId]:
    """Return the records that the journal holds, blob by path, sorted; erased ones are not there."""
    newest = tip(backend)
    if newest is None:
        return {}
    grove = _grove(backend)
    listed = files_of(grove, _commit(backend, newest).tree)
    return {path: oid for path, oid in listed.items() if "/" in path and not path.startswith("erased/")}


def read_record(backend: GitBackend, name: str) -> bytes | None:
    """Return the bytes at a path of the journal, or None."""
    newest = tip(backend)
    if newest is None:
        return None
    blob = find(_grove(backend), _commit(backend, newest).tree, name)
    if blob is None:
        return None
    try:
        return backend.read(blob).data
    except MissingObject:
        return None


def find_records(backend: GitBackend, names: Iterable[str]) -> dict[str, ObjectId]:
    """Return the blobs at paths of the journal, without those that it has not; each folder is read once."""
    newest = tip(backend)
    if newest is None:
        return {}
    grove, tree = _grove(backend), _commit(backend, newest).tree
    found = {name: find(grove, tree, name) for name in names}
    return {name: oid for name, oid in found.items() if oid is not None}


def read_state(backend: GitBackend, digest: str) -> bytes | None:
    """Return the bytes of the decision file with that digest, or None."""
    return read_record(backend, state_name(digest))


def read_version(backend: GitBackend, version_id: VersionId) -> bytes | None:
    """Return the bytes of a version file, or None."""
    return read_record(backend, version_name(version_id))


def last_states(listed: Iterable[JournalEntry]) -> dict[tuple[str, str], Last]:
    """Return the last thing written about each decision, by branch and decision id.

    ``listed`` comes newest first. The branch of a detached HEAD is empty text.
    """
    found: dict[tuple[str, str], Last] = {}
    removed: dict[tuple[str, str], JournalEntry] = {}
    for entry in listed:
        branch = entry.note.branch
        for state in entry.note.states:
            gone = removed.get((branch, decision_path(DecisionId(state.decision_id))))
            last = Last(branch, state.decision_id, "" if gone else state.digest, gone or entry)
            found.setdefault((branch, state.decision_id), last)
        for path in entry.note.removed:
            removed.setdefault((branch, path), entry)
    return found


def _entry(
    backend: GitBackend, old: ObjectId | None, note: Note, records: Mapping[str, bytes], now: int
) -> tuple[Appended, tuple[GitObject, ...]]:
    grove = Grove(backend.read, backend.object_format, _last_made.get(backend, {}))
    previous = _commit(backend, old) if old is not None else None
    blobs = {name: grove.blob(data) for name, data in records.items()}
    if previous is None:
        blobs[GENERATION] = grove.blob(FIRST_GENERATION)
    root = insert(grove, previous.tree if previous else None, blobs)
    _require_all(grove, root, blobs)
    sequence = sequence_of(previous.message) + 1 if previous else 1
    who = backend.signature()
    commit = encode_commit(
        NewCommit(
            tree=root,
            parents=(previous.oid,) if previous else (),
            author=who,
            committer=who,
            time=now,
            message=message_of(note, sequence),
        )
    )
    oid = object_id(commit, backend.object_format)
    _last_made[backend] = grove.trees_made()
    return Appended(oid, sequence), (*needed(grove, root), commit)


def _require_all(grove: Grove, root: ObjectId, blobs: Mapping[str, ObjectId]) -> None:
    for name in blobs:
        if find(grove, root, name) is None:
            raise Refused(
                f"'{name}' was erased from this repository on purpose; nothing was written",
                hint="what was erased cannot be recorded again with the same content",
            )


def _swap(backend: GitBackend, held: Held, old: ObjectId | None, new: ObjectId, subject: str) -> None:
    """Move the ref, waiting for a lock that lives and removing one whose owner died."""
    expected = Absent() if old is None else Exactly(old)
    patience = _STALE_AFTER_CRASH_SECONDS if held.after_crash else _STALE_SECONDS
    end = time.monotonic() + patience + _STALE_AFTER_CRASH_SECONDS
    while True:
        try:
            backend.compare_and_swap(JOURNAL_REF, expected, new, message=subject)
        except RefMoved:
            if tip(backend) != new:
                raise
        except StoreBusy:
            if time.monotonic() > end:
                raise
            if not break_stale_lock(backend, JOURNAL_REF, patience):
                time.sleep(_POLL_SECONDS)
            continue
        return


def _grove(backend: GitBackend) -> Grove:
    return Grove(backend.read, backend.object_format)


def _commit(backend: GitBackend, oid: ObjectId) -> CommitInfo:
    return decode_commit(oid, backend.read(oid).data)
