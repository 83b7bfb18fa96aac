"""Where else a record may be found when the file that should hold it is missing or damaged."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from mneme_git.errors import MnemeError
from mneme_git.model.ids import DecisionId, ObjectId
from mneme_git.model.paths import decision_path
from mneme_git.store.backend import GitBackend, TreeEntry

IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
_TREE = 0o040000


class Line(Struct, frozen=True):
    """One line of history that takes part in a state of the branch: what it is called, where it ends."""

    label: str
    commit: ObjectId


class Copies:
    """Other places of records. This one is no place at all: every answer is None or empty."""

    def index(self, path: str) -> bytes | None:
        """Return the bytes that the index has for ``path``, if it is not in conflict."""
        return None

    def committed(self, path: str) -> bytes | None:
        """Return the bytes that HEAD (or the revision that is read) has for ``path``."""
        return None

    def journal(self, name: str) -> bytes | None:
        """Return the bytes at a path of the journal."""
        return None

    def last_state(self, path: str) -> bytes | None:
        """Return the last decision file that was written at ``path`` on this branch, from the journal."""
        return None

    def anywhere(self, path: str) -> Iterable[bytes]:
        """Yield what any ref or reflog has for ``path``; the last resort, for it may take a while."""
        return ()

    def lines(self) -> tuple[Line, ...]:
        """Return the line of HEAD and those of the merge, rebase, pick or revert in progress."""
        return ()

    def at(self, commit: ObjectId, path: str) -> bytes | None:
        """Return the bytes that a commit has for ``path``."""
        return None

    def brought_in(self, commit: ObjectId, path: str) -> tuple[ObjectId, ...]:
        """Return the parents of the newest commit that gave ``path`` the content ``commit`` has there."""
        return ()


class GitCopies(Copies):
    """Copies in one repository: ``index`` maps paths to blobs; ``revision`` None means HEAD."""

    def __init__(self, backend: GitBackend, index: Mapping[str, ObjectId], revision: ObjectId | None) -> None:
        self._backend = backend
        self._index = index
        self._revision = revision
        self._trees: dict[ObjectId, dict[str, TreeEntry]] = {}
        self._last: dict[str, str] | None = None

    def index(self, path: str) -> bytes | None:
        """Return the bytes that the index has for ``path``, if it is not in conflict."""
        oid = self._index.get(path)
        return self._read(oid) if oid is not None else None

    def committed(self, path: str) -> bytes | None:
        """Return the bytes that HEAD (or the revision that is read) has for ``path``."""
        head = self._head()
        return self.at(head, path) if head is not None else None

    def journal(self, name: str) -> bytes | None:
        """Return the bytes at a path of the journal."""
        from mneme_git.store.journal import read_record

        try:
            return read_record(self._backend, name)
        except MnemeError:  # a damaged journal is for `verify` to report; here it has no copy
            return None

    def last_state(self, path: str) -> bytes | None:
        """Return the last decision file that was written at ``path`` on this branch, from the journal."""
        from mneme_git.store.journal import state_name

        if self._revision is not None:
            return None
        if self._last is None:
            self._last = self._last_digests()
        digest = self._last.get(path)
        return self.journal(state_name(digest)) if digest else None

    def anywhere(self, path: str) -> Iterable[bytes]:
        """Yield what any ref or reflog has for ``path``; the last resort, for it may take a while."""
        blobs = sorted(self._backend.reachable_blobs(path))
        return (data for oid in blobs if (data := self._read(oid)) is not None)

    def lines(self) -> tuple[Line, ...]:
        """Return the line of HEAD and those of the merge, rebase, pick or revert in progress."""
        head = self._head()
        found = [] if head is None else [Line("HEAD", head)]
        if self._revision is None:
            for name in IN_PROGRESS:
                # What a revert brings in is the state before the commit that it undoes.
                commit = self._backend.resolve(f"{name}^1" if name == "REVERT_HEAD" else name)
                if commit is not None and commit not in {line.commit for line in found}:
                    found.append(Line(name, commit))  # a rebase sets two of these names at once
        return tuple(found)

    def at(self, commit: ObjectId, path: str) -> bytes | None:
        """Return the bytes that a commit has for ``path``."""
        blob = self._blob(commit, path)
        return None if blob is None else self._read(blob)

    def brought_in(self, commit: ObjectId, path: str) -> tuple[ObjectId, ...]:
        """Return the parents of the newest commit that gave ``path`` the content ``commit`` has there."""
        wanted = self._blob(commit, path)
        try:
            for found in self._backend.history([commit], paths=[path]):
                if self._blob(found.oid, path) == wanted:
                    return found.parents
        except MnemeError:  # beyond the edge of a shallow or partial clone
            pass
        return ()

    def _head(self) -> ObjectId | None:
        return self._revision or self._backend.resolve("HEAD")

    def _blob(self, commit: ObjectId, path: str) -> ObjectId | None:
        tree = commit
        *folders, name = path.split("/")
        for folder in folders:
            entry = self._tree(tree).get(folder)
            if entry is None or entry.mode != _TREE:
                return None
            tree = entry.oid
        found = self._tree(tree).get(name)
        return None if found is None or found.mode == _TREE else found.oid

    def _tree(self, oid: ObjectId) -> dict[str, TreeEntry]:
        if oid not in self._trees:
            try:
                self._trees[oid] = {entry.name: entry for entry in self._backend.tree(oid)}
            except MnemeError:  # a partial or shallow clone does not have every tree
                self._trees[oid] = {}
        return self._trees[oid]

    def _read(self, oid: ObjectId) -> bytes | None:
        try:
            return self._backend.read(oid).data
        except MnemeError:
            return None

    def _last_digests(self) -> dict[str, str]:
        from mneme_git.store.journal import entries, last_states

        branch = self._backend.head().branch or ""
        try:
            last = last_states(entries(self._backend))
        except MnemeError:
            return {}
        return {
            decision_path(DecisionId(entry.decision_id)): entry.digest
            for entry in last.values()
            if entry.branch == branch and entry.digest
        }
