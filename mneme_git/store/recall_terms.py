"""What the recall index keeps of a memory: terms of its texts, where they stand, and values for filters."""

from collections import Counter
from collections.abc import Iterable
from zlib import crc32

from msgspec import Struct

from mneme_git.model.memory import Memory
from mneme_git.text.recall_score import length_class, posting_byte
from mneme_git.text.recall_words import kept_terms

# What a person chose to name counts as often as this.
_NAMED_TIMES = 2
# Keeps words of different fields apart in a stream.
GAP = (0,) * 8
SCOPE = "S"
_KIND, _TAG, _IDENTIFIER, _FILE = "K", "T", "I", "F"
_HERE = b"\x01"[0]


class Filters(Struct, frozen=True, kw_only=True):
    """What a memory must have: one of each list that is not empty.

    A file is the path, a folder above it, or its end from a ``/`` on. Tags are compared without case.
    """

    kinds: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def terms(self) -> list[list[str]]:
        """Return the filter terms of each list that is not empty."""
        lists = (
            [_KIND + kind for kind in self.kinds],
            [SCOPE + scope for scope in self.scopes],
            [_FILE + _path(path) for path in self.files],
            [_TAG + tag.casefold() for tag in self.tags],
            [_IDENTIFIER + name for name in self.identifiers],
        )
        return [list(map(carried, found)) for found in lists if found]


def carried(text: str) -> str:
    """Return a text as UTF-8 can carry it: a lone surrogate, which no memory has, becomes a ``?``."""
    return text.encode("utf-8", "replace").decode()


class Kept(Struct, frozen=True):
    """What is kept of one memory: posting bytes by term, the class of its length, hashes in order."""

    classes: dict[str, int]
    length: int
    stream: list[int]


def kept(memory: Memory) -> Kept:
    """Return what the index keeps of a memory, apart from the record itself."""
    named = (*memory.tags, *(anchor.name for anchor in memory.identifiers))
    fields = [
        (memory.body, 1),
        (memory.task, 1),
        *((text, _NAMED_TIMES) for text in named),
        *((anchor.path, 1) for anchor in memory.files),
    ]
    counts: Counter[str] = Counter()
    stream: list[int] = []
    length = 0
    for text, times in fields:
        if not text:
            continue
        terms = kept_terms(text)
        for _ in range(times):
            counts.update(terms.sequence)
            counts.update(terms.further)
        length += times * len(terms.sequence)
        if stream:
            stream += GAP
        stream += hashes(terms.sequence)
    of_length = length_class(length)
    classes = {term: posting_byte(times, of_length) for term, times in counts.items()}
    classes.update(dict.fromkeys(_filter_terms(memory), _HERE))
    return Kept(classes, of_length, stream)


def hashes(terms: Iterable[str]) -> list[int]:
    """Return the numbers that stand for terms in a stream; 0 stands for none."""
    return [crc32(term.encode()) or 1 for term in terms]


def _filter_terms(memory: Memory) -> set[str]:
    found = {_KIND + memory.kind.value, SCOPE + memory.scope.value}
    found.update(_TAG + tag.casefold() for tag in memory.tags)
    found.update(_IDENTIFIER + anchor.name for anchor in memory.identifiers)
    for anchor in memory.files:
        parts = _path(anchor.path).split("/")
        for at in range(len(parts)):
            found.add(_FILE + "/".join(parts[at:]))
            found.add(_FILE + "/".join(parts[: at + 1]))
    return found


def _path(path: str) -> str:
    return path.strip("/").removeprefix("./")
