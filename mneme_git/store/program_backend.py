"""The backend that asks the git program for everything; it opens whatever git opens."""

from collections.abc import Sequence

from mneme_git.model.ids import ObjectId
from mneme_git.store import refs
from mneme_git.store.backend import Absent, Expected, GitObject, Head
from mneme_git.store.batch import ObjectReader
from mneme_git.store.location import Location
from mneme_git.store.object_files import MANY, freshen, write_loose, write_pack
from mneme_git.store.objects import object_id, zero_id
from mneme_git.store.process import failure
from mneme_git.store.through_git import ThroughGit, missing

# git >= 2.36 syncs what it is told to; an older one ignores the setting, hence `sync_ref` as well.
# A reflog of the journal would only make its entries look reachable from elsewhere.
_SHARED = ("refs/heads/", "refs/mneme/", "refs/notes/")
_SWAP = ("core.fsync=reference", "core.logAllRefUpdates=false")


class ProgramBackend(ThroughGit):
    """Objects by long-lived ``git cat-file`` processes, refs by ``update-ref`` and ``show-ref``."""

    name = "program"

    def __init__(self, location: Location) -> None:
        super().__init__(location)
        self._objects = ObjectReader(self.git, partial=location.partial)
        self._presence = ObjectReader(self.git, content=False, partial=location.partial)

    def read(self, oid: ObjectId) -> GitObject:
        """Return an object. Raises MissingObject."""
        return self.read_many((oid,))[0]

    def read_many(self, oids: Sequence[ObjectId]) -> tuple[GitObject, ...]:
        """Return several objects, in order. Raises MissingObject."""
        found: list[GitObject] = []
        for oid, answer in zip(oids, self._objects.read_many(oids), strict=True):
            if answer is None:
                raise missing(oid)
            found.append(answer.item)
        return tuple(found)

    def has(self, oid: ObjectId) -> bool:
        """Tell whether the object is in this repository."""
        return self._presence.read(oid) is not None

    def write(self, objects: Sequence[GitObject]) -> tuple[ObjectId, ...]:
        """Store objects, in order, and return their ids; they are durable when this returns."""
        oids = tuple(object_id(item, self.object_format) for item in objects)
        distinct = dict(zip(oids, objects, strict=True))
        if len(distinct) <= MANY:
            write_loose(self.location.objects_dir, distinct)
            return oids
        # In a partial clone each question about an object that is not there may cost a process.
        asked = () if self.location.partial else tuple(distinct)
        known = {answer.oid for answer in self._presence.read_many(asked) if answer}
        freshen(self.location, [item for oid, item in distinct.items() if oid in known])
        write_pack(self.location, [item for oid, item in distinct.items() if oid not in known])
        return oids

    def resolve(self, revision: str) -> ObjectId | None:
        """Return the commit that ``revision`` names (tags peeled), or None."""
        found = self._presence.read(revision)
        if found and found.item.kind != "commit":
            found = self._presence.read(f"{found.oid}^{{commit}}")
        return found.oid if found else None

    def read_ref(self, ref: str) -> ObjectId | None:
        """Return the object id a full ref name holds, or None."""
        return refs.read_surely(self.common_dir, ref, lambda: self._show(ref))

    def compare_and_swap(self, ref: str, expected: Expected, new: ObjectId, *, message: str) -> None:
        """Move ``ref`` to ``new`` if it holds what is expected; durable when this returns."""
        old = zero_id(self.object_format) if isinstance(expected, Absent) else expected.oid
        ran = self.git.run("update-ref", "--no-deref", "-m", message, ref, new, old, settings=_SWAP)
        if ran.code != 0:
            if not self.has(new):
                raise missing(new)
            raise refs.refused(self.common_dir, ref, expected, self.read_ref(ref), ran.complaint)
        refs.sync_ref(self.common_dir, ref, created=isinstance(expected, Absent))

    def head(self) -> Head:
        """Return where HEAD of this work tree is."""
        asked = self.git.run("symbolic-ref", "--quiet", "HEAD")
        branch = asked.out.decode("utf-8", "surrogateescape").rstrip("\n").removeprefix("refs/heads/")
        return Head(self.resolve("HEAD"), branch if asked.code == 0 else None)

    def close(self) -> None:
        """End the processes that read objects."""
        self._objects.close()
        self._presence.close()

    def _show(self, ref: str) -> ObjectId | None:
        if self.location.ref_format == "files" and ref.startswith(_SHARED):
            found = refs.from_files(self.common_dir, ref, self.object_format)
            if found is not None:
                return found
        asked = self.git.run("show-ref", "--verify", "--hash", "--", ref)
        if asked.code == 0:
            return ObjectId(asked.out.decode("ascii").strip())
        if "not a valid ref" in asked.complaint:
            return None
        raise failure("show-ref", asked.complaint)
