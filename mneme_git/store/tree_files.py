"""The files of committed trees, as the index lists them."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.store.location import Location
from mneme_git.store.objects import LINK_MODE, SUBMODULE_MODE
from mneme_git.text.canonical import sha256_hex
from mneme_indexer.sources import Listed

LINK = "symbolic link"
NOT_HERE = "not in this partial clone"
_EMPTY: Mapping[str, Listed] = {}


class TreeFiles:
    """Lists one tree after another; the next one costs only what differs from the last.

    ``missing`` names the blobs that a partial clone has not fetched, empty if none: it is another name
    once they are there.
    """

    def __init__(self, location: Location) -> None:
        self._git = location.git
        self._packs = location.objects_dir / "pack" if location.partial else None
        self._tree: ObjectId | None = None
        self._files: Mapping[str, Listed] = _EMPTY
        self._looked: object = None
        self._whole: Mapping[str, Listed] = _EMPTY
        self.missing = ""

    def files(self, tree: ObjectId | None) -> Mapping[str, Listed]:
        """Return the files of ``tree`` (None: none) by path, those of mneme itself left out.

        Raises:
            GitFailed: the tree, or a folder in it, is not in this repository.
        """
        if tree is None:
            return _EMPTY
        if tree != self._tree:
            self._files = self._listed(tree) if self._tree is None else self._moved(self._tree, tree)
            self._tree = tree
        return self._files if self._packs is None else self._there(tree, self._packs)

    def _there(self, tree: ObjectId, packs: Path) -> Mapping[str, Listed]:
        """Return the files with a reason where their content would have to be fetched."""
        looked = (tree, packs.stat().st_mtime_ns)
        if looked != self._looked:
            told = self._git.ask("rev-list", "--objects", "--missing=print", "--no-object-names", tree)
            lacking = {row[1:] for row in told.decode("ascii").split() if row.startswith("?")}
            self._whole = {
                path: replace(row, skipped=row.skipped or NOT_HERE) if row.blob in lacking else row
                for path, row in self._files.items()
            }
            named = "\n".join(sorted(row.blob for row in self._whole.values() if row.skipped == NOT_HERE))
            self.missing = sha256_hex(named.encode("ascii"))[:16] if named else ""
            self._looked = looked
        return self._whole

    def _listed(self, tree: ObjectId) -> Mapping[str, Listed]:
        rows = _split(self._git.ask("ls-tree", "-r", "-z", "--full-tree", tree))
        told = (row.partition("\t") for row in rows)
        listed = (listed_at(path, int(row[:6], 8), ObjectId(row[12:])) for row, _, path in told)
        return {row.path: row for row in listed if row is not None}

    def _moved(self, old: ObjectId, new: ObjectId) -> Mapping[str, Listed]:
        files = dict(self._files)
        words = iter(_split(self._git.ask("diff-tree", "-r", "-z", "--no-renames", old, new)))
        for told, path in _pairs(words):
            _, mode, _, oid, _ = told.split(" ")
            row = listed_at(path, int(mode, 8), ObjectId(oid)) if int(mode, 8) else None
            if row is None:
                files.pop(path, None)
            else:
                files[path] = row
        return files


def listed_at(path: str, mode: int, oid: ObjectId) -> Listed | None:
    """Return how a tracked entry is listed: a submodule, and what is below ``.mneme``, is not."""
    if mode == SUBMODULE_MODE or is_own(path):
        return None
    return Listed(path, oid, skipped=LINK if mode == LINK_MODE else "")


def is_own(path: str) -> bool:
    """Tell whether a path is of mneme itself."""
    return path == ROOT or path.startswith(ROOT + "/")


def _split(told: bytes) -> list[str]:
    return told.decode("utf-8", "surrogateescape").split("\0")[:-1]


def _pairs(words: Iterator[str]) -> Iterable[tuple[str, str]]:
    return zip(words, words, strict=True)
