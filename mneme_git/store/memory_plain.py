"""A plan carried out on a section-less memory file: a row more, or other rules in a row.

Such a file has no place for versions, lifecycles and links. A plan that changes these is refused: the
way there is the migration.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from mneme_git.errors import Refused
from mneme_git.model.decision import DecisionState, RuleBinding, active_rules, id_of
from mneme_git.model.ids import VersionId
from mneme_git.model.plan import Operation, PutState, PutVersion
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.memory_records import typed_rule_row

_Row = dict[str, Any]


def needs_migration(name: str) -> Refused:
    """Return the refusal of what only an index can hold; the text is that of the format."""
    return Refused(
        f"project memory {name} has no authoritative decision_index section.\n"
        f"  Preview the migration:  mneme decision-index migrate --memory {name}\n"
        f"  After reviewing it, apply: mneme decision-index migrate --memory {name} --apply"
    )


def change_rows(document: _Row, operations: Iterable[Operation], before: Snapshot, name: str) -> None:
    """Carry out the operations on decisions in a section-less document that was found good.

    ``before`` is what the document holds.

    Raises:
        Refused: the format has no place for the change.
    """
    wanted = list(operations)
    added = {id_of(op.version): op for op in wanted if isinstance(op, PutVersion)}
    rows: list[_Row] = document.setdefault("decisions", [])
    by_id = {row["id"]: row for row in rows}
    for operation in wanted:
        if not isinstance(operation, PutState):
            continue
        state = operation.state
        row, known = by_id.get(state.decision_id), before.state(state.decision_id)
        if known is None:
            rows.append(_new_row(operation, added, name))
        elif row is None or replace(known, rules=state.rules) != state:
            raise needs_migration(name)
        else:
            _change_rules(row, active_rules(known), active_rules(state))


def _new_row(operation: PutState, added: dict[VersionId, PutVersion], name: str) -> _Row:
    state = operation.state
    made = added.get(state.active_version_id)
    if made is None or not _is_plain(state):
        raise needs_migration(name)
    version = made.version
    return {
        "id": state.decision_id,
        "decision": version.statement,
        "rationale": version.rationale,
        "scope": list(version.scope),
        "constraints": list(version.constraints),
        "anti_patterns": list(version.anti_patterns),
        "created_at": made.created_at,
        "updated_at": operation.updated_at,
    }


def _is_plain(state: DecisionState) -> bool:
    """Tell whether a decision is new, active, and nothing but its text."""
    extra = state.rules or state.relationships or state.test_evidence
    return not extra and len(state.versions) == 1 and state.lifecycle_status.value == "active"


def _change_rules(row: _Row, before: Sequence[RuleBinding], after: Sequence[RuleBinding]) -> None:
    """Write other rules; those that stay keep their words. The key is made at the end of the row."""
    stated: list[_Row] = row.get("rules", [])
    known = {rule.sequence: (_what(rule), text) for rule, text in zip(before, stated, strict=True)}
    rules: list[_Row] = []
    for rule in after:
        what, text = known.get(rule.sequence, (None, None))
        rules.append(text if text is not None and what == _what(rule) else typed_rule_row(rule))
    if rules != stated:
        row["rules"] = rules


def _what(rule: RuleBinding) -> tuple[object, ...]:
    return rule.type, rule.value, rule.applicability
