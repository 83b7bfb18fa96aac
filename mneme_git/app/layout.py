"""The files that make a repository one with a git store, as far as they are missing."""

import os
import secrets

from mneme_git.app.open import need_work_tree
from mneme_git.app.settings import settings_of
from mneme_git.store.git_store import GitStore
from mneme_git.store.work_files import layout_files


def missing_layout(store: GitStore) -> dict[str, bytes]:
    """Return the files of the layout that the work tree lacks, by path.

    A project that has an id keeps it; a new one is made up.

    Raises:
        NoRepository: the repository is bare.
    """
    root = need_work_tree(store)
    known = settings_of(store.backend).project_id
    wanted = layout_files(known or secrets.token_hex(8))
    return {path: data for path, data in wanted.items() if not os.path.lexists(root / path)}
