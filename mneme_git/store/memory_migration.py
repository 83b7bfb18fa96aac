"""A section-less memory file made into one with an index, without a loss or not at all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from mneme_git.errors import InvalidMemory, Refused
from mneme_git.model.decision import DecisionState, active_rules, rule_id_of
from mneme_git.model.ids import PROPOSAL_PREFIX
from mneme_git.model.migration import MigrationFacts, MigrationRefused, lossy
from mneme_git.store import memory_records as records
from mneme_git.store.memory_index import SCHEMA
from mneme_git.store.memory_lossless import lossless_problems
from mneme_git.store.memory_read import INDEX, contents_of, parse_document
from mneme_git.store.memory_rows import (
    MemoryRow,
    Resolver,
    read_items,
    read_rows,
    rule_problem,
    selector_lists,
)
from mneme_git.store.memory_snapshot import rows_snapshot
from mneme_git.store.memory_write import encode_document
from mneme_git.text.quoting import quoted

_ITEM_KINDS = ("rule", "anti_pattern")


class Migration(Struct, frozen=True, kw_only=True):
    """What the bytes of a file become; ``facts`` is None and ``after`` is ``before`` if it has an index."""

    before: bytes
    after: bytes
    facts: MigrationFacts | None


def plan_migration(data: bytes, path: Path, name: str) -> Migration:
    """Plan the migration of the memory file at ``path`` with these bytes; ``name`` is for messages.

    The result is read back and verified before it is offered.

    Raises:
        MigrationRefused: something would be lost, or the result would not be valid.
        Refused: the file has an index, but not a valid one.
    """
    document = _document(data)
    if INDEX in document:
        _verify_index(data, path, name)
        return Migration(before=data, after=data, facts=None)
    problems = lossless_problems(document)
    if problems:
        raise lossy(problems)
    try:
        facts = _migrate(document, path)
        after = encode_document(document)
        contents_of(after, path, need_head=False)
    except InvalidMemory as error:
        raise MigrationRefused(error.reason) from error
    return Migration(before=data, after=after, facts=facts)


def _document(data: bytes) -> dict[str, Any]:
    try:
        document = parse_document(data)
    except InvalidMemory as error:
        raise MigrationRefused(f"project memory is not valid UTF-8 JSON: {error.reason}") from error
    if not isinstance(document, dict):
        raise MigrationRefused("project memory must be an object")
    return document


def _verify_index(data: bytes, path: Path, name: str) -> None:
    try:
        contents_of(data, path, need_head=False)
    except InvalidMemory as error:
        raise Refused(
            f"the canonical Decision Index in {name} is invalid; migration is not a repair path: "
            f"{error.reason}"
        ) from error


def _migrate(document: dict[str, Any], path: Path) -> MigrationFacts:
    """Give the document an index in place."""
    rows: list[dict[str, Any]] = document.get("decisions", [])
    _verify_ids([row["id"] for row in rows])
    _verify_items(document, {row["id"] for row in rows})
    _verify_rules(rows)
    native, items = read_rows(document, Resolver(path.parent)), read_items(document)
    states, index = _index((*native, *items))
    document[INDEX] = index
    document["decisions"] = [
        *(row for row in rows if row.get("status", "active") == "active"),
        *_item_rows(index, len(native)),
    ]
    retired = tuple((row.id, row.status) for row in native if row.status != "active")
    return MigrationFacts(
        native=len(native),
        active=len(native) - len(retired) + len(items),
        retired=retired,
        items=tuple(row.id for row in items),
        rules=sum(len(state.rules) for state in states),
    )


def _index(rows: Sequence[MemoryRow]) -> tuple[tuple[DecisionState, ...], dict[str, Any]]:
    snapshot = rows_snapshot(rows, "")
    decisions: list[Any] = []
    versions: list[Any] = []
    rules: list[Any] = []
    for number, (row, state) in enumerate(zip(rows, snapshot.decisions, strict=True)):
        _verify_unique_rules(number, state)
        version = snapshot.versions[state.active_version_id]
        decisions.append(records.decision_row(state, row.updated_at))
        versions.append(records.version_row(version, state.versions[0], row.created_at))
        rules += [
            records.rule_row(state.decision_id, rule, records.FIRST_REVISION) for rule in active_rules(state)
        ]
    section: dict[str, Any] = {"schema": SCHEMA, "decisions": decisions, "versions": versions, "rules": rules}
    return snapshot.decisions, section


def _item_rows(index: Mapping[str, Any], native: int) -> list[dict[str, Any]]:
    pairs = list(zip(index["decisions"], index["versions"], strict=True))
    return [records.active_row(decision, version, ()) for decision, version in pairs[native:]]


def _verify_ids(names: Sequence[str]) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise MigrationRefused(f"duplicate decision id {quoted(twice)} in decisions[]")
    reserved = next((name for name in names if name.startswith(PROPOSAL_PREFIX)), None)
    if reserved is not None:
        raise MigrationRefused(f"decision id {quoted(reserved)} uses reserved proposal namespace")


def _verify_items(document: Mapping[str, Any], taken: set[str]) -> None:
    items = document.get("items", [])
    if not isinstance(items, list):
        raise MigrationRefused("items must be a list")
    for item in items:
        if not isinstance(item, dict):
            raise MigrationRefused("memory item must be an object")
        absent = next((key for key in ("id", "type", "title", "content") if key not in item), None)
        if absent is not None:
            raise MigrationRefused(f"invalid memory item: {quoted(absent)}")
        if not isinstance(item["type"], str) or not isinstance(item.get("tags", []), list):
            raise MigrationRefused(
                f"invalid memory item: type of {quoted(item['id'])} must be a string, tags a list"
            )
    for item in items:
        name = item["id"]
        if item["type"] not in _ITEM_KINDS or not isinstance(name, str):
            continue
        if name in taken:
            raise MigrationRefused(f"legacy item id {quoted(name)} collides with an existing decision id")
        if name.startswith(PROPOSAL_PREFIX):
            raise MigrationRefused(f"legacy item id {quoted(name)} uses reserved proposal namespace")
        taken.add(name)


def _verify_rules(rows: Sequence[Mapping[str, Any]]) -> None:
    for number, row in enumerate(rows):
        for place, rule in enumerate(row.get("rules", [])):
            include, exclude = selector_lists(rule)
            problem = rule_problem(rule["type"], rule["value"], include, exclude)
            if problem:
                raise MigrationRefused(f"decision {quoted(row['id'])} rules[{place}]: {problem}", (number,))


def _verify_unique_rules(number: int, state: DecisionState) -> None:
    names = [rule_id_of(state.decision_id, rule) for rule in state.rules]
    if len(set(names)) < len(names):
        raise MigrationRefused(
            f"decision {quoted(state.decision_id)} contains duplicate identical rule bindings", (number,)
        )
