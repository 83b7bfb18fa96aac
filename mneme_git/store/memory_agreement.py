"""Whether the ``decisions`` rows of an indexed memory file say what its index says."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from msgspec import structs

from mneme_git.errors import InvalidMemory
from mneme_git.model.enforced import TypedRule
from mneme_git.store.memory_index import MemoryIndex
from mneme_git.store.memory_rows import MemoryRow, Resolver, selector_lists
from mneme_git.text.quoting import quoted

DIVERGES = (
    "persisted decisions[] compatibility snapshot diverges from authoritative decision_index projection"
)
_SHOWN = 60
# What is compared, in the order in which a difference is looked for, by its key in the file.
_COMPARED = (
    ("id", "id"),
    ("statement", "decision"),
    ("rationale", "rationale"),
    ("scope", "scope"),
    ("constraints", "constraints"),
    ("anti_patterns", "anti_patterns"),
    ("created_at", "created_at"),
    ("updated_at", "updated_at"),
    ("rules", "rules"),
    ("test_evidence", "test_evidence"),
    ("source", "source.path"),
    ("status", "status"),
)


def project(index: MemoryIndex, resolver: Resolver) -> tuple[MemoryRow, ...]:
    """Return the rows that the active decisions of ``index`` amount to, in the order of the index."""
    return tuple(
        _projected(row, index.versions[row["active_version_id"]], index, resolver)
        for row in index.decisions
        if row["lifecycle_status"] == "active"
    )


def verify_agreement(rows: Sequence[MemoryRow], projected: Sequence[MemoryRow]) -> None:
    """Compare the rows as they stand with the projection, as ordered lists, field by field.

    Raises:
        InvalidMemory: they differ; the detail names the first row and field that do.
    """
    for number, (found, expected) in enumerate(zip_longest(rows, projected)):
        difference = _difference(number, found, expected)
        if difference:
            raise InvalidMemory(DIVERGES, detail=f"{DIVERGES}: {difference}")


def _difference(number: int, found: MemoryRow | None, expected: MemoryRow | None) -> str:
    where = f"decisions[{number}]"
    if found is None:
        return f"{where} is missing, the index has {quoted(expected.id if expected else '')} there"
    if expected is None:
        return f"{where} ({quoted(found.id)}) is no further active decision of the index"
    if found == structs.replace(expected, stated=found.stated):
        return ""
    for name, key in _COMPARED:
        mine, theirs = getattr(found, name), getattr(expected, name)
        if mine != theirs:
            named = f"{where} ({quoted(found.id)}) {key}"
            if name == "source" and not mine and found.stated is not None:
                return f"{named} {quoted(found.stated.path)} is not named {found.id}.md or {found.id}-….md"
            return f"{named} is {_shown(mine)}, the index has {_shown(theirs)}"
    return ""


def _shown(value: object) -> str:
    plain = (
        [structs.asdict(entry) if isinstance(entry, TypedRule) else entry for entry in value]
        if isinstance(value, tuple)
        else value
    )
    text = quoted(plain)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _projected(
    row: Mapping[str, Any], version: Mapping[str, Any], index: MemoryIndex, resolver: Resolver
) -> MemoryRow:
    evidence = version.get("source_evidence", [])
    first = evidence[0] if evidence else {}
    locator = "" if first.get("source_type") == "proposal" else first.get("source_locator", "")
    return MemoryRow(
        id=row["decision_id"],
        statement=version["statement"],
        rationale=version.get("rationale", ""),
        scope=tuple(version.get("context_scope", [])),
        constraints=tuple(version.get("constraints", [])),
        anti_patterns=tuple(version.get("anti_patterns", [])),
        rules=tuple(map(_typed_rule, index.rules_of.get(row["active_version_id"], ()))),
        test_evidence=tuple(
            (entry.get("selector", ""), entry.get("sha", "")) for entry in row.get("test_evidence", [])
        ),
        created_at=version.get("created_at", ""),
        updated_at=row.get("updated_at", ""),
        source=_source(locator, resolver),
    )


def _typed_rule(binding: Mapping[str, Any]) -> TypedRule:
    include, exclude = selector_lists(binding.get("applicability", {}))
    return TypedRule(
        type=binding["rule_type"],
        value=binding["rule_payload"]["value"],
        include_paths=include,
        exclude_paths=exclude,
    )


def _source(locator: str, resolver: Resolver) -> str:
    """Return the absolute path of an ADR source; an absolute locator is taken as it is."""
    if not locator or locator.startswith("/"):
        return locator
    return resolver.resolve(locator)
