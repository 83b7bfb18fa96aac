"""The bodies of memories, each from the first place that has it sound."""

from collections.abc import Iterable, Iterator

from mneme_git.errors import CorruptRecord, MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.model.memory import Memory
from mneme_git.model.paths import memory_path
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.memories_here import FOLDER
from mneme_git.store.soundness import sound_memory
from mneme_git.store.work_files import read_file


def journal_path(name: str) -> str:
    """Return where a memory stands in the journal."""
    return f"memories/{name[:2]}/{name}.json"


def read_memories(backend: GitBackend, names: Iterable[str], revision: str | None) -> dict[str, Memory]:
    """Return memories by name: of a revision, or from the work tree, index, HEAD, journal or a branch."""
    found: dict[str, Memory] = {}
    for name in names:
        for data in _copies(backend, name, revision):
            try:
                found[name] = sound_memory(name, data)[0]
            except CorruptRecord:
                continue
            break
    return found


def _copies(backend: GitBackend, name: str, revision: str | None) -> Iterator[bytes]:
    path = memory_path(name)
    if revision is None and backend.work_tree is not None:
        try:
            data = read_file(backend.work_tree, path)
            if data is not None:
                yield data
        except MnemeError:
            pass
        yield from _blobs(backend, [entry.oid for entry in backend.index_entries(path)])
    commit = backend.resolve(revision or "HEAD")
    if commit is not None:
        listed = backend.tree_files(commit, FOLDER)
        yield from _blobs(backend, [entry.oid for entry in listed if entry.path == path])
    kept = journal.read_record(backend, journal_path(name))
    if kept is not None:
        yield kept
    yield from _blobs(backend, sorted(backend.reachable_blobs(path)))


def _blobs(backend: GitBackend, oids: Iterable[ObjectId]) -> Iterator[bytes]:
    for oid in oids:
        try:
            yield backend.read(oid).data
        except MnemeError:
            continue
