"""The contents of listed files: from the work tree where they are there as git stores them, else from git."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject
from mneme_git.store.batch import ObjectReader
from mneme_git.store.location import Location
from mneme_git.store.objects import object_id
from mneme_git.store.private_index import bytes_as_added
from mneme_indexer.sources import Listed

_TOGETHER = 64


class BlobReader:
    """Gives the bytes that have the listed id, and no others: what was read is checked against it."""

    def __init__(self, location: Location, root: Path | None) -> None:
        """Without ``root`` only git's objects are read."""
        self._location = location
        self._root = os.fsencode(root) if root else None
        self._objects = ObjectReader(location.git, partial=location.partial)

    def object(self, name: str) -> GitObject | None:
        """Return the object of git that ``name`` stands for, or None."""
        found = self._objects.read(name)
        return found.item if found else None

    def oid(self, name: str) -> ObjectId | None:
        """Return the id of what ``name`` stands for, or None."""
        found = self._objects.read(name)
        return found.oid if found else None

    def read(self, files: Sequence[Listed]) -> Iterator[bytes]:
        """Yield the content of each file, in order; nothing for what is nowhere any more."""
        for start in range(0, len(files), _TOGETHER):
            part = files[start : start + _TOGETHER]
            found: dict[int, bytes] = {}
            for steps in (self._from_disk, self._from_git, self._converted):
                missing = [at for at in range(len(part)) if at not in found]
                if missing:
                    found.update(steps(part, missing))
            yield from (found.get(at, b"") for at in range(len(part)))

    def close(self) -> None:
        """End the process that reads objects."""
        self._objects.close()

    def _from_disk(self, files: Sequence[Listed], wanted: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        if self._root is None:
            return
        for at in wanted:
            data = _content(os.path.join(self._root, files[at].path.encode("utf-8", "surrogateescape")))  # noqa: PTH118 - bytes
            if data is not None and self._is(files[at], data):
                yield at, data

    def _from_git(self, files: Sequence[Listed], wanted: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        for at, found in zip(wanted, self._objects.read_many([files[at].blob for at in wanted]), strict=True):
            if found is not None:
                yield at, found.item.data

    def _converted(self, files: Sequence[Listed], wanted: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield what only a conversion makes of the files on disk: nobody has stored it yet."""
        root = self._root
        if root is None:
            return
        there = [at for at in wanted if _is_file(os.path.join(root, os.fsencode(files[at].path)))]  # noqa: PTH118
        try:
            found = bytes_as_added(self._location, [files[at].path for at in there]) if there else {}
        except MnemeError:
            return
        for at in there:
            data = found.get(files[at].path)
            if data is not None and self._is(files[at], data):
                yield at, data

    def _is(self, listed: Listed, data: bytes) -> bool:
        return object_id(GitObject("blob", data), self._location.object_format) == listed.blob


def _content(place: bytes) -> bytes | None:
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            return file.read() if stat.S_ISREG(os.fstat(handle).st_mode) else None
        except OSError:
            return None


def _is_file(place: bytes) -> bool:
    try:
        return stat.S_ISREG(os.lstat(place).st_mode)
    except OSError:
        return False
