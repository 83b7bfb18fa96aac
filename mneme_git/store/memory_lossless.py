"""Whether the rows of a section-less memory file can become an index without losing anything."""

from collections.abc import Iterator, Mapping
from typing import Any

from mneme_git.model.migration import RowProblem
from mneme_git.store.memory_index import LIFECYCLES
from mneme_git.text.adr_name import names_its_decision
from mneme_git.text.quoting import quoted

_ROW = frozenset(
    {
        "id", "decision", "rationale", "scope", "constraints", "anti_patterns", "rules", "test_evidence",
        "created_at", "updated_at", "status", "source",
    }
)  # fmt: skip
_RULE = frozenset({"type", "value", "include_paths", "exclude_paths"})
_TEST = frozenset({"selector", "sha"})
_SOURCE = frozenset({"type", "path", "sha256"})
_Row = Mapping[str, Any]


def lossless_problems(document: Mapping[str, Any]) -> tuple[RowProblem, ...]:
    """Return everything in ``decisions`` that an index has no place for, in the order of the format."""
    rows = document.get("decisions", [])
    if not isinstance(rows, list):
        return (RowProblem(None, "decisions must be a list"),)
    return tuple(
        RowProblem(number, text)
        for number, row in enumerate(rows)
        for text in _row(row, f"decisions[{number}]")
    )


def _row(row: object, where: str) -> Iterator[str]:
    if not isinstance(row, dict):
        yield f"{where} is not an object"
        return
    name = row.get("id")
    if not isinstance(name, str) or not name:
        yield f"{where} has no non-empty string id"
        return
    named = f"decision {quoted(name)}"
    yield from _unknown(row, _ROW, named)
    yield from _text(row.get("decision"), "decision", named)
    for key in ("rationale", "created_at", "updated_at"):
        yield from _text(row.get(key, ""), key, named)
    for key in ("scope", "constraints", "anti_patterns"):
        yield from _texts(row.get(key, []), key, named)
    status = row.get("status", "active")
    if not isinstance(status, str) or status not in LIFECYCLES:
        yield f"{named} field 'status' has unsupported value {quoted(status)}"
    yield from _rules(row.get("rules", []), named)
    yield from _tests(row.get("test_evidence"), named)
    if "source" in row:
        yield from _source(row["source"], name, named)


def _rules(rules: object, named: str) -> Iterator[str]:
    if not isinstance(rules, list):
        yield f"{named} field 'rules' must be a list"
        return
    for number, rule in enumerate(rules):
        where = f"{named} rules[{number}]"
        if not isinstance(rule, dict):
            yield f"{where} is not an object"
            continue
        yield from _unknown(rule, _RULE, where)
        yield from _text(rule.get("type"), "type", where)
        yield from _text(rule.get("value"), "value", where)
        for key in ("include_paths", "exclude_paths"):
            yield from _texts(rule.get(key, []), key, where)


def _tests(tests: object, named: str) -> Iterator[str]:
    if tests is None:
        return
    if not isinstance(tests, list):
        yield f"{named} field 'test_evidence' must be a list"
        return
    for number, test in enumerate(tests):
        where = f"{named} test_evidence[{number}]"
        if not isinstance(test, dict):
            yield f"{where} is not an object"
            continue
        yield from _unknown(test, _TEST, where)
        yield from _text(test.get("selector"), "selector", where)
        yield from _text(test.get("sha", ""), "sha", where)
        if test.get("sha") == "":
            # Other readers of the format tell an empty value from none, and would refuse the result.
            yield f"{where} field 'sha' is empty; leave it out"


def _source(source: object, name: str, named: str) -> Iterator[str]:
    if not isinstance(source, dict):
        yield f"{named} source is not an object"
        return
    yield from _unknown(source, _SOURCE, f"{named} source")
    kind, path = source.get("type"), source.get("path")
    if kind != "adr":
        yield (
            f"{named} source type {quoted(kind)} has no canonical provenance representation in D1 "
            "(only 'adr' sources migrate)"
        )
    elif not isinstance(path, str) or not names_its_decision(path, name):
        yield f"{named} source path {quoted(path)} does not resolve to an ADR file for this decision"
    if not isinstance(source.get("sha256", ""), str):
        yield f"{named} source field 'sha256' must be a string"


def _unknown(row: _Row, known: frozenset[str], named: str) -> Iterator[str]:
    for key in sorted(set(row) - known):
        yield f"{named} contains unsupported field {quoted(key)}"


def _text(value: object, key: str, named: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{named} field '{key}' must be a string"


def _texts(value: object, key: str, named: str) -> Iterator[str]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        yield f"{named} field '{key}' must be a list of strings"
