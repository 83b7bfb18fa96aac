"""The memories that the files of a checkout name, looked at again only where something changed.

A folder's time changes when a name in it comes or goes, and records never change under their name; git's
index is known by its stamp. What changed a moment ago is looked at again, as its time may not tell. A
marker that is edited in place, which neither git nor mneme does, is seen when its folder changes.
"""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import marker_path, memory_path
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.guard import index_stamp
from mneme_git.store.memories_here import FOLDER, SHARDS, flags_in_folder, flags_of_entries, joined
from mneme_git.store.memories_standing import BODY, FORGOTTEN, PINNED
from mneme_git.store.projection import SETTLED_NS
from mneme_git.text.canonical import sha256_hex

_ABSENT = (0, 0, 0)
_Stamp = tuple[int, int, int]
_FILES: dict[int, Callable[[str], str]] = {
    BODY: memory_path,
    FORGOTTEN: lambda name: marker_path(name, "forgotten"),
    PINNED: lambda name: marker_path(name, "pinned"),
}


class Found(Struct, frozen=True):
    """What files say of each memory, and a token that is equal only for equal flags."""

    flags: dict[str, int]
    token: str


class Folders:
    """The files of one work tree, or of HEAD where there is none."""

    def __init__(self, backend: GitBackend) -> None:
        self._backend = backend
        self._shards: dict[str, tuple[_Stamp | None, dict[str, int]]] = {}
        self._index: tuple[_Stamp, tuple[IndexEntry, ...]] | None = None
        self._head: tuple[ObjectId | None, Found] | None = None
        self._lacking: dict[str, int] = {}
        self._compared: tuple[IndexEntry, ...] | None = None
        self._last = Found({}, _token({}))

    def now(self) -> Found:
        """Return what the files say now; the same object if nothing changed."""
        root = self._backend.work_tree
        if root is None:
            return self._of_head()
        before = [flags for _, flags in self._shards.values()]
        parts = [self._shard(root, digit) for digit in SHARDS]
        entries = self._entries()
        is_same = _same(before, parts)
        if is_same and entries is self._compared:
            return self._last
        lacking = flags_of_entries(self._backend, _lacking(root, entries, parts))
        # A record that stands elsewhere can go without a sign in the folders that are looked at.
        self._compared = entries if all(map(_is_at_home, entries)) else None
        if lacking != self._lacking or not is_same:
            self._lacking = lacking
            flags = joined(*parts, lacking)
            if flags != self._last.flags:
                self._last = Found(flags, _token(flags))
        return self._last

    def _shard(self, root: Path, digit: str) -> dict[str, int]:
        folder = f"{root}/{FOLDER}/{digit}"
        stamp = _stamp_of(folder)
        kept = self._shards.get(digit)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        looked = time.time_ns()
        flags = flags_in_folder(folder) if stamp != _ABSENT else {}
        if kept is not None and kept[1] == flags:
            flags = kept[1]
        is_settled = stamp == _ABSENT or stamp[1] + SETTLED_NS < looked
        self._shards[digit] = (stamp if is_settled else None, flags)
        return flags

    def _entries(self) -> tuple[IndexEntry, ...]:
        stamp = index_stamp(self._backend)
        if stamp is not None and self._index is not None and self._index[0] == stamp:
            return self._index[1]
        if stamp is None and not (self._backend.git_dir / "index").exists():
            return ()
        looked = time.time_ns()
        entries = self._backend.index_entries(FOLDER)
        is_settled = stamp is not None and stamp[1] + SETTLED_NS < looked
        self._index = (stamp, entries) if stamp is not None and is_settled else None
        return entries

    def _of_head(self) -> Found:
        head = self._backend.resolve("HEAD")
        if self._head is None or self._head[0] != head:
            listed = self._backend.tree_files(head, FOLDER) if head else ()
            flags = flags_of_entries(self._backend, listed)
            self._head = (head, Found(flags, _token(flags)))
        return self._head[1]


def _lacking(root: Path, entries: tuple[IndexEntry, ...], parts: list[dict[str, int]]) -> list[IndexEntry]:
    """Return the index entries that the work tree has no plain file for in a folder that is looked at.

    All sides of an open merge are among them.
    """
    there = (
        {
            path_of(name)
            for part in parts
            for name, flags in part.items()
            for flag, path_of in _FILES.items()
            if flags & flag
        }
        if entries
        else set()
    )
    return [
        entry
        for entry in entries
        if entry.stage > 1 or (entry.stage == 0 and entry.path not in there and not _is_read(root, entry))
    ]


def _is_read(root: Path, entry: IndexEntry) -> bool:
    try:
        return _is_at_home(entry) and stat.S_ISREG(os.lstat(root / entry.path).st_mode)
    except OSError:
        return False


def _is_at_home(entry: IndexEntry) -> bool:
    digit, _, rest = entry.path.removeprefix(f"{FOLDER}/").partition("/")
    return digit in SHARDS and "/" not in rest


def _same(before: list[dict[str, int]], now: list[dict[str, int]]) -> bool:
    return len(before) == len(now) and all(one is other for one, other in zip(before, now, strict=True))


def _stamp_of(folder: str) -> _Stamp:
    try:
        found = os.lstat(folder)
    except OSError:
        return _ABSENT
    if not stat.S_ISDIR(found.st_mode):  # a link is not followed
        return _ABSENT
    return found.st_ino, found.st_mtime_ns, found.st_dev


def _token(flags: dict[str, int]) -> str:
    return sha256_hex(msgspec.msgpack.encode(sorted(flags.items())))
