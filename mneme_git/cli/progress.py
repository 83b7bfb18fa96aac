"""How far a long piece of work is, for people on stderr; Ctrl-C stops it where nothing is lost."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

from mneme_git.cli.output import notice

if TYPE_CHECKING:
    from mneme_indexer.answers import Progress

_FIRST, _EVERY, _EVERY_LINE = 0.4, 0.1, 5.0
_UNHEARD = 1.0  # seconds after which work is also told where no terminal listens
_WORDS = {"listing": "looking at the files", "parsing": "parsing", "storing": "storing", "history": "history"}


class ProgressLine:
    """One line that is written over on a terminal; elsewhere a line now and then."""

    def __init__(self, *, quiet: bool = False, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._next = now() + (_FIRST if self._terminal else _UNHEARD)
        self._shown = False

    def __call__(self, progress: "Progress") -> None:
        """Show how far the work is, if it is time to."""
        if self._quiet or self._now() < self._next:
            return
        self._next = self._now() + (_EVERY if self._terminal else _EVERY_LINE)
        text = f"mneme: {_WORDS[progress.phase]}"
        if progress.total:
            text += f" {progress.done} of {progress.total} files"
        if self._terminal:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            self._shown = True
        else:
            notice(text)

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Give a question that is true once the user pressed Ctrl-C; pressed again, it interrupts at once."""
    stopped = False

    def stop(_: int, frame: FrameType | None) -> None:
        nonlocal stopped
        if stopped:
            signal.default_int_handler(signal.SIGINT, frame)
        stopped = True

    try:
        before = signal.signal(signal.SIGINT, stop)
    except ValueError:  # not in the main thread, where signals do not come
        yield lambda: False
        return
    try:
        yield lambda: stopped
    finally:
        with suppress(TypeError):  # the handler was none of Python's
            signal.signal(signal.SIGINT, before)
