"""What git would store for files of the work tree, as ids: each content is read once.

A file is known by its size, times and inode. The time of the last change of the inode (ctime) cannot be
set back, so an edit that keeps size and mtime is seen; only a file that was touched at the very time
of reading is read again at the next look.
"""

import hashlib
import os
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject
from mneme_git.store.known_ids import KnownIds, Mark
from mneme_git.store.location import Location
from mneme_git.store.objects import BLOB_MODE, LINK_MODE, object_id
from mneme_git.store.patched_tree import Leaf
from mneme_git.store.private_index import ids_as_added
from mneme_git.text.git_config import truth

Kind = Literal["file", "link", "other", "unreadable", "gone"]

EXECUTABLE_MODE = 0o100755
# Beyond this a file is known by its size and time alone: nobody searches in it, and everybody waits.
READ_AT_MOST = 256 << 20
_CHUNK = 1 << 20
# From here on it is worth keeping for the next process what was read.
_MANY_FILES, _MANY_BYTES = 100, 1 << 20
# How far behind the clock a file's time may be: the tick of the kernel, or what old file systems keep.
_TICK_NS, _COARSE_NS = 100_000_000, 2_100_000_000
_CONVERTING = ("text", "eol", "crlf", "ident", "filter", "working-tree-encoding")
_ALWAYS_ASK = frozenset({"filter", "working-tree-encoding"})
_UNSET = frozenset({"unspecified", "unset"})


class Found(Struct, frozen=True):
    """A file of the work tree: what it is, its size, and how git would store it (None if it cannot)."""

    kind: Kind
    size: int = -1
    leaf: Leaf | None = None


class _Read(Struct, frozen=True):
    oid: ObjectId
    mark: Mark
    settled: bool
    has_cr: bool
    has_id: bool


_Looked = tuple[bytes, Mark, int, Found]
"""Where a file is, its mark, the mode that was given, and what was found: given again while it is so."""

_GONE = Found("gone")
_OTHER = Found("other")
_UNREADABLE = Found("unreadable")


class ContentIds:
    """Ids by path, kept for as long as the files stay as they are. ``read`` counts the bytes read."""

    def __init__(self, location: Location, root: Path) -> None:
        self._location = location
        self._root = os.fsencode(root)
        self._kept = KnownIds(location.git_dir / "mneme" / "contents")
        self._known: dict[str, tuple[Mark, ObjectId]] = {}
        self._looked: dict[str, _Looked] = {}
        self._state = ""
        self._settings = _Settings(location)
        self._unsaved_files = self._unsaved_bytes = 0
        self.read = 0

    def look(self, paths: Mapping[str, int], state: str) -> dict[str, Found]:
        """Return what each path is now; given is git's mode of it, or -1 where git has none.

        ``state`` names all that decides how git stores files: with another one all are read again.
        """
        if state != self._state and paths:
            self._state, self._known, self._looked = state, self._kept.load(state), {}
            self._settings.refresh()
        found: dict[str, Found] = {}
        unread: dict[str, int] = {}
        looked = self._looked
        for path, mode in paths.items():
            before = looked.get(path)
            told = before[3] if before and _is_still_so(before, mode) else self._told(path, mode)
            if told is None:
                unread[path] = mode
            else:
                found[path] = told
        if unread:
            self._settings.refresh()
            found.update(self._read_all(unread))
            self._save(paths)
        return found

    def _told(self, path: str, mode: int) -> Found | None:
        """Return what needs no reading."""
        place = self.place(path)
        try:
            seen = os.lstat(place)
            leads_to = os.readlink(place) if stat.S_ISLNK(seen.st_mode) else None  # noqa: PTH115 - bytes
        except OSError:
            return _GONE
        if leads_to is not None:
            return Found("link", seen.st_size, (LINK_MODE, self._blob(leads_to)))
        if not stat.S_ISREG(seen.st_mode):
            return _OTHER
        mark = _mark(seen)
        if seen.st_size > READ_AT_MOST:
            stand_in = f"{seen.st_size} {seen.st_mtime_ns}".encode("ascii")
            return Found("file", seen.st_size, (self._mode(mode, seen.st_mode), self._blob(stand_in)))
        known = self._known.get(path)
        if known is None or known[0] != mark:
            return None
        found = Found("file", seen.st_size, (self._mode(mode, seen.st_mode), known[1]))
        self._looked[path] = (place, mark, mode, found)
        return found

    def place(self, path: str) -> bytes:
        """Return where a path is on disk."""
        return os.path.join(self._root, path.encode("utf-8", "surrogateescape"))  # noqa: PTH118 - bytes

    def _read_all(self, paths: Mapping[str, int]) -> dict[str, Found]:
        rows = {path: row for path in paths if (row := self._hash(path)) is not None}
        converted = self._converted(rows)
        found: dict[str, Found] = {}
        for path, mode in paths.items():
            row = rows.get(path)
            if row is None:
                found[path] = _UNREADABLE if os.path.lexists(self.place(path)) else _GONE
                continue
            oid = converted.get(path, row.oid)
            if row.settled:
                self._known[path] = (row.mark, oid)
                self._unsaved_files += 1
                self._unsaved_bytes += row.mark[1]
            seen_mode, size = row.mark[0], row.mark[1]
            found[path] = Found("file", size, (self._mode(mode, seen_mode), oid))
        return found

    def _save(self, paths: Mapping[str, int]) -> None:
        """Keep what was much to read for the next process; of other paths nothing is kept."""
        if self._unsaved_files < _MANY_FILES and self._unsaved_bytes < _MANY_BYTES:
            return
        self._known = {path: row for path, row in self._known.items() if path in paths}
        self._looked = {path: row for path, row in self._looked.items() if path in paths}
        self._kept.save(self._state, self._known)
        self._unsaved_files = self._unsaved_bytes = 0

    def _hash(self, path: str) -> _Read | None:
        began = time.time_ns()
        try:
            handle = os.open(self.place(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            seen = os.fstat(handle)
            if not stat.S_ISREG(seen.st_mode):
                return None
            return self._hash_open(handle, seen, began)
        except OSError:
            return None
        finally:
            os.close(handle)

    def _hash_open(self, handle: int, seen: os.stat_result, began: int) -> _Read:
        hasher = hashlib.new(self._location.object_format, b"blob %d\0" % seen.st_size)
        has_cr, has_id, size = False, False, 0
        while chunk := os.read(handle, _CHUNK):
            hasher.update(chunk)
            size += len(chunk)
            has_cr = has_cr or b"\r" in chunk
            has_id = has_id or b"$" in chunk
        self.read += size
        last = max(seen.st_mtime_ns, seen.st_ctime_ns)
        slack = _TICK_NS if seen.st_mtime_ns % 1_000_000_000 else _COARSE_NS
        settled = size == seen.st_size and last < began - slack
        return _Read(ObjectId(hasher.hexdigest()), _mark(seen), settled, has_cr, has_id)

    def _converted(self, rows: Mapping[str, _Read]) -> dict[str, ObjectId]:
        """Return the ids of the files that git would not store as they are.

        Where a filter fails, the file counts as it is: the index is no place to insist on it.
        """
        asked = self._to_convert(rows)
        try:
            return ids_as_added(self._location, asked) if asked else {}
        except MnemeError:
            return {}

    def _to_convert(self, rows: Mapping[str, _Read]) -> list[str]:
        """Return the paths whose content a filter, an encoding, line ends or ``$Id$`` may change."""
        ends = any(row.has_cr for row in rows.values()) and self._settings.converts_line_ends
        listed = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in rows)
        told = self._location.git.ask("check-attr", "-z", "--stdin", *_CONVERTING, stdin=listed)
        words = told.decode("utf-8", "surrogateescape").split("\0")
        found = {path for path, row in rows.items() if row.has_cr} if ends else set()
        for path, name, value in zip(words[0::3], words[1::3], words[2::3], strict=False):
            if value not in _UNSET and _concerns(name, rows[path]):
                found.add(path)
        return sorted(found)

    def _mode(self, given: int, in_work_tree: int) -> int:
        """Return git's mode for a file; ``given`` is what git said of it, -1 if nothing."""
        if given > 0:
            return given
        return EXECUTABLE_MODE if self._settings.file_mode and in_work_tree & 0o100 else BLOB_MODE

    def _blob(self, data: bytes) -> ObjectId:
        return object_id(GitObject("blob", data), self._location.object_format)


class _Settings:
    """The settings by which git stores files, asked for again whenever something has to be read."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self.file_mode = True
        self.converts_line_ends = False

    def refresh(self) -> None:
        ran = self._location.git.run("config", "-z", "--get-regexp", r"^core\.(filemode|autocrlf)$")
        found: dict[str, str | None] = {}
        for row in ran.out.decode("utf-8", "replace").split("\0"):
            key, equals, value = row.partition("\n")
            found[key] = value if equals else None
        ends = found.get("core.autocrlf", "no")
        self.file_mode = truth(found.get("core.filemode", "yes")) is not False
        self.converts_line_ends = (ends or "").lower() == "input" or bool(truth(ends))


def _concerns(attribute: str, row: _Read) -> bool:
    if attribute in _ALWAYS_ASK:
        return True
    return row.has_id if attribute == "ident" else row.has_cr


def _is_still_so(before: _Looked, mode: int) -> bool:
    place, mark, given, _ = before
    if mode != given:
        return False
    try:
        return _mark(os.lstat(place)) == mark
    except OSError:
        return False


def _mark(seen: os.stat_result) -> Mark:
    return seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino
