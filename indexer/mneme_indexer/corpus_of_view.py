"""The view of a reader, as ranking sees it."""

from collections.abc import Sequence
from typing import TypeVar

from mneme_indexer.db.postings import BODY
from mneme_indexer.db.read import Reader
from mneme_indexer.model import Symbol
from mneme_indexer.rank.survey import Survey
from mneme_indexer.sources import Commit, Listed, SourceTree

_TERMS = 20_000  # terms that are remembered with their postings
_Hit = TypeVar("_Hit")


class IndexedCorpus:
    """One snapshot: files numbered in the order of their paths.

    Another snapshot begins anew, but for what ``known``, the one before, had to compute for the same
    paths and the same past.
    """

    def __init__(self, reader: Reader, source: SourceTree, known: "IndexedCorpus | None" = None) -> None:
        view = reader.view
        self._reader = reader
        self._source = source
        self._view, self._generation, self._head = view, view.generation, view.head
        self.paths: Sequence[str] = sorted(view.files)
        self._files = [view.files[path] for path in self.paths]
        self.lengths: Sequence[int] = [view.blobs[row.blob].words if row.blob else 0 for row in self._files]
        self.languages: Sequence[str] = [
            view.blobs[row.blob].language if row.blob else "" for row in self._files
        ]
        self._numbers: dict[int, tuple[int, ...]] = {}
        for number, row in enumerate(self._files):
            if row.blob:
                self._numbers[row.blob] = (*self._numbers.get(row.blob, ()), number)
        self._bodies: dict[str, list[tuple[int, int]]] = {}
        self._heads: dict[str, list[tuple[int, int, int]]] = {}
        past = known.survey.commits if known and known.rests_on(reader) else _past(reader)
        self.survey: Survey = Survey(self, past, known.survey if known else None)

    def is_of(self, reader: Reader) -> bool:
        """Tell whether the snapshot of the reader is still the one that this was made for."""
        view = reader.view
        same = (view.generation, view.head) == (self._generation, self._head)
        return same and reader is self._reader and view is self._view

    def rests_on(self, reader: Reader) -> bool:
        """Tell whether the snapshot of the reader has the past of this one."""
        return reader is self._reader and reader.view.head == self._head

    def body(self, term: str) -> Sequence[tuple[int, int]]:
        """Return (file, times) for each file with the term."""
        known = self._bodies.get(term)
        if known is None:
            numbers = self._numbers
            hits = self._reader.postings(term, BODY)
            known = [(file, times) for blob, times in hits for file in numbers[blob]]
            _remember(self._bodies, term, known)
        return known

    def heads(self, term: str) -> Sequence[tuple[int, int, int]]:
        """Return (file, symbol, weight) for each symbol with the term in its head."""
        known = self._heads.get(term)
        if known is None:
            numbers = self._numbers
            hits = self._reader.heads(term)
            known = [(file, symbol, weight) for blob, symbol, weight in hits for file in numbers[blob]]
            _remember(self._heads, term, known)
        return known

    def named(self, name: str) -> Sequence[tuple[int, int]]:
        """Return (file, symbol) for each symbol of exactly this name."""
        return [(file, symbol) for blob, symbol in self._reader.named(name) for file in self._numbers[blob]]

    def symbols(self, file: int) -> Sequence[Symbol]:
        """Return the symbols of a file."""
        blob = self._files[file].blob
        return self._reader.symbols(blob) if blob else ()

    def text(self, file: int) -> bytes:
        """Return the content of a file, empty if it is not to be read or has changed since."""
        row = self._files[file]
        if not row.blob:
            return b""
        (data,) = self._source.read([Listed(self.paths[file], row.oid, tracked=row.tracked)])
        return data

    def content(self, file: int) -> str:
        """Return the id of the content, empty if it is not read."""
        row = self._files[file]
        return row.oid if row.blob else ""


def _past(reader: Reader) -> Sequence[Commit]:
    return reader.history(reader.view.head) if reader.view.head else ()


def _remember(cache: dict[str, list[_Hit]], term: str, found: list[_Hit]) -> None:
    if len(cache) >= _TERMS:
        cache.clear()
    cache[term] = found
