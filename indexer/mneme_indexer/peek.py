"""A look at the index as it is: it is never built, brought up to date or written for it.

The caller compares the blob ids that are told with those of the files as they are.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from mneme_indexer.db import postings as packed
from mneme_indexer.db.connect import FILE, open_to_read
from mneme_indexer.db.postings import NAME
from mneme_indexer.model import Symbol
from mneme_indexer.words import fold

_DECODE = msgspec.msgpack.Decoder(tuple[Symbol, ...]).decode
_REMEMBERED = 4_000  # names
_ROW = "SELECT data FROM postings WHERE segment = ? AND field = ? AND first <= ? ORDER BY first DESC LIMIT 1"


class Place(Struct, frozen=True, order=True):
    """A file of the view, and the git id of the content that the index has of it."""

    path: str
    oid: str


class Peek:
    """The index in ``folder``, seen for the view called ``view``; a missing or foreign file tells nothing."""

    def __init__(self, folder: Path, view: str) -> None:
        self._path = folder / FILE
        self._key = view
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None
        self._version = 0
        self._places: dict[str, tuple[Place, ...]] = {}

    def is_there(self) -> bool:
        """Tell whether the index has the view at all."""
        return any(self._ask("SELECT 1 FROM views WHERE key = ?", self._key))

    def places(self, name: str) -> tuple[Place, ...]:
        """Return the files that have a symbol of exactly this unqualified name, by path."""
        self._follow()
        if name not in self._places:
            self._places[name] = tuple(sorted(self._found(name)))
        return self._places[name]

    def symbols(self, path: str, oid: str) -> tuple[Symbol, ...] | None:
        """Return the symbols of a file if the index has it with that content, else None."""
        rows = self._ask(
            "SELECT f.blob FROM view_files f JOIN views v ON v.id = f.view"
            " WHERE v.key = ? AND f.path = ? AND f.oid = ? AND f.blob > 0",
            self._key,
            path,
            oid,
        )
        return next((self._symbols(blob) for (blob,) in rows), None)

    def with_content(self, oid: str) -> tuple[str, ...]:
        """Return the paths that have this content, sorted."""
        rows = self._ask("SELECT id FROM blobs WHERE oid = ?", oid)
        return tuple(sorted({place.path for (blob,) in rows for place in self._files("blob = ?", blob)}))

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._places.clear()

    def _found(self, name: str) -> set[Place]:
        found: set[Place] = set()
        for blob in {blob for blob, symbol in self._named(name) if self._symbols(blob)[symbol].name == name}:
            found.update(self._files("blob = ?", blob))
        return found

    def _follow(self) -> None:
        """Forget what was asked if the index has changed since."""
        version = next((row[0] for row in self._ask("PRAGMA data_version")), 0)
        if version != self._version or len(self._places) > _REMEMBERED:
            self._places.clear()
            self._version = version

    def _named(self, name: str) -> Iterator[tuple[int, int]]:
        folded = fold(name)
        for segment, documents in self._ask("SELECT id, documents FROM segments ORDER BY id"):
            for (block,) in self._ask(_ROW, segment, NAME, folded):
                data = packed.find(block, folded)
                if data is not None:
                    for blob, symbol, _ in packed.placed(NAME, data, packed.unpack_ids(documents)):
                        yield blob, symbol

    def _symbols(self, blob: int) -> tuple[Symbol, ...]:
        rows = self._ask("SELECT symbols FROM contents WHERE blob = ?", blob)
        return next((_DECODE(row[0]) for row in rows), ())

    def _files(self, where: str, *values: object) -> Iterator[Place]:
        query = f"SELECT f.path, f.oid FROM view_files f JOIN views v ON v.id = f.view WHERE v.key = ? AND f.{where}"  # noqa: S608, E501 - all of it is ours
        return (Place(*row) for row in self._ask(query, self._key, *values))

    def _ask(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        """Return the rows, none if there is no index or it is damaged: whoever builds it mends it."""
        try:
            connection = self._open()
            return connection.execute(query, values).fetchall() if connection is not None else []
        except sqlite3.Error:
            self.close()
            return []

    def _open(self) -> sqlite3.Connection | None:
        try:
            seen = self._path.stat()
        except OSError:
            self.close()
            return None
        if self._connection is None or self._opened != (seen.st_dev, seen.st_ino):
            self.close()
            self._connection = open_to_read(self._path)
            self._opened = (seen.st_dev, seen.st_ino)
        return self._connection


def symbols_of(path: str, data: bytes) -> tuple[Symbol, ...]:
    """Return the symbols of one file, read here and now; none if no language is known for it."""
    from mneme_indexer.build.recipes import TEXT, key_language, language_of
    from mneme_indexer.extract.parse import parse

    language = language_of(key_language(path), data)
    if language == TEXT:
        return ()
    try:
        return parse(language, data).symbols
    except Exception:  # noqa: BLE001 - an odd file has no symbols for us
        return ()
