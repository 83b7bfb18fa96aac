"""Recording a decision by hand: the first version of a new decision, nothing else."""

from msgspec import Struct

from mneme_git.errors import Refused, Taken
from mneme_git.model.decision import (
    DecisionState,
    Lifecycle,
    LineageEntry,
    RuntimeEvidence,
    Version,
    id_of,
)
from mneme_git.model.ids import PROPOSAL_PREFIX, DecisionId
from mneme_git.model.plan import ABSENT, Plan, PutState, PutVersion, Read
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted


class Draft(Struct, frozen=True, kw_only=True):
    """What a person types for a new decision; texts are kept as they are."""

    decision_id: str
    statement: str
    rationale: str = ""
    scope: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    anti_patterns: tuple[str, ...] = ()


def plan_add(snapshot: Snapshot, draft: Draft, *, at: str = "") -> Plan:
    """Plan the first version of a new decision; a plan without operations means it is already there.

    In a git store the plan is a function of the draft alone, so two branches that add the same
    decision write the same bytes. ``at`` is the time that a memory file has a place for.

    Raises:
        Refused: the id is reserved, empty, or held by a decision of other content or origin.
    """
    problem = _problem(draft)
    if problem:
        raise refusal(draft.decision_id, problem)
    version = _version(draft)
    plan = Plan(verb="add", subject=draft.decision_id)
    if id_of(version) in snapshot.versions and _is_there(snapshot, draft.decision_id):
        return plan
    if _is_there(snapshot, draft.decision_id):
        raise refusal(
            draft.decision_id,
            f"decision id {quoted(draft.decision_id)} already exists canonically with different content or "
            "another authority; add_decision creates first occurrences only and is not an edit or "
            "version-evolution surface",
        )
    return Plan(
        verb=plan.verb,
        subject=plan.subject,
        operations=(PutVersion(version, at), PutState(_state(version), at)),
        reads=(Read("decision", draft.decision_id, ABSENT),),
    )


def plan_append(snapshot: Snapshot, draft: Draft, *, at: str) -> Plan:
    """Plan a row more in a memory file without an index, which knows no versions.

    Raises:
        Taken: the id is in use, whatever it says.
    """
    if _is_there(snapshot, draft.decision_id):
        raise Taken(draft.decision_id)
    version = _version(draft)
    return Plan(
        verb="add",
        subject=draft.decision_id,
        operations=(PutVersion(version, at), PutState(_state(version), at)),
        reads=(Read("decision", draft.decision_id, ABSENT),),
    )


def refusal(decision_id: str, text: str) -> Refused:
    """Return the refusal to record a decision."""
    return Refused(f"cannot add canonical decision {quoted(decision_id)}: {text}. Nothing was written.")


def _problem(draft: Draft) -> str:
    if not draft.decision_id:
        return "the decision id must be a non-empty string"
    if draft.decision_id.startswith(PROPOSAL_PREFIX):
        name = quoted(draft.decision_id)
        return f"decision id {name} uses the reserved proposal-id namespace ({PROPOSAL_PREFIX}*)"
    return ""


def _is_there(snapshot: Snapshot, decision_id: str) -> bool:
    return snapshot.state(decision_id) is not None or snapshot.contest(decision_id) is not None


def _version(draft: Draft) -> Version:
    return Version(
        decision_id=DecisionId(draft.decision_id),
        statement=draft.statement,
        rationale=draft.rationale,
        scope=draft.scope,
        constraints=draft.constraints,
        anti_patterns=draft.anti_patterns,
        occurrence=("cli-add", draft.decision_id),
    )


def _state(version: Version) -> DecisionState:
    made = id_of(version)
    return DecisionState(
        decision_id=version.decision_id,
        lifecycle_status=Lifecycle.ACTIVE,
        active_version_id=made,
        versions=(LineageEntry(version_id=made, evidence=(RuntimeEvidence(),)),),
    )
