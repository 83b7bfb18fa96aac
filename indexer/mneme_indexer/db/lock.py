"""The lock by which refreshes of one index take turns. It is the kernel's, so it ends with its holder."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_POLL_SECONDS = 0.02


class CannotLock(Exception):
    """The file system has no locks, or the file cannot be made."""


@contextmanager
def exclusive(path: Path, give_up: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock file ``path``; ``give_up`` is asked while others hold it, and raises to stop.

    Raises:
        CannotLock: there is nothing to lock here.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise CannotLock(error.strerror) from error
    try:
        while not _try_lock(handle):
            if give_up is not None:
                give_up()
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise CannotLock(error.strerror) from error
        return True
