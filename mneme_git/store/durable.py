"""Making files and folders outlast a power cut.

A file system commits what is asked of it at the same time together, so many files in threads cost
hardly more than one.
"""

import errno
import os
import threading
from collections.abc import Iterable
from pathlib import Path

_THREADS = 16
# What file systems answer that cannot make a folder durable, or do so by themselves.
_CANNOT = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})


def sync_all(paths: Iterable[Path]) -> None:
    """Make the content of files and the names in folders durable.

    Raises:
        OSError: a path is not there, or the disk failed; the others were tried all the same.
    """
    left = list(dict.fromkeys(paths))
    failures: list[OSError] = []

    def work() -> None:
        while left:
            try:
                path = left.pop()
            except IndexError:  # another thread took the last one
                return
            try:
                _sync(path)
            except OSError as error:
                failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(min(_THREADS, len(left)) - 1)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


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
