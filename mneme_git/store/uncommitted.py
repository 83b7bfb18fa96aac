"""What HEAD does not have yet of ``.mneme/``: in the index, or only in the work tree."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from mneme_git.errors import StoreFault
from mneme_git.model.paths import ROOT
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.objects import blob, object_id
from mneme_git.store.soundness import kind_of
from mneme_git.store.work_files import TEMPORARY_SUFFIX, read_file, read_files

Place = Literal["staged", "work tree"]
Change = Literal["new", "changed", "removed"]


class Uncommitted(Struct, frozen=True, order=True):
    """One path below ``.mneme/`` that differs: index against HEAD, or work tree against index."""

    path: str
    place: Place
    change: Change


def uncommitted(backend: GitBackend) -> tuple[Uncommitted, ...]:
    """Return the differences of record files, by path and place; unmerged paths are left out.

    A record that the index lacks is new in the work tree, also where git ignores it; files of other
    kinds that git does not track are nobody's business.
    """
    root = backend.work_tree
    if root is None:
        return ()
    head = backend.resolve("HEAD")
    committed = {entry.path: entry.oid for entry in backend.tree_files(head, ROOT)} if head else {}
    entries = backend.index_entries(ROOT)
    unmerged = {entry.path for entry in entries if entry.stage}
    staged = {entry.path: entry for entry in entries if not entry.stage}
    held = _held(root, staged.keys() - unmerged)
    found: list[Uncommitted] = []
    for path in sorted(committed.keys() | staged.keys()):
        if path in unmerged:
            continue
        entry = staged.get(path)
        if entry is None:
            found.append(Uncommitted(path, "staged", "removed"))
            continue
        if path not in committed:
            found.append(Uncommitted(path, "staged", "new"))
        elif committed[path] != entry.oid:
            found.append(Uncommitted(path, "staged", "changed"))
        change = _in_work_tree(backend, entry, held[path])
        if change is not None:
            found.append(Uncommitted(path, "work tree", change))
    known = unmerged | staged.keys()
    found += [Uncommitted(path, "work tree", "new") for path in _records(root) if path not in known]
    return tuple(sorted(found, key=lambda row: (row.path, row.place)))


def _held(root: Path, paths: Iterable[str]) -> dict[str, bytes | StoreFault | None]:
    """Return the bytes of each file, None where there is none, or what keeps it from being read."""
    try:
        return {**read_files(root, paths)}
    except StoreFault:  # one of them: only then is each asked by itself
        return {path: _held_alone(root, path) for path in paths}


def _held_alone(root: Path, path: str) -> bytes | StoreFault | None:
    try:
        return read_file(root, path)
    except StoreFault as fault:
        return fault


def _in_work_tree(backend: GitBackend, entry: IndexEntry, data: bytes | StoreFault | None) -> Change | None:
    if isinstance(data, StoreFault):  # a link, a folder or no permission: reading the branch says which
        return "changed"
    if data is None:
        return None if entry.skip_worktree else "removed"
    return "changed" if object_id(blob(data), backend.object_format) != entry.oid else None


def _records(root: Path) -> Iterator[str]:
    """Yield the record files below ``.mneme/`` in the work tree."""
    for folder, _, names in os.walk(root / ROOT):
        below = Path(folder).relative_to(root).as_posix()
        for name in names:
            path = f"{below}/{name}"
            if not name.endswith(TEMPORARY_SUFFIX) and kind_of(path) != "foreign":
                yield path
