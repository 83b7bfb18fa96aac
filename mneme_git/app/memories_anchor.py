"""What memories hold on to: the blob ids of files and the hashes of symbols, when recorded and later.

The code index is asked as it is and never built for this. What it has of a file counts only if the file
still has the content that it was read from; otherwise that one file is read here.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from mneme_git.errors import MnemeError
from mneme_git.memories.record import is_outside
from mneme_git.memories.stale import GONE, Change, Present, changes
from mneme_git.model.ids import ObjectId
from mneme_git.model.memory import Memory, MemoryScope

if TYPE_CHECKING:
    from mneme_git.store.backend import GitBackend
    from mneme_indexer.model import Symbol
    from mneme_indexer.peek import Peek

# A name that more files have is too common to hold on to.
_MOST_PLACES = 20
_Stamp = tuple[int, int, int, int]
# The symbols of a file by their last name: the names around each, and the hash of its text.
_Hashes = dict[str, list[tuple[list[str], str]]]


class Anchors:
    """The files and symbols of a work tree, or of the commit ``at``. Long-lived: what was read is kept."""

    def __init__(self, backend: "GitBackend", *, at: ObjectId | None = None) -> None:
        self._backend = backend
        self._at = at
        self._blobs: dict[str, tuple[_Stamp, str]] = {}
        self._hashes: dict[tuple[str, str], _Hashes] = {}
        # What is kept for one question only: contents, and the hashes of a name in all files.
        self._read_now: dict[str, bytes] = {}
        self._everywhere: dict[str, list[str]] = {}
        self._committed: dict[str, str] | None = None
        self._peek: Peek | None = None

    def recorded(
        self, files: Sequence[str], identifiers: Sequence[str]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Return the blob id of each file and the hash of each symbol's text; what is not found lacks."""
        blobs = self.blobs(files)
        texts = self._texts(identifiers, blobs) if identifiers else {}
        self._answered()
        return (
            {path: oid for path, oid in blobs.items() if oid},
            {name: text for name, text in texts.items() if text},
        )

    def stale(
        self, memories: Mapping[str, Memory], *, unknown: bool = False
    ) -> dict[str, tuple[Change, ...]]:
        """Return what has changed of the code that memories name; those of which nothing has are left out.

        Global memories belong to no repository and are never stale.
        """
        mine = {name: row for name, row in memories.items() if row.scope is MemoryScope.PROJECT}
        blobs = self.blobs({anchor.path for memory in mine.values() for anchor in memory.files})
        found: dict[str, tuple[Change, ...]] = {}
        for name, memory in mine.items():
            told = changes(memory, self._present(memory, blobs), unknown=unknown)
            if told:
                found[name] = told
        self._answered()
        return found

    def blobs(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the id that git gives, or would give, each file; GONE where there is no such file.

        What is outside of the repository is not known and left out.
        """
        inside = sorted({path for path in paths if not is_outside(path) and "\0" not in path})
        if self._at is not None:
            committed = self._of_commit()
            return {path: committed.get(path, GONE) for path in inside}
        stamps = {path: self._stamp(path) for path in inside}
        unread = [
            path for path, seen in stamps.items() if seen and self._blobs.get(path, (None, ""))[0] != seen
        ]
        for path, oid in self._read(unread).items():
            seen = stamps[path]
            if seen is not None:
                self._blobs[path] = (seen, oid)
        return {path: self._blobs[path][1] if seen else GONE for path, seen in stamps.items()}

    def close(self) -> None:
        """Let go of the code index."""
        if self._peek is not None:
            self._peek.close()
            self._peek = None

    def _present(self, memory: Memory, blobs: Mapping[str, str]) -> Present:
        named = {anchor.path: blobs[anchor.path] for anchor in memory.files if anchor.path in blobs}
        hashed = [anchor.name for anchor in memory.identifiers if anchor.text_sha256]
        moved = {
            anchor.path: to
            for anchor in memory.files
            if anchor.blob and named.get(anchor.path) == GONE and (to := self._moved(anchor.blob))
        }
        return Present(blobs=named, texts=self._texts(hashed, named) if hashed else {}, moved=moved)

    def _texts(self, names: Sequence[str], blobs: Mapping[str, str]) -> dict[str, str]:
        """Return the hash of each symbol: of those in the memory's files, or else of all of that name.

        GONE if there is none; not known, and left out, if there is no index to say so.
        """
        found: dict[str, str] = {}
        for name in names:
            inside = {path: oid for path, oid in blobs.items() if oid}
            hashes = self._hashes_in(name, inside) or self._hashes_of(name)
            if hashes:
                found[name] = _together(hashes)
            elif inside or self._index().is_there():
                found[name] = GONE
        return found

    def _hashes_of(self, name: str) -> list[str]:
        """Return the hashes of the symbols of that name in all files that the index knows to have one."""
        if name not in self._everywhere:
            places = self._index().places(_parts(name)[-1]) if _parts(name) else ()
            paths = [place.path for place in places]
            files = self.blobs(paths) if len(paths) <= _MOST_PLACES else {}
            self._everywhere[name] = self._hashes_in(name, {path: oid for path, oid in files.items() if oid})
        return self._everywhere[name]

    def _hashes_in(self, name: str, files: Mapping[str, str]) -> list[str]:
        wanted = _parts(name)
        if not wanted:
            return []
        return [
            text
            for path, oid in files.items()
            for parts, text in self._symbols(path, oid).get(wanted[-1], ())
            if parts[-len(wanted) :] == wanted
        ]

    def _symbols(self, path: str, oid: str) -> _Hashes:
        key = (path, oid)
        if key not in self._hashes:
            data = self._content(path, oid)
            found: _Hashes = {}
            for symbol in self._known(path, oid, data) if data else ():
                parts = _parts(symbol.qualified)
                text = sha256(data[symbol.start_byte : symbol.end_byte]).hexdigest()
                found.setdefault(parts[-1] if parts else "", []).append((parts, text))
            self._hashes[key] = found
        return self._hashes[key]

    def _answered(self) -> None:
        """Forget what may be otherwise at the next question."""
        self._read_now.clear()
        self._everywhere.clear()

    def _known(self, path: str, oid: str, data: bytes) -> "tuple[Symbol, ...]":
        from mneme_indexer.peek import symbols_of

        known = self._index().symbols(path, oid)
        return symbols_of(path, data) if known is None else known

    def _moved(self, blob: str) -> str:
        """Return a file that has the content of one that is gone, by its name first; empty if none has."""
        paths = self._index().with_content(blob)
        now = self.blobs(paths)
        return next((path for path in paths if now.get(path) == blob), "")

    def _index(self) -> "Peek":
        if self._peek is None:
            from mneme_indexer.peek import Peek

            backend = self._backend
            place = os.path.relpath(backend.git_dir, backend.common_dir)
            view = f"work tree {place}" if self._at is None else f"commit {self._at}"
            self._peek = Peek(backend.common_dir / "mneme", view)
        return self._peek

    def _content(self, path: str, oid: str) -> bytes:
        """Return the content with that id: just read, or an object of git's, or else read again."""
        if oid in self._read_now:
            return self._read_now[oid]
        try:
            return self._backend.read(ObjectId(oid)).data
        except MnemeError:
            pass
        try:
            return self._backend.clean_bytes(path) if self._at is None else b""
        except (MnemeError, OSError):
            return b""

    def _of_commit(self) -> dict[str, str]:
        if self._committed is None:
            assert self._at is not None
            rows = self._backend.tree_files(self._at, "")
            self._committed = {row.path: row.oid for row in rows}
        return self._committed

    def _stamp(self, path: str) -> _Stamp | None:
        top = self._backend.work_tree
        if top is None:
            return None
        try:
            seen = os.stat(top / path)  # noqa: PTH116 - once for each file of each recall
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(seen.st_mode):
            return None
        return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)

    def _read(self, paths: Sequence[str]) -> dict[str, str]:
        """Return the blob ids of files that are there; GONE for one that cannot be read."""
        if not paths:
            return {}
        from mneme_git.store.backend import GitObject
        from mneme_git.store.objects import object_id

        try:
            clean = self._backend.clean_files(paths)
        except (MnemeError, OSError):
            if len(paths) == 1:
                return {paths[0]: GONE}
            return {path: oid for one in paths for path, oid in self._read([one]).items()}
        form = self._backend.object_format
        found = {path: str(object_id(GitObject("blob", data), form)) for path, data in clean.items()}
        self._read_now.update((oid, clean[path]) for path, oid in found.items())
        return found


def _parts(name: str) -> list[str]:
    from mneme_indexer.lookups import parts

    return parts(name)


def _together(hashes: Iterable[str]) -> str:
    """Return one hash for the texts of all symbols of a name, in whatever order they were found."""
    distinct = sorted(set(hashes))
    if len(distinct) == 1:
        return distinct[0]
    return sha256("\n".join(distinct).encode("ascii")).hexdigest()
