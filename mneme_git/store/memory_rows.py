"""The rows of a memory file's ``decisions`` and ``items``, read as the format says.

A row is what enforcement sees, whether it stands for itself (a section-less file) or is the
compatibility snapshot of a decision index.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from mneme_git.errors import InvalidMemory
from mneme_git.model.enforced import TypedRule
from mneme_git.text.adr_name import names_its_decision
from mneme_git.text.quoting import quoted
from mneme_git.text.selectors import selector_problem

RULE_TYPES = ("FORBID_LITERAL",)


class StatedSource(Struct, frozen=True):
    """The ADR that a row names, word for word; ``path`` is relative to the memory file's folder."""

    path: str
    sha256: str


class MemoryRow(Struct, frozen=True, kw_only=True):
    """One decision as a row states it.

    ``source`` is the absolute, symlink-free path of the ADR, empty unless the file is named after the
    decision. ``stated`` is the ADR source as it stands in the row, whatever its name.
    """

    id: str
    statement: str
    rationale: str = ""
    scope: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    anti_patterns: tuple[str, ...] = ()
    rules: tuple[TypedRule, ...] = ()
    test_evidence: tuple[tuple[str, str], ...] = ()
    created_at: str = ""
    updated_at: str = ""
    status: str = "active"
    source: str = ""
    stated: StatedSource | None = None
    is_item: bool = False


class Resolver:
    """Absolute paths of ADR sources, each folder resolved once."""

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._folders: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def resolve(self, locator: str) -> str:
        """Return ``locator``, relative to the folder, as an absolute path without symbolic links."""
        found = self._known.get(locator)
        if found is None:
            found = self._known[locator] = self._resolve(locator)
        return found

    def known(self) -> dict[str, str]:
        """Return what was resolved, by locator."""
        return dict(self._known)

    def _resolve(self, locator: str) -> str:
        folder, _, name = locator.rpartition("/")
        if not folder or name in {"", ".", ".."}:
            return os.path.realpath(os.path.join(self._folder, locator))  # noqa: PTH118
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(os.path.join(self._folder, folder))  # noqa: PTH118
        path = f"{self._folders[folder].rstrip('/')}/{name}"
        return os.path.realpath(path) if os.path.islink(path) else path  # noqa: PTH114


def read_rows(document: Mapping[str, Any], resolver: Resolver) -> tuple[MemoryRow, ...]:
    """Return the rows of ``decisions``, in file order.

    Raises:
        InvalidMemory: a row is not of the form.
    """
    rows = document.get("decisions", [])
    if not isinstance(rows, list):
        raise InvalidMemory("decisions must be a list")
    return tuple(_row(row, f"decisions[{number}]", resolver) for number, row in enumerate(rows))


def read_items(document: Mapping[str, Any]) -> tuple[MemoryRow, ...]:
    """Return the decisions that the older free-form ``items`` amount to, in file order.

    Every item must have its four fields; only ``rule`` and ``anti_pattern`` make a decision.

    Raises:
        InvalidMemory: an item is not of the form.
    """
    items = need_records(document, "items", ("id", "type", "title", "content"))
    made = (_item(item, f"items[{number}]") for number, item in enumerate(items))
    return tuple(row for row in made if row is not None)


def need_records(document: Mapping[str, Any], key: str, fields: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return a list of objects that all have ``fields``; an absent list is empty.

    Raises:
        InvalidMemory: it is another thing, or a field is absent.
    """
    records = document.get(key, [])
    if not isinstance(records, list):
        raise InvalidMemory(f"{key} must be a list")
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            raise InvalidMemory(f"{key}[{number}] must be an object")
        for field in fields:
            need_key(record, field, f"{key}[{number}]")
    return records


def need_key(row: Mapping[str, Any], key: str, where: str) -> Any:
    """Return a required value; the reason for an absent one is only its name, as the format has it."""
    if key not in row:
        raise InvalidMemory(f"'{key}'", detail=f"{where} lacks the required key '{key}'")
    return row[key]


def rule_problem(kind: str, value: object, include: tuple[str, ...] | None, exclude: tuple[str, ...]) -> str:
    """Return why a typed rule is none, in the words of the format; empty if it is one."""
    if kind not in RULE_TYPES:
        return f"unknown rule type {quoted(kind)} (expected one of {list(RULE_TYPES)})"
    if not isinstance(value, str) or not value.strip():
        return "rule value must be a non-empty string"
    if include is not None and not include:
        return "include_paths must be a non-empty tuple when provided"
    if exclude and include is None:
        return "exclude_paths require include_paths"
    return next(filter(None, map(selector_problem, (*(include or ()), *exclude))), "")


def selector_lists(paths: Mapping[str, Any]) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return the include (None if absent) and exclude selectors of a rule.

    Raises:
        InvalidMemory: one is not a list of texts.
    """
    if "include_paths" not in paths and "exclude_paths" not in paths:
        return None, ()
    lists: list[tuple[str, ...] | None] = []
    for name in ("include_paths", "exclude_paths"):
        if name in paths and not isinstance(paths[name], list):
            raise InvalidMemory(f"{name} must be a list")
        if not all(isinstance(entry, str) for entry in paths.get(name, ())):
            raise InvalidMemory(f"{name} must contain only strings")
        lists.append(tuple(paths[name]) if name in paths else None)
    return lists[0], lists[1] or ()


def _item(item: Mapping[str, Any], where: str) -> MemoryRow | None:
    kind = item["type"]
    if kind not in ("rule", "anti_pattern"):
        return None
    name, title = _text(item["id"], "id", where), _text(item["title"], "title", where)
    content = _text(item["content"] or "", "content", where)
    return MemoryRow(
        id=name,
        statement=title if kind == "rule" else f"Avoid: {title}",
        scope=("general",),
        constraints=(content,) if content else (),
        anti_patterns=() if kind == "rule" else (title,),
        is_item=True,
    )


def _row(row: object, where: str, resolver: Resolver) -> MemoryRow:
    if not isinstance(row, dict):
        raise InvalidMemory("decision record must be an object", detail=f"{where} must be an object")
    name = _text(need_key(row, "id", where), "id", where)
    statement = _text(need_key(row, "decision", where), "decision", where)
    stated = _stated_source(row.get("source"))
    return MemoryRow(
        id=name,
        statement=statement,
        rationale=_optional_text(row, "rationale", where),
        scope=_texts(row, "scope", where),
        constraints=_texts(row, "constraints", where),
        anti_patterns=_texts(row, "anti_patterns", where),
        rules=_rules(row.get("rules", []), where),
        test_evidence=_test_evidence(row.get("test_evidence"), where),
        created_at=_optional_text(row, "created_at", where),
        updated_at=_optional_text(row, "updated_at", where),
        status=_optional_text(row, "status", where) if "status" in row else "active",
        source=resolver.resolve(stated.path) if stated and names_its_decision(stated.path, name) else "",
        stated=stated,
    )


def _stated_source(source: object) -> StatedSource | None:
    if not isinstance(source, dict) or source.get("type") != "adr":
        return None
    path, sha256 = source.get("path"), source.get("sha256")
    if not isinstance(path, str) or not path:
        return None
    return StatedSource(path, sha256 if isinstance(sha256, str) else "")


def _rules(rules: object, where: str) -> tuple[TypedRule, ...]:
    if not isinstance(rules, list):
        raise InvalidMemory(f"{where}.rules must be a list")
    return tuple(_rule(rule, f"{where}.rules[{number}]") for number, rule in enumerate(rules))


def _rule(rule: object, where: str) -> TypedRule:
    if not isinstance(rule, dict):
        raise InvalidMemory("rule record must be an object", detail=f"{where} must be an object")
    kind, value = need_key(rule, "type", where), need_key(rule, "value", where)
    try:
        include, exclude = selector_lists(rule)
    except InvalidMemory as error:
        # Where the index speaks of a list with a wrong member, a row speaks of a wrong selector.
        is_list = not error.reason.endswith("must be a list")
        reason = selector_problem("") if is_list else f"rule {error.reason}"
        raise InvalidMemory(reason, detail=f"{where}: {error.reason}") from None
    problem = rule_problem(kind, value, include, exclude)
    if problem:
        raise InvalidMemory(problem, detail=f"{where}: {problem}")
    return TypedRule(type=kind, value=value, include_paths=include, exclude_paths=exclude)


def _test_evidence(rows: object, where: str) -> tuple[tuple[str, str], ...]:
    if rows is None:
        return ()
    if not isinstance(rows, list):
        raise InvalidMemory(f"{where}.test_evidence must be a list")
    return tuple(
        (str(row.get("selector", "")), str(row.get("sha", ""))) for row in rows if isinstance(row, dict)
    )


def _optional_text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    return "" if value is None else _text(value, key, where)


def _text(value: object, key: str, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidMemory(f"{where}.{key} must be a string")
    return value


def _texts(row: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list):
        raise InvalidMemory(f"{where}.{key} must be a list")
    if not all(isinstance(entry, str) for entry in value):
        raise InvalidMemory(f"{where}.{key} must contain only strings")
    return tuple(value)
