"""Proposals as records of the decision-index format: every check, in its order, with its words."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from mneme_git.errors import InvalidInput
from mneme_git.model.ids import DecisionId, Digest, ProposalId
from mneme_git.model.proposal import Origin, Proposal, Provenance
from mneme_git.model.proposal_entry import STATUSES, ProposalEntry, ProposalStatus
from mneme_git.text.quoting import quoted

_SOURCE_NAMES = ("producer_name", "producer_type", "source_reference")
_SOURCE_TEXTS = ("external_source_id", "source_version", "repository_locator")
_ORIGINS = {origin.value: origin for origin in Origin}


def read_provenance(row: object) -> Provenance:
    """Return the provenance that ``row`` holds; unknown keys are passed over.

    Raises:
        InvalidInput: the first check that fails.
    """
    if not isinstance(row, dict):
        raise InvalidInput("provenance record must be an object")
    names = {key: _name(row, key) for key in _SOURCE_NAMES}
    texts = {key: row.get(key, "") for key in _SOURCE_TEXTS}
    if not all(isinstance(text, str) for text in texts.values()):
        raise InvalidInput("optional provenance components must be strings")
    origin = row.get("origin_classification", Origin.IMPORTED_UNKNOWN.value)
    if not isinstance(origin, str) or origin not in _ORIGINS:
        raise InvalidInput(f"origin_classification {quoted(origin)} is not one of {sorted(_ORIGINS)}")
    return Provenance(**names, **texts, origin_classification=_ORIGINS[origin])


def read_candidate(row: object, *, proposed_at: str) -> Proposal:
    """Return the candidate that ``row`` holds as a proposal; unknown keys are passed over.

    Raises:
        InvalidInput: the first check that fails.
    """
    if not isinstance(row, dict):
        raise InvalidInput("candidate record must be an object")
    stated = row.get("provenance")
    provenance = None if stated is None else read_provenance(stated)
    title, statement = _name(row, "title"), _name(row, "statement")
    rationale = row.get("rationale", "")
    if not isinstance(rationale, str):
        raise InvalidInput("rationale must be a string")
    return Proposal(
        title=title,
        statement=statement,
        rationale=rationale,
        provenance=provenance,
        scope_hints=_names(row, "scope_hints"),
        related_decision_ids=_names(row, "related_decision_ids"),
        architecture_context=_context(row),
        proposed_at=proposed_at,
    )


def read_entry(row: object) -> ProposalEntry:
    """Return the entry that a row of a proposal file holds; its hashes are taken as they stand.

    Raises:
        InvalidInput: the first check that fails.
    """
    if not isinstance(row, dict):
        raise InvalidInput("proposal record must be an object")
    proposal = read_candidate(row.get("candidate"), proposed_at="")
    status = _status(row)
    return ProposalEntry(
        proposal=replace(proposal, proposed_at=_name(row, "proposed_at")),
        proposal_id=ProposalId(_name(row, "proposal_id")),
        status=status,
        producer_key=Digest(_name(row, "producer_key")),
        content_fingerprint=Digest(_name(row, "content_fingerprint")),
        accepted_decision_id=_accepted(row, status),
    )


def provenance_row(provenance: Provenance | None) -> dict[str, str] | None:
    """Return provenance in the key order of the format, or None if there is none."""
    if provenance is None:
        return None
    named = {key: getattr(provenance, key) for key in (*_SOURCE_NAMES, *_SOURCE_TEXTS)}
    return {**named, "origin_classification": provenance.origin_classification.value}


def candidate_row(proposal: Proposal) -> dict[str, Any]:
    """Return the candidate of a proposal in the key order of the format."""
    return {
        "title": proposal.title,
        "statement": proposal.statement,
        "rationale": proposal.rationale,
        "provenance": provenance_row(proposal.provenance),
        "scope_hints": list(proposal.scope_hints),
        "architecture_context": dict(proposal.architecture_context),
        "related_decision_ids": list(proposal.related_decision_ids),
    }


def entry_row(entry: ProposalEntry) -> dict[str, Any]:
    """Return an entry as the row of a proposal file, in the key order of the format."""
    return {
        "proposal_id": entry.proposal_id,
        "status": entry.status,
        "candidate": candidate_row(entry.proposal),
        "producer_key": entry.producer_key,
        "content_fingerprint": entry.content_fingerprint,
        "proposed_at": entry.proposal.proposed_at,
        "accepted_decision_id": entry.accepted_decision_id,
    }


def _name(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{key} must be a non-empty string")
    return value


def _names(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = row.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
        raise InvalidInput(f"{key} must be a tuple of non-empty strings")
    return tuple(values)


def _context(row: Mapping[str, Any]) -> dict[str, str]:
    context = row.get("architecture_context", {})
    if not isinstance(context, dict) or not all(isinstance(value, str) for value in context.values()):
        raise InvalidInput("architecture_context must be a dict of string keys and values")
    return dict(context)


def _status(row: Mapping[str, Any]) -> ProposalStatus:
    status = row.get("status")
    known = next((name for name in STATUSES if name == status), None)
    if known is None:
        raise InvalidInput(f"proposal status {quoted(status)} is not one of {sorted(STATUSES)}")
    return known


def _accepted(row: Mapping[str, Any], status: ProposalStatus) -> DecisionId | None:
    decision_id = row.get("accepted_decision_id")
    if status == "accepted":
        if not isinstance(decision_id, str) or not decision_id:
            raise InvalidInput("an accepted proposal requires a non-empty accepted_decision_id")
        return DecisionId(decision_id)
    if decision_id is not None:
        raise InvalidInput(f"a {quoted(status)} proposal must not carry accepted_decision_id")
    return None
