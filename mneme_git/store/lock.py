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
_TURNS = 6
_POLL_SECONDS = 0.004
_NOTE_BYTES = 64
_CRASHED = b"crashed\n"
_REF_LOCK = "refs/mneme/journal.lock"


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
        StoreBusy: another process held it for all of ``wait_seconds``, or several took turns for
            six times that.
        ReadOnlyStore: the repository cannot be written.
    """
    path = lock_path(backend)
    handle = _acquire(path, wait_seconds)
    try:
        after_crash = bool(_note(handle))
        _sign(handle)
        try:
            yield Held(after_crash)
        finally:
            # What the dead writer left on the ref is for the next one that moves it to clear up.
            unsettled = after_crash and (backend.common_dir / _REF_LOCK).exists()
            _set_note(handle, _CRASHED if unsettled else b"")
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
        _sign(handle)
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


class _Patience:
    """Says how long to go on waiting: longer while the lock goes from hand to hand."""

    def __init__(self, path: Path, wait_seconds: float) -> None:
        self._path = path
        self.wait_seconds = wait_seconds
        self._end = time.monotonic() + wait_seconds * _TURNS
        self._holder = self.holder()
        self._holder_end = time.monotonic() + wait_seconds

    def seconds(self) -> float:
        """Return for how long to wait before asking again; 0 or less means to give up."""
        now = time.monotonic()
        if now >= self._holder_end and (holder := self.holder()) != self._holder:
            self._holder, self._holder_end = holder, now + self.wait_seconds
        return min(self._holder_end, self._end) - now

    def holder(self) -> str:
        """Return what the holder wrote into the file: its process and when it began."""
        try:
            return self._path.read_bytes()[:_NOTE_BYTES].decode("ascii", "replace")
        except OSError:
            return ""


def _acquire(path: Path, wait_seconds: float) -> int:
    patience = _Patience(path, wait_seconds)
    while True:
        handle = _open(path)
        try:
            locked = _try_lock(handle)
        except BaseException:
            os.close(handle)
            raise
        if not locked and not _wait(handle, patience):
            raise _busy(path, patience)
        if _is_still(handle, path):
            return handle
        os.close(handle)  # somebody removed the file meanwhile: a lock on it excludes nobody


def _busy(path: Path, patience: _Patience) -> StoreBusy:
    process = patience.holder().partition(" ")[0].strip() or "unknown"
    return StoreBusy(
        f"another mneme command (process {process}) is writing here; waited {patience.wait_seconds:g} s",
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


def _sign(handle: int) -> None:
    _set_note(handle, f"{os.getpid()} {time.monotonic_ns()}\n".encode("ascii"))


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

    def _wait(handle: int, patience: _Patience) -> bool:
        while patience.seconds() > 0:
            time.sleep(_POLL_SECONDS)
            if _try_lock(handle):
                return True
        os.close(handle)
        return False

    def _release(handle: int) -> None:
        os.lseek(handle, _LOCK_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl
    import threading

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

    class _Waiter:
        """A place in the kernel's queue for the lock, which a thread holds so that it can be given up.

        Asking again and again instead would let the lucky ones overtake for ever.
        """

        def __init__(self, handle: int) -> None:
            self._handle = handle
            self._mutex = threading.Lock()
            self._over = threading.Event()
            self._locked = self._given_up = False

        def wait(self, patience: _Patience) -> bool:
            """Return whether the lock is ours; if not, the handle is closed, now or a little later."""
            threading.Thread(target=self._queue, daemon=True).start()
            try:
                while (seconds := patience.seconds()) > 0 and not self._over.wait(seconds):
                    pass
            except BaseException:
                if not self._give_up():
                    os.close(self._handle)
                raise
            return not self._give_up()

        def _give_up(self) -> bool:
            with self._mutex:
                self._given_up = not self._locked
                return self._given_up

        def _queue(self) -> None:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX)
                locked = True
            except OSError:
                locked = False
            with self._mutex:
                self._locked = locked and not self._given_up
                if not self._locked:
                    self._given_up = True
                    os.close(self._handle)
            self._over.set()

    def _wait(handle: int, patience: _Patience) -> bool:
        if patience.seconds() <= 0:
            os.close(handle)
            return False
        return _Waiter(handle).wait(patience)

    def _release(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
