"""A writer in a process of its own, killed at some moment; what it said was done counts as acknowledged."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable

_READY = b"ready\n"


def run_and_kill(
    write: Callable[[Callable[[int], None], Callable[[], None]], None], after_seconds: float
) -> list[int]:
    """Fork, call ``write(done, ready)``, kill it so long after ``ready()``; return what ``done`` was told."""
    reading, out = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            write(lambda number: _say(out, b"%d\n" % number), lambda: _say(out, _READY))
        finally:
            os._exit(1)
    os.close(out)
    try:
        assert select.select([reading], [], [], 60)[0]
        assert os.read(reading, len(_READY)) == _READY
        time.sleep(after_seconds)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, "the writer ended by itself"
        with os.fdopen(os.dup(reading), "rb") as pipe:
            return [int(line) for line in pipe.read().split()]
    finally:
        os.close(reading)


def _say(out: int, message: bytes) -> None:
    os.write(out, message)
