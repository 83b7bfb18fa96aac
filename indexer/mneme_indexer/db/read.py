"""Questions to the index file, each answered for one view only. Nothing here ranks."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

import msgspec
from msgspec import Struct

from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import BODY, HEAD, KINDS, NAME, USE
from mneme_indexer.db.views import View
from mneme_indexer.model import Binding, Import, Kind, Reference, Symbol
from mneme_indexer.sources import Commit
from mneme_indexer.words import fold

_CACHED = 4096  # decoded blobs, of a few kilobytes each
_LAST = chr(0x10FFFF)
_Value = TypeVar("_Value")


class Uses(Struct, frozen=True, array_like=True):
    """What a blob uses; see ``model.ParsedFile``."""

    references: tuple[Reference, ...] = ()
    bindings: tuple[Binding, ...] = ()
    imports: tuple[Import, ...] = ()


class Named(Struct, frozen=True, array_like=True, order=True):
    """A symbol found by its name: ``how`` is 0 for the same name, 1 but for case, 2 prefix, 3 substring.

    The fields are in the order of the answer; ``symbol`` is the position in the blob's symbols.
    """

    how: int
    path: str
    symbol: int
    blob: int
    kind: Kind


class Reader:
    """Answers for ``view``. All methods must run inside one ``Database.reading`` if they are to agree."""

    def __init__(self, connection: sqlite3.Connection, view: View) -> None:
        self.view = view
        self._connection = connection
        self._decode_symbols = msgspec.msgpack.Decoder(tuple[Symbol, ...]).decode
        self._decode_uses = msgspec.msgpack.Decoder(Uses).decode
        self._symbols: dict[int, tuple[Symbol, ...]] = {}
        self._uses: dict[int, Uses] = {}
        self._segments: dict[int, list[int]] | None = None

    def segments_changed(self) -> None:
        """Forget where the blobs of the view stand; decoded blobs stay, for they never change."""
        self._segments = None

    def postings(self, term: str, field: int = BODY) -> list[tuple[int, int]]:
        """Return (blob, times) of every blob of the view that has the term, in no order.

        ``field`` is BODY (terms of ``words``) or USE (exact names of references); times end at
        ``MOST_TIMES``.
        """
        return [
            hit
            for documents, data in self._rows(field, term)
            for hit in packed.counted(field, data, documents)
        ]

    def heads(self, term: str) -> list[tuple[int, int, int]]:
        """Return (blob, symbol, weight) of every symbol whose head has the term, in no order.

        The bits of ``weight`` are IN_NAME, IN_CONTAINER, IN_SIGNATURE and DOC_TIMES of ``postings``.
        """
        return [
            hit for documents, data in self._rows(HEAD, term) for hit in packed.placed(HEAD, data, documents)
        ]

    def users(self, name: str) -> list[int]:
        """Return the blobs with a reference of exactly this name, or an import of it under another one.

        They are in no order.
        """
        return [blob for blob, _ in self.postings(name, USE)]

    def named(self, name: str) -> list[tuple[int, int]]:
        """Return (blob, symbol) of every symbol of exactly this name, in no order."""
        return [
            (blob, symbol)
            for blob, symbol, _ in self._placed_names(fold(name))
            if self.symbols(blob)[symbol].name == name
        ]

    def lookup(self, name: str, limit: int, kinds: Iterable[Kind] = KINDS) -> list[Named]:
        """Return at most ``limit`` symbols by name, in the order of ``Named``."""
        folded = fold(name)
        if not folded or limit <= 0:
            return []
        wanted = frozenset(kinds)
        found = self.same(name, wanted)
        for how, rows in ((2, self._prefixed(folded)), (3, self._containing(folded))):
            if len(found) >= limit:
                break
            found += sorted(self._on_paths(how, self._of_kinds(rows, wanted)))
        return found[:limit]

    def same(self, name: str, kinds: Iterable[Kind] = KINDS) -> list[Named]:
        """Return the symbols of that name, whatever its case, in the order of ``Named``."""
        wanted = frozenset(kinds)
        found = self._on_paths(1, self._of_kinds(self._placed_names(fold(name)), wanted))
        return sorted(
            msgspec.structs.replace(hit, how=0) if self.symbols(hit.blob)[hit.symbol].name == name else hit
            for hit in found
        )

    def symbols(self, blob: int) -> tuple[Symbol, ...]:
        """Return the symbols of a blob, by their position."""
        found = self._symbols.get(blob)
        if found is None:
            row = self._connection.execute("SELECT symbols FROM contents WHERE blob = ?", (blob,)).fetchone()
            found = self._decode_symbols(row[0]) if row else ()
            _remember(self._symbols, blob, found)
        return found

    def uses(self, blob: int) -> Uses:
        """Return the references, bindings and imports of a blob."""
        found = self._uses.get(blob)
        if found is None:
            row = self._connection.execute("SELECT uses FROM contents WHERE blob = ?", (blob,)).fetchone()
            found = self._decode_uses(row[0]) if row else Uses()
            _remember(self._uses, blob, found)
        return found

    def history(self, head: str) -> list[Commit]:
        """Return the commits that the index knows as the newest ancestors of ``head``, newest first."""
        row = self._connection.execute("SELECT commits FROM histories WHERE head = ?", (head,)).fetchone()
        return [self._commit(id_) for id_ in packed.unpack_ids(row[0])] if row else []

    def _commit(self, row_id: int) -> Commit:
        query = "SELECT oid, time, message, paths FROM commits WHERE id = ?"
        oid, time, message, paths = self._connection.execute(query, (row_id,)).fetchone()
        return Commit(oid, time, message, tuple(msgspec.msgpack.decode(paths, type=list[str])))

    def _on_paths(self, how: int, rows: Iterable[tuple[int, int, Kind]]) -> list[Named]:
        paths = self.view.paths
        return [Named(how, path, symbol, blob, kind) for blob, symbol, kind in rows for path in paths[blob]]

    def _of_kinds(
        self, rows: Iterable[tuple[int, int, int]], kinds: frozenset[Kind]
    ) -> Iterator[tuple[int, int, Kind]]:
        return ((blob, symbol, KINDS[kind]) for blob, symbol, kind in rows if KINDS[kind] in kinds)

    def _placed_names(self, folded: str) -> list[tuple[int, int, int]]:
        return [
            hit
            for documents, data in self._rows(NAME, folded)
            for hit in packed.placed(NAME, data, documents)
        ]

    def _prefixed(self, folded: str) -> Iterator[tuple[int, int, int]]:
        query = (
            "SELECT data FROM postings WHERE segment = ?1 AND field = ?2 AND first < ?3 AND first >= ("
            "SELECT coalesce(max(first), '') FROM postings WHERE segment = ?1 AND field = ?2 AND first <= ?4)"
        )
        for segment, documents in self._documents().items():
            rows = self._connection.execute(query, (segment, NAME, folded + _LAST, folded))
            for term, data in _terms(rows):
                if term.startswith(folded) and term != folded:
                    yield from packed.placed(NAME, data, documents)

    def _containing(self, folded: str) -> Iterator[tuple[int, int, int]]:
        query = "SELECT data FROM postings WHERE segment = ? AND field = ?"
        for segment, documents in self._documents().items():
            for term, data in _terms(self._connection.execute(query, (segment, NAME))):
                if term.find(folded) > 0 and not term.startswith(folded):
                    yield from packed.placed(NAME, data, documents)

    def _rows(self, field: int, term: str) -> Iterator[tuple[list[int], bytes]]:
        query = (
            "SELECT data FROM postings WHERE segment = ? AND field = ? AND first <= ?"
            " ORDER BY first DESC LIMIT 1"
        )
        for segment, documents in self._documents().items():
            row = self._connection.execute(query, (segment, field, term)).fetchone()
            if row is not None and (data := packed.find(row[0], term)) is not None:
                yield documents, data

    def _documents(self) -> dict[int, list[int]]:
        """Return for each segment its blobs by position, 0 for those that the view does not have."""
        if self._segments is None:
            paths = self.view.paths
            rows = self._connection.execute("SELECT id, documents FROM segments ORDER BY id")
            self._segments = {
                segment: [blob if blob in paths else 0 for blob in packed.unpack_ids(documents)]
                for segment, documents in rows
            }
        return self._segments


def _terms(rows: Iterable[tuple[bytes]]) -> Iterator[tuple[str, bytes]]:
    return (entry for (block,) in rows for entry in packed.unpack_block(block))


def _remember(cache: dict[int, _Value], blob: int, value: _Value) -> None:
    if len(cache) >= _CACHED:
        for oldest in list(islice(cache, _CACHED // 4)):
            del cache[oldest]
    cache[blob] = value
