"""The ids of files that are in no index of git, kept between processes: a large file is read once."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from mneme_git.model.ids import ObjectId

Mark = tuple[int, int, int, int, int]
"""Mode, size, time of change, time of the inode's change, inode: equal marks mean an unchanged file."""
Known = dict[bytes, tuple[Mark, ObjectId]]

_VERSION = 1


class _Kept(msgspec.Struct, array_like=True):
    version: int
    state: str
    known: Known


class KnownIds:
    """A file beside the index; whatever is wrong with it, the files are read again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, state: str) -> dict[str, tuple[Mark, ObjectId]]:
        """Return what was saved under this ``state``, a name for all that decides how git stores files."""
        try:
            kept = msgspec.msgpack.decode(self._path.read_bytes(), type=_Kept)
        except (OSError, msgspec.DecodeError):
            return {}
        if (kept.version, kept.state) != (_VERSION, state):
            return {}
        return {path.decode("utf-8", "surrogateescape"): row for path, row in kept.known.items()}

    def save(self, state: str, known: Mapping[str, tuple[Mark, ObjectId]]) -> None:
        """Save; where that cannot be done, the next process reads the files again."""
        rows = {path.encode("utf-8", "surrogateescape"): row for path, row in known.items()}
        own = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            own.write_bytes(msgspec.msgpack.encode(_Kept(_VERSION, state, rows)))
            own.replace(self._path)
