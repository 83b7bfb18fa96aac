"""The id of a tree with some paths changed, from the trees that there are; nothing is written."""

from collections.abc import Callable, Mapping

from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject, TreeEntry
from mneme_git.store.objects import SUBMODULE_MODE, TREE_MODE, decode_tree, encode_tree, object_id

Leaf = tuple[int, ObjectId]
"""The mode and the id of a file."""

_NEW = (-1, ObjectId(""))
_AT_MOST = 200  # calls after which the trees that were made on the way are let go


class PatchedTrees:
    """Reads only the folders on the way to a change, each of them once."""

    def __init__(self, read: Callable[[ObjectId], GitObject], object_format: str) -> None:
        self._read = read
        self._format = object_format
        self._known: dict[ObjectId, dict[str, TreeEntry]] = {}

    def patched(
        self, base: ObjectId | None, changes: Mapping[str, Leaf | None], without: str = ""
    ) -> ObjectId:
        """Return the id of ``base`` (None: no files) with ``changes``; None takes a file away.

        A folder that becomes empty is gone; where a file and a folder would have one name, the
        path that is not taken away wins. The top entry ``without``, file or folder, is left out.
        """
        if base is not None and without in self._entries(base):
            base = self._add({name: row for name, row in self._entries(base).items() if name != without})
        if not changes and base is not None:
            return base
        made = self._folder(base, [(path.split("/"), leaf) for path, leaf in changes.items()], 0)
        return made or object_id(encode_tree(()), self._format)

    def _folder(
        self, base: ObjectId | None, changes: list[tuple[list[str], Leaf | None]], depth: int
    ) -> ObjectId | None:
        entries = dict(self._entries(base)) if base else {}
        here: dict[str, Leaf] = {}
        below: dict[str, list[tuple[list[str], Leaf | None]]] = {}
        for parts, leaf in changes:
            name = parts[depth]
            if len(parts) > depth + 1:
                below.setdefault(name, []).append((parts, leaf))
            elif leaf is not None:
                here[name] = leaf
            elif name in entries and entries[name].mode != TREE_MODE:
                del entries[name]
        for name, inside in below.items():
            self._step(entries, name, inside, depth)
        entries.update({name: TreeEntry(name, mode, oid) for name, (mode, oid) in here.items()})
        return self._add(entries) if entries else None

    def _step(
        self,
        entries: dict[str, TreeEntry],
        name: str,
        inside: list[tuple[list[str], Leaf | None]],
        depth: int,
    ) -> None:
        old = entries.get(name)
        folder = old is not None and old.mode == TREE_MODE
        made = self._folder(old.oid if old and folder else None, inside, depth + 1)
        if made:
            entries[name] = TreeEntry(name, TREE_MODE, made)
        elif folder:
            del entries[name]

    def _add(self, entries: dict[str, TreeEntry]) -> ObjectId:
        made = object_id(encode_tree(entries.values()), self._format)
        self._known.setdefault(made, entries)
        return made

    def _entries(self, tree: ObjectId) -> Mapping[str, TreeEntry]:
        found = self._known.get(tree)
        if found is None:
            listed = decode_tree(self._read(tree).data, self._format)
            found = self._known[tree] = {entry.name: entry for entry in listed}
        return found


class ChangingTree:
    """The id of one tree with changes that change little from call to call."""

    def __init__(self, read: Callable[[ObjectId], GitObject], object_format: str) -> None:
        self._read, self._format = read, object_format
        self._base: ObjectId | None = None
        self._last: ObjectId | None = None
        self._changes: Mapping[str, Leaf | None] = {}
        self._begin()

    def patched(
        self, base: ObjectId | None, changes: Mapping[str, Leaf | None], is_in_base: Callable[[str], bool],
        without: str,
    ) -> ObjectId:  # fmt: skip
        """Return what ``PatchedTrees.patched`` does, from the last tree where only a few changes are others.

        ``is_in_base`` tells whether ``base`` has a file at a path; it need not know submodules.
        """
        since = self._since(changes, is_in_base) if base == self._base and self._last else None
        if since is None:
            self._begin()
            tree = self._trees.patched(base, changes, without)
        else:
            tree = self._trees.patched(self._last, since)
        self._base, self._changes, self._last = base, dict(changes), tree
        self._calls += 1
        return tree

    def _begin(self) -> None:
        self._trees = PatchedTrees(self._read, self._format)
        self._calls = 0

    def _since(
        self, changes: Mapping[str, Leaf | None], is_in_base: Callable[[str], bool]
    ) -> dict[str, Leaf | None] | None:
        """Return what differs from the changes of the last call, None where only the base can tell."""
        if self._calls >= _AT_MOST:
            return None
        old = self._changes
        since: dict[str, Leaf | None] = {}
        for path in old.keys() - changes.keys():
            leaf = old[path]
            if is_in_base(path) or leaf is None or leaf[0] == SUBMODULE_MODE:
                return None
            since[path] = None
        since.update((path, leaf) for path, leaf in changes.items() if old.get(path, _NEW) != leaf)
        return since
