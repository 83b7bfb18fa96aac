"""Warnings about the ADRs of one folder that need the same remedy, told as one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from mneme_git.decisions.evidence import folder_of
from mneme_git.decisions.freshness import Diagnostic
from mneme_git.model.snapshot import Fault

_FACTS = {
    "ADR_CHANGED": "{count} files hold text that was not imported",
    "ADR_MISSING": "{count} files that decisions were read from are not there",
    "ADR_UNREADABLE": "{count} files that decisions were read from cannot be read",
    "ADR_UNIMPORTED": "no decision was read from {count} ADRs",
}
_FEW = 3

Warned = TypeVar("Warned", Diagnostic, Fault)
_Key = tuple[str, str, str]


def together(rows: Iterable[Warned]) -> tuple[Warned, ...]:
    """Return ``rows`` with more than three that have code, folder and hint in common joined into one.

    The one stands where the first of them stood, and names the folder and the first three.
    """
    rows = tuple(rows)
    counts = Counter(_key(row) for row in rows)
    told: list[Warned] = []
    done: set[_Key] = set()
    for row in rows:
        key = _key(row)
        if row.code not in _FACTS or not row.hint or counts[key] <= _FEW:
            told.append(row)
        elif key not in done:
            done.add(key)
            told.append(_joined([other for other in rows if _key(other) == key]))
    return tuple(told)


def _key(row: Diagnostic | Fault) -> _Key:
    return row.code, folder_of(row.path or ""), row.hint


def _joined(rows: Sequence[Warned]) -> Warned:
    first, count = rows[0], len(rows)
    names = ", ".join(_name(row) for row in rows[:_FEW])
    fact = _FACTS[first.code].format(count=count)
    message = f"{fact}: {names} and {count - _FEW} more"
    path = folder_of(first.path or "")
    if isinstance(first, Diagnostic):
        return replace(first, message=message, path=path, adr_id=f"{count} ADRs")
    return replace(first, message=message, path=path, decision_id="")


def _name(row: Diagnostic | Fault) -> str:
    return row.adr_id if isinstance(row, Diagnostic) else row.decision_id
