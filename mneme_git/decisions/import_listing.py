"""The ADRs of an import into a git store, each told once: its title, what happens to it, its rules."""

from collections.abc import Iterable, Sequence

from mneme_git.model.adr import Adr
from mneme_git.model.adr_import import Row
from mneme_git.model.decision import Lifecycle

_CHANGES = {"new": "new", "changed": "new version", "state": "changed"}


def is_in_force(row: Row) -> bool:
    """Tell whether the ADR will be in force by this import."""
    return row.lifecycle is Lifecycle.ACTIVE and row.change != "tied"


def many(count: int, noun: str) -> str:
    """Return ``count`` and ``noun``, which takes an s as its plural."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listing(rows: Sequence[Row]) -> list[str]:
    """Return the ADRs in force, then the others, in the given order; ties stand in neither list."""
    active = [row for row in rows if is_in_force(row)]
    out = [row for row in rows if not is_in_force(row) and row.change != "tied"]
    told = [line for row in active for line in _in_force(row)] or ["  (none -- see diagnostics below)"]
    lines = [f"Active set ({many(len(active), 'ADR')}):", *told, ""]
    if out:
        told = [line for row in out for line in _out_of_force(row)]
        lines += [f"Non-active ADRs ({len(out)}):", *told, ""]
    return lines


def rule_lines(adr: Adr) -> list[str]:
    """Return the rules and constraints of an ADR, indented below its line; none if it has none."""
    lines: list[str] = []
    for rule in adr.rules:
        lines.append(f"      rule: {rule.type} {rule.value}")
        if rule.applicability.include_paths:
            lines.append(f"        include_paths: {', '.join(rule.applicability.include_paths)}")
        if rule.applicability.exclude_paths:
            lines.append(f"        exclude_paths: {', '.join(rule.applicability.exclude_paths)}")
    return lines + [f"      constraint: {constraint}" for constraint in adr.constraints]


def _in_force(row: Row) -> Iterable[str]:
    return (f"  [{row.adr.id}] {row.adr.title}", *_change(row), *rule_lines(row.adr))


def _out_of_force(row: Row) -> Iterable[str]:
    by = f" by {row.superseded_by}" if row.superseded_by else ""
    loses = f", gives way to {row.loses_to}" if row.loses_to else ""
    return (
        f"  [{row.adr.id}] {row.adr.title}",
        f"      status: {row.lifecycle.value}{by}{loses}",
        *_change(row),
    )


def _change(row: Row) -> Iterable[str]:
    if row.change in _CHANGES:
        because = f" ({'; '.join(row.because)})" if row.because else ""
        yield f"      {_CHANGES[row.change]}: {row.adr.path}{because}"
