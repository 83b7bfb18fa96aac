"""A plan carried out on the document of an indexed memory file: records in place, unknown keys kept.

Decisions, versions and rules keep their places in the file; new ones come at the end. A record of
which a plan changes nothing stays as it was read, whatever its form.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any

from mneme_git.errors import StoreFault
from mneme_git.model.decision import DecisionState, LineageEntry, RuleBinding, id_of, rule_id_of
from mneme_git.model.ids import VersionId
from mneme_git.model.plan import Operation, PutState, PutVersion
from mneme_git.store import memory_records as records
from mneme_git.store.memory_snapshot import (
    authority_of,
    evidence_of,
    relationships_of,
    test_evidence_of,
)
from mneme_git.text.quoting import quoted

_Row = dict[str, Any]


def change_index(document: _Row, operations: Iterable[Operation], *, keep_row: Callable[[str], bool]) -> None:
    """Carry out the operations on decisions in a document that was found good.

    The rows of ``decisions`` are built anew from the index; those of which ``keep_row`` says so, by
    decision id, stay word for word where there is one.
    """
    section, wanted = document["decision_index"], list(operations)
    added = {id_of(op.version): op for op in wanted if isinstance(op, PutVersion)}
    index = _Index(section, added)
    for operation in wanted:
        if isinstance(operation, PutState):
            index.put(operation)
    known = {row["id"]: row for row in document.get("decisions", []) if keep_row(row["id"])}
    section["versions"], section["rules"] = index.versions(), index.rules()
    document["decisions"] = index.active_rows(known)


class _Index:
    """The lists of a section, by what their records are about; filled once, then changed in place."""

    def __init__(self, section: Mapping[str, Any], added: Mapping[VersionId, PutVersion]) -> None:
        self._added = added
        self._order: list[_Row] = section["decisions"]
        self._decisions: dict[str, _Row] = {row["decision_id"]: row for row in self._order}
        # Rows by the address they have in memory: a place of their own that survives new contents.
        self._versions: dict[int, _Row] = {id(row): row for row in section["versions"]}
        self._rules: dict[int, _Row] = {id(row): row for row in section["rules"]}
        self._versions_of = _by_decision(section["versions"])
        self._rules_of = _by_decision(section["rules"])

    def put(self, operation: PutState) -> None:
        """Make a state the present one."""
        state = operation.state
        row = self._decisions.get(state.decision_id)
        if row is None:
            row = records.decision_row(state, operation.updated_at)
            self._order.append(row)
            self._decisions[state.decision_id] = row
        else:
            _change_decision(row, operation)
        self._put_rules(state, self._put_versions(state))

    def versions(self) -> list[_Row]:
        """Return the versions in their order."""
        return list(self._versions.values())

    def rules(self) -> list[_Row]:
        """Return the rules in their order."""
        return list(self._rules.values())

    def active_rows(self, known: Mapping[str, _Row]) -> list[_Row]:
        """Return the rows of active decisions, in the order of the index."""
        versions = {row["version_id"]: row for row in self._versions.values()}
        bound: dict[str, list[_Row]] = {}
        for rule in self._rules.values():
            bound.setdefault(rule["decision_version_id"], []).append(rule)
        rows: list[_Row] = []
        for decision in self._order:
            if decision["lifecycle_status"] == "active":
                active = decision["active_version_id"]
                rules = sorted(bound.get(active, ()), key=lambda rule: rule["sequence"])
                made = known.get(decision["decision_id"])
                rows.append(made or records.active_row(decision, versions[active], rules))
        return rows

    def _put_versions(self, state: DecisionState) -> dict[str, str]:
        """Bring the versions of a decision in line with its lineage.

        Returns the ids that changed: a version that takes the place of another one keeps its row.
        """
        renamed: dict[str, str] = {}
        after: list[_Row] = []
        for row, entry in zip_longest(self._versions_of.get(state.decision_id, []), state.versions):
            if entry is None:
                del self._versions[id(row)]
            elif row is None:
                made = self._new_version(entry)
                self._versions[id(made)] = made
                after.append(made)
            else:
                if row["version_id"] != entry.version_id:
                    renamed[row["version_id"]] = entry.version_id
                    self._replace_version(row, entry)
                elif evidence_of(row) != entry.evidence:
                    row["source_evidence"] = records.evidence_rows(entry.evidence)
                after.append(row)
        self._versions_of[state.decision_id] = after
        return renamed

    def _new_version(self, entry: LineageEntry) -> _Row:
        added = self._of(entry)
        return records.version_row(added.version, entry, added.created_at)

    def _replace_version(self, row: _Row, entry: LineageEntry) -> None:
        added = self._of(entry)
        made = records.version_row(added.version, entry, added.created_at or row.get("created_at", ""))
        row.update(made | {"revision": row["revision"]})

    def _of(self, entry: LineageEntry) -> PutVersion:
        if entry.version_id not in self._added:
            raise StoreFault(
                f"version {quoted(entry.version_id)} is neither in the plan nor in the file",
                hint="run the command again; if it says so again, report it",
            )
        return self._added[entry.version_id]

    def _put_rules(self, state: DecisionState, renamed: Mapping[str, str]) -> None:
        """Bring the rules of a decision in line with its state."""
        before = {
            (renamed.get(row["decision_version_id"], row["decision_version_id"]), row["rule_id"]): row
            for row in self._rules_of.get(state.decision_id, [])
        }
        revisions = {row["version_id"]: row["revision"] for row in self._versions_of[state.decision_id]}
        after: list[_Row] = []
        for rule in state.rules:
            row = before.pop((rule.version_id, rule_id_of(state.decision_id, rule)), None)
            if row is None:
                row = records.rule_row(state.decision_id, rule, revisions[rule.version_id])
                self._rules[id(row)] = row
            else:
                _change_rule(row, rule)
            after.append(row)
        for gone in before.values():
            del self._rules[id(gone)]
        self._rules_of[state.decision_id] = after


def _by_decision(rows: Iterable[_Row]) -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    for row in rows:
        found.setdefault(row["decision_id"], []).append(row)
    return found


def _change_decision(row: _Row, operation: PutState) -> None:
    state = operation.state
    row["lifecycle_status"] = state.lifecycle_status.value
    row["active_version_id"] = state.active_version_id
    if test_evidence_of(row) != state.test_evidence:
        row["test_evidence"] = records.test_evidence_rows(state.test_evidence)
    if relationships_of(row) != state.relationships:
        row["relationships"] = records.relationship_rows(state.relationships)
    if operation.updated_at:
        row["updated_at"] = operation.updated_at


def _change_rule(row: _Row, rule: RuleBinding) -> None:
    row["decision_version_id"] = rule.version_id
    row["sequence"] = rule.sequence
    if authority_of(row) is not rule.authority:
        row["binding_authority"] = rule.authority.value
