"""What mneme needs of git, as a protocol with two implementations.

``Pygit2Backend`` is used where libgit2 can open the repository; ``ProgramBackend`` drives the
``git`` program and serves everything else. One contract suite (``tests/contract``) runs on both.
Paths are repository-relative with ``/``; object ids have the length of the repository's format.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from mneme_git.model.ids import ObjectId

ObjectKind = Literal["blob", "tree", "commit", "tag"]


class GitObject(Struct, frozen=True):
    """A git object: its kind and its content without the header."""

    kind: ObjectKind
    data: bytes


class TreeEntry(Struct, frozen=True):
    """One entry of one tree; ``mode`` is git's, for example ``0o100644`` or ``0o040000``."""

    name: str
    mode: int
    oid: ObjectId


class IndexEntry(Struct, frozen=True, kw_only=True):
    """One entry of the index (stage 0, or 1-3 in an unresolved merge) or of a recursive tree listing."""

    path: str
    mode: int
    oid: ObjectId
    stage: int = 0
    skip_worktree: bool = False


class Signature(Struct, frozen=True):
    """Who writes: the user's git identity where there is one, else a fixed one."""

    name: str
    email: str


class Head(Struct, frozen=True):
    """Where HEAD is: ``branch`` is None when detached, ``oid`` is None before the first commit."""

    oid: ObjectId | None
    branch: str | None


class CommitInfo(Struct, frozen=True, kw_only=True):
    """A commit, as far as history questions need it; times are unix seconds."""

    oid: ObjectId
    tree: ObjectId
    parents: tuple[ObjectId, ...]
    author: Signature
    author_time: int
    committer_time: int
    message: str


class Absent(Struct, frozen=True, tag=True):
    """The ref must not exist yet."""


class Exactly(Struct, frozen=True, tag=True):
    """The ref must hold this value."""

    oid: ObjectId


Expected = Absent | Exactly


class GitBackend(Protocol):
    """One open repository, seen from one of its work trees."""

    name: str
    object_format: str
    git_dir: Path
    common_dir: Path
    work_tree: Path | None

    def read(self, oid: ObjectId) -> GitObject:
        """Return an object. Raises MissingObject."""
        ...

    def read_many(self, oids: Sequence[ObjectId]) -> tuple[GitObject, ...]:
        """Return several objects, in order; cheaper than one by one. Raises MissingObject."""
        ...

    def has(self, oid: ObjectId) -> bool:
        """Tell whether the object is in this repository (never asking a remote for it)."""
        ...

    def write(self, objects: Sequence[GitObject]) -> tuple[ObjectId, ...]:
        """Store objects, in order, and return their ids; they are durable when this returns."""
        ...

    def resolve(self, revision: str) -> ObjectId | None:
        """Return the commit that ``revision`` names (tags peeled), or None."""
        ...

    def read_ref(self, ref: str) -> ObjectId | None:
        """Return the object id a full ref name holds, or None.

        Raises:
            CorruptRecord: the ref is there but cannot be read.
        """
        ...

    def compare_and_swap(self, ref: str, expected: Expected, new: ObjectId, *, message: str) -> None:
        """Move ``ref`` to ``new`` if it holds what is expected; durable when this returns.

        Raises:
            RefMoved: it did not; nothing was changed.
            StoreBusy: another process holds the lock of the ref.
        """
        ...

    def head(self) -> Head:
        """Return where HEAD of this work tree is."""
        ...

    def signature(self) -> Signature:
        """Return the user's identity from the configuration, or a fixed one if there is none."""
        ...

    def tree(self, oid: ObjectId) -> tuple[TreeEntry, ...]:
        """Return the entries of one tree, in git's order; the root tree if ``oid`` is a commit."""
        ...

    def tree_files(self, oid: ObjectId, prefix: str) -> tuple[IndexEntry, ...]:
        """Return the files below ``prefix`` in a commit or tree, recursively, by path."""
        ...

    def index_entries(self, prefix: str) -> tuple[IndexEntry, ...]:
        """Return the index entries at or below ``prefix``, all stages, by path and stage."""
        ...

    def unmerged(self, prefix: str) -> tuple[IndexEntry, ...]:
        """Return the index entries at or below ``prefix`` that have stage 1 to 3 (unresolved conflicts)."""
        ...

    def staged_removals(self, prefix: str) -> tuple[str, ...]:
        """Return the paths at or below ``prefix`` that HEAD has and the index lacks, sorted."""
        ...

    def clean_bytes(self, path: str) -> bytes:
        """Return what git would store for the work-tree file at ``path`` (filters applied).

        A symbolic link counts as the file that it leads to, if that is inside the work tree.

        Raises:
            NotFound: there is no such file.
            Refused: the path or its target is outside the work tree, or in git's own folder.
        """
        ...

    def clean_files(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return ``clean_bytes`` of each path; a few processes in all, not for each."""
        ...

    def stage(self, paths: Sequence[str]) -> str:
        """Stage additions, changes and removals of exactly these paths with git itself.

        Returns:
            Empty text, or why it was not done (the index is locked, the paths are ignored): the
            caller tells, and nothing is forced.
        """
        ...

    def ignored(self, path: str) -> str:
        """Return the rule (``source:line:pattern``) by which git ignores ``path``, or empty text."""
        ...

    def history(
        self, revisions: Sequence[str], *, paths: Sequence[str] = (), limit: int | None = None
    ) -> Iterator[CommitInfo]:
        """Yield the commits reachable from ``revisions`` that touch ``paths``, newest first.

        Merges are included where they differ from every parent.
        """
        ...

    def reachable_blobs(self, prefix: str) -> frozenset[ObjectId]:
        """Return the blobs below ``prefix`` that a ref (but ``refs/mneme``), reflog or index has."""
        ...

    def dirty_tree_id(self, *, exclude: Sequence[str] = (".mneme",)) -> ObjectId:
        """Return the id of the tree that the work tree has, untracked files included.

        ``exclude`` names entries of the top folder that are left out. Neither the user's index nor
        the user's object store is changed.
        """
        ...

    def maintain(self) -> None:
        """Start git's own automatic maintenance, detached; never fails."""
        ...

    def close(self) -> None:
        """End what runs in the background; the backend may be used again and starts it anew."""
        ...
