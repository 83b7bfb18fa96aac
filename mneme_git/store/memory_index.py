"""The ``decision_index`` of a memory file: every check of the format, in its order, with its words."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from mneme_git.errors import InvalidMemory
from mneme_git.model import identity
from mneme_git.model.ids import PROPOSAL_PREFIX, VersionId
from mneme_git.store.memory_rows import rule_problem, selector_lists
from mneme_git.text.quoting import quoted

SCHEMA = "mneme.decision-index/v1"
CLASSES = ("architecture",)
LIFECYCLES = ("active", "superseded", "deprecated", "inactive")
AUTHORITIES = ("version", "protection", "legacy_unknown")
_COMMON = ("source_locator", "source_revision", "observed_at", "verification_status")
_PROPOSAL = (
    "proposal_id",
    "producer_key",
    "content_fingerprint",
    "origin_classification",
    "proposed_at",
    "source_reference",
    "accepted_decision_id",
)
_EVIDENCE_FIELDS = {"adr": (), "runtime": (), "proposal": _PROPOSAL}
_Record = Mapping[str, Any]


class MemoryIndex(Struct, frozen=True, kw_only=True):
    """The verified records of an index, as they stand in the file, with the order of its lists kept.

    ``rules_of`` holds the bindings of each version by sequence.
    """

    decisions: tuple[_Record, ...]
    versions: dict[str, _Record]
    rules_of: dict[str, tuple[_Record, ...]]


def verify_index(section: object) -> MemoryIndex:
    """Return the index that ``section`` holds.

    The relation to the file's ``decisions`` rows is checked in ``memory_agreement``.

    Raises:
        InvalidMemory: the first check that fails, in the order of the format.
    """
    if not isinstance(section, dict):
        raise InvalidMemory("decision_index must be an object")
    if section.get("schema") != SCHEMA:
        raise InvalidMemory(f"decision_index schema must be '{SCHEMA}'")
    for name in ("decisions", "versions", "rules"):
        if not isinstance(section.get(name), list):
            raise InvalidMemory(f"decision_index.{name} must be a list")
    versions = _versions(section["versions"])
    rules = _rules(section["rules"], versions)
    decisions = _decisions(section["decisions"], versions)
    for name, version in versions.items():
        if version["decision_id"] not in decisions:
            raise InvalidMemory(f"orphan version {quoted(name)} has no logical decision")
    return MemoryIndex(decisions=tuple(decisions.values()), versions=versions, rules_of=rules)


def _versions(rows: list[Any]) -> dict[str, _Record]:
    found: dict[str, _Record] = {}
    for number, row in enumerate(rows):
        _need_object(row, f"decision_index.versions[{number}]")
        _version(row, f"versions[{number}]", found)
        found[row["version_id"]] = row
    for name, row in found.items():
        before = row.get("supersedes_version_id")
        if before is not None and found.get(before, {}).get("decision_id") != row["decision_id"]:
            raise InvalidMemory(f"version {quoted(name)} has invalid predecessor {quoted(before)}")
    return found


def _version(row: _Record, where: str, known: Mapping[str, _Record]) -> None:
    name = _need_name(row, "version_id", where)
    if name in known:
        raise InvalidMemory(f"duplicate version_id {quoted(name)}")
    _need_name(row, "decision_id", where)
    _need_name(row, "revision", where)
    _need_text(row.get("statement"), f"{where}.statement")
    _need_text(row.get("rationale", ""), f"{where}.rationale")
    for key in ("context_scope", "constraints", "anti_patterns"):
        _need_texts(row.get(key, []), f"{where}.{key}")
    _need_name(row, "content_digest", where)
    _verify_identity(row, name, where)


def _verify_identity(row: _Record, name: str, where: str) -> None:
    digest = identity.content_digest(
        row["statement"],
        row.get("rationale", ""),
        row.get("context_scope", []),
        row.get("constraints", []),
        row.get("anti_patterns", []),
    )
    if row["content_digest"] != digest:
        raise InvalidMemory(f"version {quoted(name)} content_digest mismatch")
    occurrence, before = row.get("occurrence_source_identity"), row.get("supersedes_version_id")
    if not isinstance(occurrence, list):
        raise InvalidMemory(f"{where}.occurrence_source_identity must be a list")
    if before is not None and not isinstance(before, str):
        raise InvalidMemory(f"{where}.supersedes_version_id must be a string or null")
    # The format hashes an empty predecessor like none; the check of predecessors then refuses it.
    made = identity.version_id(row["decision_id"], digest, occurrence, VersionId(before) if before else None)
    if made != name:
        raise InvalidMemory(f"version {quoted(name)} identity mismatch")


def _rules(rows: list[Any], versions: Mapping[str, _Record]) -> dict[str, tuple[_Record, ...]]:
    sequences: dict[str, dict[int, _Record]] = {}
    bound: set[tuple[str, str, str]] = set()
    for number, row in enumerate(rows):
        _need_object(row, f"decision_index.rules[{number}]")
        where = f"rules[{number}]"
        rule_id, decision_id, version_id = (
            _need_name(row, key, where) for key in ("rule_id", "decision_id", "decision_version_id")
        )
        _verify_binding(row, where, versions, sequences.setdefault(version_id, {}))
        _verify_rule(row, where)
        binding = (decision_id, version_id, rule_id)
        if binding in bound:
            raise InvalidMemory(f"duplicate rule binding {quoted(binding)}")
        bound.add(binding)
        sequences[version_id][row["sequence"]] = row
    return {name: tuple(rows[key] for key in sorted(rows)) for name, rows in sequences.items()}


def _verify_binding(
    row: _Record, where: str, versions: Mapping[str, _Record], taken: Mapping[int, _Record]
) -> None:
    version_id = row["decision_version_id"]
    version = versions.get(version_id)
    if version is None or version["decision_id"] != row["decision_id"]:
        raise InvalidMemory(f"{_named(row)} does not resolve to its declared decision/version")
    if _need_name(row, "decision_version", where) != version["revision"]:
        raise InvalidMemory(f"{_named(row)} display version disagrees with its version occurrence")
    sequence = row.get("sequence")
    if not isinstance(sequence, int) or isinstance(sequence, bool) or sequence < 0:
        raise InvalidMemory(f"{_named(row)} sequence must be a non-negative integer")
    if sequence in taken:
        raise InvalidMemory(f"duplicate rule sequence {sequence} for version {quoted(version_id)}")


def _verify_rule(row: _Record, where: str) -> None:
    kind = _need_name(row, "rule_type", where)
    payload = row.get("rule_payload")
    if not isinstance(payload, dict):
        raise InvalidMemory(f"{where}.rule_payload must be an object")
    if payload.keys() != {"value"}:
        raise InvalidMemory(f"{_named(row)} payload contains unsupported fields")
    value = _need_name(payload, "value", f"{where}.rule_payload")
    applicability = row.get("applicability", {})
    if not isinstance(applicability, dict):
        raise InvalidMemory(f"{where}.applicability must be an object")
    authority = row.get("binding_authority", "legacy_unknown")
    if authority not in AUTHORITIES:
        raise InvalidMemory(f"{_named(row)} has invalid binding_authority {quoted(authority)}")
    unknown = sorted(applicability.keys() - {"include_paths", "exclude_paths"})
    if unknown:
        raise InvalidMemory(f"{_named(row)} applicability contains unsupported fields {unknown}")
    problem = _rule_reason(kind, value, applicability)
    if problem:
        raise InvalidMemory(f"{_named(row)} is invalid: {problem}")
    if identity.rule_id(row["decision_id"], kind, value, applicability) != row["rule_id"]:
        raise InvalidMemory(f"{_named(row)} identity mismatch")


def _named(row: _Record) -> str:
    return f"rule {quoted(row['rule_id'])}"


def _rule_reason(kind: str, value: str, applicability: _Record) -> str:
    try:
        include, exclude = selector_lists(applicability)
    except InvalidMemory as error:
        return error.reason
    return rule_problem(kind, value, include, exclude)


def _decisions(rows: list[Any], versions: Mapping[str, _Record]) -> dict[str, _Record]:
    found: dict[str, _Record] = {}
    active: set[str] = set()
    for number, row in enumerate(rows):
        _need_object(row, f"decision_index.decisions[{number}]")
        name = _verify_decision(row, f"decisions[{number}]", found)
        version_id = row["active_version_id"]
        if version_id in active:
            raise InvalidMemory(f"version {quoted(version_id)} is active for more than one decision")
        version = versions.get(version_id)
        if version is None or version["decision_id"] != name:
            named = f"decision {quoted(name)} active_version_id {quoted(version_id)}"
            raise InvalidMemory(f"{named} does not resolve to that decision")
        active.add(version_id)
        _need_text(version.get("created_at", ""), f"version {quoted(version_id)} created_at")
        _need_text(row.get("updated_at", ""), f"decision {quoted(name)} updated_at")
        _verify_evidence(version.get("source_evidence", []), name)
        _verify_test_evidence(row.get("test_evidence", []), name)
        _verify_relationships(row.get("relationships", []), name)
        found[name] = row
    return found


def _verify_decision(row: _Record, where: str, known: Mapping[str, _Record]) -> str:
    name = _need_name(row, "decision_id", where)
    if name in known:
        raise InvalidMemory(f"duplicate decision_id {quoted(name)}")
    if name.startswith(PROPOSAL_PREFIX):
        raise InvalidMemory(f"decision id {quoted(name)} uses reserved proposal namespace")
    kind = _need_name(row, "decision_class", where)
    if kind not in CLASSES:
        raise InvalidMemory(f"decision {quoted(name)} has unsupported decision_class {quoted(kind)}")
    status = _need_name(row, "lifecycle_status", where)
    if status not in LIFECYCLES:
        raise InvalidMemory(f"decision {quoted(name)} has invalid lifecycle_status {quoted(status)}")
    _need_name(row, "active_version_id", where)
    return name


def _verify_evidence(rows: object, decision_id: str) -> None:
    if not isinstance(rows, list):
        raise InvalidMemory(f"decision {quoted(decision_id)} source_evidence must be a list")
    for number, row in enumerate(rows):
        where, named = f"source_evidence[{number}]", f"decision {quoted(decision_id)}"
        _need_object(row, where)
        kind = _need_name(row, "source_type", where)
        if kind not in _EVIDENCE_FIELDS:
            raise InvalidMemory(f"{named} source evidence has unknown source_type {quoted(kind)}")
        required = _EVIDENCE_FIELDS[kind]
        unknown = sorted(set(row) - {"source_type", *_COMMON, *required})
        if unknown:
            raise InvalidMemory(
                f"{named} source evidence type {quoted(kind)} contains unsupported fields {unknown}"
            )
        for key in _COMMON:
            _need_text(row.get(key, ""), f"{where}.{key}")
        for key in required:
            _need_name(row, key, where)
        if required and row["accepted_decision_id"] != decision_id:
            raise InvalidMemory(f"{named} proposal provenance links to {quoted(row['accepted_decision_id'])}")


def _verify_test_evidence(rows: object, decision_id: str) -> None:
    if not isinstance(rows, list):
        raise InvalidMemory(f"decision {quoted(decision_id)} test_evidence must be a list")
    for number, row in enumerate(rows):
        _need_object(row, f"test_evidence[{number}]")
        for key in ("selector", "sha"):
            _need_text(row.get(key, ""), f"test_evidence[{number}].{key}")


def _verify_relationships(rows: object, decision_id: str) -> None:
    if not isinstance(rows, list):
        raise InvalidMemory(f"decision {quoted(decision_id)} relationships must be a list")
    for number, row in enumerate(rows):
        where = f"relationships[{number}]"
        _need_object(row, where)
        kind = _need_name(row, "type", where)
        _need_name(row, "target_decision_id", where)
        if kind != "supersedes":
            raise InvalidMemory(
                f"decision {quoted(decision_id)} has unsupported relationship type {quoted(kind)}"
            )


def _need_object(row: object, where: str) -> None:
    if not isinstance(row, dict):
        raise InvalidMemory(f"{where} must be an object")


def _need_name(row: _Record, key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidMemory(f"{where}.{key} must be a non-empty string")
    return value


def _need_text(value: object, where: str) -> None:
    if not isinstance(value, str):
        raise InvalidMemory(f"{where} must be a string")


def _need_texts(value: object, where: str) -> None:
    if not isinstance(value, list):
        raise InvalidMemory(f"{where} must be a list")
    if not all(isinstance(entry, str) for entry in value):
        raise InvalidMemory(f"{where} must contain only strings")
