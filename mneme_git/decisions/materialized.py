"""What an accepted proposal becomes as a decision, and whether a decision is one that it became."""

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import AuthorityRefused, Refused
from mneme_git.model.decision import (
    DecisionState,
    Evidence,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    Version,
    active_evidence,
    id_of,
)
from mneme_git.model.ids import DecisionId
from mneme_git.model.proposal_entry import ProposalEntry, forgery
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted

_ROW_FIELDS = (
    ("decision", "statement"),
    ("rationale", "rationale"),
    ("scope", "scope"),
    ("constraints", "constraints"),
    ("anti_patterns", "anti_patterns"),
)
_EVIDENCE_FIELDS = (
    ("source_revision", "source_version"),
    ("proposal_id", "proposal_id"),
    ("producer_key", "producer_key"),
    ("content_fingerprint", "content_fingerprint"),
    ("origin_classification", "origin_classification"),
    ("proposed_at", "proposed_at"),
    ("source_reference", "source_reference"),
)


class AcceptRequest(Struct, frozen=True):
    """A proposal that may be accepted as far as the proposals alone can tell, and the id it asks for."""

    entry: ProposalEntry
    decision_id: DecisionId


def materialize(request: AcceptRequest, observed_at: str) -> tuple[Version, DecisionState]:
    """Return the first version and the state of the decision that accepting makes.

    The title of a proposal is not used. ``observed_at`` is the time of the acceptance.

    Raises:
        AuthorityRefused: the proposal has no provenance, or its id or hashes are not its own.
    """
    proposal = request.entry.proposal
    evidence = _evidence(request, observed_at)
    version = Version(
        decision_id=request.decision_id,
        statement=proposal.statement,
        rationale=proposal.rationale,
        scope=proposal.scope_hints,
        occurrence=_occurrence(request.entry),
    )
    state = DecisionState(
        decision_id=request.decision_id,
        lifecycle_status=Lifecycle.ACTIVE,
        active_version_id=id_of(version),
        versions=(LineageEntry(version_id=id_of(version), evidence=(evidence,)),),
    )
    return version, state


def active_version(snapshot: Snapshot, state: DecisionState) -> Version:
    """Return the version that is in force. Raises Refused if the store has lost it."""
    version = snapshot.versions.get(state.active_version_id)
    if version is None:
        raise Refused(
            f"the active version of decision {quoted(state.decision_id)} is missing",
            hint="run `mneme verify` to see what is damaged and `mneme restore` to bring it back",
        )
    return version


def require_same_text(
    request: AcceptRequest, state: DecisionState, version: Version, created_at: str | None
) -> None:
    """Check that the decision still says what the proposal said.

    ``created_at`` is None where the store keeps no such time.

    Raises:
        AuthorityRefused: it does not, or it is no longer active.
    """
    if state.lifecycle_status is not Lifecycle.ACTIVE:
        raise AuthorityRefused(
            f"canonical decision {quoted(state.decision_id)} has no derived compatibility snapshot row"
        )
    wanted, _ = materialize(request, "")
    reason = next(
        (
            f"field {quoted(name)} differs from the accepted decision's"
            for name, field in _ROW_FIELDS
            if getattr(version, field) != getattr(wanted, field)
        ),
        "",
    )
    if not reason and created_at == "":
        reason = "field 'created_at' must be a non-empty string"
    if reason:
        raise AuthorityRefused(
            f"decision id {quoted(state.decision_id)} already exists but is not this accepted decision "
            f"({reason})"
        )


def require_same_origin(request: AcceptRequest, state: DecisionState, version: Version) -> None:
    """Check that the decision was made from this proposal and from nothing else.

    Raises:
        AuthorityRefused: its occurrence or its evidence says otherwise.
    """
    reason = _origin_reason(request, version, active_evidence(state))
    if reason:
        raise AuthorityRefused(
            f"canonical decision id {quoted(state.decision_id)} already exists but is not this accepted "
            f"proposal ({reason})"
        )


def rebound(
    request: AcceptRequest, state: DecisionState, version: Version
) -> tuple[Version, DecisionState] | None:
    """Return a migrated decision tied to its proposal again; None if it is no such decision.

    A decision that was accepted before the index existed lost its origin in the migration. Its one
    version gets a new id, which the active version and the rules follow. It is not known when it was
    accepted.
    """
    if version.occurrence != ("legacy-decisions", state.decision_id) or len(state.versions) != 1:
        return None
    mended = replace(version, occurrence=_occurrence(request.entry))
    evidence = _evidence(request, "")
    return mended, replace(
        state,
        active_version_id=id_of(mended),
        rules=tuple(replace(rule, version_id=id_of(mended)) for rule in state.rules),
        versions=(LineageEntry(version_id=id_of(mended), evidence=(evidence,)),),
    )


def _occurrence(entry: ProposalEntry) -> tuple[str, ...]:
    return (entry.proposal_id, entry.producer_key, entry.content_fingerprint)


def _evidence(request: AcceptRequest, observed_at: str) -> ProposalEvidence:
    entry = request.entry
    source = entry.proposal.provenance
    if source is None:
        raise AuthorityRefused(f"proposal {quoted(entry.proposal_id)} has no source provenance")
    forged = forgery(entry)
    if forged:
        raise AuthorityRefused(
            f"proposal {quoted(entry.proposal_id)} is not what its content says ({forged}); "
            "nothing was changed",
            hint="submit it again: a proposal gets its id from what it says",
        )
    return ProposalEvidence(
        proposal_id=entry.proposal_id,
        producer_key=entry.producer_key,
        content_fingerprint=entry.content_fingerprint,
        origin_classification=source.origin_classification.value,
        proposed_at=entry.proposal.proposed_at,
        source_reference=source.source_reference,
        source_version=source.source_version,
        accepted_decision_id=request.decision_id,
        observed_at=observed_at,
    )


def _origin_reason(request: AcceptRequest, version: Version, rows: tuple[Evidence, ...]) -> str:
    if version.occurrence != _occurrence(request.entry):
        return "canonical field 'occurrence_source_identity' differs from accepted proposal"
    if len(rows) != 1:
        return "canonical proposal provenance snapshot is missing or ambiguous"
    found, wanted = rows[0], _evidence(request, "")
    if not isinstance(found, ProposalEvidence):
        return "canonical source evidence field 'source_type' differs"
    differing = (name for name, field in _EVIDENCE_FIELDS if getattr(found, field) != getattr(wanted, field))
    name = next(differing, "")
    return f"canonical source evidence field {quoted(name)} differs" if name else ""
