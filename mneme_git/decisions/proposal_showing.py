"""Proposals for people: the list and one in full, in the words that the format fixes."""

from collections.abc import Sequence

from mneme_git.model.proposal import Provenance
from mneme_git.model.proposal_entry import ProposalEntry
from mneme_git.text.printable import text_of

_NONE, _NOT_SUPPLIED = "(none)", "(not supplied)"


def proposals_text(entries: Sequence[ProposalEntry]) -> str:
    """Return the list of proposals, in the order given; ``(no proposals)`` if there are none."""
    return text_of(line for entry in entries for line in _listed(entry)) or "(no proposals)"


def proposal_text(entry: ProposalEntry) -> str:
    """Return one proposal in full."""
    proposal = entry.proposal
    context = [f"    {key}: {value}" for key, value in proposal.architecture_context.items()]
    lines = [
        f"Proposal {entry.proposal_id}",
        f"  status: {entry.status}",
        f"  title: {proposal.title}",
        f"  statement: {proposal.statement}",
        f"  rationale: {proposal.rationale or _NONE}",
        f"  scope hints: {', '.join(proposal.scope_hints) or _NONE}",
        "  architecture context:" if context else f"  architecture context: {_NONE}",
        *context,
        f"  related decision ids: {', '.join(proposal.related_decision_ids) or _NONE}",
        f"  proposed at: {proposal.proposed_at}",
        *_provenance(proposal.provenance),
    ]
    if entry.status == "accepted":
        lines.append(f"  accepted decision: {entry.accepted_decision_id}")
    return text_of(lines)


def _listed(entry: ProposalEntry) -> list[str]:
    source = entry.proposal.provenance
    lines = [f"[{entry.status}] {entry.proposal_id}  {entry.proposal.title}"]
    if source is not None:
        lines.append(f"    producer: {source.producer_name} ({source.producer_type})")
        lines.append(f"    source: {source.source_reference}")
    if entry.status == "accepted":
        lines.append(f"    decision: {entry.accepted_decision_id}")
    return lines


def _provenance(source: Provenance | None) -> list[str]:
    if source is None:
        return [f"  producer provenance: {_NOT_SUPPLIED}"]
    return [
        "  producer provenance (informational, as submitted):",
        f"    producer name: {source.producer_name}",
        f"    producer type: {source.producer_type}",
        f"    source reference: {source.source_reference}",
        f"    external source id: {source.external_source_id or _NOT_SUPPLIED}",
        f"    source version: {source.source_version or _NOT_SUPPLIED}",
        f"    repository locator: {source.repository_locator or _NOT_SUPPLIED}",
        f"    origin classification: {source.origin_classification.value}",
    ]
