"""Submitting proposals and rejecting them; accepting one is in ``acceptance``."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import AmbiguousId, AuthorityRefused, InvalidInput, Refused
from mneme_git.model.ids import PROPOSAL_PREFIX, ProposalId
from mneme_git.model.paths import verdict_path
from mneme_git.model.plan import ABSENT, Operation, Plan, PutProposal, PutVerdict, Read
from mneme_git.model.proposal import Proposal, Provenance, Verdict, id_of
from mneme_git.model.proposal_entry import ProposalEntry, entry_of, forgery
from mneme_git.model.snapshot import Fault
from mneme_git.text.quoting import quoted

_VERDICT_FAULTS = frozenset({"VERDICT_CONFLICT", "DAMAGED_VERDICT"})
_SHORTEST = len(PROPOSAL_PREFIX) + 4


class Submitted(Struct, frozen=True):
    """One answer to a submission; ``created`` is false if exactly it was there already."""

    created: bool
    entry: ProposalEntry


class Submission(Struct, frozen=True):
    """A plan that stores what is new of a batch, and an answer for each candidate, in their order."""

    plan: Plan
    results: tuple[Submitted, ...]


class Rejection(Struct, frozen=True):
    """A plan that rejects a proposal; without operations it is rejected already."""

    plan: Plan
    entry: ProposalEntry


def with_shared(candidate: Proposal, shared: Provenance | None) -> Proposal:
    """Return ``candidate`` with the provenance that a batch shares.

    Its own non-empty fields win, and its own origin always does, even if it is only the default.
    """
    if shared is None:
        return candidate
    own = candidate.provenance
    if own is None:
        return replace(candidate, provenance=shared)
    merged = Provenance(
        producer_name=own.producer_name or shared.producer_name,
        producer_type=own.producer_type or shared.producer_type,
        source_reference=own.source_reference or shared.source_reference,
        external_source_id=own.external_source_id or shared.external_source_id,
        source_version=own.source_version or shared.source_version,
        repository_locator=own.repository_locator or shared.repository_locator,
        origin_classification=own.origin_classification,
    )
    return replace(candidate, provenance=merged)


def plan_submit(
    entries: Sequence[ProposalEntry], candidates: Sequence[Proposal], *, shared: Provenance | None = None
) -> Submission:
    """Plan the storing of candidates: all of them or, if one is refused, none.

    What was submitted before, or twice in one batch, is answered with the entry that stands, with
    its status and its first time.

    Raises:
        InvalidInput: a candidate has no provenance, neither its own nor a shared one.
    """
    known = {entry.proposal_id: entry for entry in entries}
    results: list[Submitted] = []
    for candidate in candidates:
        proposal = with_shared(candidate, shared)
        if proposal.provenance is None:
            raise InvalidInput(
                "proposal requires provenance: supply candidate.provenance or shared_provenance"
            )
        proposal_id = id_of(proposal)
        created = proposal_id not in known
        entry = known.setdefault(proposal_id, entry_of(proposal))
        results.append(Submitted(created, entry))
    return Submission(_submit_plan([answer.entry for answer in results if answer.created]), tuple(results))


def plan_reject(
    entries: Sequence[ProposalEntry],
    given: str,
    *,
    by: str,
    at: str,
    reason: str = "",
    faults: Iterable[Fault] = (),
) -> Rejection:
    """Plan the rejection of a proposal by the person ``by`` at the time ``at`` (UTC, ISO 8601).

    Raises:
        AuthorityRefused: there is no such proposal, or it is accepted, which is final.
        Refused: ``faults`` of the store tell that its verdict could not be read.
    """
    entry = find_entry(entries, given)
    if entry is None:
        raise unknown_proposal(given)
    require_readable_verdict(entry, faults)
    if entry.status == "accepted":
        raise AuthorityRefused(
            f"proposal {quoted(entry.proposal_id)} is accepted; rejecting an accepted proposal fails closed "
            "(terminal in D2C1)"
        )
    if entry.status == "rejected":
        return Rejection(Plan(verb="reject", subject=entry.proposal_id), entry)
    verdict = Verdict(proposal_id=entry.proposal_id, verdict="rejected", reason=reason, by=by, at=at)
    plan = Plan(
        verb="reject",
        subject=entry.proposal_id,
        operations=(*put_again(entry), PutVerdict(verdict)),
        reads=(Read("proposal", entry.proposal_id, "proposed"),),
    )
    return Rejection(plan, replace(entry, status="rejected"))


def find_entry(entries: Sequence[ProposalEntry], given: str) -> ProposalEntry | None:
    """Return the proposal with the id ``given``, or the only one whose id begins with it, or None.

    A beginning counts from ``dprop-`` and four more characters on.

    Raises:
        AmbiguousId: several ids begin with ``given``.
    """
    by_id = {entry.proposal_id: entry for entry in entries}
    if given in by_id:
        return by_id[ProposalId(given)]
    fitting = [name for name in by_id if len(given) >= _SHORTEST and name.startswith(given)]
    if len(fitting) > 1:
        raise AmbiguousId("proposal", given, sorted(fitting))
    return by_id[fitting[0]] if fitting else None


def unknown_proposal(given: str) -> AuthorityRefused:
    """Return the refusal of an authority command that names no proposal."""
    return AuthorityRefused(f"proposal {quoted(given)} not found")


def require_readable_verdict(entry: ProposalEntry, faults: Iterable[Fault]) -> None:
    """Raise Refused if there may be a verdict on an open proposal that could not be read.

    A merge can leave unlike verdicts, and a verdict file can be damaged.
    """
    if entry.status != "proposed":
        return
    path = verdict_path(entry.proposal_id)
    for fault in faults:
        if fault.path == path and fault.code in _VERDICT_FAULTS:
            raise Refused(f"{fault.message}; nothing was written", hint=fault.hint)


def put_again(entry: ProposalEntry) -> tuple[PutProposal, ...]:
    """Return what puts the proposal beside its verdict, so that both are staged together.

    A forged entry has no file of its own in a git store, and its content is another proposal.
    """
    return () if forgery(entry) else (PutProposal(entry.proposal),)


def _submit_plan(new: Sequence[ProposalEntry]) -> Plan:
    subject = new[0].proposal_id if len(new) == 1 else f"{len(new)} proposals"
    operations: tuple[Operation, ...] = tuple(PutProposal(entry.proposal) for entry in new)
    reads = tuple(Read("proposal", entry.proposal_id, ABSENT) for entry in new)
    return Plan(verb="propose", subject=subject, operations=operations, reads=reads)
