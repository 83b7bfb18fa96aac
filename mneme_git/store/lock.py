"""The advisory lock that makes the writers of one repository, in all its work trees, take turns.

The lock is the kernel's on an open file, so it ends with the process that holds it, however that
ends. The file itself says who holds it: text that is still there when the lock is free tells that
the last holder died while it wrote.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from mneme_git.errors import ReadOnlyStore, StoreBusy, StoreFault
from mneme_git.store.backend import GitBackend

WAIT_SECONDS = 10.0
_POLL_SECONDS = 0.004
_NOTE_BYTES = 64


class Held(Struct, frozen=True):
    """The lock is ours; ``after_crash`` tells that the writer before us died while it held it."""

    after_crash: bool


def lock_path(backend: GitBackend) -> Path:
    """Return the path of the lock file, which all work trees of the repository share."""
    return backend.common_dir / "mneme" / "write.lock"


@contextmanager
def write_lock(backend: GitBackend, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[Held]:
    """Hold the write lock of the repository; it cannot be taken twice by one process.

    Raises:
        StoreBusy: another process held it for all of ``wait_seconds``.
        ReadOnlyStore: the repository cannot be written.
    """
    path = lock_path(backend)
    handle = _acquire(path, wait_seconds)
    try:
        after_crash = bool(_note(handle))
        _set_note(handle, f"{os.getpid()}\n".encode("ascii"))
        try:
            yield Held(after_crash)
        finally:
            _set_note(handle, b"")
            _release(handle)
    finally:
        os.close(handle)


@contextmanager
def file_lock(path: Path, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold a lock file of the caller's choice, which is gone again when the lock ends.

    A holder that is killed leaves the file behind, but not the lock: the next one takes it over.

    Raises:
        StoreBusy: another process held it for all of ``wait_seconds``.
        ReadOnlyStore: its folder cannot be written.
    """
    handle = _acquire(path, wait_seconds)
    try:
        _set_note(handle, f"{os.getpid()}\n".encode("ascii"))
        try:
            yield
        finally:
            if os.name != "nt":  # an open file cannot be removed there, and a closed one is not ours
                path.unlink(missing_ok=True)
            _release(handle)
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    try:
        path.parent.mkdir(exist_ok=True)
        return os.open(path, flags, 0o666)
    except OSError as error:
        raise ReadOnlyStore(
            f"cannot write in '{path.parent}': {error.strerror}",
            hint="reading works; to record something, make the repository writable for this user",
        ) from error


def _acquire(path: Path, wait_seconds: float) -> int:
    end = time.monotonic() + wait_seconds
    handle = _open(path)
    try:
        while True:
            if not _try_lock(handle):
                if time.monotonic() >= end:
                    raise _busy(handle, path, wait_seconds)
                time.sleep(_POLL_SECONDS)
            elif _is_still(handle, path):
                return handle
            else:  # somebody removed the file: a lock on it excludes nobody
                os.close(handle)
                handle = _open(path)
    except BaseException:
        os.close(handle)
        raise


def _busy(handle: int, path: Path, wait_seconds: float) -> StoreBusy:
    holder = _note(handle).decode("ascii", "replace").strip() or "unknown"
    return StoreBusy(
        f"another mneme command (process {holder}) is writing here; waited {wait_seconds:g} s",
        hint=f"run the command again when it has ended; its lock on '{path}' ends with it",
    )


def _is_still(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _note(handle: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    return os.read(handle, _NOTE_BYTES)


def _set_note(handle: int, data: bytes) -> None:
    """Say who holds the lock; a full disk must not keep anybody from writing or from letting go."""
    try:
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, data)
    except OSError:
        return


if sys.platform == "win32":
    import msvcrt

    _LOCK_BYTE = 1 << 30  # beyond the note, which others must be able to read

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, _LOCK_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(handle: int) -> None:
        os.lseek(handle, _LOCK_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreFault(
                f"this file system cannot lock files: {error.strerror}",
                hint="keep the repository on a local disk",
            ) from error
        return True

    def _release(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
