"""What both backends share about refs: what a refused swap means, locks left behind, durability."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from mneme_git.errors import (
    CorruptRecord,
    InvalidInput,
    MnemeError,
    ReadOnlyStore,
    RefMoved,
    StoreBusy,
    StoreFault,
)
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import Absent, Expected, GitBackend
from mneme_git.store.durable import sync_all
from mneme_git.store.objects import is_object_id

_LOCKED = (".lock': file exists", "failed to lock file", "cannot lock references")
OUR_REFS = "refs/mneme/"


def break_stale_lock(backend: GitBackend, ref: str, older_than_s: float) -> bool:
    """Remove the lock file that a killed writer of ours left on ``ref``; tell whether there was one.

    Call it only while holding mneme's own advisory lock, and only for refs of ours: then a lock
    that is older than ``older_than_s`` seconds belongs to nobody. Repositories whose refs are in a
    reftable have no such files; git clears up after itself there.

    Raises:
        InvalidInput: the ref is not one of ours.
    """
    if not ref.startswith(OUR_REFS):
        raise InvalidInput(f"'{ref}' is not a ref of mneme", hint=f"give a name below {OUR_REFS}")
    lock = backend.common_dir / f"{ref}.lock"
    try:
        if time.time() - lock.stat().st_mtime <= older_than_s:
            return False
        lock.unlink()
    except FileNotFoundError:
        return False
    return True


def moved(ref: str, expected: Expected, found: ObjectId | None) -> RefMoved:
    """Return the error for a ref that does not hold what was expected."""
    return RefMoved(ref, _told(expected), found or "nothing")


def holds(expected: Expected, found: ObjectId | None) -> bool:
    """Tell whether a ref that holds ``found`` is as expected."""
    return found is None if isinstance(expected, Absent) else found == expected.oid


def refused(common_dir: Path, ref: str, expected: Expected, found: ObjectId | None, said: str) -> MnemeError:
    """Return what a swap that failed means; ``said`` is the words of libgit2 or git.

    The words differ between versions, so the state of the ref is looked at first: the value that
    it holds, its lock, and whether its file could be written at all.
    """
    if not holds(expected, found):
        return moved(ref, expected, found)
    if (common_dir / f"{ref}.lock").exists() or any(sign in said.lower() for sign in _LOCKED):
        return StoreBusy(f"{ref} is locked by another process", hint="try again in a moment")
    if not _may_write(common_dir / ref):
        return ReadOnlyStore(f"{ref} cannot be written: {said}", hint="check who owns the repository's files")
    return StoreFault(f"{ref} cannot be written: {said}", hint="run `git fsck` to see what is wrong")


def damaged(ref: str, why: str) -> CorruptRecord:
    """Return the error for a ref that is there but cannot be read."""
    return CorruptRecord(f"{ref} cannot be read: {why}", hint="run `git fsck` to see what is damaged")


def read_surely(common_dir: Path, ref: str, read: Callable[[], ObjectId | None]) -> ObjectId | None:
    """Return what ``read`` gives, and do not take a damaged ref for one that is not there.

    An empty ref file (a power cut can leave one) would otherwise count as absent, and a second
    journal would be begun beside the first.

    Raises:
        CorruptRecord: the file of the ref is there, but no reader understands it.
    """
    found = read()
    if found is None and ref.startswith("refs/") and (common_dir / ref).is_file():
        found = read()  # it may have been made a moment ago
        if found is None and (common_dir / ref).is_file():
            raise damaged(ref, "its file holds no object id")
    return found


def from_files(common_dir: Path, ref: str, object_format: str) -> ObjectId | None:
    """Return what a ref holds that is shared by all work trees and kept in files, without a process.

    None means: not told here, be it absent, symbolic or damaged. The loose file is looked at before
    ``packed-refs``: git writes the latter before it removes the former.
    """
    loose = _bytes(common_dir / ref).rstrip(b"\n").decode("ascii", "replace")
    if loose:
        return ObjectId(loose) if is_object_id(loose, object_format) else None
    packed = b"\n" + _bytes(common_dir / "packed-refs")
    end = packed.find(b" " + ref.encode("utf-8", "surrogateescape") + b"\n")
    found = packed[packed.rfind(b"\n", 0, max(end, 0)) + 1 : max(end, 0)].decode("ascii", "replace")
    return ObjectId(found) if is_object_id(found, object_format) else None


def sync_folders(*places: Path) -> None:
    """Make the names inside folders durable, and the bytes of files; what is not there is passed over.

    Raises:
        StoreFault: the disk failed.
    """
    try:
        sync_all(place for place in places if place.exists())
    except OSError as error:
        raise StoreFault(
            f"what was written cannot be made durable: {error}", hint="check the disk"
        ) from error


def sync_ref(common_dir: Path, ref: str, *, created: bool) -> None:
    """Make a ref durable: its file and the folder above it, up to the top if they may be new."""
    file = common_dir / ref
    above = [folder for folder in file.parents if folder.is_relative_to(common_dir / "refs")]
    sync_folders(file, *(above if created else above[:1]), common_dir / "reftable")


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _may_write(file: Path) -> bool:
    folder = next(folder for folder in file.parents if folder.is_dir())
    return os.access(folder, os.W_OK)


def _told(expected: Expected) -> str:
    return "nothing" if isinstance(expected, Absent) else expected.oid
