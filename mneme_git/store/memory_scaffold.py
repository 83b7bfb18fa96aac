"""Making a memory file of the existing format that is not there yet, or anew over an old one."""

import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from mneme_git.errors import AlreadyExists, GuardMismatch, MnemeError, StoreFault
from mneme_git.store.foreign_file import read_foreign, replace_foreign, turn
from mneme_git.store.memory_index import SCHEMA
from mneme_git.store.memory_journal import keep_versions, place_of
from mneme_git.store.memory_write import encode_document

_HINT = "name another place, or see to the permissions of the folder"


def scaffold(*, name: str, description: str, created_by: str, created: str) -> dict[str, Any]:
    """Return the document of a memory without decisions; ``created`` is UTC, ``YYYY-MM-DDTHH:MM:SSZ``."""
    return {
        "meta": {"name": name, "description": description, "created_by": created_by, "created": created},
        "items": [],
        "examples": [],
        "decisions": [],
        "decision_index": {"schema": SCHEMA, "decisions": [], "versions": [], "rules": []},
    }


def create_memory(path: Path, name: str, document: Mapping[str, Any]) -> None:
    """Write a new memory file; the folders on the way are made.

    Raises:
        AlreadyExists: something has that name; it was not touched.
        ReadOnlyStore, StoreFault: it cannot be written.
    """
    if path.exists() or path.is_symlink():
        raise AlreadyExists(name)
    with turn(path):
        try:
            replace_foreign(path, encode_document(document), expected=None)
        except GuardMismatch:
            raise AlreadyExists(name) from None


def overwrite_memory(path: Path, document: Mapping[str, Any], *, now: int) -> str:
    """Write a memory file over whatever is there; return in words where the old one is kept.

    Empty text if there was none. The old bytes are safe before anything changes: in the journal of
    the repository around the file, or in a copy beside it.

    Raises:
        GuardMismatch: another program writes the file.
        ReadOnlyStore, StoreFault: the copy or the file cannot be written.
    """
    with turn(path):
        before = read_foreign(path)
        kept = "" if before is None else keep_before(path, before, verb="init", now=now)
        replace_foreign(path, encode_document(document), expected=before)
    return kept


def keep_before(path: Path, data: bytes, *, verb: str, now: int) -> str:
    """Keep the bytes of a file that is about to be replaced; return in words where.

    Raises:
        StoreFault: neither the journal nor a copy beside the file can be written.
    """
    try:
        place = place_of(path)
        if place is not None:
            keep_versions(place, [data], verb=verb, subject=place.path, now=now)
            return f"the journal: `mneme restore --memory {path}` brings it back"
    except MnemeError:
        pass  # a copy beside it is as good
    return f"'{_copy_beside(path, data)}'"


def _copy_beside(path: Path, data: bytes) -> Path:
    for number in count(1):
        copy = path.with_name(f"{path.name}.bak-{number}")
        try:
            handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            continue
        except OSError as error:
            raise StoreFault(f"'{copy}' cannot be written: {error.strerror}", hint=_HINT) from error
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        return copy
    raise AssertionError
