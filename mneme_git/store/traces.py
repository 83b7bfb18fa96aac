"""Is there, or was there at HEAD, a git store? One file that is gone must not decide it."""

import os
from pathlib import Path

from mneme_git.model.paths import FORMAT, ROOT
from mneme_git.store.backend import GitBackend
from mneme_git.store.soundness import kind_of

_KINDS = frozenset({"format", "decision", "version", "proposal", "verdict", "memory"})
_FOLDERS = ("decisions", "versions", "proposals", "memories")


def in_files(root: Path) -> bool:
    """Tell whether the format file or a record lies below ``root``; git is not asked."""
    if os.path.lexists(root / FORMAT):
        return True
    for folder in _FOLDERS:
        for _, _, names in os.walk(root / ROOT / folder):
            if any(name.endswith(".json") for name in names):
                return True
    return False


def in_git(backend: GitBackend) -> bool:
    """Tell whether the work tree, git's index or HEAD has the format file or a record."""
    if backend.work_tree is not None and in_files(backend.work_tree):
        return True
    if any(kind_of(entry.path) in _KINDS for entry in backend.index_entries(ROOT)):
        return True
    head = backend.resolve("HEAD")
    return head is not None and any(kind_of(entry.path) in _KINDS for entry in backend.tree_files(head, ROOT))
