"""Proposals and decisions as the records that the index tools answer with, in their key order."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from mneme_git.errors import Refused
from mneme_git.model.decision import (
    AdrEvidence,
    DecisionState,
    Evidence,
    ProposalEvidence,
    RuleBinding,
    Version,
    active_evidence,
    active_rules,
    digest_of,
    rule_id_of,
)
from mneme_git.model.proposal_entry import ProposalEntry
from mneme_git.model.proposal_record import candidate_row
from mneme_git.model.recorded import Recorded
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted

_DECISION_CLASS = "architecture"
_REVISION = "1"

Row = dict[str, Any]


class Indexed(Struct, frozen=True):
    """A state of a decision with its active version, and what the store records beside it.

    A contested decision has one for each of its sides.
    """

    state: DecisionState
    version: Version
    recorded: Recorded


class CanonicalIndex(Struct, frozen=True):
    """The decisions of a store, for the queries on them."""

    snapshot: Snapshot
    recorded: Recorded = Recorded()

    def all(self) -> Iterator[Indexed]:
        """Yield every decision, in the order of the store, then each side of the contested ones.

        One whose active version is lost is left out; the snapshot's faults name it.
        """
        snapshot = self.snapshot
        states = [*snapshot.decisions, *(side.state for c in snapshot.contested for side in c.sides)]
        for state in states:
            version = snapshot.versions.get(state.active_version_id) if state else None
            if state is not None and version is not None:
                yield Indexed(state, version, self.recorded)

    def find(self, decision_id: str) -> Indexed | None:
        """Return the decision with exactly that id, or None.

        Raises:
            Refused: branches disagree on it, or its active version is lost.
        """
        contest, state = self.snapshot.contest(decision_id), self.snapshot.state(decision_id)
        if contest is not None:
            raise Refused(
                f"decision {quoted(decision_id)} is contested: {contest.why}",
                hint=f"a person settles it with `mneme decision resolve {decision_id}`; until then the "
                "rules of every side are enforced",
            )
        if state is None:
            return None
        version = self.snapshot.versions.get(state.active_version_id)
        if version is None:
            raise Refused(
                f"the active version of decision {quoted(decision_id)} is missing",
                hint="run `mneme verify` to see what is damaged",
            )
        return Indexed(state, version, self.recorded)


def proposal_record(entry: ProposalEntry) -> Row:
    """Return a proposal as a record."""
    return {
        "proposal_id": entry.proposal_id,
        "proposal_status": entry.status,
        **candidate_row(entry.proposal),
        "producer_key": entry.producer_key,
        "content_fingerprint": entry.content_fingerprint,
        "proposed_at": entry.proposal.proposed_at,
        "accepted_decision_id": entry.accepted_decision_id,
    }


def decision_record(found: Indexed) -> Row:
    """Return a decision, as its active version says it, as a record."""
    state, version = found.state, found.version
    version_id = state.active_version_id
    return {
        "decision_id": state.decision_id,
        "version": revision_of(found),
        "version_id": version_id,
        "decision_version_id": version_id,
        "content_digest": digest_of(version),
        "decision_class": _DECISION_CLASS,
        "statement": version.statement,
        "rationale": version.rationale,
        "lifecycle_status": state.lifecycle_status.value,
        "owner": "",
        "decided_at": found.recorded.created_at.get(version_id) or _accepted_at(state),
        "updated_at": found.recorded.updated_at.get(state.decision_id, ""),
        "context_scope": list(version.scope),
        "targets": [],
        "constraints": list(version.constraints),
        "anti_patterns": list(version.anti_patterns),
        "source_evidence": [_evidence_row(row) for row in active_evidence(state)],
        "test_evidence": test_rows(state),
        "relationships": [[link.type, link.target_decision_id] for link in state.relationships],
        "derived_rule_ids": rule_ids(state),
    }


def revision_of(found: Indexed) -> str:
    """Return the display version of the active version."""
    return found.recorded.revision.get(found.state.active_version_id, _REVISION)


def rule_ids(state: DecisionState) -> list[str]:
    """Return the ids of the rules of the active version, by sequence."""
    return [rule_id_of(state.decision_id, rule) for rule in active_rules(state)]


def rule_rows(found: Indexed) -> list[Row]:
    """Return the rules of the active version as records, by sequence."""
    state = found.state
    return [
        {
            "rule_id": rule_id_of(state.decision_id, rule),
            "decision_id": state.decision_id,
            "decision_version": revision_of(found),
            "decision_version_id": rule.version_id,
            "sequence": rule.sequence,
            "rule_type": rule.type,
            "rule_payload": {"value": rule.value},
            "applicability": _applicability(rule),
            "lifecycle_status": state.lifecycle_status.value,
        }
        for rule in active_rules(state)
    ]


def test_rows(state: DecisionState) -> list[Row]:
    """Return the declared test evidence as records."""
    return [{"selector": row.selector, "sha": row.sha} for row in state.test_evidence]


def source_locators(state: DecisionState) -> list[str]:
    """Return the locators of the active version's evidence, empty ones included."""
    return [_locator(row) for row in active_evidence(state)]


def _accepted_at(state: DecisionState) -> str:
    """Return when a proposal was accepted: the one time that a git store holds."""
    rows = (row for row in active_evidence(state) if isinstance(row, ProposalEvidence))
    return next((row.observed_at for row in rows), "")


def _applicability(rule: RuleBinding) -> Row:
    named = (
        ("include_paths", rule.applicability.include_paths),
        ("exclude_paths", rule.applicability.exclude_paths),
    )
    return {name: list(paths) for name, paths in named if paths is not None}


def _locator(row: Evidence) -> str:
    match row:
        case AdrEvidence():
            return row.source_locator
        case ProposalEvidence():
            return row.source_reference
        case _:
            return ""


def _evidence_row(row: Evidence) -> Row:
    match row:
        case AdrEvidence():
            return _source("adr", row.source_locator, row.sha256, "")
        case ProposalEvidence():
            return {
                **_source("proposal", row.source_reference, row.source_version, row.observed_at),
                "verification_status": "",
                "proposal_id": row.proposal_id,
                "producer_key": row.producer_key,
                "content_fingerprint": row.content_fingerprint,
                "origin_classification": row.origin_classification,
                "proposed_at": row.proposed_at,
                "source_reference": row.source_reference,
                "accepted_decision_id": row.accepted_decision_id,
            }
        case _:
            return _source("runtime", "", "", "")


def _source(kind: str, locator: str, revision: str, observed_at: str) -> Row:
    return {
        "source_type": kind,
        "source_locator": locator,
        "source_revision": revision,
        "observed_at": observed_at,
    }
