"""The files that make a repository one with a git store, as far as they are missing."""

from mneme_git.app.open import need_work_tree
from mneme_git.store import layout
from mneme_git.store.git_store import GitStore


def missing_layout(store: GitStore) -> dict[str, bytes]:
    """Return the files of the layout that the work tree lacks, by path. Raises NoRepository (bare)."""
    need_work_tree(store)
    return layout.missing_layout(store.backend)
