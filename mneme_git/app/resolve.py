"""Settling a contested decision."""

from mneme_git.app.open import open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.resolve import Resolution, find_contest, plan_resolve, sides_text
from mneme_git.decisions.showing import find_id
from mneme_git.errors import Refused
from mneme_git.model.plan import Receipt
from mneme_git.model.snapshot import Contested
from mneme_git.store.git_store import GitStore
from mneme_git.store.recover import find_versions


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
    workspace: Workspace, given: str, take: str, *, dry_run: bool = False
) -> tuple[Resolution, Receipt | None]:
    """Settle a contested decision as one side has it; the receipt is None in a dry run.

    Raises:
        NotFound, AmbiguousId: ``given`` is no decision or fits several.
        InvalidInput: no side is called ``take``.
        Refused: the decision is settled, or a version that the side names is nowhere in this clone.
    """
    store = open_git(workspace)
    resolution = _planned(store, given, take)
    if resolution.missing:
        listed = ", ".join(resolution.missing)
        raise Refused(
            f"the '{take}' side of '{resolution.chosen.decision_id}' names versions that are nowhere "
            f"in this clone: {listed}; nothing was written",
            hint="fetch the branch that has them, or take another side",
        )
    if dry_run:
        return resolution, None
    return resolution, store.commit(resolution.plan, stage=True)


def _planned(store: GitStore, given: str, take: str) -> Resolution:
    snapshot = store.load()
    decision_id = find_id(snapshot, given)
    resolution = plan_resolve(snapshot, decision_id, take)
    if not resolution.missing:
        return resolution
    recovered = find_versions(store.backend, resolution.missing)
    return plan_resolve(snapshot, decision_id, take, recovered=recovered)
