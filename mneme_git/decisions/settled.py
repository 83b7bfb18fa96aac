"""The one state of a decision, where a plan needs exactly one."""

from mneme_git.errors import NotFound, Refused
from mneme_git.model.decision import DecisionState
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted


def settled(snapshot: Snapshot, decision_id: str) -> DecisionState:
    """Return the state of a decision on which no branches disagree; the id must be whole.

    Raises:
        NotFound: there is no such decision.
        Refused: it is contested.
    """
    contest = snapshot.contest(decision_id)
    if contest is not None:
        raise Refused(
            f"decision {quoted(decision_id)} is contested: {contest.why}",
            hint=f"settle it first: mneme decision resolve {decision_id}",
        )
    state = snapshot.state(decision_id)
    if state is None:
        raise NotFound("decision", decision_id, hint="give the whole id, as `mneme list_decisions` shows it")
    return state
