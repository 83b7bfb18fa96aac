"""Bringing files into the work tree and git's index so that all of it can be taken back.

What somebody else changed in between is left as they have it.
"""

import os
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from mneme_git.errors import MnemeError, StoreBusy, StoreFault
from mneme_git.model.paths import ROOT
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.through_git import ThroughGit
from mneme_git.store.work_files import read_file, read_files, remove_files, write_files
from mneme_git.store.work_tree import on_stdin


class Before(Struct, frozen=True, kw_only=True):
    """What was there: the bytes of each file that is written, the index entries, the folders below .mneme."""

    wanted: dict[str, bytes | None]
    files: dict[str, bytes | None]
    entries: dict[str, tuple[IndexEntry, ...]]
    folders: frozenset[str]


def bring(backend: GitBackend, wanted: Mapping[str, bytes | None]) -> Before:
    """Write and remove the files of ``wanted``; the caller holds the write lock.

    Raises:
        StoreFault: a file cannot be read or written; nothing is changed.
        ReadOnlyStore: the repository cannot be written.
    """
    root = backend.work_tree
    assert root is not None
    before = Before(
        wanted=dict(wanted),
        files=read_files(root, wanted),
        entries=_entries(backend, wanted),
        folders=frozenset(_folders(root, wanted)),
    )
    due = {path: data for path, data in wanted.items() if before.files[path] != data}
    try:
        write_files(root, {path: data for path, data in due.items() if data is not None})
        remove_files(root, [path for path, data in due.items() if data is None])
    except BaseException:
        with suppress(MnemeError):
            put_back(backend, before)
        raise
    return before


def enter(backend: GitBackend, before: Before) -> str:
    """Make git know of the paths, as a commit of exactly these needs; return empty text or why not."""
    unknown = [
        path for path, data in before.wanted.items() if data is not None and not before.entries.get(path)
    ]
    reason = backend.stage(unknown) if unknown else ""
    sparse = [path for path, rows in before.entries.items() if any(row.skip_worktree for row in rows)]
    if sparse and not reason:
        reason = _update_index(backend, "--no-skip-worktree", sparse)
    return reason


def put_back(backend: GitBackend, before: Before) -> None:
    """Take back what ``bring`` and ``enter`` did.

    Raises:
        StoreFault: a file cannot be written.
        StoreBusy: git's index is locked; the files are as they were, the index is not.
    """
    root = backend.work_tree
    assert root is not None
    ours = {path for path, data in before.wanted.items() if _holds(backend, path, data)}
    back = {path: before.files[path] for path in ours if before.files[path] != before.wanted[path]}
    write_files(root, {path: data for path, data in back.items() if data is not None})
    remove_files(root, [path for path, data in back.items() if data is None])
    for folder in sorted(_folders(root, before.wanted) - before.folders, reverse=True):
        with suppress(OSError):  # somebody put a file there
            (root / folder).rmdir()
    _put_back_entries(backend, before)


def _put_back_entries(backend: GitBackend, before: Before) -> None:
    now = _entries(backend, before.wanted)
    new = [path for path in now if not before.entries.get(path)]
    hidden = [
        path
        for path, rows in before.entries.items()
        if any(row.skip_worktree for row in rows) and not any(row.skip_worktree for row in now.get(path, ()))
    ]
    reason = _update_index(backend, "--force-remove", new) or _update_index(
        backend, "--skip-worktree", [path for path in hidden if path in now]
    )
    if reason:
        raise StoreBusy(
            f"the index still has what was to be committed: {reason}",
            hint=f"`git restore --staged {ROOT}` takes it out when the index is free",
        )


def _update_index(backend: GitBackend, option: str, paths: list[str]) -> str:
    if not paths or not isinstance(backend, ThroughGit):
        return ""
    ran = backend.git.run_as_user("update-index", option, "-z", "--stdin", stdin=on_stdin(paths))
    return "" if ran.code == 0 else ran.complaint


def _holds(backend: GitBackend, path: str, data: bytes | None) -> bool:
    assert backend.work_tree is not None
    try:
        return read_file(backend.work_tree, path) == data
    except StoreFault:
        return False


def _entries(backend: GitBackend, wanted: Mapping[str, bytes | None]) -> dict[str, tuple[IndexEntry, ...]]:
    found: dict[str, tuple[IndexEntry, ...]] = {}
    for entry in backend.index_entries(ROOT):
        if entry.path in wanted:
            found[entry.path] = (*found.get(entry.path, ()), entry)
    return found


def _folders(root: "os.PathLike[str]", wanted: Mapping[str, bytes | None]) -> set[str]:
    """Return the folders on the way to these paths that are there."""
    parts = {path.rpartition("/")[0] for path in wanted}
    found = {folder[:at] for folder in parts for at in _ends(folder)}
    return {folder for folder in found if os.path.isdir(os.path.join(root, folder))}  # noqa: PTH112, PTH118


def _ends(folder: str) -> list[int]:
    return [at for at, sign in enumerate(folder) if sign == "/"] + [len(folder)]
