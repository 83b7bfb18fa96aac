"""Collecting what nobody recalls: which memories go and which stay, each with the reason.

Counters are local to a clone, so an age counts from the later of recording and first seeing it here.
Times are unix seconds.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import CountersTooYoung, InvalidInput
from mneme_git.memories.content import content_key
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import MemoryView, Place, Standing
from mneme_git.text.instants import DAY_SECONDS, epoch_seconds

DAYS = 90
_PINNING_TAG = "pinned"

Why = Literal[
    "unused", "recalled", "pinned", "young", "elsewhere", "replaces", "same_text", "forgotten", "no_file"
]


class Counters(Struct, frozen=True, kw_only=True):
    """What this clone counted, by name: recalls, when it first saw a memory, and saw it forgotten.

    ``born`` is when the counting began.
    """

    born: int
    recalls: Mapping[str, int] = {}
    first_seen: Mapping[str, int] = {}
    forgotten_seen: Mapping[str, int] = {}


class Row(Struct, frozen=True, kw_only=True):
    """Whether a memory goes, why as a stable word and in words, and its age in whole days."""

    name: str
    goes: bool
    why: Why
    reason: str
    days: int


def check_limit(counters: Counters, now: int, days: int) -> None:
    """Refuse a limit that the counters cannot answer for.

    Raises:
        InvalidInput: ``days`` is less than one.
        CountersTooYoung: the counting began less than ``days`` ago.
    """
    if days < 1:
        raise InvalidInput(
            f"older than {days} days is no limit", hint="give a whole number of days, at least 1"
        )
    counted = max(0, now - counters.born) // DAY_SECONDS
    if now - counters.born < days * DAY_SECONDS:
        raise CountersTooYoung(counted, days)


def collect(
    view: MemoryView, memories: Mapping[str, Memory], counters: Counters, now: int, days: int = DAYS
) -> tuple[Row, ...]:
    """Return a row for each live memory, the oldest first, then by name.

    Those go that are older than ``days``, were never recalled here and are not pinned, unless they are
    on other branches only, or what they replace or what says the same stays. ``memories`` has the
    bodies; what it lacks is left alone.

    Raises:
        InvalidInput, CountersTooYoung: as ``check_limit``.
    """
    check_limit(counters, now, days)
    live = {name: row for name, row in view.standings.items() if row.live and name in memories}
    rows = {name: _judged(live[name], memories[name], counters, now, days) for name in live}
    contents = {name: content_key(memories[name]) for name in live}
    _spare(
        rows,
        lambda staying: _replacing(rows, memories, staying) | _same_text(rows, contents, staying),
    )
    return _oldest_first(rows, memories, counters)


def collect_forgotten(view: MemoryView, counters: Counters, now: int, days: int = DAYS) -> tuple[Row, ...]:
    """Return a row for each forgotten memory that is not purged; those go that were forgotten long ago.

    Only a file of this checkout can be removed. The longest forgotten comes first, then by name.

    Raises:
        InvalidInput, CountersTooYoung: as ``check_limit``.
    """
    check_limit(counters, now, days)
    rows = [
        _judged_forgotten(row, counters, now, days)
        for row in view.standings.values()
        if row.forgotten and not row.purged
    ]
    return tuple(sorted(rows, key=lambda row: (-row.days, row.name)))


def _judged(standing: Standing, memory: Memory, counters: Counters, now: int, days: int) -> Row:
    name = standing.name
    began, since = _began(name, memory, counters, now)
    age = max(0, now - began) // DAY_SECONDS
    told = f"{since} {_days(age)} ago"
    recalls = counters.recalls.get(name, 0)
    why: Why = "unused"
    reason = f"{told}, never recalled here, not pinned"
    if standing.place is Place.ELSEWHERE:
        why, reason = "elsewhere", f"only on {standing.branch or 'another branch'}"
    elif standing.pinned:
        why, reason = "pinned", "pinned"
    elif any(tag.casefold() == _PINNING_TAG for tag in memory.tags):
        why, reason = "pinned", f"has the tag '{_PINNING_TAG}'"
    elif recalls:
        why, reason = "recalled", f"recalled {_times(recalls)} here"
    elif now - began <= days * DAY_SECONDS:
        why, reason = "young", told
    return Row(name=name, goes=why == "unused", why=why, reason=reason, days=age)


def _began(name: str, memory: Memory, counters: Counters, now: int) -> tuple[int, str]:
    """Return from when a memory's age counts, and how that is told."""
    seen = counters.first_seen.get(name, now)
    recorded = epoch_seconds(memory.created_at)
    if recorded is None or seen - recorded >= DAY_SECONDS:
        return seen, "first seen here"
    return max(recorded, seen), "recorded"


def _judged_forgotten(standing: Standing, counters: Counters, now: int, days: int) -> Row:
    seen = counters.forgotten_seen.get(standing.name, now)
    age = max(0, now - seen) // DAY_SECONDS
    told = f"forgotten {_days(age)} ago"
    why: Why = "forgotten"
    if standing.place is not Place.HERE:
        why, told = "no_file", f"{told}, has no file here"
    elif now - seen <= days * DAY_SECONDS:
        why = "young"
    return Row(name=standing.name, goes=why == "forgotten", why=why, reason=told, days=age)


def _spare(rows: dict[str, Row], reasons: Callable[[frozenset[str]], dict[str, tuple[Why, str]]]) -> None:
    """Let those stay that ``reasons`` gives for the ones that stay, until it gives no more."""
    while True:
        staying = frozenset(name for name, row in rows.items() if not row.goes)
        spared = {name: told for name, told in reasons(staying).items() if rows[name].goes}
        if not spared:
            return
        for name, (why, reason) in spared.items():
            rows[name] = replace(rows[name], goes=False, why=why, reason=reason)


def _same_text(
    rows: Mapping[str, Row], contents: Mapping[str, str], staying: frozenset[str]
) -> dict[str, tuple[Why, str]]:
    """Return those that say what one says that stays for a reason of this checkout's own."""
    kept = {contents[name]: name for name in sorted(staying, reverse=True) if rows[name].why != "elsewhere"}
    return {
        name: ("same_text", f"says the same as {kept[key]}, which stays")
        for name, key in contents.items()
        if key in kept and name != kept[key]
    }


def _replacing(
    rows: Mapping[str, Row], memories: Mapping[str, Memory], staying: frozenset[str]
) -> dict[str, tuple[Why, str]]:
    """Return those without which something that stays would be recalled again."""
    found: dict[str, tuple[Why, str]] = {}
    for name in rows:
        held = sorted(staying.intersection(memories[name].supersedes))
        if held:
            found[name] = ("replaces", f"replaces {held[0]}, which stays")
    return found


def _oldest_first(
    rows: Mapping[str, Row], memories: Mapping[str, Memory], counters: Counters
) -> tuple[Row, ...]:
    return tuple(sorted(rows.values(), key=lambda row: (-row.days, memories[row.name].created_at, row.name)))


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
