"""The decisions in force, from whichever store the command uses."""

from mneme_git.app.open import open_store
from mneme_git.app.verify import what_holds
from mneme_git.app.workspace import Workspace
from mneme_git.model.enforced import Enforced
from mneme_git.model.snapshot import Fault


def listed(
    workspace: Workspace, *, memory: str | None = None, at: str | None = None
) -> tuple[tuple[Fault, ...], tuple[Enforced, ...]]:
    """Return the faults of the store and its decisions in force, in the store's order."""
    opened = open_store(workspace, memory=memory, at=at)
    if opened.kind == "file":
        from mneme_git.store.memory_file import MemoryFile

        store = opened.store
        if isinstance(store, MemoryFile):
            return (), store.enforced()
    holding = what_holds(opened)
    return holding.faults, holding.decisions
