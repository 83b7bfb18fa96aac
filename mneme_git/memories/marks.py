"""What may be done to memories without changing their bytes, as plans.

Equal content is one memory to its reader, so a mark goes to all that say the same. ``Equals`` gives
the names of the memories that say the same as one; the name itself may be missing from them.
"""

from collections.abc import Callable, Iterable, Sequence

from mneme_git.errors import Refused
from mneme_git.model.memory_view import Action, Mark, MemoryPlan, MemoryView, Place, Standing

Equals = Callable[[str], Iterable[str]]


def plan_forget(
    names: Sequence[str], view: MemoryView, equals: Equals, *, verb: str = "forget"
) -> MemoryPlan:
    """Plan to forget memories; no marks if none of them is live. It takes their pins away as well."""
    return _plan(verb, names, _marks("forget", _each(names, view, equals, _is_live)))


def plan_unforget(names: Sequence[str], view: MemoryView, equals: Equals) -> MemoryPlan:
    """Plan to make memories live again; no marks if none of them is forgotten.

    Raises:
        Refused: a memory was purged: its file is gone.
    """
    for name in names:
        standing = view.standings.get(name)
        if standing and standing.purged:
            raise Refused(
                f"memory '{name}' was purged: its file is gone",
                hint=f"`git log --all -- {_path_of(name)}` shows the commits that still have it",
            )
    return _plan("unforget", names, _marks("unforget", _each(names, view, equals, _is_forgotten)))


def plan_pin(names: Sequence[str], view: MemoryView, equals: Equals) -> MemoryPlan:
    """Plan to keep memories from being collected; no marks if all of them are pinned.

    Raises:
        Refused: a memory is forgotten.
    """
    for name in names:
        standing = view.standings.get(name)
        if standing and not standing.live:
            raise Refused(
                f"memory '{name}' is forgotten and cannot be pinned",
                hint=f"run `mneme memory unforget {name}` first",
            )
    return _plan("pin", names, _marks("pin", _each(names, view, equals, _may_be_pinned)))


def plan_unpin(names: Sequence[str], view: MemoryView, equals: Equals) -> MemoryPlan:
    """Plan to let memories be collected again; no marks if none of them is pinned."""
    return _plan("unpin", names, _marks("unpin", _each(names, view, equals, _is_pinned)))


def plan_purge(names: Sequence[str], view: MemoryView) -> MemoryPlan:
    """Plan to remove the files of forgotten memories; only what has a file here can be purged.

    Raises:
        Refused: a memory is not forgotten.
    """
    chosen = tuple(dict.fromkeys(names))
    for name in chosen:
        standing = view.standings.get(name)
        if standing and standing.live:
            raise Refused(
                f"memory '{name}' is live and is not purged",
                hint=f"run `mneme memory forget {name}` first",
            )
    return _plan("purge", chosen, _marks("purge", [name for name in chosen if _has_file(view, name)]))


def _each(
    names: Iterable[str], view: MemoryView, equals: Equals, applies: Callable[[Standing], bool]
) -> list[str]:
    """Return the memories meant, each followed by those of equal content, where ``applies`` says so."""
    meant: dict[str, None] = {}
    for name in names:
        meant.update(dict.fromkeys((name, *sorted(equals(name)))))
    return [name for name in meant if name in view.standings and applies(view.standings[name])]


def _marks(action: Action, names: Iterable[str]) -> tuple[Mark, ...]:
    return tuple(Mark(action, name) for name in names)


def _plan(verb: str, names: Sequence[str], marks: tuple[Mark, ...]) -> MemoryPlan:
    subject = names[0] if len(names) == 1 else f"{len(names)} memories"
    return MemoryPlan(verb=verb, subject=subject, marks=marks)


def _is_live(standing: Standing) -> bool:
    return standing.live


def _is_forgotten(standing: Standing) -> bool:
    return standing.forgotten and not standing.purged


def _is_pinned(standing: Standing) -> bool:
    return standing.pinned


def _may_be_pinned(standing: Standing) -> bool:
    return standing.live and not standing.pinned


def _has_file(view: MemoryView, name: str) -> bool:
    standing = view.standings.get(name)
    return standing is not None and standing.place is Place.HERE and not standing.purged


def _path_of(name: str) -> str:
    return f".mneme/memories/{name[:1]}/{name}.json"
