"""Which memories the files of a checkout name, and which markers stand beside them; bodies are not read.

Those are the plain files of the work tree, and what git's index has and the work tree lacks. Of a path
that a merge left open every side counts: nothing is lost by a merge that is not finished.
"""

import os
import re
from collections.abc import Iterable

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.memories_standing import BODY, FORGOTTEN, PINNED, PURGED
from mneme_git.store.objects import blob, object_id

FOLDER = f"{ROOT}/memories"
SHARDS = "0123456789abcdef"
_IS_FILE = (0o100644, 0o100755, 0o100664)
_NAME = re.compile(r"([0-9a-f]{32})\.(json|forgotten|pinned)", re.ASCII)
_FLAGS = {"json": BODY, "forgotten": FORGOTTEN, "pinned": PINNED}
_PURGED = b"purged"


def flag_of(file: str) -> tuple[str, int] | None:
    """Return the name of the memory that a file (without its folder) is about, and what it says of it."""
    found = _NAME.fullmatch(file)
    return (found[1], _FLAGS[found[2]]) if found else None


def is_purged(data: bytes) -> bool:
    """Tell whether a marker file says that the memory was purged."""
    return data.strip() == _PURGED


def flags_in_folder(folder: str) -> dict[str, int]:
    """Return what the files directly in a folder of the work tree say, by memory; links are not followed."""
    found: dict[str, int] = {}
    try:
        with os.scandir(folder) as listed:
            rows = [(entry.name, entry.is_file(follow_symlinks=False)) for entry in listed]
    except OSError:
        return {}
    for file, is_file in rows:
        told = flag_of(file)
        if told is not None and is_file:
            name, flag = told
            if flag == FORGOTTEN and _says_purged(f"{folder}/{file}"):
                flag |= PURGED
            found[name] = found.get(name, 0) | flag
    return found


def flags_of_entries(backend: GitBackend, entries: Iterable[IndexEntry]) -> dict[str, int]:
    """Return what files of the index or of a commit say, by memory."""
    empty = object_id(blob(b""), backend.object_format)
    found: dict[str, int] = {}
    for entry in entries:
        told = flag_of(entry.path.rpartition("/")[2])
        if told is not None and entry.mode in _IS_FILE:
            name, flag = told
            if flag == FORGOTTEN and entry.oid != empty and _is_purged_blob(backend, entry.oid):
                flag |= PURGED
            found[name] = found.get(name, 0) | flag
    return found


def joined(*parts: dict[str, int]) -> dict[str, int]:
    """Return what all parts say together."""
    found: dict[str, int] = {}
    for part in parts:
        for name, flags in part.items():
            found[name] = found.get(name, 0) | flags
    return found


def _says_purged(path: str) -> bool:
    try:
        if os.lstat(path).st_size == 0:
            return False
        with open(path, "rb") as file:  # noqa: PTH123 - as text, for thousands
            return is_purged(file.read(16))
    except OSError:
        return False


def _is_purged_blob(backend: GitBackend, oid: ObjectId) -> bool:
    try:
        return is_purged(backend.read(oid).data)
    except MnemeError:
        return False
