"""Versions of a memory file in the journal of its repository: what a command wrote stays findable."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from mneme_git.errors import MnemeError, NoRepository
from mneme_git.model.ids import Digest
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.discover import open_backend
from mneme_git.store.journal_entry import FileWritten, JournalEntry, Note
from mneme_git.store.lock import write_lock
from mneme_git.store.writing import worktree_name
from mneme_git.text.canonical import sha256_hex


class Place(Struct, frozen=True):
    """A file in a repository: the repository, and the path in it with ``/``."""

    backend: GitBackend
    path: str


class Journalled(Struct, frozen=True):
    """Bytes that a memory file was given, and the entry that says so."""

    sha256: Digest
    entry: JournalEntry


def place_of(path: Path) -> Place | None:
    """Return where a file is in the repository around it; None if it is in no work tree.

    Raises:
        NoGit: the repository cannot be opened.
    """
    resolved = path.resolve()
    try:
        backend = open_backend(resolved.parent, prefer="program")
    except NoRepository:
        return None
    root = backend.work_tree
    if root is None or not resolved.is_relative_to(root.resolve()):
        return None
    return Place(backend, resolved.relative_to(root.resolve()).as_posix())


def keep_versions(place: Place, versions: Sequence[bytes], *, verb: str, subject: str, now: int) -> None:
    """Keep the bytes that the file had and has, the present ones last.

    Raises:
        StoreBusy, ReadOnlyStore, StoreFault: the journal cannot be written.
    """
    backend = place.backend
    files = [FileWritten(place.path, Digest(sha256_hex(data))) for data in versions]
    records = {journal.file_name(file.sha256): data for file, data in zip(files, versions, strict=True)}
    with write_lock(backend) as held:
        head = backend.head()
        note = Note(
            verb=verb,
            subject=subject,
            branch=head.branch or "",
            head=head.oid or "",
            worktree=worktree_name(backend),
            wrote=tuple(records),
            files=tuple(files),
        )
        journal.append(backend, held, note, records, now=now)


def keep_written(
    path: Path, versions: Sequence[bytes], *, verb: str, subject: str, now: int
) -> tuple[str, ...]:
    """Keep versions of a file that is written already; return what to tell if that cannot be done."""
    try:
        place = place_of(path)
        if place is not None:
            keep_versions(place, versions, verb=verb, subject=subject, now=now)
    except MnemeError as error:
        return (f"the file is written, but the journal has no copy of it: {error.message}",)
    return ()


def journalled(place: Place) -> Iterator[Journalled]:
    """Yield the versions of the file that the journal names, newest first."""
    for entry in journal.entries(place.backend):
        for file in reversed(entry.note.files):
            if file.path == place.path:
                yield Journalled(file.sha256, entry)


def read_journalled(place: Place, sha256: str) -> bytes | None:
    """Return the bytes of a version, or None if the journal has lost them."""
    return journal.read_record(place.backend, journal.file_name(sha256))
