"""What differs between two memory files, by record where both can be parsed, by line where one cannot."""

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

_LISTS = (("decisions", "decision_id"), ("versions", "version_id"), ("rules", "rule_id"))
_MOST_LINES = 60


def differences(good: bytes, other: bytes) -> tuple[str, ...]:
    """Return, in words, what ``other`` has that ``good`` has not, lacks, or has otherwise."""
    before, after = _parsed(good), _parsed(other)
    if before is None or after is None:
        return tuple(_lines(good, other))
    found = [*_records(before, after), *_keys(before, after)]
    return tuple(found) or tuple(_lines(good, other))


def _parsed(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _records(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    yield from _list("row of decisions[]", before.get("decisions"), after.get("decisions"), "id")
    old, new = before.get("decision_index"), after.get("decision_index")
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    for name, key in _LISTS:
        yield from _list(f"decision_index.{name}", old.get(name), new.get(name), key)


def _list(what: str, before: object, after: object, key: str) -> Iterator[str]:
    old, new = _by_name(before, key), _by_name(after, key)
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in new:
            yield f"{what}: '{name}' is missing"
        elif name not in old:
            yield f"{what}: '{name}' is new"
        elif old[name] != new[name]:
            yield f"{what}: '{name}' differs{_fields(old[name], new[name])}"
    if old and new and old == new and list(old) != list(new):
        yield f"{what}: another order"


def _by_name(rows: object, key: str) -> dict[str, Any]:
    """Return rows by what they are called; a name that occurs again is numbered."""
    found: dict[str, Any] = {}
    for row in rows if isinstance(rows, list) else []:
        name = str(row.get(key)) if isinstance(row, dict) else json.dumps(row)[:40]
        number = sum(1 for each in found if each == name or each.startswith(f"{name} #"))
        found[f"{name} #{number + 1}" if number else name] = row
    return found


def _fields(before: object, after: object) -> str:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ""
    keys = [*before, *(key for key in after if key not in before)]
    missing = object()
    return " in " + ", ".join(k for k in keys if before.get(k, missing) != after.get(k, missing))


def _keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    known = {"decisions", "decision_index"}
    for key in [*before, *(key for key in after if key not in before)]:
        if key not in after:
            yield f"'{key}' is missing"
        elif key not in before:
            yield f"'{key}' is new"
        elif key not in known and before[key] != after[key]:
            yield f"'{key}' differs"


def _lines(good: bytes, other: bytes) -> Iterator[str]:
    before, after = (data.decode("utf-8", "backslashreplace").split("\n") for data in (good, other))
    lines = difflib.unified_diff(before, after, "good", "now", n=1, lineterm="")
    for number, line in enumerate(lines):
        if number == _MOST_LINES:
            yield "…"
            return
        yield line
