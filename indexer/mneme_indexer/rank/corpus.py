"""What ranking reads: one snapshot of the index. A dict serves in tests, the index file in earnest."""

from collections.abc import Sequence
from typing import Protocol

from mneme_indexer.model import Symbol

# The bits of a head's weight: the term is part of the symbol's name, of its container's or namespace's
# name, of its signature, and how often it stands in its doc.
IN_NAME, IN_CONTAINER, IN_SIGNATURE = 0x80, 0x40, 0x20
DOC_TIMES = 0x1F


class Corpus(Protocol):
    """The files of one snapshot, numbered from 0 in the order of their paths.

    A file whose content is not read has the length 0, no
    symbols, and the content "".
    """

    @property
    def paths(self) -> Sequence[str]:
        """The paths, sorted."""
        ...

    @property
    def lengths(self) -> Sequence[int]:
        """The number of terms of each file, with repetitions."""
        ...

    @property
    def languages(self) -> Sequence[str]:
        """What each file is parsed as, empty if it is not."""
        ...

    def body(self, term: str) -> Sequence[tuple[int, int]]:
        """Return (file, times) for each file with the term, in any order."""
        ...

    def heads(self, term: str) -> Sequence[tuple[int, int, int]]:
        """Return (file, symbol, weight) for each symbol with the term in its head, in any order."""
        ...

    def named(self, name: str) -> Sequence[tuple[int, int]]:
        """Return (file, symbol) for each symbol of exactly this name, in any order."""
        ...

    def symbols(self, file: int) -> Sequence[Symbol]:
        """Return the symbols of a file in the order of the model."""
        ...

    def text(self, file: int) -> bytes:
        """Return the content of a file, empty if it cannot be read."""
        ...

    def content(self, file: int) -> str:
        """Return the id of the content: files that are equal have the same."""
        ...
