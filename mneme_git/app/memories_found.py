"""What is asked of memories, and which of them fit."""

from msgspec import Struct

from mneme_git.app import memories_rows as rows
from mneme_git.app.memories_open import Look
from mneme_git.model.memory_view import Place
from mneme_git.store.recall_index import Filters, Hit


class Question(Struct, frozen=True, kw_only=True):
    """What is to be recalled or listed; a list that is empty asks for nothing.

    ``files`` are paths from the top of the work tree, or ends of such. ``budget`` is in tokens of four
    characters, for the whole answer; None does not limit it.
    """

    query: str = ""
    kinds: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    limit: int = 20
    offset: int = 0
    superseded: bool = False
    forgotten: bool = False
    everything: bool = False
    place: Place | None = None
    budget: int | None = None

    @property
    def filters(self) -> Filters:
        """The part that the index answers."""
        return Filters(
            kinds=self.kinds,
            scopes=self.scopes,
            files=self.files,
            tags=self.tags,
            identifiers=self.identifiers,
        )


def found_by(look: Look, question: Question, visible: frozenset[str]) -> list[Hit]:
    """Return what of ``visible`` fits a question, from all stores together, in their common order."""
    sides = [side for side in look.sides if not question.scopes or side.scope.value in question.scopes]
    upto = question.offset + question.limit
    if not question.query.strip():
        found = [hit for side in sides for hit in side.index.newest(question.filters, visible, upto)]
    else:
        told = [side.index.statistics(question.query, visible) for side in sides] if len(sides) > 1 else []
        together = sum(told[1:], told[0]) if told else None
        found = [
            hit
            for side in sides
            for hit in side.index.search(question.query, question.filters, visible, upto, statistics=together)
        ]
    if len(sides) > 1:
        times = {name: rows.moment(memory) for name, memory in look.memories(h.name for h in found).items()}
        found.sort(key=lambda hit: (-hit.score, -times.get(hit.name, 0), hit.name))
    return found[question.offset : upto]


def listable(look: Look, question: Question) -> frozenset[str]:
    """Return the names that a listing may show."""
    standings = {name: row for view in look.views for name, row in view.standings.items()}
    if question.everything:
        names = frozenset(name for name, row in standings.items() if row.place is not Place.LOST)
    elif question.forgotten:
        names = frozenset(name for name, row in standings.items() if row.forgotten or row.purged)
    else:
        names = look.shown.visible if question.superseded else look.current
    if question.place is None:
        return names
    return frozenset(name for name in names if standings[name].place is question.place)
