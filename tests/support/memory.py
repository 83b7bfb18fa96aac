"""Memory files of the existing format, made by hand and independent of the code under test."""

from __future__ import annotations

import hashlib
import json
from typing import Any

META = {"name": "demo", "description": "a demo"}
SCHEMA = "mneme.decision-index/v1"


def plain(*decisions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A section-less document."""
    return {"meta": META, "decisions": list(decisions), **more}


def row(decision_id: str, decision: str = "A decision", **more: Any) -> dict[str, Any]:
    return {"id": decision_id, "decision": decision, **more}


def literal(value: str, include: list[str] | None = None, exclude: list[str] | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "FORBID_LITERAL", "value": value}
    if include is not None:
        made["include_paths"] = include
    if exclude:
        made["exclude_paths"] = exclude
    return made


def _hash(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def version(
    decision_id: str,
    statement: str,
    *,
    rationale: str = "",
    scope: tuple[str, ...] = (),
    constraints: tuple[str, ...] = (),
    anti_patterns: tuple[str, ...] = (),
    occurrence: tuple[str, ...] | None = None,
    predecessor: str | None = None,
    evidence: dict[str, str] | None = None,
) -> dict[str, Any]:
    """A version record with the identity that the format gives it."""
    occurrence = occurrence or ("cli-add", decision_id)
    digest = _hash([statement, rationale, list(scope), list(constraints), list(anti_patterns)])
    name = "dver-" + _hash([decision_id, digest, list(occurrence), predecessor or "-"])[:32]
    return {
        "version_id": name,
        "decision_id": decision_id,
        "revision": "1",
        "content_digest": digest,
        "statement": statement,
        "rationale": rationale,
        "context_scope": list(scope),
        "constraints": list(constraints),
        "anti_patterns": list(anti_patterns),
        "source_evidence": [
            evidence
            or {
                "source_type": "runtime",
                "source_locator": "",
                "source_revision": "",
                "observed_at": "",
                "verification_status": "",
            }
        ],
        "occurrence_source_identity": list(occurrence),
        "supersedes_version_id": predecessor,
        "created_at": "2025-01-01T00:00:00Z",
    }


def decision(version_record: dict[str, Any], status: str = "active", **more: Any) -> dict[str, Any]:
    return {
        "decision_id": version_record["decision_id"],
        "decision_class": "architecture",
        "lifecycle_status": status,
        "active_version_id": version_record["version_id"],
        "test_evidence": [],
        "relationships": [],
        "updated_at": "2025-01-01T00:00:00Z",
        **more,
    }


def binding(
    version_record: dict[str, Any], sequence: int, value: str, **applicability: Any
) -> dict[str, Any]:
    owner = version_record["decision_id"]
    return {
        "rule_id": f"{owner}:FORBID_LITERAL:{_hash([value, applicability])[:32]}",
        "decision_id": owner,
        "decision_version_id": version_record["version_id"],
        "decision_version": "1",
        "sequence": sequence,
        "rule_type": "FORBID_LITERAL",
        "rule_payload": {"value": value},
        "applicability": applicability,
        "binding_authority": "version",
    }


def snapshot_row(version_record: dict[str, Any], rules: list[dict[str, Any]] = []) -> dict[str, Any]:  # noqa: B006
    made = {
        "id": version_record["decision_id"],
        "decision": version_record["statement"],
        "rationale": version_record["rationale"],
        "scope": version_record["context_scope"],
        "constraints": version_record["constraints"],
        "anti_patterns": version_record["anti_patterns"],
        "rules": [
            {"type": rule["rule_type"], "value": rule["rule_payload"]["value"], **rule["applicability"]}
            for rule in rules
        ],
        "test_evidence": [],
        "created_at": version_record["created_at"],
        "updated_at": "2025-01-01T00:00:00Z",
        "status": "active",
    }
    evidence = version_record["source_evidence"][0]
    if evidence["source_type"] == "adr":
        made["source"] = {
            "type": "adr",
            "path": evidence["source_locator"],
            "sha256": evidence["source_revision"],
        }
    return made


def adr_evidence(locator: str, sha256: str) -> dict[str, str]:
    return {
        "source_type": "adr",
        "source_locator": locator,
        "source_revision": sha256,
        "observed_at": "",
        "verification_status": "",
    }


def indexed() -> dict[str, Any]:
    """Two decisions in force, one superseded; an older version with rules of its own."""
    old = version("ADR-101", "Use MongoDB", occurrence=("ADR-101", "1" * 64, "adr-import"))
    first = version(
        "ADR-102",
        "Use Postgres",
        scope=("storage",),
        occurrence=("ADR-102", "2" * 64, "adr-import"),
        evidence=adr_evidence("../docs/adr/ADR-102-b.md", "2" * 64),
    )
    second = version(
        "ADR-102",
        "Use Postgres 16",
        scope=("storage",),
        constraints=("no mongoose",),
        occurrence=("ADR-102", "3" * 64, "adr-import"),
        predecessor=first["version_id"],
        evidence=adr_evidence("../docs/adr/ADR-102-b.md", "3" * 64),
    )
    by_hand = version("d1", "Use JSON", anti_patterns=("pickle",))
    rules = [
        binding(first, 0, "mongodb"),
        binding(second, 1, "legacy", include_paths=["src/**"], exclude_paths=["src/gen/**"]),
        binding(second, 0, "mongodb"),
    ]
    return {
        "meta": META,
        "items": [],
        "decisions": [snapshot_row(second, [rules[2], rules[1]]), snapshot_row(by_hand)],
        "decision_index": {
            "schema": SCHEMA,
            "decisions": [
                decision(old, "superseded"),
                decision(second, relationships=[{"type": "supersedes", "target_decision_id": "ADR-101"}]),
                decision(by_hand),
            ],
            "versions": [old, first, second, by_hand],
            "rules": rules,
        },
    }
