"""One long-lived ``git cat-file --batch``: many reads for the price of one process."""

import contextlib
import subprocess
import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import IO, cast

from msgspec import Struct

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject, ObjectKind
from mneme_git.store.process import Git, failure

# Names written before the first answer is read: few enough that they fit the pipe whatever
# git is busy writing, so that neither side can wait for the other.
_AHEAD = 200


class Found(Struct, frozen=True):
    """An object and the id under which it is stored; its data is empty where only that was asked."""

    oid: ObjectId
    item: GitObject


class ObjectReader:
    """Reads objects by any name that git understands; started at the first question.

    One thread at a time is served. The process ends with ``close``, with this object or with the
    interpreter, whichever comes first, and never outlives any of them.
    """

    def __init__(self, git: Git, *, content: bool = True, partial: bool = False) -> None:
        """Without ``content`` only ids and kinds are read; in a ``partial`` clone git may die of a miss."""
        self._git = git
        self._content = content
        self._mode = "--batch" if content else "--batch-check"
        self._partial = partial
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[..., ObjectReader] | None = None

    def read(self, name: str) -> Found | None:
        """Return the object that ``name`` stands for, or None if there is none."""
        return next(self.read_many((name,)))

    def read_many(self, names: Sequence[str]) -> Iterator[Found | None]:
        """Yield what ``read`` returns for each name, in order."""
        for start in range(0, len(names), _AHEAD):
            with self._lock:
                found = self._answers(names[start : start + _AHEAD])
            yield from found

    def close(self) -> None:
        """End the process, if it runs; the next question starts another."""
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def _answers(self, names: Sequence[str]) -> list[Found | None]:
        asked = [name if "\n" not in name else "" for name in names]
        found: list[Found | None] = []
        while len(found) < len(asked):
            try:
                self._ask(asked[len(found) :], found)
            except (OSError, EOFError) as error:
                self.close()
                if not self._partial:
                    raise self._broken(asked[len(found)]) from error
                # git < 2.44 ends when a partial clone lacks an object and it cannot fetch it
                found.append(None)
            except BaseException:
                self.close()  # an answer may be half read: what follows would be taken for another's
                raise
        return found

    def _ask(self, names: Sequence[str], found: list[Found | None]) -> None:
        stdin, stdout = self._streams()
        stdin.write(b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in names))
        stdin.flush()
        for _ in names:
            found.append(_answer(stdout, content=self._content))

    def _streams(self) -> "tuple[IO[bytes], IO[bytes]]":
        if self._process is None:
            self._process = self._git.start("cat-file", self._mode)
            self._end = weakref.finalize(self, _stop, self._process)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _broken(self, name: str) -> MnemeError:
        """Return why git gave no answer about ``name``, as far as it tells when asked once more."""
        asked = f"{name}\n".encode("utf-8", "surrogateescape")
        ran = self._git.run("cat-file", self._mode, stdin=asked)
        return failure("cat-file", ran.complaint if ran.code else f"it ended while it read '{name}'")


def _answer(stdout: IO[bytes], *, content: bool) -> Found | None:
    head = stdout.readline()
    if head.endswith((b" missing\n", b" ambiguous\n")):
        return None
    if not head.endswith(b"\n"):
        raise EOFError
    oid, kind, size = head.decode("ascii").split(" ")
    if not content:
        return Found(ObjectId(oid), GitObject(cast("ObjectKind", kind), b""))
    data = stdout.read(int(size) + 1)
    if len(data) != int(size) + 1:
        raise EOFError
    return Found(ObjectId(oid), GitObject(cast("ObjectKind", kind), data[:-1]))


def _stop(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if stream is not None:
                stream.close()
    process.wait()
