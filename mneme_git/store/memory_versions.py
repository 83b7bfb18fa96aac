"""The versions that a memory file had: in the commits of its branch, and in the journal."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from mneme_git.errors import InvalidMemory, MissingObject, MnemeError
from mneme_git.store.memory_journal import Place, journalled, read_journalled
from mneme_git.store.memory_read import contents_of
from mneme_git.text.canonical import sha256_hex


class FileVersion(Struct, frozen=True, kw_only=True):
    """Bytes that the file had; ``source`` says where they are from, ``time`` is unix seconds of that.

    ``problem`` is empty if they are a good memory file.
    """

    data: bytes
    sha256: str
    source: str
    time: int
    problem: str


def versions_of(place: Place, path: Path) -> Iterator[FileVersion]:
    """Yield the versions of the memory file at ``path``, newest first, equal bytes once.

    Of equal times what the journal has comes first.
    """
    seen: set[str] = set()
    found = [*_journalled(place), *_committed(place)]
    for time, _, source, data in sorted(found, key=lambda row: (-row[0], row[1])):
        sha256 = sha256_hex(data)
        if sha256 not in seen:
            seen.add(sha256)
            problem = problem_of(data, path)
            yield FileVersion(data=data, sha256=sha256, source=source, time=time, problem=problem)


def problem_of(data: bytes, path: Path) -> str:
    """Return what is wrong with the bytes of a memory file at ``path``; empty if they are good."""
    try:
        contents_of(data, path, need_head=True)
    except InvalidMemory as error:
        return error.detail or error.reason
    return ""


_Row = tuple[int, int, str, bytes]


def _journalled(place: Place) -> Iterator[_Row]:
    for number, found in enumerate(journalled(place)):
        data = read_journalled(place, found.sha256)
        if data is not None:
            yield found.entry.time, number, f"journal entry {found.entry.sequence}", data


def _committed(place: Place) -> Iterator[_Row]:
    backend = place.backend
    head = backend.resolve("HEAD")
    if head is None:
        return
    for number, commit in enumerate(backend.history([head], paths=[place.path])):
        try:
            entry = next(
                (e for e in backend.tree_files(commit.oid, place.path) if e.path == place.path), None
            )
            data = backend.read(entry.oid).data if entry is not None else None
        except MnemeError as error:
            if not isinstance(error, MissingObject):
                raise
            continue  # a shallow or partial clone does not have it
        if data is not None:
            yield commit.author_time, 1_000_000 + number, f"commit {commit.oid[:12]}", data
