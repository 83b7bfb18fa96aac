"""What was done to memories in this clone, as its journal tells."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mneme_git.app.memories import Id, Memories
from mneme_git.app.memories_open import Side
from mneme_git.errors import AmbiguousId, NotFound
from mneme_git.model.memory import MemoryScope
from mneme_git.store import journal
from mneme_git.store.journal_entry import JournalEntry

Row = dict[str, Any]


def history(memories: Memories, given: Id | None, *, scope: MemoryScope, limit: int) -> Row:
    """Return the entries about one memory, or about all of a scope, the newest first.

    Raises:
        NotFound, AmbiguousId: there is no such memory.
    """
    look = memories.clone.look()
    if given is None:
        sides = [side for side in look.sides if side.scope is scope]
        found = [pair for side in sides for pair in islice(_about(side, None), limit)]
    else:
        name = look.resolve(given)
        found = list(islice(_about(look.side_of(name), name), limit))
    return {"entries": [_row(entry, names) for entry, names in found]}


def forgotten_by(memories: Memories, given: str) -> tuple[str, ...]:
    """Return the names that an entry of the journal forgot; ``given`` may be the beginning of its id.

    Raises:
        NotFound: no entry that forgot something begins so.
        AmbiguousId: several do.
    """
    found = {
        entry.oid: tuple(dict.fromkeys(name for word, name in entry.note.pending if word == "forget"))
        for side in memories.clone.look().sides
        for entry in journal.entries(side.backend)
        if given and entry.oid.startswith(given.lower())
    }
    found = {oid: names for oid, names in found.items() if names}
    if not found:
        raise NotFound("entry that forgot something", given, hint="`mneme memory log` shows the entries")
    if len(found) > 1:
        raise AmbiguousId("entry", given, sorted(found))
    return next(iter(found.values()))


def _about(side: Side, name: str | None) -> Iterator[tuple[JournalEntry, tuple[str, ...]]]:
    for entry in journal.entries(side.backend):
        named = [called for _, called in entry.note.pending] + list(entry.note.settled)
        named += [_stem(path) for path in entry.note.wrote if path.startswith("memories/")]
        if (name in named) if name else named:
            yield entry, tuple(dict.fromkeys(named))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".json")


def _row(entry: JournalEntry, names: tuple[str, ...]) -> Row:
    return {
        "entry": entry.oid,
        "time": entry.time,
        "verb": entry.note.verb,
        "subject": entry.note.subject,
        "branch": entry.note.branch,
        "author": entry.author,
        "names": list(names),
        "actions": [{"action": word, "name": name} for word, name in entry.note.pending],
        "settled": list(entry.note.settled),
    }
