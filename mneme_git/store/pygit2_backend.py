"""The backend on libgit2: objects and refs without a process; the rest goes through the git program."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, ReferenceType, RepositoryOpenFlag

from mneme_git.errors import CorruptRecord, StoreFault
from mneme_git.model.ids import ObjectId
from mneme_git.store import refs
from mneme_git.store.backend import Absent, Expected, GitObject, Head, ObjectKind
from mneme_git.store.location import Location
from mneme_git.store.object_files import MANY, cannot_write, write_loose, write_pack
from mneme_git.store.objects import decode_loose, is_object_id, object_id
from mneme_git.store.through_git import ThroughGit, missing

_KINDS: dict[ObjectKind, ObjectType] = {
    "blob": ObjectType.BLOB,
    "tree": ObjectType.TREE,
    "commit": ObjectType.COMMIT,
    "tag": ObjectType.TAG,
}
_NAMES = {int(kind): name for name, kind in _KINDS.items()}


def open_pygit2(location: Location) -> "Pygit2Backend | None":
    """Open the repository with libgit2, or return None where only the git program can.

    That is so for SHA-256 and reftable repositories, for unknown extensions, for an object folder
    given by the environment, and for an owner that git's settings allow in a way libgit2 does not
    know: all of these fail in the open.
    """
    if {"GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"} & set(location.variables):
        return None
    # Without this an acknowledged write is only in the page cache. It holds for the whole process,
    # and nothing else in it uses libgit2.
    pygit2.settings.enable_fsync_gitdir(True)
    place = location.git_dir if "GIT_DIR" in location.variables else location.work_tree or location.git_dir
    try:
        opened = pygit2.Repository(str(place), RepositoryOpenFlag.NO_SEARCH)
    except pygit2.GitError:
        return None
    return Pygit2Backend(location, opened)


class Pygit2Backend(ThroughGit):
    """Objects and refs by libgit2."""

    name = "pygit2"

    def __init__(self, location: Location, repository: pygit2.Repository) -> None:
        super().__init__(location)
        self._repository = repository

    def read(self, oid: ObjectId) -> GitObject:
        """Return an object. Raises MissingObject."""
        try:
            # libgit2 1.9 never comes back from a loose file that is cut off, so these are read here.
            return decode_loose(self._loose(oid).read_bytes())
        except OSError:
            return self._read_packed(oid)
        except CorruptRecord as error:
            raise _damaged(oid, error) from error

    def read_many(self, oids: Sequence[ObjectId]) -> tuple[GitObject, ...]:
        """Return several objects, in order. Raises MissingObject."""
        return tuple(self.read(oid) for oid in oids)

    def has(self, oid: ObjectId) -> bool:
        """Tell whether the object is in this repository."""
        return oid in self._repository

    def write(self, objects: Sequence[GitObject]) -> tuple[ObjectId, ...]:
        """Store objects, in order, and return their ids; they are durable when this returns."""
        oids = tuple(object_id(item, self.object_format) for item in objects)
        distinct = dict(zip(oids, objects, strict=True))
        new = {oid for oid in distinct if not self.has(oid)} if len(distinct) > MANY else set()
        if len(new) > MANY:
            write_pack(self.location, [distinct[oid] for oid in distinct if oid in new])
        else:
            new = set()
        self._write_loose({oid: item for oid, item in distinct.items() if oid not in new})
        return oids

    def resolve(self, revision: str) -> ObjectId | None:
        """Return the commit that ``revision`` names (tags peeled), or None."""
        found = self.head().oid if revision == "HEAD" else self._peeled(revision)
        if found is None and revision and "\n" not in revision:
            # git's language of revisions is larger than libgit2's, and it is less strict with commits
            asked = f"{revision}\n".encode("utf-8", "surrogateescape")
            told = self.git.ask("cat-file", "--batch-check", stdin=asked).decode("utf-8", "replace")
            oid, _, rest = told.partition(" ")
            if is_object_id(oid, self.object_format):
                return ObjectId(oid) if rest.startswith("commit ") else self._peeled(oid)
        return found

    def read_ref(self, ref: str) -> ObjectId | None:
        """Return the object id a full ref name holds, or None."""
        return refs.read_surely(self.common_dir, ref, lambda: self._look_up(ref))

    def compare_and_swap(self, ref: str, expected: Expected, new: ObjectId, *, message: str) -> None:
        """Move ``ref`` to ``new`` if it holds what is expected; durable when this returns.

        The value is compared while libgit2 holds the lock of the ref: its own calls for creating
        a ref look first and lock afterwards, and let two creators win.
        """
        if not self.has(new):
            raise missing(new)
        try:
            with self._repository.transaction() as transaction:
                transaction.lock_ref(ref)
                found = self.read_ref(ref)
                if not refs.holds(expected, found):
                    raise refs.moved(ref, expected, found)
                transaction.set_target(ref, pygit2.Oid(hex=new), message=message)
        except (OSError, ValueError, KeyError, pygit2.GitError) as error:
            raise refs.refused(self.common_dir, ref, expected, self.read_ref(ref), str(error)) from error
        if isinstance(expected, Absent):  # libgit2 has synced the file and its folder, not what is above
            refs.sync_ref(self.common_dir, ref, created=True)

    def head(self) -> Head:
        """Return where HEAD of this work tree is."""
        try:
            reference = self._repository.lookup_reference("HEAD")
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise refs.damaged("HEAD", str(error)) from error
        if reference.type == ReferenceType.DIRECT:
            return Head(ObjectId(str(reference.target)), None)
        branch = str(reference.target)
        return Head(self.read_ref(branch), branch.removeprefix("refs/heads/"))

    def close(self) -> None:
        """Let go of the files libgit2 holds open; they are opened again when needed."""
        self._repository.free()

    def _read_packed(self, oid: ObjectId) -> GitObject:
        try:
            kind, data = self._repository.read(oid)
        except (KeyError, ValueError) as error:
            raise missing(oid) from error
        except pygit2.GitError as error:
            raise _damaged(oid, error) from error
        return GitObject(_NAMES[int(kind)], data)

    def _look_up(self, ref: str) -> ObjectId | None:
        try:
            return ObjectId(str(self._repository.lookup_reference(ref).resolve().target))
        except (KeyError, ValueError):
            return None
        except pygit2.GitError as error:
            raise refs.damaged(ref, str(error)) from error

    def _write_loose(self, objects: Mapping[ObjectId, GitObject]) -> None:
        packed = {oid for oid in objects if not self._loose(oid).exists() and self.has(oid)}
        try:
            for oid in sorted(packed):  # libgit2 marks what is there as in use, so that no gc takes it
                self._repository.write(_KINDS[objects[oid].kind], objects[oid].data)
        except (OSError, pygit2.GitError) as error:
            raise cannot_write("objects", error) from error
        write_loose(self.location.objects_dir, {oid: objects[oid] for oid in objects if oid not in packed})

    def _loose(self, oid: ObjectId) -> Path:
        return self.location.objects_dir / oid[:2] / oid[2:]

    def _peeled(self, revision: str) -> ObjectId | None:
        try:
            return ObjectId(str(self._repository.revparse_single(revision).peel(pygit2.Commit).id))
        except (KeyError, ValueError, pygit2.GitError):
            return None


def _damaged(oid: ObjectId, error: Exception) -> StoreFault:
    return StoreFault(f"object {oid} cannot be read: {error}", hint="run `git fsck` to see what is damaged")
