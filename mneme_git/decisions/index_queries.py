"""The questions that the index tools answer: get, search, applicable_to, trace.

Each gives one JSON object whose keys and their order are fixed by the decision-index format,
section 10.4. A proposal is never a decision: what a tool says of one stands under its own key.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from mneme_git.decisions.index_records import (
    CanonicalIndex,
    Indexed,
    Row,
    decision_record,
    proposal_record,
    revision_of,
    rule_ids,
    rule_rows,
    source_locators,
    test_rows,
)
from mneme_git.model.proposal_entry import ProposalEntry
from mneme_git.model.proposal_record import provenance_row
from mneme_git.text.quoting import quoted

_NO_RULES = "derived_rules: none recorded for canonical decision"


class SearchFilters(Struct, frozen=True, kw_only=True):
    """What a search asks for; None asks for nothing.

    Filters of proposals do not limit decisions, and the reverse.
    """

    proposal_status: str | None = None
    canonical_lifecycle_status: str | None = None
    producer_name: str | None = None
    source_reference: str | None = None
    origin_classification: str | None = None


def named(entries: Sequence[ProposalEntry], record_id: str) -> ProposalEntry | None:
    """Return the proposal with exactly that id; proposals come before decisions."""
    return next((entry for entry in entries if entry.proposal_id == record_id), None)


def get_proposal(entry: ProposalEntry) -> Row:
    """Return the answer of ``get`` about a proposal."""
    return {"record_type": "proposal", "proposal": proposal_record(entry)}


def get_decision(index: CanonicalIndex, record_id: str) -> Row:
    """Return the answer of ``get`` about an id that is no proposal's. Raises Refused as ``find``."""
    found = index.find(record_id)
    if found is None:
        return {"record_type": "not_found", "record_id": record_id}
    return {"record_type": "canonical_decision", "canonical_decision": decision_record(found)}


def search(
    entries: Sequence[ProposalEntry], index: CanonicalIndex, query: str, filters: SearchFilters
) -> Row:
    """Return the proposals and decisions whose text holds ``query``, whatever its case, in store order."""
    wanted = query.lower()
    return {
        "proposals": [
            proposal_record(entry)
            for entry in entries
            if _passes(entry, filters) and wanted in _proposal_text(entry)
        ],
        "canonical_decisions": [
            decision_record(found)
            for found in index.all()
            if filters.canonical_lifecycle_status in {None, found.state.lifecycle_status.value}
            and wanted in _decision_text(found)
        ],
    }


def applicable_to(entries: Sequence[ProposalEntry], index: CanonicalIndex, texts: Sequence[str]) -> Row:
    """Return what has a hint or a scope entry that occurs in one of ``texts``, whatever its case.

    No patterns: ``src`` occurs in ``lib/src/a.py``. The empty scope entry of a global ADR occurs in
    every text.
    """
    folded = [text.lower() for text in texts]
    hits = [(entry, _occurring(entry.proposal.scope_hints, folded)) for entry in entries]
    return {
        "proposal_hint_matches": [
            {"proposal_id": entry.proposal_id, "matched_hints": hints} for entry, hints in hits if hints
        ],
        "canonical_scope_matches": [
            {
                "decision_id": found.state.decision_id,
                "version": revision_of(found),
                "version_id": found.state.active_version_id,
                "statement": found.version.statement,
                "lifecycle_status": found.state.lifecycle_status.value,
                "context_scope": list(found.version.scope),
            }
            for found in index.all()
            if _occurring(found.version.scope, folded)
        ],
    }


def trace(entries: Sequence[ProposalEntry], index: CanonicalIndex, record_id: str) -> Row:
    """Return where a proposal or a decision comes from and leads to, and which links are missing.

    Raises:
        Refused: the decision is contested, or its active version is lost.
    """
    entry = named(entries, record_id)
    if entry is not None:
        return _proposal_trace(entry, index)
    found = index.find(record_id)
    if found is not None:
        return _decision_trace(found)
    return {
        "result_type": "trace_not_found",
        "record_id": record_id,
        "missing_links": [
            f"record: not found ({quoted(record_id)} is neither a proposal id nor a canonical decision id)",
            "proposal: not found",
            "canonical_decision: not found",
            (
                "record_type: unknown (no proposal/canonical classification is asserted for an unresolved "
                "identifier)"
            ),
        ],
    }


def _passes(entry: ProposalEntry, filters: SearchFilters) -> bool:
    source = entry.proposal.provenance
    wanted = (
        (filters.proposal_status, entry.status),
        (filters.producer_name, source.producer_name if source else None),
        (filters.source_reference, source.source_reference if source else None),
        (filters.origin_classification, source.origin_classification.value if source else None),
    )
    return all(asked is None or asked == value for asked, value in wanted)


def _proposal_text(entry: ProposalEntry) -> str:
    proposal, source = entry.proposal, entry.proposal.provenance
    return _joined(
        proposal.title,
        proposal.statement,
        proposal.rationale,
        source.source_reference if source else "",
        source.repository_locator if source else "",
        *proposal.scope_hints,
        *proposal.related_decision_ids,
    )


def _decision_text(found: Indexed) -> str:
    version = found.version
    return _joined(
        found.state.decision_id,
        version.statement,
        version.rationale,
        *version.scope,
        *version.constraints,
        *version.anti_patterns,
        *source_locators(found.state),
    )


def _joined(*texts: str) -> str:
    return " ".join(texts).lower()


def _occurring(hints: Sequence[str], folded: Sequence[str]) -> list[str]:
    return [hint for hint in hints if any(hint.lower() in text for text in folded)]


def _proposal_trace(entry: ProposalEntry, index: CanonicalIndex) -> Row:
    accepted = entry.accepted_decision_id
    found = index.find(accepted) if accepted is not None else None
    return {
        "result_type": "proposal_trace",
        "proposal_id": entry.proposal_id,
        "proposal": proposal_record(entry),
        "source_provenance": provenance_row(entry.proposal.provenance),
        "accepted_decision_id": accepted,
        "canonical_record": decision_record(found) if found else None,
        "canonical_derived_rule_ids": rule_ids(found.state) if found else [],
        "missing_links": list(_proposal_gaps(entry, found)),
    }


def _proposal_gaps(entry: ProposalEntry, found: Indexed | None) -> Iterator[str]:
    if entry.accepted_decision_id is None:
        yield "accepted_decision_id: absent (proposal not accepted)"
        yield "canonical_record: absent (proposal not accepted)"
        yield "derived_rules: absent"
    elif found is None:
        yield (
            f"canonical_record: accepted_decision_id {quoted(entry.accepted_decision_id)} not found in "
            "canonical index"
        )
    elif not rule_ids(found.state):
        yield _NO_RULES
    yield "enforcement_links: absent (proposals are never enforceable)"
    yield "trusted_evidence: absent (producer provenance is never trusted evidence)"


def _decision_trace(found: Indexed) -> Row:
    return {
        "result_type": "canonical_trace",
        "canonical_decision_id": found.state.decision_id,
        "canonical_record": decision_record(found),
        "derived_rules": rule_rows(found),
        "declared_test_evidence": test_rows(found.state),
        "missing_links": list(_decision_gaps(found)),
    }


def _decision_gaps(found: Indexed) -> Iterator[str]:
    if not rule_ids(found.state):
        yield _NO_RULES
    if found.state.test_evidence:
        yield (
            "test_evidence_state: declared only (ADR-024); trusted/verified execution evidence is a separate "
            "ADR-025 concern and is never inferred from declarations"
        )
    else:
        yield "declared_test_evidence: none declared for canonical decision"
    yield ("enforcement_links: absent (enforcement points are not modelled in the current canonical kernel)")
