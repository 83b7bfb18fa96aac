"""Settling a contested decision."""

from collections.abc import Callable
from functools import partial

from mneme_git.app.open import need_work_tree, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.adr_ids import recorded_in
from mneme_git.decisions.adr_read import read_folder
from mneme_git.decisions.resolve import Resolution, find_contest, plan_resolve, sides_text
from mneme_git.decisions.resolve_import import adr_path, base_side, plan_resolve_as_merged
from mneme_git.decisions.showing import find_id
from mneme_git.errors import Refused
from mneme_git.model.plan import Receipt
from mneme_git.model.snapshot import Contested, Snapshot
from mneme_git.store.git_store import GitStore
from mneme_git.store.recover import find_versions
from mneme_git.store.soundness import has_markers


def sides(workspace: Workspace, given: str) -> tuple[Contested, str]:
    """Return what is contested about a decision, and its sides and their differences for people.

    Raises:
        NotFound, AmbiguousId: ``given`` is no decision or fits several.
        Refused: the decision is settled.
    """
    snapshot = open_git(workspace).load()
    contest = find_contest(snapshot, find_id(snapshot, given))
    return contest, sides_text(snapshot, contest)


def resolve(
    workspace: Workspace, given: str, take: str | None, *, as_merged: bool = False, dry_run: bool = False
) -> tuple[Resolution, Receipt | None]:
    """Settle a contested decision as one side has it; the receipt is None in a dry run.

    ``as_merged`` imports its ADR file, as it is now, on top of that side; without ``take`` on top
    of the side that is proposed, or ours.

    Raises:
        NotFound, AmbiguousId: ``given`` is no decision or fits several.
        InvalidInput: no side is called ``take``.
        Refused: the decision is settled, a version that the side names is nowhere in this clone, or
            the ADR cannot be imported.
    """
    store = open_git(workspace)
    snapshot = store.load()
    decision_id = find_id(snapshot, given)
    label = take or base_side(find_contest(snapshot, decision_id))
    make = _merged_planner(store, snapshot, decision_id, label) if as_merged else plan_resolve
    resolution = make(snapshot, decision_id, label)
    if resolution.missing:
        recovered = find_versions(store.backend, resolution.missing)
        resolution = make(snapshot, decision_id, label, recovered=recovered)
    if resolution.missing:
        listed = ", ".join(resolution.missing)
        raise Refused(
            f"the '{label}' side of '{decision_id}' names versions that are nowhere "
            f"in this clone: {listed}; nothing was written",
            hint="fetch the branch that has them, or take another side",
        )
    if dry_run:
        return resolution, None
    return resolution, store.commit(resolution.plan, stage=True)


def _merged_planner(
    store: GitStore, snapshot: Snapshot, decision_id: str, label: str
) -> Callable[..., Resolution]:
    """Return a planner that also imports the decision's ADR as it is in the work tree.

    Raises:
        Refused: there is none, or its own merge is not finished.
    """
    path = adr_path(snapshot, decision_id, label)
    where = path.rpartition("/")[0] or "."
    sources = store.adr_files(where)
    source = next((found for found in sources if found.path == path), None)
    if source is None or has_markers(source.data):
        what = "is not there" if source is None else "holds conflict markers"
        raise Refused(f"'{path}' {what}", hint="finish the merge of the ADR file itself first")
    root = need_work_tree(store)
    here = {found.path for found in sources}
    elsewhere = frozenset(
        row.path for row in recorded_in(snapshot) if row.path not in here and (root / row.path).is_file()
    )
    return partial(plan_resolve_as_merged, folder=read_folder(sources, where), elsewhere=elsewhere)
