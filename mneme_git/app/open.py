"""The only wiring: which store a command uses, and how it is opened."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from mneme_git.app.workspace import DecisionStore, Workspace, environment
from mneme_git.errors import InvalidInput, NoGit, NoRepository
from mneme_git.model.paths import FORMAT, ROOT

if TYPE_CHECKING:
    from mneme_git.store.git_store import GitStore
    from mneme_git.store.memory_file import MemoryFile

_MEMORY_NAMES = ("project_memory.json", "decision_proposals.json")


class Opened(Struct, frozen=True, kw_only=True):
    """A store, and where its repository-relative paths start."""

    kind: Literal["git", "file"]
    root: Path
    store: DecisionStore


def here() -> Workspace:
    """Return the workspace of this process: its folder, its environment, the system's clock."""
    return Workspace(cwd=Path.cwd(), env=environment(os.environ), now=lambda: int(time.time()))


def start_folder(workspace: Workspace) -> Path:
    """Return the folder from which the repository is looked for.

    Raises:
        InvalidInput: ``MNEME_PROJECT_ROOT`` names no folder.
    """
    if not workspace.env.project_root:
        return workspace.cwd
    root = workspace.cwd / workspace.env.project_root
    if not root.is_dir():
        raise InvalidInput(
            f"MNEME_PROJECT_ROOT is '{workspace.env.project_root}', which is no folder",
            hint="set it to the root of a repository, or unset it",
        )
    return root


def open_git(workspace: Workspace, *, at: str | None = None) -> "GitStore":
    """Open the git store of the repository around the workspace, at a revision if one is given.

    The backend is that of ``mneme.backend``. The git program is the default on the command line:
    one run of it costs less than loading libgit2 does.

    Raises:
        NoRepository: there is none, or git refuses to open it.
    """
    from mneme_git.app.settings import settings_of
    from mneme_git.store.discover import open_backend
    from mneme_git.store.git_store import GitStore

    start = start_folder(workspace)
    backend = open_backend(start, prefer="program")
    if settings_of(backend).backend == "pygit2":
        backend = open_backend(start, prefer="pygit2")
    return GitStore(backend, now=workspace.now, revision=at)


def _git_store(workspace: Workspace, at: str | None) -> "GitStore":
    try:
        return open_git(workspace, at=at)
    except NoRepository as error:  # who can name a memory file needs no repository
        raise NoRepository(
            error.message,
            hint="run `git init` there, or name a file with --memory",
            tool_hint="start the server in a repository, or set MNEME_MEMORY to a memory file",
        ) from error


def open_file(workspace: Workspace, path: str, *, at: str | None = None) -> "MemoryFile":
    """Open a memory file of the existing format, or what a revision of its repository has of it."""
    from mneme_git.store.memory_file import MemoryFile

    if at is not None:
        from mneme_git.store.memory_past import PastMemoryFile

        return PastMemoryFile(workspace.cwd / path, as_given=path, now=workspace.now, revision=at)
    return MemoryFile(workspace.cwd / path, as_given=path, now=workspace.now)


def open_store(workspace: Workspace, *, memory: str | None = None, at: str | None = None) -> Opened:
    """Open the store that a command uses.

    ``--memory`` or ``MNEME_MEMORY`` names a file. Else ``.mneme/format``, or any other trace of a
    git store, means git; else a ``project_memory.json`` below ``.mneme`` means that file; else git.

    Raises:
        NoRepository: no file was named and there is no repository.
    """
    named = chosen_file(workspace, memory)
    if not named:
        store = _git_store(workspace, at)
        return Opened(kind="git", root=_root_of(store), store=store)
    return Opened(kind="file", root=workspace.cwd, store=open_file(workspace, named, at=at))


def chosen_file(workspace: Workspace, memory: str | None = None) -> str:
    """Return the memory file that a command uses, as messages name it; empty text means the git store."""
    return memory or workspace.env.memory or _default_file(workspace)


def _root_of(store: "GitStore") -> Path:
    backend = store.backend
    return backend.work_tree if backend.work_tree is not None else backend.git_dir


def _default_file(workspace: Workspace) -> str:
    """Return the memory file that stands in for a git store, or empty text.

    Who can add a memory file, or take ``.mneme/format`` away, must not switch the decisions off:
    where a memory file is found, any trace of a git store in the repository means that store.
    """
    start = start_folder(workspace).absolute()
    found: Path | None = None
    for folder in (start, *start.parents):
        home = folder / ROOT
        if os.path.lexists(folder / FORMAT):
            return ""
        if found is None and any(os.path.lexists(home / name) for name in _MEMORY_NAMES):
            found = folder
        if os.path.lexists(folder / ".git"):
            break
    if found is None or _is_git_store(workspace, found):
        return ""
    # Messages name it as a user in this folder would.
    home = Path(ROOT) if found == workspace.cwd.absolute() else found / ROOT
    return str(home / _MEMORY_NAMES[0])


def _is_git_store(workspace: Workspace, folder: Path) -> bool:
    from mneme_git.store.traces import in_files, in_git

    if in_files(folder):
        return True
    try:
        return in_git(open_git(workspace).backend)
    except (NoRepository, NoGit):
        return False


def overridden(workspace: Workspace) -> str:
    """Return what is to be said where ``MNEME_MEMORY`` hides a git store; empty text if it does not."""
    named = workspace.env.memory
    if not named or workspace.env.quiet:
        return ""
    from mneme_git.store.traces import in_files

    start = start_folder(workspace).absolute()
    for folder in (start, *start.parents):
        if in_files(folder):
            return f"MNEME_MEMORY names '{named}': the git store of this repository is not looked at"
        if os.path.lexists(folder / ".git"):
            break
    return ""


def need_work_tree(store: "GitStore") -> Path:
    """Return the work tree of ``store``.

    Raises:
        NoRepository: the repository is bare.
    """
    if store.backend.work_tree is None:
        raise NoRepository(
            f"{store.backend.git_dir} is a bare repository, which has no files to change",
            hint="work in a clone of it; reading commands take --at REV here",
        )
    return store.backend.work_tree
