"""How the work tree differs from HEAD, in one look of git: staged, unstaged and untracked alike."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from mneme_git.model.ids import ObjectId
from mneme_git.store.index_copy import IndexCopy
from mneme_git.store.objects import SUBMODULE_MODE
from mneme_git.store.process import Git, Running, accepted

_ASKED = (
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignored=no",
    "--ignore-submodules=dirty",
    "--no-renames",
    "--branch",
    "--no-ahead-behind",
)
_TRIES = 3
_IN_WORK_TREE = frozenset("MTA")


class Difference(Struct, frozen=True):
    """What a path is in the work tree, if that is not what HEAD has.

    ``mode`` 0 means that it is gone. Without ``oid`` the file itself has to be looked at; its
    ``mode`` is git's then, or -1 for a file that git does not track.
    """

    mode: int
    oid: ObjectId | None = None

    @property
    def tracked(self) -> bool:
        """Tell whether the index knows the path."""
        return self.mode >= 0


GONE = Difference(0)
UNTRACKED = Difference(-1)


class Look(Struct, frozen=True):
    """What git said: ``told`` is equal for equal answers. ``head`` is empty before the first commit."""

    head: str
    told: bytes

    def differences(self) -> dict[str, Difference]:
        """Return the paths that differ from HEAD; a nested repository is none of them."""
        return dict(_differences(self.told))


@contextmanager
def looking(copy: IndexCopy) -> Iterator[Callable[[], Look]]:
    """Let git look while the block does something else; what is given waits for what it saw.

    The user's index is not written. What is given raises GitFailed where git could not tell.
    """
    git = copy.git()
    running = git.begin_as_user(*_ASKED, settings=copy.settings)
    try:
        yield lambda: _seen(copy, git, running)
    finally:
        running.stop()


def _seen(copy: IndexCopy, git: Git, running: Running) -> Look:
    told = accepted("status", running.finished()).out
    for _ in range(_TRIES - 1):
        if copy.holds(git):
            break
        git = copy.git()  # the index is another one meanwhile
        told = accepted("status", git.run_as_user(*_ASKED, settings=copy.settings)).out
    return Look(_head(told), told)


def _head(told: bytes) -> str:
    name = told.partition(b"# branch.oid ")[2].partition(b"\0")[0].decode("ascii")
    return "" if name == "(initial)" else name


def _differences(told: bytes) -> Iterator[tuple[str, Difference]]:
    untracked: list[str] = []
    for row in told.decode("utf-8", "surrogateescape").split("\0"):
        if row.startswith("? "):
            if not row.endswith("/"):
                untracked.append(row[2:])
        elif row.startswith("1 "):
            yield _ordinary(row)
        elif row.startswith("u "):
            _, _, _, _, _, _, in_work_tree, _, _, _, path = row.split(" ", 10)
            yield path, _looked_at(int(in_work_tree, 8))
    for path in untracked:  # behind all others: `git rm --cached` gives a path both ways
        yield path, UNTRACKED


def _ordinary(row: str) -> tuple[str, Difference]:
    _, codes, _, _, in_index, in_work_tree, _, oid, path = row.split(" ", 8)
    mode = int(in_index, 8)
    if mode != SUBMODULE_MODE and codes[1] in _IN_WORK_TREE:
        return path, _looked_at(int(in_work_tree, 8))
    gone = codes[1] == "D" or mode == 0
    return path, GONE if gone else Difference(mode, ObjectId(oid))


def _looked_at(mode: int) -> Difference:
    return Difference(mode) if mode and mode != SUBMODULE_MODE else GONE
