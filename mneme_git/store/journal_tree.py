"""The tree of the journal: a set of named blobs that only grows, as git trees.

``insert`` adds names, ``union_trees`` joins two such trees. Both read only the subtrees that differ.
One name with two contents cannot come from us, for names are made from content; where a damaged
or foreign journal has it, both contents are kept (the second below ``files/`` by its blob id).

Below ``erased/`` stand, as empty blobs, the paths that were erased on purpose: no union brings them
back. ``generation`` counts such erasures.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from mneme_git.errors import CorruptRecord
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject, TreeEntry
from mneme_git.store.objects import BLOB_MODE, SUBMODULE_MODE, TREE_MODE, decode_tree, encode_tree, object_id

GENERATION = "generation"
ERASED = "erased"
_NAME = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*", re.ASCII)


class Grove:
    """Trees that exist and trees that are being made.

    ``made`` holds the objects to write, children before parents. ``known`` are trees whose entries
    are at hand already; a tree never changes, so what was known stays true.
    """

    def __init__(
        self,
        read: Callable[[ObjectId], GitObject],
        object_format: str,
        known: Mapping[ObjectId, Mapping[str, TreeEntry]] = {},
    ) -> None:
        self._read = read
        self._format = object_format
        self._known = dict(known)
        self._stored: set[ObjectId] = set()
        self.made: dict[ObjectId, GitObject] = {}

    def trees_made(self) -> dict[ObjectId, Mapping[str, TreeEntry]]:
        """Return the trees that were made here, with their entries: what the next entry begins with."""
        return {oid: self._known[oid] for oid, made in self.made.items() if made.kind == "tree"}

    def entries(self, tree: ObjectId | None) -> Mapping[str, TreeEntry]:
        """Return the entries of a tree by name, none for None; names that no journal has are left out."""
        if tree is None:
            return {}
        if tree not in self.made:
            self._stored.add(tree)
        if tree not in self._known:
            listed = decode_tree(self._read(tree).data, self._format)
            self._known[tree] = {
                e.name: e for e in listed if _NAME.fullmatch(e.name) and e.mode != SUBMODULE_MODE
            }
        return self._known[tree]

    def blob(self, data: bytes) -> ObjectId:
        """Make a blob."""
        return self._make(GitObject("blob", data))

    def content(self, blob: ObjectId) -> bytes:
        """Return the bytes of a blob, made here or stored before."""
        made = self.made.get(blob)
        return made.data if made is not None else self._read(blob).data

    def tree(self, entries: Iterable[TreeEntry]) -> ObjectId:
        """Make a tree of entries in any order."""
        listed = {entry.name: entry for entry in entries}
        oid = self._make(encode_tree(listed.values()))
        self._known.setdefault(oid, listed)
        return oid

    def _make(self, made: GitObject) -> ObjectId:
        oid = object_id(made, self._format)
        if oid not in self._stored:
            self.made[oid] = made
        return oid


def insert(grove: Grove, tree: ObjectId | None, files: Mapping[str, ObjectId]) -> ObjectId:
    """Return ``tree`` (None: empty) with the blobs of ``files`` added at their paths.

    A path that was erased on purpose does not come back.
    """
    return union_trees(grove, tree, _planted(grove, files))


def union_trees(grove: Grove, ours: ObjectId | None, theirs: ObjectId | None) -> ObjectId:
    """Return the tree that has every name of both; commutative, associative and idempotent.

    Where one name has two contents, that of the smaller blob id stands and the other one is kept below
    ``files/``. The generation is the higher one, and what either side erased stays erased: so a
    clone that slept through an erasure cannot win with what it still has. A commit of the union may
    name as its parents only journals of that generation; the history of a lower one has the erased.
    """
    join = _Join(grove)
    root = join.trees(ours, theirs)
    if join.spare:
        root = _Join(grove).trees(root, _planted(grove, join.spare))
    return _without_erased(grove, root)


def generation(grove: Grove, tree: ObjectId | None) -> int:
    """Return the generation that a journal tree states; 0 if it states none.

    Raises:
        CorruptRecord: what it states is no number.
    """
    entry = grove.entries(tree).get(GENERATION)
    return 0 if entry is None else _number(grove, entry)


def find(grove: Grove, tree: ObjectId | None, path: str) -> ObjectId | None:
    """Return the blob at ``path``, or None."""
    *folders, name = path.split("/")
    for folder in folders:
        entry = grove.entries(tree).get(folder)
        if entry is None or entry.mode != TREE_MODE:
            return None
        tree = entry.oid
    found = grove.entries(tree).get(name)
    return None if found is None or found.mode == TREE_MODE else found.oid


def files_of(grove: Grove, tree: ObjectId | None, prefix: str = "") -> dict[str, ObjectId]:
    """Return every blob of ``tree`` by path, sorted; ``prefix`` is put before each path."""
    found: dict[str, ObjectId] = {}
    for name, entry in sorted(grove.entries(tree).items()):
        if entry.mode == TREE_MODE:
            found |= files_of(grove, entry.oid, f"{prefix}{name}/")
        else:
            found[prefix + name] = entry.oid
    return found


def needed(grove: Grove, root: ObjectId) -> tuple[GitObject, ...]:
    """Return the made trees and blobs that ``root`` has and the repository has not, children first."""
    found: dict[ObjectId, GitObject] = {}

    def visit(oid: ObjectId) -> None:
        made = grove.made[oid]
        if made.kind == "tree":
            for entry in grove.entries(oid).values():
                if entry.oid in grove.made and entry.oid not in found:
                    visit(entry.oid)
        found[oid] = made

    if root in grove.made:
        visit(root)
    return tuple(found.values())


class _Join:
    """Joins two trees; ``spare`` collects the contents that lost their name, by a path for them."""

    def __init__(self, grove: Grove) -> None:
        self._grove = grove
        self.spare: dict[str, ObjectId] = {}

    def trees(self, ours: ObjectId | None, theirs: ObjectId | None) -> ObjectId:
        """Return the union of two trees; None is the empty tree."""
        if theirs is None or ours == theirs:
            return ours if ours is not None else self._grove.tree(())
        if ours is None:
            return theirs
        entries = self._grove.entries(ours)
        joined = dict(entries)
        for name, other in self._grove.entries(theirs).items():
            mine = entries.get(name)
            joined[name] = other if mine is None else self._one(mine, other)
        return ours if joined == entries else self._grove.tree(joined.values())

    def _one(self, mine: TreeEntry, other: TreeEntry) -> TreeEntry:
        if mine.oid == other.oid:
            return min(mine, other, key=lambda entry: entry.mode)
        if mine.mode == TREE_MODE and other.mode == TREE_MODE:
            return TreeEntry(mine.name, TREE_MODE, self.trees(mine.oid, other.oid))
        if mine.name == GENERATION:
            return max(mine, other, key=lambda entry: (_number(self._grove, entry), entry.oid))
        kept, lost = sorted((mine, other), key=lambda entry: (entry.mode != TREE_MODE, entry.oid))
        self.spare[f"files/{lost.oid[:2]}/{lost.oid}"] = lost.oid
        return kept


def _number(grove: Grove, entry: TreeEntry) -> int:
    try:
        return int(grove.content(entry.oid))
    except ValueError as error:
        raise CorruptRecord(
            "the generation of a journal is no number", hint="its generation file must hold one number"
        ) from error


def _planted(grove: Grove, files: Mapping[str, ObjectId]) -> ObjectId:
    """Return a tree that holds exactly ``files``."""
    leaves = {name: oid for name, oid in files.items() if "/" not in name}
    below: dict[str, dict[str, ObjectId]] = {}
    for path, oid in files.items():
        head, _, rest = path.partition("/")
        if rest:
            below.setdefault(head, {})[rest] = oid
    blobs = [TreeEntry(name, BLOB_MODE, oid) for name, oid in leaves.items()]
    folders = [TreeEntry(name, TREE_MODE, _planted(grove, inside)) for name, inside in below.items()]
    return grove.tree([*blobs, *folders])


def _without_erased(grove: Grove, root: ObjectId) -> ObjectId:
    erased = grove.entries(root).get(ERASED)
    if erased is None:
        return root
    gone = {name: e for name, e in grove.entries(erased.oid).items() if name not in {GENERATION, ERASED}}
    return _without(grove, root, gone) or grove.tree(())


def _without(grove: Grove, tree: ObjectId, gone: Mapping[str, TreeEntry]) -> ObjectId | None:
    """Return ``tree`` without the names of ``gone``; None if nothing is left."""
    entries = grove.entries(tree)
    left = dict(entries)
    for name, erased in gone.items():
        here = left.pop(name, None)
        if here is not None and here.mode == TREE_MODE and erased.mode == TREE_MODE:
            rest = _without(grove, here.oid, grove.entries(erased.oid))
            if rest is not None:
                left[name] = TreeEntry(name, TREE_MODE, rest)
    if left == entries:
        return tree
    return grove.tree(left.values()) if left else None
