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

    A memory is told by what is visible of its content, and does not replace its own content.
    """
    shown_for = {key: min(group)[1] for key, group in groups.items()}
    by_content: dict[str, set[str]] = {}
    for old, news in superseding.items():
        key = contents.get(old, old)
        for new in news:
            new_key = contents.get(new, new)
            if new in standings and standings[new].live and new_key in shown_for and new_key != key:
                by_content.setdefault(key, set()).add(shown_for[new_key])
    found = {shown_for[key]: tuple(sorted(news)) for key, news in by_content.items() if key in shown_for}
    return {name: found[name] for name in sorted(found) if name in visible}
