"""What the code index has of a work tree or a revision; no file is looked at and no index is made."""

import os
from typing import TYPE_CHECKING

from mneme_git.app.open import start_folder
from mneme_git.app.workspace import Workspace

if TYPE_CHECKING:
    from mneme_git.app.code import Row

_FILE = ("mneme", "index.db")


def code_index_here(workspace: Workspace, at: str | None = None) -> "Row | None":
    """Return the status of the index as of its last refresh, None where nothing is indexed.

    Raises:
        NoRepository: there is none.
        NotFound: ``at`` names no commit.
    """
    from mneme_git.store.discover import locate

    location = locate(start_folder(workspace), os.environ)
    is_bare = location.work_tree is None and at is None
    if is_bare or not location.common_dir.joinpath(*_FILE).is_file():
        return None
    from mneme_git.app.code import Code
    from mneme_git.errors import CodeIndexFault

    try:
        with Code(workspace, at=at) as code:
            found = code.status()
    except CodeIndexFault:  # a cache; the next question builds it or says what is wrong
        return None
    return found if found["tree"] else None
