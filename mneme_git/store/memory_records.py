"""Records of the model as rows of a memory file, with the keys in the order of the format."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    DecisionState,
    Evidence,
    LineageEntry,
    ProposalEvidence,
    Relationship,
    RuleBinding,
    TestEvidence,
    Version,
    digest_of,
    id_of,
    rule_id_of,
)
from mneme_git.model.ids import DecisionId

FIRST_REVISION = "1"
_CLASS = "architecture"
_Row = dict[str, Any]


def decision_row(state: DecisionState, updated_at: str) -> _Row:
    """Return the record of a decision that the index does not have yet."""
    return {
        "decision_id": state.decision_id,
        "decision_class": _CLASS,
        "lifecycle_status": state.lifecycle_status.value,
        "active_version_id": state.active_version_id,
        "test_evidence": test_evidence_rows(state.test_evidence),
        "relationships": relationship_rows(state.relationships),
        "updated_at": updated_at,
    }


def version_row(version: Version, entry: LineageEntry, created_at: str) -> _Row:
    """Return the record of a version with where it came from."""
    return {
        "version_id": id_of(version),
        "decision_id": version.decision_id,
        "revision": FIRST_REVISION,
        "content_digest": digest_of(version),
        "statement": version.statement,
        "rationale": version.rationale,
        "context_scope": list(version.scope),
        "constraints": list(version.constraints),
        "anti_patterns": list(version.anti_patterns),
        "source_evidence": evidence_rows(entry.evidence),
        "occurrence_source_identity": list(version.occurrence),
        "supersedes_version_id": version.predecessor,
        "created_at": created_at,
    }


def rule_row(decision_id: DecisionId, rule: RuleBinding, revision: str) -> _Row:
    """Return the record of a rule binding; ``revision`` is the display version of its version."""
    return {
        "rule_id": rule_id_of(decision_id, rule),
        "decision_id": decision_id,
        "decision_version_id": rule.version_id,
        "decision_version": revision,
        "sequence": rule.sequence,
        "rule_type": rule.type,
        "rule_payload": {"value": rule.value},
        "applicability": applicability_row(rule.applicability),
        "binding_authority": rule.authority.value,
    }


def applicability_row(where: Applicability) -> _Row:
    """Return where a rule applies; an absent list stays absent, an empty one stays empty."""
    lists = (("include_paths", where.include_paths), ("exclude_paths", where.exclude_paths))
    return {name: list(paths) for name, paths in lists if paths is not None}


def evidence_rows(evidence: Iterable[Evidence]) -> list[_Row]:
    """Return where a version came from."""
    return [_evidence_row(row) for row in evidence]


def test_evidence_rows(rows: Iterable[TestEvidence]) -> list[_Row]:
    """Return declared tests."""
    return [{"selector": row.selector, "sha": row.sha} for row in rows]


def relationship_rows(rows: Iterable[Relationship]) -> list[_Row]:
    """Return links to other decisions."""
    return [{"type": row.type, "target_decision_id": row.target_decision_id} for row in rows]


def active_row(
    decision: Mapping[str, Any], version: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]
) -> _Row:
    """Return the row of ``decisions`` that an active decision of the index amounts to.

    The arguments are records of the index; ``rules`` are those of the active version, by sequence.
    """
    row: _Row = {
        "id": decision["decision_id"],
        "decision": version["statement"],
        "rationale": version.get("rationale", ""),
        "scope": list(version.get("context_scope", [])),
        "constraints": list(version.get("constraints", [])),
        "anti_patterns": list(version.get("anti_patterns", [])),
        "rules": [_shown_rule(rule) for rule in rules],
        "test_evidence": [_shown_test(test) for test in decision.get("test_evidence", [])],
        "created_at": version.get("created_at", ""),
        "updated_at": decision.get("updated_at", ""),
        "status": decision["lifecycle_status"],
    }
    evidence = version.get("source_evidence", [])
    source: Mapping[str, Any] = evidence[0] if evidence else {}
    if source.get("source_type") == "adr" and source.get("source_locator"):
        row["source"] = {
            "type": "adr",
            "path": source["source_locator"],
            "sha256": source.get("source_revision", ""),
        }
    return row


def typed_rule_row(rule: RuleBinding) -> _Row:
    """Return a rule as a row of ``decisions`` states it; an empty list of exceptions is left out."""
    return _typed(rule.type, rule.value, applicability_row(rule.applicability))


def _shown_rule(rule: Mapping[str, Any]) -> _Row:
    return _typed(rule["rule_type"], rule["rule_payload"]["value"], rule.get("applicability", {}))


def _typed(kind: str, value: str, where: Mapping[str, Any]) -> _Row:
    row: _Row = {"type": kind, "value": value}
    if "include_paths" in where:
        row["include_paths"] = list(where["include_paths"])
    if where.get("exclude_paths"):
        row["exclude_paths"] = list(where["exclude_paths"])
    return row


def _shown_test(test: Mapping[str, Any]) -> _Row:
    row = {"selector": test.get("selector", "")}
    if test.get("sha"):
        row["sha"] = test["sha"]
    return row


def _evidence_row(row: Evidence) -> _Row:
    if isinstance(row, AdrEvidence):
        return _common("adr", row.source_locator, row.sha256)
    if not isinstance(row, ProposalEvidence):
        return _common("runtime")
    common = _common("proposal", row.source_reference, row.source_version, row.observed_at)
    return common | {
        "proposal_id": row.proposal_id,
        "producer_key": row.producer_key,
        "content_fingerprint": row.content_fingerprint,
        "origin_classification": row.origin_classification,
        "proposed_at": row.proposed_at,
        "source_reference": row.source_reference,
        "accepted_decision_id": row.accepted_decision_id,
    }


def _common(kind: str, locator: str = "", revision: str = "", observed_at: str = "") -> _Row:
    return {
        "source_type": kind,
        "source_locator": locator,
        "source_revision": revision,
        "observed_at": observed_at,
        "verification_status": "",
    }
