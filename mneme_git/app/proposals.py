"""Use cases of authority: show a proposal, accept it as a decision, reject it."""

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.desk import Desk, ProposalBook, canonical_index
from mneme_git.app.verdicts import signed
from mneme_git.app.workspace import DecisionStore, Workspace, stamp
from mneme_git.decisions.acceptance import Acceptance, accept_request, plan_accept, verify_acceptance
from mneme_git.decisions.index_records import CanonicalIndex
from mneme_git.decisions.proposals import Rejection, find_entry, plan_reject
from mneme_git.errors import (
    AuthorityRefused,
    GuardMismatch,
    InvalidInput,
    InvalidMemory,
    ProposalNotFound,
)
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.proposal_entry import ProposalEntry, entries_of
from mneme_git.model.snapshot import Fault

_TRIES = 5


class Accepted(Struct, frozen=True):
    """What accepting did, and what was written, in that order; nothing if it was accepted before."""

    acceptance: Acceptance
    receipts: tuple[Receipt, ...]


class Rejected(Struct, frozen=True):
    """What rejecting did; without a receipt the proposal was rejected before."""

    entry: ProposalEntry
    receipt: Receipt | None


def find(desk: Desk, given: str) -> ProposalEntry:
    """Return the proposal that ``given`` is, or is the only beginning of. Raises ProposalNotFound."""
    entry = find_entry(desk.book.entries(), given)
    if entry is None:
        raise ProposalNotFound(given)
    return entry


def reject(
    workspace: Workspace, desk: Desk, given: str, *, reason: str = "", sign: bool | None = None
) -> Rejected:
    """Reject a proposal; a memory file is not even looked at.

    ``sign`` None means: as the user does with commits.

    Raises:
        AuthorityRefused: no such proposal, or it is accepted.
        Refused: there may be a verdict that could not be read.
        SigningFailed: a signature is wanted and cannot be made; nothing was written.
    """
    for attempt in range(_TRIES):
        planned = _planned_rejection(workspace, desk, given, reason)
        if not planned.plan.operations:
            return Rejected(planned.entry, None)
        try:
            return Rejected(planned.entry, desk.book.commit(signed(desk, planned.plan, sign), stage=True))
        except GuardMismatch:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError("the last attempt returns or raises")


def accept(
    workspace: Workspace,
    desk: Desk,
    given: str,
    *,
    decision_id: str | None = None,
    sign: bool | None = None,
) -> Accepted:
    """Make a decision of a proposal, then look at both records again.

    A writer that was overtaken plans again on what it then finds. ``sign`` None means: as the user
    does with commits.

    Raises:
        AuthorityRefused: a rule of acceptance stands against it, or the memory file cannot be used.
        Refused: the memory file has no index, or branches disagree.
        SigningFailed: a signature is wanted and cannot be made; nothing was written.
    """
    receipts: list[Receipt] = []
    outcome = None
    for attempt in range(_TRIES):
        acceptance = _planned_acceptance(workspace, desk, given, decision_id)
        acceptance = replace(acceptance, verdict=signed(desk, acceptance.verdict, sign))
        outcome = outcome or acceptance.outcome
        try:
            for step in _steps(desk, acceptance):
                receipts.append(step.store.commit(step.plan, stage=True))
            break
        except GuardMismatch:
            if attempt == _TRIES - 1:
                raise
            outcome = outcome if receipts else None
    done = replace(acceptance, outcome=outcome)
    index, entries = _index(desk), desk.book.entries()
    verify_acceptance(index.snapshot, entries, done.request, _created_at(index, done.request.decision_id))
    return Accepted(done, tuple(receipts))


class _Step(Struct, frozen=True):
    store: ProposalBook | DecisionStore
    plan: Plan


def _steps(desk: Desk, acceptance: Acceptance) -> list[_Step]:
    """Return the writes of an acceptance: one in a git store, else the verdict before the decision."""
    verdict, decision = acceptance.verdict, acceptance.decision
    if desk.one_store:
        joined = replace(
            decision,
            operations=verdict.operations + decision.operations,
            reads=verdict.reads + decision.reads,
        )
        steps = [_Step(desk.decisions, joined)]
    else:
        steps = [_Step(desk.book, verdict), _Step(desk.decisions, decision)]
    return [step for step in steps if step.plan.operations]


def _planned_acceptance(workspace: Workspace, desk: Desk, given: str, decision_id: str | None) -> Acceptance:
    request = accept_request(desk.book.entries(), given, decision_id)
    index = _index(desk)
    return plan_accept(
        index.snapshot,
        request,
        by=_person(desk),
        at=stamp(workspace),
        created_at=_created_at(index, request.decision_id),
    )


def _planned_rejection(workspace: Workspace, desk: Desk, given: str, reason: str) -> Rejection:
    faults: tuple[Fault, ...] = ()
    if desk.one_store:
        snapshot = desk.decisions.load()
        entries, faults = entries_of(snapshot.proposals, snapshot.verdicts), snapshot.faults
    else:
        entries = desk.book.entries()
    return plan_reject(entries, given, by=_person(desk), at=stamp(workspace), reason=reason, faults=faults)


def _index(desk: Desk) -> CanonicalIndex:
    """Return the decisions; that a memory file cannot be used is a matter of authority here."""
    from mneme_git.store.memory_file import MemoryFile

    if not isinstance(desk.decisions, MemoryFile):
        return canonical_index(desk.decisions)
    try:
        return canonical_index(desk.decisions)
    except InvalidInput as error:
        raise AuthorityRefused(error.message) from error
    except InvalidMemory as error:
        raise AuthorityRefused(
            f"memory file {desk.decisions.name} is not loadable project memory: {error.reason}"
        ) from error


def _created_at(index: CanonicalIndex, decision_id: str) -> str | None:
    state = index.snapshot.state(decision_id)
    return index.recorded.created_at.get(state.active_version_id) if state else None


def _person(desk: Desk) -> str:
    """Return who gives the verdict; only a git store has a place for it."""
    from mneme_git.store.git_store import GitStore

    if not isinstance(desk.decisions, GitStore):
        return ""
    who = desk.decisions.backend.signature()
    return f"{who.name} <{who.email}>"
