"""How a memory stands, from what its files, the branches and the journal say of it. Pure."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from mneme_git.model.memory_view import Action, Place, Standing
from mneme_git.store.pending import PendingState

# What files say of one memory, as the sum of these.
BODY, FORGOTTEN, PURGED, PINNED = 1, 2, 4, 8
_MARKERS = FORGOTTEN | PURGED | PINNED
_CLEARED: dict[Action, int] = {
    "forget": PINNED,
    "unforget": FORGOTTEN | PURGED,
    "pin": 0,
    "unpin": PINNED,
    "purge": PINNED,
}
_SET: dict[Action, int] = {
    "forget": FORGOTTEN,
    "unforget": 0,
    "pin": PINNED,
    "unpin": 0,
    "purge": FORGOTTEN | PURGED,
}


class Tip(Struct, frozen=True):
    """A branch that has a memory, and what its files say of it."""

    branch: str
    flags: int


class Sources(Struct, frozen=True, kw_only=True):
    """What is known of all memories: the files here by name, other branches by name, and the journal."""

    here: Mapping[str, int]
    tips: Mapping[str, Tip]
    pending: PendingState
    branch: str


def marked(flags: int, marks: Iterable[Action]) -> int:
    """Return what files say after ``marks`` were made, in order."""
    for action in marks:
        flags = flags & ~_CLEARED[action] | _SET[action]
    return flags


def is_live(flags: int) -> bool:
    """Tell whether a memory with these markers may be recalled; pinned and forgotten come from a merge."""
    return not flags & PURGED and (not flags & FORGOTTEN or bool(flags & PINNED))


def standing_of(name: str, sources: Sources) -> Standing | None:
    """Return how a memory stands; None if nothing is known of it."""
    here, pending = sources.here.get(name, 0), sources.pending
    place, branch = _place(name, sources)
    if place is Place.LOST and not here and name not in pending.known:
        return None
    flags = markers(name, sources)
    live = is_live(flags)
    return Standing(
        name=name,
        place=place,
        branch=branch,
        forgotten=not live,
        purged=bool(flags & PURGED),
        pinned=bool(flags & PINNED),
        unsettled=pending.marks_of(name, sources.branch) if name in pending.marks else (),
    )


def markers(name: str, sources: Sources) -> int:
    """Return what counts of the markers of a memory here, with what is pending.

    Marker files here come before those of other branches. Marks count for the branch that they
    were made on; those on a memory that is in no file at all count wherever they were made.
    """
    here, tip = sources.here.get(name, 0), sources.tips.get(name)
    base = here & _MARKERS
    if tip is not None and not here:
        base = tip.flags & _MARKERS
    if name not in sources.pending.marks:
        return base
    only_pending = tip is None and not here & BODY and name in sources.pending.records
    return marked(base, sources.pending.marks_of(name, None if only_pending else sources.branch))


def _place(name: str, sources: Sources) -> tuple[Place, str]:
    if sources.here.get(name, 0) & BODY:
        return Place.HERE, ""
    waits = sources.pending.records.get(name, ())
    if sources.branch in waits:
        return Place.PENDING, sources.branch
    tip = sources.tips.get(name)
    if tip is not None:
        return Place.ELSEWHERE, tip.branch
    return (Place.PENDING, waits[-1]) if waits else (Place.LOST, "")
