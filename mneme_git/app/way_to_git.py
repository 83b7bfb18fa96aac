"""Once per clone: a word to people whose decisions are in a memory file by default."""

from mneme_git.app.open import chosen_file, start_folder
from mneme_git.app.workspace import Workspace
from mneme_git.errors import MnemeError

_MARK = "told-way-to-git"


def way_to_git(workspace: Workspace) -> str:
    """Return how to move the memory file into git, the first time that it is asked in a clone.

    Empty text if git is used, if a file was named on purpose, or outside a repository.
    """
    from mneme_git.store.discover import open_backend

    if workspace.env.memory or workspace.env.quiet:
        return ""
    try:
        name = chosen_file(workspace)
        if not name:
            return ""
        mark = open_backend(start_folder(workspace), prefer="program").common_dir / "mneme" / _MARK
        mark.parent.mkdir(exist_ok=True)
        mark.touch(exist_ok=False)
    except (MnemeError, OSError):  # told before, or nowhere to remember it
        return ""
    return (
        f"note: decisions here are in {name}; `mneme decision-index migrate --to-git` shows how they would "
        "move into git (said once)"
    )
