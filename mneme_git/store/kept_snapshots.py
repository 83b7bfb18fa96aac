"""The snapshot that a large store came to, kept until something of the store changes.

A work tree is known as git itself knows it: by what the system tells of each file without opening it
(size, times, inode, mode), and by the stamp of git's index. A commit is known by the id of its tree of
records, which is a hash of all of them. Only snapshots without any fault, contest or open merge are
kept: those depend on nothing else.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.backend import GitBackend
from mneme_git.store.projection import keep, key_of, recall
from mneme_git.store.trees import entry_at

# With fewer files than this, reading them is as fast.
FEW = 300
_Value = TypeVar("_Value")
_SNAPSHOT = msgspec.msgpack.Decoder(Snapshot)


class Sight(Struct, frozen=True, kw_only=True):
    """A state of a store before it is read: what tells it apart, and where its snapshot is kept.

    ``newest_ns`` is when something of it changed last and ``index_stamp`` that of git's index, for a
    state that is known by times.
    """

    key: bytes
    path: Path
    newest_ns: int = 0
    index_stamp: tuple[int, int, int] | None = None


def sight_of_work_tree(backend: GitBackend, index_stamp: tuple[int, int, int] | None) -> Sight | None:
    """Return the state of the work tree, None if its snapshot is not to be kept.

    That is so with few files, with something else than plain files, without a stamp of the index, and
    where the system's inode and change time do not tell of every change.
    """
    if backend.work_tree is None or index_stamp is None or os.name == "nt":
        return None
    try:
        rows = _rows(os.path.join(backend.work_tree, ROOT))  # noqa: PTH118 - as text, for thousands
        told = msgspec.msgpack.encode(rows)
    except (OSError, ValueError):
        return None
    if rows is None or len(rows) < FEW:
        return None
    newest = max(max(row[2], row[3]) for row in rows)
    return Sight(
        key=key_of(b"work tree", told, msgspec.msgpack.encode(index_stamp)),
        path=backend.git_dir / "mneme" / "snapshot",
        newest_ns=max(newest, index_stamp[1]),
        index_stamp=index_stamp,
    )


def sight_of_commit(backend: GitBackend, revision: str) -> Sight | None:
    """Return the state of the records in a commit; None if there are few or none."""
    commit = backend.resolve(revision)
    if commit is None:
        return None
    try:
        found = entry_at(backend, commit, ROOT)
        if found is None or len(backend.tree_files(found.oid, "decisions")) < FEW:
            return None
    except MnemeError:
        return None
    return Sight(key=key_of(b"tree", found.oid.encode()), path=_tree_path(backend, found.oid))


def recalled(sight: Sight, origin: str) -> Snapshot | None:
    """Return the snapshot that was kept for ``sight``, or None; ``origin`` says where it is from."""
    found = recall(sight.path, sight.key, _SNAPSHOT)
    return None if found is None else replace(found, origin=origin)


def keep_snapshot(sight: Sight, snapshot: Snapshot) -> bool:
    """Keep ``snapshot`` for ``sight`` if it follows from that alone; tell whether it does.

    Where something is wrong or open, other places (HEAD, the journal) have been asked too.
    """
    if snapshot.faults or snapshot.contested or snapshot.unmerged:
        return False
    keep(sight.path, sight.key, snapshot, newest_ns=sight.newest_ns)
    return True


def derived(
    sight: Sight,
    name: str,
    decoder: "msgspec.msgpack.Decoder[_Value]",
    make: Callable[[], _Value],
    *,
    more: bytes,
    newest_ns: int,
) -> _Value:
    """Return what ``make`` gives: recalled, if it was asked for the same state and the same ``more``."""
    key = key_of(sight.key, name.encode(), more)
    path = sight.path.with_name(f"{sight.path.name}.{name}")
    found = recall(path, key, decoder)
    if found is None:
        found = make()
        keep(path, key, found, newest_ns=max(sight.newest_ns, newest_ns))
    return found


_Row = tuple[str, int, int, int, int, int]


def _rows(top: str) -> list[_Row] | None:
    """Return what the system tells of each file, sorted; None if one of them is no plain file."""
    if not stat.S_ISDIR(os.lstat(top).st_mode):
        return None
    found: list[_Row] = []
    folders = [top]
    while folders:
        folder = folders.pop()
        for name in os.listdir(folder):  # noqa: PTH208 - as text, for thousands
            path = f"{folder}/{name}"
            told = os.lstat(path)
            if stat.S_ISDIR(told.st_mode):
                folders.append(path)
            elif stat.S_ISREG(told.st_mode):
                times = (told.st_mtime_ns, told.st_ctime_ns)
                found.append((path, told.st_size, *times, told.st_ino, told.st_mode))
            else:
                return None
    found.sort()
    return found


def _tree_path(backend: GitBackend, tree: ObjectId) -> Path:
    """Return one of sixteen places, so that trees of the past do not pile up."""
    return backend.common_dir / "mneme" / "trees" / tree[:1]
