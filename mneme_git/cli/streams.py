"""Standard streams that may be closed, or full: the work is done first, and then it is told."""

import io
import os
import sys

_DESCRIPTORS = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


class _Remembering(io.FileIO):
    """A stream that remembers that something could not be written, and lets the command go on."""

    failed: OSError | None = None

    def write(self, data: object) -> int:
        """Write bytes; a reader that went away is still an error."""
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise
        except OSError as error:
            self.failed = error
            return memoryview(data).nbytes  # type: ignore[arg-type]


def prepare() -> _Remembering | None:
    """Give the process three streams that can be used; return the one of the answer if it is watched.

    A closed descriptor is taken up at once: the next file that is opened would get its number, and
    what is meant for people would be written into that file. One that must not be used (reading
    where nobody gives, writing where nobody listens) stays an error when it is used.
    """
    closed = {number for number, mode in _DESCRIPTORS if _take_up(number, mode)}
    if 0 in closed or sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    watched = 1 in closed or sys.stdout is None or not sys.stdout.isatty()
    # Who runs the command line inside another program has put streams of its own there.
    answer = _watch(1) if watched and sys.stdout is sys.__stdout__ else None
    if answer is not None:
        sys.stdout = _text(answer, sys.stdout, "strict")
    unheard = 2 in closed or sys.stderr is None or not sys.stderr.isatty()
    if unheard and sys.stderr is sys.__stderr__:
        sys.stderr = _text(_watch(2), sys.stderr, "backslashreplace", by_line=True)
    return answer


def _take_up(number: int, mode: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, mode)  # gets the lowest number that is free
        return True
    return False


def _watch(number: int) -> _Remembering:
    return _Remembering(number, "w", closefd=False)


def _text(raw: _Remembering, like: object, errors: str, *, by_line: bool = False) -> io.TextIOWrapper:
    if isinstance(like, io.TextIOWrapper):
        like.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(like, "encoding", None) or "utf-8",
        errors=getattr(like, "errors", None) or errors,
        line_buffering=by_line,
    )
