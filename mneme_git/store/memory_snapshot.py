"""A memory file as a snapshot: what of its records the model of decisions holds.

Times, display versions and unknown keys have no place in the model; they stay in the document, from
which the file is written. A section-less file is shown as its migration would make it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    Authority,
    DecisionState,
    Evidence,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    Relationship,
    RuleBinding,
    RuntimeEvidence,
    TestEvidence,
    Version,
    id_of,
)
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.memory_index import LIFECYCLES, MemoryIndex
from mneme_git.store.memory_rows import MemoryRow

_Record = Mapping[str, Any]


def indexed_snapshot(index: MemoryIndex, origin: str) -> Snapshot:
    """Return the decisions and versions of a verified index, in the order of the file."""
    owned: dict[str, list[_Record]] = {}
    for row in index.versions.values():
        owned.setdefault(row["decision_id"], []).append(row)
    return Snapshot(
        decisions=tuple(_state(row, owned.get(row["decision_id"], []), index) for row in index.decisions),
        versions={VersionId(name): _version(row) for name, row in index.versions.items()},
        origin=origin,
    )


def rows_snapshot(rows: Iterable[MemoryRow], origin: str) -> Snapshot:
    """Return the rows of a section-less file as decisions with one version each."""
    states: list[DecisionState] = []
    versions: dict[VersionId, Version] = {}
    for row in rows:
        version = Version(
            decision_id=DecisionId(row.id),
            statement=row.statement,
            rationale=row.rationale,
            scope=row.scope,
            constraints=row.constraints,
            anti_patterns=row.anti_patterns,
            occurrence=_occurrence(row),
        )
        versions[id_of(version)] = version
        states.append(_row_state(row, id_of(version)))
    return Snapshot(decisions=tuple(states), versions=versions, origin=origin)


def relationships_of(row: _Record) -> tuple[Relationship, ...]:
    """Return the links of a decision record."""
    return tuple(
        Relationship(target_decision_id=DecisionId(link["target_decision_id"]))
        for link in row.get("relationships", [])
    )


def test_evidence_of(row: _Record) -> tuple[TestEvidence, ...]:
    """Return the declared tests of a decision record."""
    return tuple(
        TestEvidence(selector=entry.get("selector", ""), sha=entry.get("sha", ""))
        for entry in row.get("test_evidence", [])
    )


def authority_of(row: _Record) -> Authority:
    """Return why a rule record is bound; one that does not say is a carried-over one."""
    return Authority(row.get("binding_authority", "legacy_unknown"))


def evidence_of(row: _Record) -> tuple[Evidence, ...]:
    """Return where a version record came from.

    Rows of another form, which the format allows in versions that are not active, are left out.
    """
    rows = row.get("source_evidence", [])
    if not isinstance(rows, list):
        return ()
    kept = [_evidence(entry) for entry in rows if isinstance(entry, dict)]
    return tuple(entry for entry in kept if entry is not None)


def _occurrence(row: MemoryRow) -> tuple[str, ...]:
    if row.is_item:
        return ("legacy-items", row.id)
    if row.stated is not None and row.stated.sha256:
        return (row.id, row.stated.sha256, "adr-import")
    return ("legacy-decisions", row.id)


def _row_state(row: MemoryRow, version_id: VersionId) -> DecisionState:
    source: Evidence = RuntimeEvidence()
    if row.stated is not None:
        source = AdrEvidence(source_locator=row.stated.path, sha256=row.stated.sha256)
    bindings = (
        RuleBinding(
            version_id=version_id,
            sequence=number,
            type=rule.type,
            value=rule.value,
            applicability=Applicability(rule.include_paths, rule.exclude_paths or None),
            authority=Authority.LEGACY_UNKNOWN,
        )
        for number, rule in enumerate(row.rules)
    )
    return DecisionState(
        decision_id=DecisionId(row.id),
        lifecycle_status=Lifecycle(row.status if row.status in LIFECYCLES else "inactive"),
        active_version_id=version_id,
        rules=tuple(bindings),
        test_evidence=tuple(TestEvidence(selector=selector, sha=sha) for selector, sha in row.test_evidence),
        versions=(LineageEntry(version_id=version_id, evidence=(source,)),),
    )


def _state(row: _Record, versions: list[_Record], index: MemoryIndex) -> DecisionState:
    return DecisionState(
        decision_id=DecisionId(row["decision_id"]),
        lifecycle_status=Lifecycle(row["lifecycle_status"]),
        active_version_id=VersionId(row["active_version_id"]),
        relationships=relationships_of(row),
        rules=tuple(
            _binding(rule) for version in versions for rule in index.rules_of.get(version["version_id"], ())
        ),
        test_evidence=test_evidence_of(row),
        versions=tuple(_lineage(version) for version in versions),
    )


def _version(row: _Record) -> Version:
    before = row.get("supersedes_version_id")
    return Version(
        decision_id=DecisionId(row["decision_id"]),
        statement=row["statement"],
        rationale=row.get("rationale", ""),
        scope=tuple(row.get("context_scope", [])),
        constraints=tuple(row.get("constraints", [])),
        anti_patterns=tuple(row.get("anti_patterns", [])),
        occurrence=tuple(map(str, row["occurrence_source_identity"])),
        predecessor=VersionId(before) if before is not None else None,
    )


def _binding(row: _Record) -> RuleBinding:
    paths = row.get("applicability", {})
    include, exclude = paths.get("include_paths"), paths.get("exclude_paths")
    return RuleBinding(
        version_id=VersionId(row["decision_version_id"]),
        sequence=row["sequence"],
        type=row["rule_type"],
        value=row["rule_payload"]["value"],
        applicability=Applicability(
            None if include is None else tuple(include), None if exclude is None else tuple(exclude)
        ),
        authority=authority_of(row),
    )


def _lineage(row: _Record) -> LineageEntry:
    before = row.get("supersedes_version_id")
    return LineageEntry(
        version_id=VersionId(row["version_id"]),
        predecessor=VersionId(before) if before is not None else None,
        evidence=evidence_of(row),
    )


def _evidence(row: _Record) -> Evidence | None:
    """Return an evidence row; None for one of another form, which the format allows in old versions."""

    def text(key: str) -> str:
        value = row.get(key, "")
        return value if isinstance(value, str) else ""

    kind = row.get("source_type")
    if kind == "adr":
        return AdrEvidence(source_locator=text("source_locator"), sha256=text("source_revision"))
    if kind == "proposal":
        return ProposalEvidence(
            proposal_id=text("proposal_id"),
            producer_key=text("producer_key"),
            content_fingerprint=text("content_fingerprint"),
            origin_classification=text("origin_classification"),
            proposed_at=text("proposed_at"),
            source_reference=text("source_reference"),
            source_version=text("source_revision"),
            accepted_decision_id=text("accepted_decision_id"),
            observed_at=text("observed_at"),
        )
    return RuntimeEvidence() if kind == "runtime" else None
