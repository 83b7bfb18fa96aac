"""An ADR file to begin with, for a row of a memory file that has no other way into an index.

Whatever the row says is in the text: as front matter and directives where an ADR has a place for it, as
prose or word for word where it has none.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from msgspec import Struct

from mneme_git.decisions.front_matter_edit import scalar
from mneme_git.text.dates import day_number

_NUMBERED = re.compile(r"ADR-[0-9]+", re.ASCII)
_SCOPE = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_WORDS = re.compile(r"[a-z0-9]+", re.ASCII)
_STATUSES = {"deprecated": "deprecated", "superseded": "superseded", "inactive": "proposed"}
_KINDS = (("no ", "FORBID_DEPENDENCY"), ("FORBID_PATH ", "FORBID_PATH"), ("REQUIRE_PATH ", "REQUIRE_PATH"))
_TOLD = frozenset(
    {"id", "decision", "rationale", "scope", "constraints", "anti_patterns", "rules", "status", "created_at"}
)
_LISTS = ("scope", "constraints", "anti_patterns")
_NAME_WORDS = 6
_QUOTE = '"'


class Skeleton(Struct, frozen=True, kw_only=True):
    """An ADR for a row: a name for the file, its text, and the id of the row it is for."""

    row_id: str
    name: str
    text: str


def skeletons(rows: Sequence[Any], wanted: Iterable[int], *, today: str) -> tuple[Skeleton, ...]:
    """Return an ADR for each of the ``wanted`` places of ``rows``; what is no object has none.

    A row that is not called like an ADR gets a number above all that are. ``today`` is ``YYYY-MM-DD``.
    """
    ids = [row.get("id") for row in rows if isinstance(row, Mapping)]
    taken = [int(name[4:]) for name in ids if isinstance(name, str) and _NUMBERED.fullmatch(name)]
    number = max(taken, default=0)
    made: list[Skeleton] = []
    for place in wanted:
        row = rows[place]
        if not isinstance(row, Mapping):
            continue
        name = row.get("id")
        if not isinstance(name, str) or not _NUMBERED.fullmatch(name):
            number += 1
            adr_id = f"ADR-{number:03}"
        else:
            adr_id = name
        made.append(_skeleton(row, adr_id, today))
    return tuple(made)


def _skeleton(row: Mapping[str, Any], adr_id: str, today: str) -> Skeleton:
    statement = _text(row.get("decision"))
    title = next(iter(statement.split("\n")), "").strip() or f"Decision {row.get('id')}"
    directives, left = _directives(row)
    parts = [
        _front_matter(row, adr_id, title, today),
        _section("## Constraints", "\n".join(directives)),
        _section("## Decision", statement if statement != title else ""),
        _section("## Context", _text(row.get("rationale"))),
        _numbered(
            "## Consequences", [each for each in _texts(row.get("constraints")) if not _directive(each)]
        ),
        _numbered("## Avoid", _texts(row.get("anti_patterns"))),
        _carried(row, adr_id, left),
    ]
    words = _WORDS.findall(title.lower())[:_NAME_WORDS]
    name = "-".join([adr_id, *words]) + ".md"
    return Skeleton(row_id=str(row.get("id", "")), name=name, text="\n\n".join(filter(None, parts)) + "\n")


def _front_matter(row: Mapping[str, Any], adr_id: str, title: str, today: str) -> str:
    created = _text(row.get("created_at"))[:10]
    status = row.get("status")
    lines = [
        "---",
        f"id: {adr_id}",
        f"title: {scalar(title, _QUOTE)}",
        f"status: {_STATUSES.get(status, 'accepted') if isinstance(status, str) else 'accepted'}",
        "priority: normal",
        f"date: {created if _DAY.fullmatch(created) and day_number(created) else today}",
    ]
    scope = _one_scope(row)
    return "\n".join([*lines, *([f"scope: {scope}"] if scope else []), "---"])


def _one_scope(row: Mapping[str, Any]) -> str:
    scopes = _texts(row.get("scope"))
    return scopes[0] if len(scopes) == 1 and _SCOPE.fullmatch(scopes[0]) else ""


def _directives(row: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    """Return the lines of directives, and the rules that cannot be written as such."""
    lines: list[str] = []
    left: list[Any] = []
    rules = row.get("rules")
    for rule in rules if isinstance(rules, list) else []:
        written = _rule(rule)
        if written:
            lines.append(written)
        else:
            left.append(rule)
    return lines + [each for each in map(_directive, _texts(row.get("constraints"))) if each], left


def _rule(rule: Any) -> str:
    if not isinstance(rule, Mapping) or rule.get("type") != "FORBID_LITERAL":
        return ""
    value, include, exclude = rule.get("value"), rule.get("include_paths"), rule.get("exclude_paths")
    if not isinstance(value, str) or not _is_line(value):
        return ""
    if include is None and not exclude:
        return f"- FORBID_LITERAL: {value}"
    if not _is_texts(include) or not (exclude is None or _is_texts(exclude)):
        return ""
    lines = [f"    value: {scalar(value, _QUOTE)}", f"    include_paths: {_list(include)}"]
    lines += [f"    exclude_paths: {_list(exclude)}"] if exclude else []
    return "\n".join(["- FORBID_LITERAL:", *lines])


def _directive(constraint: str) -> str:
    """Return the directive that gives exactly this constraint; empty if none does."""
    for start, kind in _KINDS:
        rest = constraint.removeprefix(start)
        if rest != constraint and _is_line(rest):
            return f"- {kind}: {rest}"
    return ""


def _carried(row: Mapping[str, Any], adr_id: str, left: Sequence[Any]) -> str:
    """Return what has no place in an ADR, word for word."""
    rest = {key: value for key, value in row.items() if key not in _TOLD or not _is_tellable(key, value)}
    if row.get("id") != adr_id:
        rest["id"] = row.get("id")
    if left:
        rest["rules"] = left
    if row.get("scope") and not _one_scope(row):
        rest["scope"] = row["scope"]
    if not rest:
        return ""
    text = json.dumps(rest, indent=2, ensure_ascii=False, sort_keys=True)
    return f"## Carried over\n\n```json\n{text}\n```"


def _is_tellable(key: str, value: object) -> bool:
    """Tell whether the value is of the form that its key should have."""
    if key in _LISTS:
        return value == [] or _is_texts(value)
    return isinstance(value, list if key == "rules" else str)


def _numbered(heading: str, entries: Sequence[str]) -> str:
    lines = [f"{number}. {entry}" for number, entry in enumerate(entries, start=1)]
    return _section(heading, "\n".join(lines))


def _section(heading: str, text: str) -> str:
    return f"{heading}\n\n{text}" if text else ""


def _is_line(value: str) -> bool:
    return bool(value) and value == value.strip() and value.isprintable()


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(scalar(value, _QUOTE) for value in values)}]"


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
