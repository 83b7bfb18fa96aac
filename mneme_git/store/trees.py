"""Walking trees, over whatever reads objects."""

from collections.abc import Sequence
from typing import Protocol

from mneme_git.errors import CorruptRecord
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject, IndexEntry, TreeEntry
from mneme_git.store.objects import TREE_MODE, commit_tree, decode_tree, tag_target


class Objects(Protocol):
    """What reads objects."""

    object_format: str

    def read(self, oid: ObjectId) -> GitObject:
        """Return an object. Raises MissingObject."""
        ...

    def read_many(self, oids: Sequence[ObjectId]) -> tuple[GitObject, ...]:
        """Return several objects, in order. Raises MissingObject."""
        ...


def entries(objects: Objects, oid: ObjectId) -> tuple[TreeEntry, ...]:
    """Return the entries of a tree, or of the root tree of a commit or of what a tag points to.

    Raises:
        MissingObject: it is not in this repository.
        CorruptRecord: it has no tree.
    """
    found = objects.read(oid)
    while found.kind != "tree":
        if found.kind == "blob":
            raise CorruptRecord(f"{oid} is a file, not a folder", hint="name a commit or a tree")
        found = objects.read(commit_tree(found.data) if found.kind == "commit" else tag_target(found.data))
    return decode_tree(found.data, objects.object_format)


def entry_at(objects: Objects, oid: ObjectId, path: str) -> TreeEntry | None:
    """Return what a commit or tree has at ``path`` (file or folder), or None; ``path`` is not empty."""
    folder, _, name = path.rpartition("/")
    at = entry_at(objects, oid, folder) if folder else None
    if folder and (at is None or at.mode != TREE_MODE):
        return None
    inside = entries(objects, at.oid if at else oid)
    return next((entry for entry in inside if entry.name == name), None)


def files(objects: Objects, oid: ObjectId, prefix: str) -> tuple[IndexEntry, ...]:
    """Return all that is no folder at or below ``prefix`` (anywhere for ``""``), by the bytes of the path."""
    prefix = prefix.rstrip("/")
    top = entry_at(objects, oid, prefix) if prefix else TreeEntry("", TREE_MODE, oid)
    if top is None:
        return ()
    if top.mode != TREE_MODE:
        return (IndexEntry(path=prefix, mode=top.mode, oid=top.oid),)
    found: list[IndexEntry] = []
    level = [(f"{prefix}/" if prefix else "", row) for row in entries(objects, top.oid)]
    while level:
        found += [
            IndexEntry(path=at + row.name, mode=row.mode, oid=row.oid)
            for at, row in level
            if row.mode != TREE_MODE
        ]
        folders = [(f"{at}{row.name}/", row.oid) for at, row in level if row.mode == TREE_MODE]
        below = objects.read_many([oid for _, oid in folders])
        level = [
            (at, row)
            for (at, _), tree in zip(folders, below, strict=True)
            for row in decode_tree(tree.data, objects.object_format)
        ]
    return tuple(sorted(found, key=lambda row: row.path.encode("utf-8", "surrogateescape")))
