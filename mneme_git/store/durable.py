"""Making files and folders outlast a power cut.

A file system commits what is asked of it at the same time together, so many files in threads cost
hardly more than one. The threads are kept: starting them would cost more than they save.
"""

import errno
import os
import queue
import threading
from collections.abc import Iterable
from pathlib import Path

_THREADS = 8
# What file systems answer that cannot make a folder durable, or do so by themselves.
_CANNOT = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})


class _Batch:
    """Paths to be synced by whoever is free; ``wait`` returns when all are."""

    def __init__(self, paths: list[Path]) -> None:
        self.failures: list[OSError] = []
        self._left = paths
        self._open = len(paths)
        self._lock = threading.Lock()
        self._done = threading.Event()

    def work(self) -> None:
        """Sync paths until none is left."""
        while True:
            try:
                path = self._left.pop()
            except IndexError:  # others took the rest
                return
            try:
                _sync(path)
            except OSError as error:
                self.failures.append(error)
            with self._lock:
                self._open -= 1
                if not self._open:
                    self._done.set()

    def wait(self) -> None:
        """Return when the last path is synced."""
        self._done.wait()


class _Workers:
    """Threads of one process that help with batches; a fork has none of its parent's."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._batches: queue.SimpleQueue[_Batch] = queue.SimpleQueue()
        self._threads = 0

    def help(self, batch: _Batch, wanted: int) -> None:
        """Let up to ``wanted`` threads work on ``batch``."""
        while self._threads < min(wanted, _THREADS):
            threading.Thread(target=self._serve, name="mneme-sync", daemon=True).start()
            self._threads += 1
        for _ in range(min(wanted, _THREADS)):
            self._batches.put(batch)

    def _serve(self) -> None:
        while True:
            self._batches.get().work()


_workers = _Workers()


def sync_all(paths: Iterable[Path]) -> None:
    """Make the content of files and the names in folders durable.

    Raises:
        OSError: a path is not there, or the disk failed; the others were tried all the same.
    """
    global _workers  # noqa: PLW0603 - the threads of a process are one thing in it
    left = list(dict.fromkeys(paths))
    if not left:
        return
    if _workers.process != os.getpid():
        _workers = _Workers()
    batch = _Batch(left)
    _workers.help(batch, len(left) - 1)
    batch.work()
    batch.wait()
    if batch.failures:
        raise batch.failures[0]


def _sync(path: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there, and files are flushed while they are written
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    finally:
        os.close(handle)
