"""Accepting a proposal: a person's act that makes a decision of it.

The rules come in the order of the decision-index format, section 8.5. A store that holds proposals
and decisions in two files can be left between the two writes; accepting again completes it.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from mneme_git.decisions.materialized import (
    AcceptRequest,
    active_version,
    materialize,
    rebound,
    require_same_origin,
    require_same_text,
)
from mneme_git.decisions.proposals import find_entry, put_again, require_readable_verdict, unknown_proposal
from mneme_git.errors import AuthorityRefused, Refused
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import DecisionState
from mneme_git.model.identity import default_decision_id
from mneme_git.model.ids import PROPOSAL_PREFIX, DecisionId
from mneme_git.model.plan import ABSENT, Plan, PutState, PutVerdict, PutVersion, Read
from mneme_git.model.proposal import Verdict
from mneme_git.model.proposal_entry import ProposalEntry
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted

Outcome = Literal["accepted", "already_accepted", "recovered"]


class Acceptance(Struct, frozen=True, kw_only=True):
    """What accepting does.

    ``verdict`` and ``decision`` are one change. They are apart for stores that keep proposals and
    decisions in different files: these carry out ``verdict`` first. Either may be without
    operations. ``materialized`` tells whether a decision comes into being.
    """

    request: AcceptRequest
    outcome: Outcome
    materialized: bool = False
    verdict: Plan
    decision: Plan


def accept_request(entries: Sequence[ProposalEntry], given: str, wanted: str | None = None) -> AcceptRequest:
    """Return the request to accept the proposal ``given`` as the decision ``wanted``.

    Without ``wanted`` it is the stored id of an accepted proposal, else the one its content gives.

    Raises:
        AuthorityRefused: no such proposal, rejected, an id that no decision may have, or accepted
            under another id.
    """
    entry = find_entry(entries, given)
    if entry is None:
        raise unknown_proposal(given)
    named = f"proposal {quoted(entry.proposal_id)}"
    if entry.status == "rejected":
        raise AuthorityRefused(
            f"{named} is rejected; rejected proposals cannot be accepted (terminal in D2C1)"
        )
    if wanted is not None:
        _require_decision_id(wanted, entries)
    stored = entry.accepted_decision_id
    if stored is not None and wanted is not None and stored != wanted:
        raise AuthorityRefused(
            f"{named} is already accepted with decision id {quoted(stored)}; retries cannot replace the "
            f"stored accepted_decision_id with {quoted(wanted)}"
        )
    made = default_decision_id(entry.proposal_id, entry.producer_key, entry.content_fingerprint)
    return AcceptRequest(entry, DecisionId(wanted) if wanted else stored or made)


def plan_accept(
    snapshot: Snapshot, request: AcceptRequest, *, by: str, at: str, created_at: str | None = None
) -> Acceptance:
    """Plan the acceptance by the person ``by`` at the time ``at`` (UTC, ISO 8601).

    ``created_at`` is the time that a memory file gives the decision's active version, None in a
    store that keeps none.

    Raises:
        AuthorityRefused: another decision has the id, or the one that has it is not this proposal's;
            the proposal has no provenance or is forged. Nothing is planned then.
        Refused: branches disagree about the decision or about the verdict, or its version is lost.
    """
    _require_settled(snapshot, request)
    entry, state = request.entry, snapshot.state(request.decision_id)
    proposed = entry.status == "proposed"
    if state is None:
        version, made = materialize(request, at)
        return Acceptance(
            request=request,
            outcome="accepted" if proposed else "recovered",
            materialized=True,
            verdict=_verdict_plan(request, by, at) if proposed else _plan(request),
            decision=Plan(
                verb="accept",
                subject=entry.proposal_id,
                operations=(PutVersion(version, at), PutState(made, at)),
                reads=(Read("decision", request.decision_id, ABSENT),),
            ),
        )
    if proposed:
        raise AuthorityRefused(
            f"decision id {quoted(request.decision_id)} already exists in the canonical Decision Index while "
            f"proposal {quoted(entry.proposal_id)} is still proposed; acceptance is never inferred from an "
            "existing decision (dangerous reverse half-state; fail closed)"
        )
    return _retry(snapshot, request, state, created_at)


def verify_acceptance(
    snapshot: Snapshot,
    entries: Sequence[ProposalEntry],
    request: AcceptRequest,
    created_at: str | None = None,
) -> None:
    """Check what the stores hold after an acceptance was carried out.

    Raises:
        AuthorityRefused: the proposal is not accepted with this id, or the decision is not the proposal's.
    """
    entry = find_entry(entries, request.entry.proposal_id)
    if entry is None or entry.accepted_decision_id != request.decision_id:
        raise AuthorityRefused(
            f"proposal {quoted(request.entry.proposal_id)} is not accepted as {quoted(request.decision_id)} "
            "after the write"
        )
    state = snapshot.state(request.decision_id)
    if state is None:
        raise AuthorityRefused(f"decision {quoted(request.decision_id)} is not there after the write")
    version = active_version(snapshot, state)
    require_same_text(request, state, version, created_at)
    require_same_origin(request, state, version)


def _retry(
    snapshot: Snapshot, request: AcceptRequest, state: DecisionState, created_at: str | None
) -> Acceptance:
    version = active_version(snapshot, state)
    require_same_text(request, state, version, created_at)
    decision = _plan(request)
    mended = rebound(request, state, version)
    if mended is not None:
        version, changed = mended
        decision = Plan(
            verb="accept",
            subject=request.entry.proposal_id,
            operations=(PutVersion(version, created_at or ""), PutState(changed)),
            reads=(Read("decision", state.decision_id, state_digest(state)),),
        )
        state = changed
    require_same_origin(request, state, version)
    return Acceptance(request=request, outcome="already_accepted", verdict=_plan(request), decision=decision)


def _require_decision_id(wanted: str, entries: Sequence[ProposalEntry]) -> None:
    if not wanted:
        raise AuthorityRefused("an explicit decision_id must be a non-empty string")
    named = f"explicit decision_id {quoted(wanted)}"
    if wanted.startswith(PROPOSAL_PREFIX):
        raise AuthorityRefused(
            f"{named} occupies the reserved proposal-id namespace ({PROPOSAL_PREFIX}*); a canonical decision "
            "id must never inhabit the proposal-id namespace"
        )
    if any(entry.proposal_id == wanted for entry in entries):
        raise AuthorityRefused(
            f"{named} collides with the proposal-id namespace; a canonical decision id must never equal a "
            "proposal id"
        )


def _require_settled(snapshot: Snapshot, request: AcceptRequest) -> None:
    if snapshot.contest(request.decision_id) is not None:
        raise Refused(
            f"decision {quoted(request.decision_id)} is contested: branches disagree on it; "
            "nothing was written",
            hint=f"run `mneme decision resolve {request.decision_id}` first",
        )
    require_readable_verdict(request.entry, snapshot.faults)


def _verdict_plan(request: AcceptRequest, by: str, at: str) -> Plan:
    entry = request.entry
    verdict = Verdict(
        proposal_id=entry.proposal_id, verdict="accepted", decision_id=request.decision_id, by=by, at=at
    )
    return Plan(
        verb="accept",
        subject=entry.proposal_id,
        operations=(*put_again(entry), PutVerdict(verdict)),
        reads=(Read("proposal", entry.proposal_id, "proposed"),),
    )


def _plan(request: AcceptRequest) -> Plan:
    """Return a plan that does nothing."""
    return Plan(verb="accept", subject=request.entry.proposal_id)
