"""Writing parsed blobs: their facts, their contents, and their postings by the segment."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import Block
from mneme_indexer.sources import Commit


class ParsedBlob(Struct, frozen=True, array_like=True):
    """One blob as a parser hands it over; ``symbols`` and ``uses`` are msgpack, see ``read``.

    ``words`` is its length in tokens.
    """

    oid: str
    key_language: str
    language: str
    package: str
    skipped: str
    size: int
    words: int
    symbol_count: int
    use_count: int
    has_errors: bool
    symbols: bytes
    uses: bytes


class BlobWriter:
    """Writes blobs as they come, inside the caller's transaction, which must also get their postings.

    Until a view names them the blobs count as let go of at ``refresh``.
    """

    def __init__(self, connection: sqlite3.Connection, recipes: Mapping[str, int], refresh: int) -> None:
        self._connection = connection
        self._recipes = recipes
        self._refresh = refresh
        self._next = _next_blob(connection)
        self.ids: dict[tuple[str, int], int] = {}

    def add(self, blobs: Sequence[ParsedBlob]) -> list[int]:
        """Write blobs and return their rows; ``ids`` gets them by (oid, recipe)."""
        keys = [(blob.oid, self._recipes[blob.key_language]) for blob in blobs]
        rows = list(range(self._next, self._next + len(blobs)))
        self._next += len(blobs)
        self._connection.executemany(
            "INSERT INTO blobs (id, oid, recipe, language, package, skipped, size, words, symbols, uses,"
            " has_errors, unused) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (row, *key, b.language, b.package, b.skipped, b.size, b.words, b.symbol_count, b.use_count,
                 b.has_errors, self._refresh)
                for row, key, b in zip(rows, keys, blobs, strict=True)
            ),
        )  # fmt: skip
        self._connection.executemany(
            "INSERT INTO contents (blob, symbols, uses) VALUES (?, ?, ?)",
            (
                (row, blob.symbols, blob.uses)
                for row, blob in zip(rows, blobs, strict=True)
                if blob.symbol_count or blob.use_count
            ),
        )
        self.ids.update(zip(keys, rows, strict=True))
        return rows


def next_refresh(connection: sqlite3.Connection) -> int:
    """Count one more refresh and return its number: the index has no clock but this."""
    query = "UPDATE meta SET value = value + 1 WHERE key = 'refreshes' RETURNING value"
    return int(connection.execute(query).fetchone()[0])


def recipe_ids(connection: sqlite3.Connection, versions: Mapping[str, str]) -> dict[str, int]:
    """Return the row of each language's recipe, made if it is missing."""
    connection.executemany(
        "INSERT OR IGNORE INTO recipes (language, version) VALUES (?, ?)", sorted(versions.items())
    )
    query = "SELECT id FROM recipes WHERE language = ? AND version = ?"
    return {
        language: connection.execute(query, (language, version)).fetchone()[0]
        for language, version in versions.items()
    }


def known_blobs(
    connection: sqlite3.Connection, wanted: Iterable[tuple[str, int]], max_bytes: int
) -> dict[tuple[str, int], int]:
    """Return the blob of each (oid, recipe) that the file has, unless its content is larger than wanted."""
    wanted = list(wanted)
    (any_blob,) = connection.execute("SELECT EXISTS (SELECT 1 FROM blobs)").fetchone()
    if not any_blob:
        return {}
    query = "SELECT id FROM blobs WHERE oid = ? AND recipe = ? AND size <= ?"
    rows = ((key, connection.execute(query, (*key, max_bytes)).fetchone()) for key in wanted)
    return {key: row[0] for key, row in rows if row is not None}


def add_segment(connection: sqlite3.Connection, documents: Sequence[int], blocks: Iterable[Block]) -> None:
    """Write one segment; ``documents`` are the blobs that its postings name by position."""
    query = "INSERT INTO segments (count, documents) VALUES (?, ?) RETURNING id"
    packed_ids = packed.pack_ids(documents)
    (segment,) = connection.execute(query, (len(documents), packed_ids)).fetchone()
    connection.executemany(
        "INSERT INTO postings (segment, field, first, data) VALUES (?, ?, ?, ?)",
        ((segment, block.field, block.first, block.data) for block in blocks),
    )


def known_commits(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the row of each commit that the file has."""
    return dict(connection.execute("SELECT oid, id FROM commits"))


def store_history(
    connection: sqlite3.Connection,
    head: str,
    depth: int,
    oids: Sequence[str],
    commits: Iterable[Commit],
    refresh: int,
) -> None:
    """Write the newest ``depth`` ancestors of ``head``, newest first, and what is new of them."""
    encode = msgspec.msgpack.encode
    connection.executemany(
        "INSERT OR IGNORE INTO commits (oid, time, message, paths) VALUES (?, ?, ?, ?)",
        ((commit.oid, commit.time, commit.message, encode(commit.paths)) for commit in commits),
    )
    rows = known_commits(connection)
    data = packed.pack_ids(rows[oid] for oid in oids if oid in rows)
    connection.execute("INSERT OR REPLACE INTO histories VALUES (?, ?, ?, ?)", (head, depth, data, refresh))


def history_depth(connection: sqlite3.Connection, head: str) -> int:
    """Return for how many ancestors the history of ``head`` was asked, 0 if it never was."""
    row = connection.execute("SELECT depth FROM histories WHERE head = ?", (head,)).fetchone()
    return row[0] if row else 0


def _next_blob(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'blobs'").fetchone()
    return (row[0] if row else 0) + 1
