"""A proposal together with the verdict on it, as a proposal store holds them."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from mneme_git.model.ids import DecisionId, Digest, ProposalId
from mneme_git.model.proposal import Proposal, Verdict, fingerprint_of, id_of, producer_key_of

ProposalStatus = Literal["proposed", "accepted", "rejected"]
STATUSES: tuple[ProposalStatus, ...] = ("proposed", "accepted", "rejected")


class ProposalEntry(Struct, frozen=True, kw_only=True):
    """One proposal and what became of it.

    The id and the two hashes are as stored. In a git store they follow from the content; in a
    proposal file somebody may have written others: ``forgery`` tells.
    """

    proposal: Proposal
    proposal_id: ProposalId
    status: ProposalStatus = "proposed"
    producer_key: Digest
    content_fingerprint: Digest
    accepted_decision_id: DecisionId | None = None


def entry_of(proposal: Proposal, verdict: Verdict | None = None) -> ProposalEntry:
    """Return the entry of a proposal, with its hashes computed from what it says."""
    return ProposalEntry(
        proposal=proposal,
        proposal_id=id_of(proposal),
        status=verdict.verdict if verdict else "proposed",
        producer_key=producer_key_of(proposal),
        content_fingerprint=fingerprint_of(proposal),
        accepted_decision_id=verdict.decision_id if verdict else None,
    )


def entries_of(
    proposals: Mapping[str, Proposal], verdicts: Mapping[ProposalId, Verdict]
) -> tuple[ProposalEntry, ...]:
    """Return the entries of a git store, whose proposals go by the name of their file.

    Files with one proposal id are one proposal: the earliest ``proposed_at`` stands, then the
    smaller name. The entries are in that order too.
    """
    ordered = sorted(proposals.items(), key=lambda item: (item[1].proposed_at, item[0]))
    first: dict[ProposalId, Proposal] = {}
    for _, proposal in ordered:
        first.setdefault(id_of(proposal), proposal)
    return tuple(entry_of(proposal, verdicts.get(name)) for name, proposal in first.items())


def status_of(entries: Iterable[ProposalEntry], proposal_id: str, *, absent: str) -> str:
    """Return the status of a proposal, or ``absent`` if there is no such proposal."""
    return next((entry.status for entry in entries if entry.proposal_id == proposal_id), absent)


def forgery(entry: ProposalEntry) -> str:
    """Return what an entry claims that its content does not give, or empty text."""
    found = entry_of(entry.proposal)
    claims: tuple[tuple[str, str, str], ...] = (
        ("producer_key", entry.producer_key, found.producer_key),
        ("content_fingerprint", entry.content_fingerprint, found.content_fingerprint),
        ("proposal_id", entry.proposal_id, found.proposal_id),
    )
    return next((f"its {name} should be '{true}'" for name, said, true in claims if said != true), "")
