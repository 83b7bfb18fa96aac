"""Writing when others write too: plan again on what is there, instead of losing or refusing."""

from collections.abc import Callable

from mneme_git.app.workspace import DecisionStore
from mneme_git.errors import GuardMismatch
from mneme_git.model.plan import Plan, Receipt

_TRIES = 5


def commit_planned(store: DecisionStore, make: Callable[[], Plan]) -> Receipt | None:
    """Carry out the plan that ``make`` makes of the store as it is; None if nothing is left to do.

    A writer that was overtaken plans again; a plan that then makes no sense says so itself.

    Raises:
        GuardMismatch: others were faster every time; nothing was written.
    """
    for attempt in range(_TRIES):
        plan = make()
        if not plan.operations:
            return None
        try:
            return store.commit(plan, stage=True)
        except GuardMismatch:
            if attempt == _TRIES - 1:
                raise
    return None
