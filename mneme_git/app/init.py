"""Making a repository ready: what is there, what would be written, and writing it."""

import os
from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.layout import missing_layout
from mneme_git.app.open import need_work_tree, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.errors import Refused
from mneme_git.model.paths import FORMAT, ROOT
from mneme_git.store.traces import in_git

_ADR_WORDS = frozenset(
    {"adr", "adrs", "decisions", "decision-records", "decision_records", "architecture-decisions"}
)


class AdrFolder(Struct, frozen=True):
    """A folder that looks like it holds ADRs, and how many Markdown files are directly in it."""

    path: str
    files: int


class InitPlan(Struct, frozen=True, kw_only=True):
    """What ``init`` found and would write, with paths relative to the repository."""

    root: str
    present: bool
    adr_folders: tuple[AdrFolder, ...]
    agents: tuple[str, ...]
    ignored_by: str
    files: tuple[str, ...]
    written: bool = False
    notices: tuple[str, ...] = ()


def plan_init(workspace: Workspace) -> InitPlan:
    """Return what ``init`` finds in the repository and what it would write. Writes nothing.

    Raises:
        NoRepository: there is no repository, or it is bare.
        Refused: the decisions of this repository live in a memory file.
    """
    from mneme_hooks.agents import detect

    store = open_git(workspace)
    root = need_work_tree(store)
    memory = root / ROOT / "project_memory.json"
    has_memory = os.path.exists(memory)  # noqa: PTH110 - Path.exists raises in a closed folder
    present = in_git(store.backend)
    if has_memory and not present:
        raise Refused(
            f"the decisions of this repository are in '{ROOT}/{memory.name}'; beside a git store they "
            "would no longer be read",
            hint="commands go on using that file; `mneme decision-index migrate --to-git` moves it into git",
        )
    tracked = [entry.path for entry in store.backend.index_entries("")]
    return InitPlan(
        root=str(root),
        present=present,
        adr_folders=adr_folders(tracked),
        agents=tuple(
            f"{found.agent.title} ({found.sign})" for found in detect(lambda path: (root / path).exists())
        ),
        ignored_by=store.backend.ignored(FORMAT),
        files=tuple(sorted(missing_layout(store))),
    )


def apply_init(workspace: Workspace, plan: InitPlan) -> InitPlan:
    """Write the files of ``plan`` that are not there, stage them, and return the plan as carried out.

    A file that exists is never changed.
    """
    from mneme_git.store.work_files import create_layout

    store = open_git(workspace)
    wanted = {path: data for path, data in missing_layout(store).items() if path in plan.files}
    made = create_layout(store.backend, wanted)
    notices: list[str] = []
    if plan.ignored_by:
        notices.append(
            f"git ignores {ROOT} ({plan.ignored_by}): decisions would not be committed. "
            f"Add the line `!/{ROOT}/` after that rule"
        )
    elif made and (reason := store.backend.stage(sorted(made))):
        notices.append(f"not staged: {reason}")
    return replace(plan, files=tuple(sorted(made)), written=True, notices=tuple(notices))


def adr_folders(paths: Sequence[str]) -> tuple[AdrFolder, ...]:
    """Return the folders among ``paths`` whose name is one that ADRs are kept under, by path."""
    counts: dict[str, int] = {}
    for path in paths:
        folder = PurePosixPath(path).parent
        if path.lower().endswith(".md") and folder.name.lower() in _ADR_WORDS and ROOT not in folder.parts:
            counts[str(folder)] = counts.get(str(folder), 0) + 1
    return tuple(AdrFolder(path, counts[path]) for path in sorted(counts))
