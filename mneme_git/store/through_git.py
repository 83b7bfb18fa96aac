"""What both backends do alike: everything but single objects and refs is asked of the git program."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from mneme_git.errors import MissingObject, NotFound
from mneme_git.model.ids import ObjectId
from mneme_git.store import trees, work_tree
from mneme_git.store.backend import CommitInfo, GitObject, IndexEntry, Signature, TreeEntry
from mneme_git.store.location import Location
from mneme_git.store.process import Git

_NOBODY = Signature("mneme", "mneme@localhost")


class ThroughGit(ABC):
    """The part of ``GitBackend`` that is the same for both; subclasses read and write objects and refs."""

    name: str

    def __init__(self, location: Location) -> None:
        self.location = location
        self.object_format = location.object_format
        self.git_dir = location.git_dir
        self.common_dir = location.common_dir
        self.work_tree = location.work_tree
        self._signature: Signature | None = None

    @property
    def git(self) -> Git:
        """Return the git program aimed at this repository."""
        return self.location.git

    @abstractmethod
    def read(self, oid: ObjectId) -> GitObject:
        """Return an object. Raises MissingObject."""

    @abstractmethod
    def read_many(self, oids: Sequence[ObjectId]) -> tuple[GitObject, ...]:
        """Return several objects, in order. Raises MissingObject."""

    @abstractmethod
    def resolve(self, revision: str) -> ObjectId | None:
        """Return the commit that ``revision`` names (tags peeled), or None."""

    def signature(self) -> Signature:
        """Return the user's identity as git would use it for an author, or a fixed one."""
        if self._signature is None:
            self._signature = _identity(self.git) or _NOBODY
        return self._signature

    def tree(self, oid: ObjectId) -> tuple[TreeEntry, ...]:
        """Return the entries of one tree, in git's order; the root tree if ``oid`` is a commit."""
        return trees.entries(self, oid)

    def tree_files(self, oid: ObjectId, prefix: str) -> tuple[IndexEntry, ...]:
        """Return the files below ``prefix`` in a commit or tree, recursively, by path."""
        return trees.files(self, oid, prefix)

    def index_entries(self, prefix: str) -> tuple[IndexEntry, ...]:
        """Return the index entries at or below ``prefix``, all stages, by path and stage."""
        return work_tree.index_entries(self.git, prefix) if self.work_tree else ()

    def unmerged(self, prefix: str) -> tuple[IndexEntry, ...]:
        """Return the index entries of unresolved conflicts at or below ``prefix``."""
        return work_tree.unmerged(self.git, prefix) if self.work_tree else ()

    def staged_removals(self, prefix: str) -> tuple[str, ...]:
        """Return the paths at or below ``prefix`` that HEAD has and the index lacks, sorted."""
        return work_tree.staged_removals(self.git, prefix) if self.work_tree else ()

    def stage(self, paths: Sequence[str]) -> str:
        """Stage exactly these paths with git itself; return empty text or why it was not done."""
        return work_tree.stage(self.location, paths)

    def ignored(self, path: str) -> str:
        """Return the rule (``source:line:pattern``) by which git ignores ``path``, or empty text."""
        return work_tree.ignored(self.git, path) if self.work_tree else ""

    def clean_bytes(self, path: str) -> bytes:
        """Return what git would store for the work-tree file at ``path``."""
        return self.clean_files((path,))[path]

    def clean_files(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return ``clean_bytes`` of each path."""
        from mneme_git.store.clean import clean_files

        return clean_files(self.location, paths)

    def history(
        self, revisions: Sequence[str], *, paths: Sequence[str] = (), limit: int | None = None
    ) -> Iterator[CommitInfo]:
        """Yield the commits reachable from ``revisions`` that touch ``paths``, newest first.

        Raises:
            NotFound: one of the revisions names no commit.
        """
        from mneme_git.store.reach import history

        return history(self.git, self, [self._known(name) for name in revisions], paths, limit)

    def reachable_blobs(self, prefix: str) -> frozenset[ObjectId]:
        """Return the blobs below ``prefix`` that a ref (but ``refs/mneme``), reflog or index has."""
        from mneme_git.store.reach import reachable_blobs

        return reachable_blobs(self.location, prefix)

    def dirty_tree_id(self, *, exclude: Sequence[str] = (".mneme",)) -> ObjectId:
        """Return the id of the tree that the work tree has, without the top entries ``exclude``."""
        from mneme_git.store.private_index import dirty_tree_id

        return dirty_tree_id(self.location, exclude)

    def maintain(self) -> None:
        """Start git's own automatic maintenance, detached; never fails."""
        from mneme_git.store.background import run_in_background

        run_in_background(self.git, "maintenance", "run", "--auto", "--quiet")

    def _known(self, revision: str) -> ObjectId:
        found = self.resolve(revision)
        if found is None:
            raise NotFound("commit", revision, hint="see `git log` for the commits there are")
        return found


def _identity(git: Git) -> Signature | None:
    asked = git.run("var", "GIT_AUTHOR_IDENT", settings=("user.useConfigOnly=true",))
    if asked.code != 0:
        return None
    name, _, rest = asked.out.decode("utf-8", "replace").rpartition(" <")
    return Signature(name, rest.partition(">")[0])


def missing(oid: str) -> MissingObject:
    """Return the error for an object that is not here."""
    return MissingObject(
        f"object {oid} is not in this repository",
        hint="in a shallow or partial clone, fetch it; else run `git fsck`",
    )
