"""The files of committed trees, as the index lists them."""

from collections.abc import Iterable, Iterator, Mapping

from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.store.objects import LINK_MODE, SUBMODULE_MODE
from mneme_git.store.process import Git
from mneme_indexer.sources import Listed

LINK = "symbolic link"
_EMPTY: Mapping[str, Listed] = {}


class TreeFiles:
    """Lists one tree after another; the next one costs only what differs from the last."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._tree: ObjectId | None = None
        self._files: Mapping[str, Listed] = _EMPTY

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
        return self._files

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
