"""Importing a folder of ADR files: preview, and apply what was previewed."""

import os
from pathlib import Path

from msgspec import Struct

from mneme_git.app.open import need_work_tree, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.adr_ids import recorded_in
from mneme_git.decisions.adr_read import read_folder
from mneme_git.decisions.import_plan import plan_import
from mneme_git.errors import GuardMismatch, InvalidInput
from mneme_git.model.adr_import import ImportOptions, ImportPlan
from mneme_git.model.paths import CONFIG, FORMAT
from mneme_git.model.plan import Read, Receipt
from mneme_git.model.snapshot import Fault
from mneme_git.store.git_store import GitStore
from mneme_git.store.work_files import held
from mneme_git.store.work_tree import names_in

_TRIES = 5


class Imported(Struct, frozen=True, kw_only=True):
    """A planned import, and the receipt if it was carried out; ``faults`` are those of the store.

    ``unprepared`` tells that ``mneme init`` must come first.
    """

    plan: ImportPlan
    receipt: Receipt | None = None
    faults: tuple[Fault, ...] = ()
    unprepared: bool = False


def import_adrs(
    workspace: Workspace, folder: str, options: ImportOptions, *, apply: bool, expected: str = ""
) -> Imported:
    """Plan the import of ``folder`` (relative to where the command runs) and, if asked, carry it out.

    Nothing is carried out when the plan has refusals: the caller shows them. Without an expected
    plan id, a writer that was overtaken plans again.

    Raises:
        InvalidInput: there is no such folder in the work tree.
        GuardMismatch: the plan is not the expected one, or others wrote all the time.
    """
    store = open_git(workspace)
    root = need_work_tree(store)
    where = _relative(workspace, root, folder)
    for attempt in range(_TRIES):
        plan, faults = _planned(store, where, options)
        if expected and plan.plan_id != expected:
            raise GuardMismatch([("plan", expected, plan.plan_id)])
        if not apply or plan.refusals:
            return Imported(plan=plan, faults=faults, unprepared=not os.path.lexists(root / FORMAT))
        try:
            return Imported(plan=plan, receipt=store.commit(plan.plan, stage=True), faults=faults)
        except GuardMismatch:
            if expected or attempt == _TRIES - 1:
                raise
    raise AssertionError


def _planned(store: GitStore, folder: str, options: ImportOptions) -> tuple[ImportPlan, tuple[Fault, ...]]:
    root = need_work_tree(store)
    around = (
        Read("config", CONFIG, held(root, CONFIG)),
        Read("folder", folder, names_in(root, folder)),
    )
    snapshot = store.load()
    read = read_folder(store.adr_files(folder), folder)
    here = {path for path, _ in read.seen}
    elsewhere = frozenset(
        row.path for row in recorded_in(snapshot) if row.path not in here and _is_file(root, row.path)
    )
    return plan_import(read, snapshot, options, elsewhere=elsewhere, around=around), snapshot.faults


def _is_file(root: Path, path: str) -> bool:
    try:
        return (root / path).is_file()
    except (OSError, ValueError):
        return False


def _relative(workspace: Workspace, root: Path, folder: str) -> str:
    """Return the folder relative to the repository, ``.`` for its root."""
    given = workspace.cwd / folder
    if not given.is_dir():
        raise InvalidInput(f"{folder} is not a directory", hint="give the folder that holds the ADR files")
    resolved, top = given.resolve(), root.resolve()
    if not resolved.is_relative_to(top):
        raise InvalidInput(
            f"{folder} is not inside the repository {root}", hint="give a folder of this repository"
        )
    return resolved.relative_to(top).as_posix()
