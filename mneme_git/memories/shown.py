"""What of all that is known a reader gets: one memory of each content, and which of them are replaced."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from mneme_git.model.memory_view import MemoryView, Place, Standing

OURS = 1  # as near as this is what the checkout has or will have with its next commit


class Shown(Struct, frozen=True, kw_only=True):
    """The live memories, one for each content.

    ``replaced`` has those of them that live memories supersede, by name, with the names of these,
    sorted.
    """

    visible: frozenset[str]
    replaced: dict[str, tuple[str, ...]]

    @property
    def current(self) -> frozenset[str]:
        """What recall answers from unless replaced memories are asked for."""
        return self.visible - self.replaced.keys() if self.replaced else self.visible

    def with_(self, names: Iterable[str]) -> "Shown":
        """Return this with memories that say what no other says, and replace none."""
        return Shown(visible=self.visible.union(names), replaced=self.replaced)


def shown(
    views: Sequence[MemoryView], contents: Mapping[str, str], superseding: Mapping[str, Iterable[str]]
) -> Shown:
    """Return what a reader gets of the memories of several views (project and global).

    ``contents`` has the content key of each memory (one without a key counts as unlike all others);
    ``superseding`` the memories that say that they supersede one, by the name of that one. Of equal
    contents the nearest is shown: here, pending for this branch, pending for another, elsewhere; then
    the smaller name. What was forgotten here is not shown from elsewhere.
    """
    standings = {name: row for view in views for name, row in view.standings.items()}
    groups: dict[str, list[tuple[int, str]]] = {}
    for view in views:
        gone = {contents.get(name, name) for name, row in view.standings.items() if _is_gone(row)}
        for name, row in view.standings.items():
            key = contents.get(name, name)
            if row.live and not (row.place is Place.ELSEWHERE and key in gone):
                groups.setdefault(key, []).append((nearness(row, view.branch), name))
    visible = frozenset(min(group)[1] for group in groups.values())
    return Shown(visible=visible, replaced=_replaced(groups, standings, contents, superseding, visible))


def nearness(standing: Standing, branch: str) -> int:
    """Return how near a memory is, 0 being the nearest, to a checkout of ``branch``."""
    if standing.place is Place.HERE:
        return 0
    if standing.place is Place.PENDING:
        return 1 if standing.branch == branch else 2
    return 3


def _is_gone(standing: Standing) -> bool:
    return standing.forgotten or standing.purged


def _replaced(
    groups: Mapping[str, Sequence[tuple[int, str]]],
    standings: Mapping[str, Standing],
    contents: Mapping[str, str],
    superseding: Mapping[str, Iterable[str]],
    visible: frozenset[str],
) -> dict[str, tuple[str, ...]]:
    """Return the visible memories of whose content a live one supersedes any.

    A memory is told by what is visible of its content, and does not replace its own content. One that
    came back, recorded anew to supersede what had replaced it, is not replaced by that. Where several
    replace each other in a circle, as two branches can, none of them is: something holds.
    """
    shown_for = {key: min(group)[1] for key, group in groups.items()}
    edges: dict[str, set[str]] = {}
    for old, news in superseding.items():
        key = contents.get(old, old)
        for new in news:
            new_key = contents.get(new, new)
            if new in standings and standings[new].live and new_key in shown_for and new_key != key:
                others = {name for _, name in groups.get(key, ()) if name != old}
                if not others or others.isdisjoint(_after([new], superseding)):
                    edges.setdefault(key, set()).add(new_key)
    edges = {key: news for key, news in edges.items() if key in shown_for}
    for key in _circling(edges):
        del edges[key]
    found = {shown_for[key]: tuple(sorted(shown_for[new] for new in news)) for key, news in edges.items()}
    return {name: found[name] for name in sorted(found) if name in visible}


def _circling(edges: Mapping[str, Iterable[str]]) -> set[str]:
    """Return what is replaced, in the end, by nothing but itself."""
    before: dict[str, list[str]] = {}
    for key, news in edges.items():
        for new in news:
            before.setdefault(new, []).append(key)
    ended = _after(before.keys() - edges.keys(), before)  # what holds, and all that leads to it
    return {key for key in edges.keys() - ended if key in _after([key], edges)}


def _after(names: Iterable[str], following: Mapping[str, Iterable[str]]) -> set[str]:
    """Return all that follows one of the names, however far."""
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        fresh = [new for new in following.get(ahead.pop(), ()) if new not in found]
        found.update(fresh)
        ahead += fresh
    return found
