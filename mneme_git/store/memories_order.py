"""In which order memories came into the journal: what their numbers follow."""

from collections.abc import Collection

from mneme_git.store import journal
from mneme_git.store.backend import GitBackend


def recorded_order(backend: GitBackend, names: Collection[str]) -> tuple[str, ...]:
    """Return those of ``names`` that the journal has, the first to come first; in an entry as written."""
    wanted, newest_first = set(names), list[str]()
    if wanted:
        for entry in journal.entries(backend):
            written = [path.rpartition("/")[2].removesuffix(".json") for path in entry.note.wrote]
            newest_first += [name for name in reversed(written) if name in wanted]
    # Of a name that came twice the first coming counts, which is the last here.
    return tuple(dict.fromkeys(reversed(newest_first)))
