"""What a process holds of the recall index: a row of small values for each document, read as whole blobs."""

import sqlite3
from array import array
from collections.abc import Iterable, Mapping, Set
from itertools import filterfalse
from types import MappingProxyType

import msgspec
from msgspec import Struct

from mneme_git.store.recall_postings import Mask, Postings
from mneme_git.text.recall_score import LENGTHS

GONE = "0" * 32
_NAME_BYTES = 16
_KEY_BYTES = 32
_NAME_DIGITS = 2 * _NAME_BYTES
_KEY_DIGITS = 2 * _KEY_BYTES
# After so few changes what is visible is corrected instead of looked up again.
_FEW = 1000
_KEPT_TERMS = 64
_decode = msgspec.msgpack.Decoder(dict[str, int]).decode


class Seen(Struct, frozen=True):
    """The documents that a search may answer from, how many they are and how long all together."""

    mask: Mask
    documents: int
    length: int


class Picture:
    """Names, times, lengths and fresh postings of all documents, by their numbers."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.contents: list[str] = []
        self.created: array[int] = array("q")
        self.lengths = bytearray()
        self.fresh: dict[int, dict[str, int]] = {}
        self.segments: dict[int, int] = {}
        self._numbers: dict[str, int] = {}
        self._keys: dict[str, str] = {}
        self._keyed = 0
        self._kept: dict[str, Postings] = {}
        self._dropped = -1
        self._fresh_from = 0
        self._seen: tuple[frozenset[str], int, Seen] | None = None

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Read what was added or dropped since the last time."""
        state = dict(connection.execute("SELECT key, value FROM meta"))
        if state["dropped"] != self._dropped:
            self.__init__()  # type: ignore[misc]
            self._dropped = state["dropped"]
        if len(self.names) == state["documents"] and self._fresh_from == state["fresh"]:
            return
        self._kept.clear()
        self._read_segments(connection, state["fresh"])
        self._read_rows(connection, state["documents"])
        self._fresh_from = state["fresh"]
        self.fresh = {doc: row for doc, row in self.fresh.items() if doc >= self._fresh_from}

    def _read_segments(self, connection: sqlite3.Connection, end: int) -> None:
        known = set(self.segments)
        for first, size in connection.execute("SELECT first, size FROM segments ORDER BY first").fetchall():
            if first in known and self.segments[first] == size:
                continue
            self.segments[first] = size
            if first + size <= len(self.names) or first > len(self.names):
                continue
            row = connection.execute(
                "SELECT names, contents, created, lengths FROM segments WHERE first = ?", (first,)
            ).fetchone()
            self._append(len(self.names) - first, *row)
        self.segments = {first: size for first, size in self.segments.items() if first < end}

    def _append(self, skip: int, names: bytes, contents: bytes, created: bytes, lengths: bytes) -> None:
        digits, keys = names.hex(), contents.hex()
        start = len(self.names)
        self.names += [
            digits[at : at + _NAME_DIGITS] for at in range(skip * _NAME_DIGITS, len(digits), _NAME_DIGITS)
        ]
        self.contents += [
            keys[at : at + _KEY_DIGITS] for at in range(skip * _KEY_DIGITS, len(keys), _KEY_DIGITS)
        ]
        self.created.frombytes(created[skip * self.created.itemsize :])
        self.lengths += lengths[skip:]
        self._number(start)

    def _read_rows(self, connection: sqlite3.Connection, end: int) -> None:
        start = len(self.names)
        rows = connection.execute(
            "SELECT m.doc, hex(m.name), hex(m.content), m.created, m.length, f.data FROM memories m"
            " LEFT JOIN fresh f ON f.doc = m.doc WHERE m.doc >= ? ORDER BY m.doc",
            (start,),
        )
        for doc, name, content, created, length, data in rows:
            self._pad(doc)
            self.names.append(name.lower())
            self.contents.append(content.lower())
            self.created.append(created)
            self.lengths.append(length)
            if data is not None:
                self.fresh[doc] = _decode(data)
        self._pad(end)
        self._number(start)

    def _pad(self, end: int) -> None:
        while len(self.names) < end:
            self.names.append(GONE)
            self.contents.append(GONE)
            self.created.append(0)
            self.lengths.append(0)

    def _number(self, start: int) -> None:
        self._numbers.update(zip(self.names[start:], range(start, len(self.names)), strict=True))
        self._numbers.pop(GONE, None)

    def number(self, name: str) -> int | None:
        """Return the number of a name, None if the index does not have it."""
        return self._numbers.get(name)

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return those of ``names`` that the index does not have, sorted."""
        return sorted(set(filterfalse(self._numbers.__contains__, names)))

    def known(self) -> list[str]:
        """Return the names that the index has, sorted."""
        return sorted(self._numbers)

    def keys(self) -> Mapping[str, str]:
        """Return the content keys by name; what is added later is seen in it."""
        for name, key in zip(self.names[self._keyed :], self.contents[self._keyed :], strict=True):
            self._keys[name] = key
        self._keyed = len(self.names)
        self._keys.pop(GONE, None)
        return MappingProxyType(self._keys)

    def seen(self, visible: Set[str]) -> Seen:
        """Return the documents that are visible; that of the last frozenset is kept."""
        kept = self._seen
        if kept is None or not isinstance(visible, frozenset):
            seen = self._seen_anew(visible)
        elif kept[0] is visible and kept[1] == len(self.names):
            return kept[2]
        else:
            changed = {*(visible ^ kept[0]), *self.names[kept[1] :]}
            seen = (
                self._seen_after(visible, kept[2], changed)
                if len(changed) <= _FEW
                else self._seen_anew(visible)
            )
        if isinstance(visible, frozenset):
            self._seen = (visible, len(self.names), seen)
        return seen

    def _seen_anew(self, visible: Set[str]) -> Seen:
        flags = bytes(map(visible.__contains__, self.names))
        mask = Mask(flags)
        lengths = (mask.number * 255 & int.from_bytes(self.lengths, "little")).to_bytes(len(flags), "little")
        documents = mask.count()
        counts = [lengths.count(kind) for kind in range(len(LENGTHS))]
        counts[0] -= len(flags) - documents
        total = sum(count * length for count, length in zip(counts, LENGTHS, strict=True))
        return Seen(mask, documents, total)

    def _seen_after(self, visible: Set[str], before: Seen, changed: Iterable[str]) -> Seen:
        """Return what ``_seen_anew`` would, if only ``changed`` names are seen otherwise than before."""
        flags = bytearray(before.mask.flags).ljust(len(self.names), b"\0")
        total = before.length
        for name in changed:
            number = self._numbers.get(name)
            if number is not None and flags[number] != (name in visible):
                flags[number] ^= 1
                total += LENGTHS[self.lengths[number]] * (1 if flags[number] else -1)
        mask = Mask(bytes(flags))
        return Seen(mask, mask.count(), total)

    def order(self, document: int) -> tuple[int, str]:
        """Return what puts the newer document first, then the smaller name."""
        return -self.created[document], self.names[document]

    def postings(self, connection: sqlite3.Connection, term: str) -> Postings:
        """Return the documents that have a term; those of the last terms are kept while nothing changes."""
        if (kept := self._kept.get(term)) is not None:
            return kept
        found = Postings()
        for first, data in connection.execute(
            "SELECT first, data FROM postings WHERE term = ? ORDER BY first", (term,)
        ):
            found.add_packed(first, self.segments[first], data)
        for document, classes in self.fresh.items():
            if kind := classes.get(term):
                found.add(document, kind)
        if len(self._kept) >= _KEPT_TERMS:
            self._kept.clear()
        self._kept[term] = found
        return found
