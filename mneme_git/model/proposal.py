"""Proposals of decisions and the verdicts on them."""

import enum
from typing import Literal

from msgspec import Struct

from mneme_git.model import identity
from mneme_git.model.ids import DecisionId, Digest, ProposalId


class Origin(enum.Enum):
    """Who is said to have written a proposal."""

    AI_GENERATED = "ai_generated"
    HUMAN_AUTHORED = "human_authored"
    IMPORTED_UNKNOWN = "imported_unknown"


class Provenance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a proposal says it comes from; informational, never evidence."""

    producer_name: str
    producer_type: str
    source_reference: str
    external_source_id: str = ""
    source_version: str = ""
    repository_locator: str = ""
    origin_classification: Origin = Origin.IMPORTED_UNKNOWN


class Proposal(Struct, frozen=True, kw_only=True):
    """A candidate decision, as submitted; ``proposed_at`` is UTC, ``YYYY-MM-DDTHH:MM:SSZ``."""

    title: str
    statement: str
    rationale: str = ""
    provenance: Provenance | None = None
    scope_hints: tuple[str, ...] = ()
    architecture_context: dict[str, str] = {}
    related_decision_ids: tuple[str, ...] = ()
    proposed_at: str


def id_of(proposal: Proposal) -> ProposalId:
    """Return the id of ``proposal``; its time and origin are in no hash."""
    return identity.proposal_id(producer_key_of(proposal), fingerprint_of(proposal))


def producer_key_of(proposal: Proposal) -> Digest:
    """Return the digest of who proposed from where; without provenance the fields hash as empty text."""
    source = proposal.provenance or Provenance(producer_name="", producer_type="", source_reference="")
    return identity.producer_key(
        source.producer_name,
        source.producer_type,
        source.source_reference,
        source.external_source_id,
        source.source_version,
        source.repository_locator,
    )


def fingerprint_of(proposal: Proposal) -> Digest:
    """Return the content fingerprint of ``proposal``."""
    return identity.content_fingerprint(
        proposal.title,
        proposal.statement,
        proposal.rationale,
        proposal.scope_hints,
        proposal.architecture_context,
        proposal.related_decision_ids,
    )


class Verdict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's answer to a proposal. One file name for both answers, so unlike ones conflict."""

    proposal_id: ProposalId
    verdict: Literal["accepted", "rejected"]
    decision_id: DecisionId | None = None
    reason: str = ""
    by: str
    at: str
