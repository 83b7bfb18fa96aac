"""The recall index: every memory that a clone knows, found by words, filters or age.

A projection: what it says follows from the memories that were added, whatever was added before or by whom. A
file that is damaged is built anew.
"""

import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Set
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Concatenate, ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from mneme_git.model.memory import Memory, MemoryScope
from mneme_git.store import recall_write
from mneme_git.store.recall_best import MOST_TERMS, Weighted, best
from mneme_git.store.recall_db import RecallDatabase, is_damage, is_unwritable, open_recall
from mneme_git.store.recall_picture import Picture, Seen
from mneme_git.store.recall_postings import Mask, mask_of_any
from mneme_git.store.recall_terms import SCOPE, Filters, carried, hashes
from mneme_git.store.recall_write import from_hex
from mneme_git.text.english import FUNCTION_STEMS
from mneme_git.text.recall_score import Asked, closeness, weight, worths
from mneme_git.text.recall_words import Terms, asked_terms

__all__ = ["Filters", "Hit", "RecallIndex", "Statistics"]

_GLOBAL = SCOPE + MemoryScope.GLOBAL.value
_GLOBAL_WORTH = 0.9
_SECOND_LOOK = 50
_CHUNK = 4096
_FEW = 2000
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Hit(Struct, frozen=True):
    """A memory that was found; scores compare within one query only."""

    name: str
    score: float


class Statistics(Struct, frozen=True):
    """What is known of all memories that a query is asked of: how many, how long, how many have a term."""

    documents: int = 0
    length: int = 0
    having: dict[str, int] = {}

    def __add__(self, other: "Statistics") -> "Statistics":
        """Return the statistics of two stores together, so that their scores compare."""
        terms = {*self.having, *other.having}
        having = {term: self.having.get(term, 0) + other.having.get(term, 0) for term in terms}
        return Statistics(self.documents + other.documents, self.length + other.length, having)


# What a damaged row brings about where it is unpacked. A fault of ours shows when it is asked again.
_DAMAGED_ROW = (msgspec.MsgspecError, zlib.error, KeyError, IndexError, ValueError)


def _whole(
    method: "Callable[Concatenate[RecallIndex, _P], _T]",
) -> "Callable[Concatenate[RecallIndex, _P], _T]":
    """Let one thread in at a time; with a file that is damaged or cannot be written, begin anew once."""

    @wraps(method)
    def guarded(self: "RecallIndex", /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with self._lock:
            if not self._database.is_still_there():
                self._renew(self._database.reopened())
            try:
                return method(self, *args, **kwargs)
            except (sqlite3.DatabaseError, *_DAMAGED_ROW) as error:
                if is_unwritable(error):
                    self._renew(self._database.in_memory())
                elif is_damage(error) or isinstance(error, _DAMAGED_ROW):
                    self._renew(self._database.rebuilt())
                else:
                    raise
            return method(self, *args, **kwargs)

    return guarded


class RecallIndex:
    """The index in ``recall.db`` of a folder.

    ``content_key`` says which memories have equal content (``memories.content.content_key``). ``read``
    gives memories by name (``MemoriesStore.read``): what a file had that turned out to be damaged is
    then put into its successor at once; without it callers add again what is ``missing``.
    """

    def __init__(
        self,
        folder: Path,
        *,
        content_key: Callable[[Memory], str],
        read: Callable[[Iterable[str]], Mapping[str, Memory]] | None = None,
    ) -> None:
        self._content_key = content_key
        self._read = read
        self._lock = RLock()
        self._picture = Picture()
        self._database: RecallDatabase = open_recall(folder)

    def close(self) -> None:
        """Let go of the file."""
        self._database.connection.close()

    @_whole
    def missing(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``names`` that the index does not have, sorted."""
        self._refresh()
        return tuple(self._picture.missing(names))

    @_whole
    def add(self, memories: Mapping[str, Memory]) -> None:
        """Add memories by name, in one transaction (in several if there are thousands)."""
        names = sorted(memories)
        for start in range(0, len(names), _CHUNK):
            chunk = {name: memories[name] for name in names[start : start + _CHUNK]}
            with self._database.writing() as connection:
                recall_write.add(connection, chunk, self._content_key)

    @_whole
    def drop(self, names: Iterable[str]) -> None:
        """Remove memories and every trace of their words: the file is written anew."""
        if not self._drop(names):
            return
        self._refresh()
        try:
            self._database.connection.execute("VACUUM")
            self._database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.OperationalError:  # no room for a second copy, or others use the file all the time
            self._renew(self._database.rebuilt())

    def _drop(self, names: Iterable[str]) -> int:
        with self._database.writing() as connection:
            return recall_write.drop(connection, names)

    @_whole
    def memories(self, names: Iterable[str]) -> dict[str, Memory]:
        """Return memories by name, in the order of ``names``; what the index does not have is left out."""
        wanted = list(dict.fromkeys(names))
        with self._database.reading() as connection:
            numbers = {name: number for name in wanted if (number := _number(connection, name)) is not None}
            found = recall_write.read(connection, list(numbers.values()))
        damaged = [name for name, number in numbers.items() if number not in found]
        if damaged:
            self._drop(damaged)
        return {name: found[number] for name, number in numbers.items() if number in found}

    @_whole
    def same_content(self, key: str) -> tuple[str, ...]:
        """Return the names of the memories with that content key, sorted."""
        rows = self._database.connection.execute(
            "SELECT name FROM memories WHERE content = ? ORDER BY name", (from_hex(key),)
        )
        return tuple(name.hex() for (name,) in rows)

    @_whole
    def contents(self) -> Mapping[str, str]:
        """Return the content key of every memory in the index, by name; it grows with the index."""
        self._refresh()
        return self._picture.keys()

    @_whole
    def superseding(self) -> dict[str, tuple[str, ...]]:
        """Return, by the name of an old memory, the names of those that say they supersede it, sorted."""
        found: dict[str, tuple[str, ...]] = {}
        rows = self._database.connection.execute("SELECT old, new FROM supersedes ORDER BY old, new")
        for old, new in rows:
            found[old.hex()] = (*found.get(old.hex(), ()), new.hex())
        return found

    @_whole
    def newest(self, filters: Filters, visible: Set[str], limit: int, offset: int = 0) -> tuple[Hit, ...]:
        """Return visible memories, the newest first, then by name; their score is 0."""
        with self._database.reading() as connection:
            self._picture.refresh(connection)
            mask = self._allowed(connection, filters, self._picture.seen(visible))
            documents = self._by_age(connection, mask, max(0, offset) + max(0, limit))
        return tuple(Hit(self._picture.names[document], 0.0) for document in documents[max(0, offset) :])

    def _by_age(self, connection: sqlite3.Connection, mask: Mask, limit: int) -> list[int]:
        if mask.count() <= _FEW:
            return sorted(mask.documents(), key=self._picture.order)[:limit]
        found: list[int] = []
        for (document,) in connection.execute("SELECT doc FROM memories ORDER BY created DESC, name"):
            if len(found) >= limit:
                break
            if mask.flags[document]:
                found.append(document)
        return found

    @_whole
    def statistics(self, query: str, visible: Set[str]) -> Statistics:
        """Return what ``search`` needs to know of each store if several are asked together."""
        with self._database.reading() as connection:
            self._picture.refresh(connection)
            seen = self._picture.seen(visible)
            having = {
                term: self._picture.postings(connection, term).count(seen.mask) for term in _asked(query)
            }
        return Statistics(seen.documents, seen.length, having)

    @_whole
    def search(
        self,
        query: str,
        filters: Filters,
        visible: Set[str],
        limit: int,
        *,
        statistics: Statistics | None = None,
    ) -> tuple[Hit, ...]:
        """Return up to ``limit`` visible memories that share a term with ``query``, best first.

        Every text is taken literally; one without terms finds nothing. Ties go to the newer memory, then
        to the smaller name. ``statistics`` are those of several stores together.
        """
        with self._database.reading() as connection:
            self._picture.refresh(connection)
            seen = self._picture.seen(visible)
            found = {term: self._picture.postings(connection, term) for term in _asked(query)}
            if statistics is None:
                having = {term: postings.count(seen.mask) for term, postings in found.items()}
                statistics = Statistics(seen.documents, seen.length, having)
            weights = _weights(statistics)
            adds = worths(statistics.length / max(1, statistics.documents))
            weighted = [
                Weighted(found[term], [worth * add for add in adds])
                for term, worth in weights.items()
                if term in found
            ]
            mask = self._allowed(connection, filters, seen)
            first = best(weighted, mask, self._picture.order, max(limit, _SECOND_LOOK))
            scored = self._closer(connection, query, statistics, first)
        scored.sort(key=lambda pair: (-pair[1], self._picture.order(pair[0])))
        return tuple(Hit(self._picture.names[document], score) for document, score in scored[: max(0, limit)])

    def _closer(
        self,
        connection: sqlite3.Connection,
        query: str,
        statistics: Statistics,
        first: list[tuple[int, float]],
    ) -> list[tuple[int, float]]:
        """Add to the best scores what a closer look gives; never less than 0, so that their order holds."""
        streams = [_stream(connection, document) for document, _ in first[:_SECOND_LOOK]]
        more = closeness(_looked_for(query, statistics), streams)
        more += [0.0] * (len(first) - len(more))
        wide = self._picture.postings(connection, _GLOBAL).as_mapping()
        return [
            (document, (score + close) * (_GLOBAL_WORTH if document in wide else 1.0))
            for (document, score), close in zip(first, more, strict=True)
        ]

    def _allowed(self, connection: sqlite3.Connection, filters: Filters, seen: Seen) -> Mask:
        mask = seen.mask
        for terms in filters.terms():
            found = [self._picture.postings(connection, term) for term in terms]
            mask = mask.both(mask_of_any(found, len(mask.flags)))
        return mask

    def _refresh(self) -> None:
        with self._database.reading() as connection:
            self._picture.refresh(connection)

    def _renew(self, database: RecallDatabase) -> None:
        """Go on with another file, and put into it what the one before had as far as that can be read."""
        known = self._picture.known()
        self._database = database
        self._picture = Picture()
        if self._read is not None and known:
            self._picture.refresh(database.connection)
            self.add(self._read(self._picture.missing(known)))


def _terms(query: str) -> Terms:
    return asked_terms(carried(query))


def _asked(query: str) -> list[str]:
    """Return the distinct terms of a query, sorted."""
    terms = _terms(query)
    return sorted({*terms.sequence, *terms.further})


def _looked_for(query: str, statistics: Statistics) -> Asked:
    sequence = _terms(query).sequence
    known = sorted({term for term in sequence if statistics.having.get(term)})
    # Where sentences are held together says nothing, unless nothing else is asked for.
    known = [term for term in known if term not in FUNCTION_STEMS] or known
    numbers = dict(zip(known, hashes(known), strict=True))
    return Asked(
        sequence=[numbers.get(term, 0) for term in sequence],
        having={numbers[term]: statistics.having[term] for term in known},
        documents=statistics.documents,
        length=statistics.length,
    )


def _stream(connection: sqlite3.Connection, document: int) -> "array[int]":
    row = connection.execute("SELECT data FROM streams WHERE doc = ?", (document,)).fetchone()
    found = array("I")
    found.frombytes(row[0] if row else b"")
    return found


def _weights(statistics: Statistics) -> dict[str, float]:
    """Return the weights of the weightiest terms that any document has, the greatest first, then by term."""
    found = [
        (weight(term, statistics.documents, having), term)
        for term, having in statistics.having.items()
        if having
    ]
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return {term: worth for worth, term in found[:MOST_TERMS]}


def _number(connection: sqlite3.Connection, name: str) -> int | None:
    row = connection.execute("SELECT doc FROM memories WHERE name = ?", (from_hex(name),)).fetchone()
    return row[0] if row else None
