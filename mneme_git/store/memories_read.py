"""The bodies of memories, each from the first place that has it sound.

The places are asked one after the other, each for all that the ones before it did not have: the files
of the work tree, the journal, git's index, HEAD, the tips of branches, and whatever else keeps a commit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from mneme_git.errors import CorruptRecord, MissingObject, MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.model.memory import Memory
from mneme_git.model.paths import memory_path
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.memories_branches import branch_tips
from mneme_git.store.memories_here import FOLDER
from mneme_git.store.soundness import sound_memory
from mneme_git.store.work_files import read_file

_CHUNK = 256
_Rows = Iterator[tuple[str, bytes]]
_Place = Callable[[GitBackend, Sequence[str]], _Rows]


def journal_path(name: str) -> str:
    """Return where a memory stands in the journal."""
    return f"memories/{name[:2]}/{name}.json"


def read_memories(backend: GitBackend, names: Iterable[str], revision: str | None) -> dict[str, Memory]:
    """Return memories by name, verified; what no place has sound is left out."""
    found: dict[str, Memory] = {}
    wanted = list(dict.fromkeys(names))
    for place in _places(revision):
        left = [name for name in wanted if name not in found]
        if not left:
            break
        for name, data in place(backend, left):
            if name in found:
                continue
            try:
                found[name] = sound_memory(name, data)[0]
            except CorruptRecord:
                continue
    return found


def _places(revision: str | None) -> tuple[_Place, ...]:
    others = (_from_journal, _from_index, _from_head, _from_branches, _from_anywhere)
    if revision is None:
        return (_from_work_tree, *others)
    return (lambda backend, names: _from_commit(backend, revision, names), *others)


def _from_work_tree(backend: GitBackend, names: Sequence[str]) -> _Rows:
    root = backend.work_tree
    if root is None or not (root / FOLDER).is_dir():
        return
    for name in names:
        try:
            data = read_file(root, memory_path(name))
        except MnemeError:
            continue
        if data is not None:
            yield name, data


def _from_journal(backend: GitBackend, names: Sequence[str]) -> _Rows:
    blobs = journal.find_records(backend, [journal_path(name) for name in names])
    yield from _blobs(
        backend, {name: blobs[journal_path(name)] for name in names if journal_path(name) in blobs}
    )


def _from_index(backend: GitBackend, names: Sequence[str]) -> _Rows:
    for stage in (0, 2, 3):
        listed = [entry for entry in backend.index_entries(FOLDER) if entry.stage == stage]
        yield from _listed(backend, listed, names)


def _from_head(backend: GitBackend, names: Sequence[str]) -> _Rows:
    yield from _from_commit(backend, "HEAD", names)


def _from_commit(backend: GitBackend, revision: str, names: Sequence[str]) -> _Rows:
    commit = backend.resolve(revision)
    if commit is not None:
        yield from _from_tree(backend, commit, names)


def _from_branches(backend: GitBackend, names: Sequence[str]) -> _Rows:
    for commit in branch_tips(backend):
        yield from _from_tree(backend, commit, names)


def _from_tree(backend: GitBackend, commit: ObjectId, names: Sequence[str]) -> _Rows:
    try:
        listed = backend.tree_files(commit, FOLDER)
    except (MissingObject, CorruptRecord):
        return
    yield from _listed(backend, listed, names)


def _from_anywhere(backend: GitBackend, names: Sequence[str]) -> _Rows:
    for name in names:
        for oid in sorted(backend.reachable_blobs(memory_path(name))):
            yield from _blobs(backend, {name: oid})


def _listed(backend: GitBackend, entries: Iterable[IndexEntry], names: Sequence[str]) -> _Rows:
    by_path = {entry.path: entry.oid for entry in entries}
    paths = {name: memory_path(name) for name in names}
    yield from _blobs(backend, {name: by_path[path] for name, path in paths.items() if path in by_path})


def _blobs(backend: GitBackend, oids: dict[str, ObjectId]) -> _Rows:
    rows = list(oids.items())
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        try:
            found = backend.read_many([oid for _, oid in part])
        except MnemeError:  # one is missing or damaged: the others are still wanted
            yield from _one_by_one(backend, part)
            continue
        yield from ((name, item.data) for (name, _), item in zip(part, found, strict=True))


def _one_by_one(backend: GitBackend, rows: Sequence[tuple[str, ObjectId]]) -> _Rows:
    for name, oid in rows:
        try:
            yield name, backend.read(oid).data
        except MnemeError:
            continue
