"""What the index reads from, as protocols. A dict serves in tests, a git work tree in earnest."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct


class Listed(Struct, frozen=True, array_like=True, gc=False):
    """A file of a snapshot. ``blob`` is the git id of its content; ``size`` is in bytes, -1 if not known.

    ``skipped`` is a reason in words for a file whose content is not to be read (an untracked dependency
    folder, too large, not a regular file); its path is still found.
    """

    path: str
    blob: str
    size: int = -1
    tracked: bool = True
    skipped: str = ""


class Listing(Struct, frozen=True):
    """All files of one snapshot, by path, and the id of the tree that they make."""

    tree: str
    files: Mapping[str, Listed]
    commit: str = ""
    is_dirty: bool = False


class Commit(Struct, frozen=True, array_like=True):
    """One commit for ranking by history: never a merge. ``paths`` are those that it changed, sorted."""

    oid: str
    time: int
    message: str
    paths: tuple[str, ...]


class SourceTree(Protocol):
    """One snapshot after another of a set of files: a work tree, or one revision."""

    def tree_id(self) -> str:
        """Return the id of the tree as it is now; equal ids mean equal files. Cheap, and never stale."""
        ...

    def listing(self) -> Listing:
        """Return the files as they are now."""
        ...

    def looking(self) -> AbstractContextManager[Callable[[], Listing]]:
        """Look at the files while the block does something else; what is given returns the listing.

        The listing is that of files as they are at the beginning of the block or later.
        """
        ...

    def read(self, files: Sequence[Listed]) -> Iterable[bytes]:
        """Yield the content of each file, in order; what changed or vanished meanwhile yields ``b""``."""
        ...


class History(Protocol):
    """The past of the commit that a snapshot rests on."""

    def commits(self, head: str, limit: int, known: frozenset[str]) -> tuple[Sequence[str], Iterable[Commit]]:
        """Return the newest ``limit`` non-merge ancestors of ``head``, and the commits not in ``known``.

        The ids come newest first, in git's own order; ``head`` itself is one of them. A shallow or
        partial clone gives what it has.
        """
        ...
