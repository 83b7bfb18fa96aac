"""Collecting memories that nobody recalls: shown first, done when it is said, undone by one command."""

from collections.abc import Sequence
from typing import Any

from mneme_git.app.memories import Memories
from mneme_git.app.memories_open import Look, Side
from mneme_git.memories import marks
from mneme_git.memories.collect import DAYS, Counters, collect, collect_forgotten
from mneme_git.memories.collect import Row as Judged
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import MemoryPlan, MemoryView

Row = dict[str, Any]

__all__ = ["DAYS", "collected"]


def collected(memories: Memories, *, days: int, apply: bool = False, purge: bool = False) -> Row:
    """Return which memories go and which stay, each with its reason; with ``apply`` they are gone.

    With ``purge`` the files of memories that were forgotten more than ``days`` ago are removed; else live
    memories are forgotten.

    Raises:
        InvalidInput: ``days`` is less than one.
        CountersTooYoung: this clone has not counted for so long.
    """
    look = memories.clone.look()
    judged: list[Judged] = []
    for side, view in zip(look.sides, look.views, strict=True):
        judged += _judged(memories, side, view, days, purge=purge)
    done: Row = {"changed": [], "entries": [], "notices": []}
    if apply:
        going = [row.name for row in judged if row.goes]
        done = memories.carried_out(
            {side: _plan(look, side, going, purge=purge) for side in look.sides if going}
        )
    bodies = look.memories(row.name for row in judged)
    rows = [_row(look, row, bodies.get(row.name)) for row in judged]
    undo = [] if purge else [f"mneme memory unforget --entry {entry[:12]}" for entry in done["entries"]]
    notices = (*done.pop("notices"), *memories.clone.notices())
    reply = {"days": days, "applied": apply, "purge": purge, "rows": rows, **done, "undo": undo}
    return {**reply, "notices": list(notices)} if notices else reply


def _judged(
    memories: Memories, side: Side, view: MemoryView, days: int, *, purge: bool
) -> tuple[Judged, ...]:
    now = memories.workspace.now()
    counters = _counters(memories, side, view)
    if purge:
        return collect_forgotten(view, counters, now, days)
    live = [name for name, row in view.standings.items() if row.live]
    return collect(view, side.memories(live), counters, now, days)


def _counters(memories: Memories, side: Side, view: MemoryView) -> Counters:
    local, scope = memories.clone.local, side.scope.value
    return Counters(
        born=local.born,
        recalls={name: count.recalls for (of, name), count in local.counts().items() if of == scope},
        first_seen={name: known.first_seen for (of, name), known in local.known().items() if of == scope},
        forgotten_seen={name: at for (of, name), at in local.forgotten(view.branch).items() if of == scope},
    )


def _plan(look: Look, side: Side, going: Sequence[str], *, purge: bool) -> MemoryPlan:
    mine = [name for name in going if look.side_of(name) is side]
    view = look.view_of(side)
    if purge:
        return marks.plan_purge(mine, view)
    return marks.plan_forget(mine, view, look.equals, verb="gc")


def _row(look: Look, judged: Judged, memory: Memory | None) -> Row:
    name = judged.name
    return {
        "id": look.number(name),
        "name": name,
        "short": look.names.short(name),
        "scope": look.side_of(name).scope.value,
        "goes": judged.goes,
        "why": judged.why,
        "reason": judged.reason,
        "days": judged.days,
        "kind": memory.kind.value if memory else None,
        "body": memory.body if memory else None,
    }
