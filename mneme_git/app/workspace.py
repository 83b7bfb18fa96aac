"""What a use case needs to know of the world: where, which store, what time."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.instants import utc_text


class DecisionStore(Protocol):
    """The port: both stores give a snapshot and carry out a plan."""

    def load(self) -> Snapshot:
        """Return what the store holds now."""
        ...

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Carry out ``plan`` if what it read is still so.

        Raises:
            GuardMismatch: it is not; nothing was written.
        """
        ...


class Environment(Struct, frozen=True, kw_only=True):
    """The environment names that mneme reads, once, at the door."""

    project_root: str = ""
    memory: str = ""
    quiet: bool = False
    hook_mode: str = ""


def environment(variables: Mapping[str, str]) -> Environment:
    """Return the settings that ``variables`` hold; the table is in ``docs/reference/configuration.md``."""
    return Environment(
        project_root=variables.get("MNEME_PROJECT_ROOT", ""),
        memory=variables.get("MNEME_MEMORY", ""),
        quiet=variables.get("MNEME_QUIET", "").strip().lower() not in {"", "0", "false", "no"},
        hook_mode=variables.get("MNEME_HOOK_MODE", ""),
    )


class Workspace(Struct, frozen=True, kw_only=True):
    """The place a command works in; ``now`` gives UTC unix seconds."""

    cwd: Path
    env: Environment
    now: Callable[[], int]


def stamp(workspace: Workspace) -> str:
    """Return the time as records have it: UTC, ``YYYY-MM-DDTHH:MM:SSZ``."""
    return utc_text(workspace.now())
