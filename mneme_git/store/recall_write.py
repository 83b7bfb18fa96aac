"""What is put into the recall index and taken out of it, within the caller's transaction."""

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from zlib import compress, crc32, decompress

import msgspec

from mneme_git.model.memory import Memory
from mneme_git.store.recall_postings import Postings, by_term, packed
from mneme_git.store.recall_terms import kept
from mneme_git.text.instants import epoch_milliseconds

# So many documents wait in `fresh` at most; a search looks at each of them.
_FRESH = 256
_SHORT_BYTES = 300
_encode = msgspec.msgpack.Encoder().encode
_decode_classes = msgspec.msgpack.Decoder(dict[str, int]).decode
_decode_memory = msgspec.msgpack.Decoder(Memory).decode
_NO_NAME, _NO_KEY = bytes(16), bytes(32)


def add(connection: sqlite3.Connection, memories: Mapping[str, Memory], key: Callable[[Memory], str]) -> None:
    """Add memories by name; one that is there already is left as it is."""
    new = [name for name in sorted(memories) if not _has(connection, name)]
    if not new:
        return
    ((number,),) = connection.execute("SELECT value FROM meta WHERE key = 'documents'").fetchall()
    for document, name in enumerate(new, number):
        _add_one(connection, document, name, memories[name], key(memories[name]))
    _set(connection, "documents", number + len(new))
    ((start,),) = connection.execute("SELECT value FROM meta WHERE key = 'fresh'").fetchall()
    if number + len(new) - start >= _FRESH:
        _make_segment(connection, start, number + len(new))


def _has(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT 1 FROM memories WHERE name = ?"
    return connection.execute(query, (bytes.fromhex(name),)).fetchone() is not None


def _set(connection: sqlite3.Connection, key: str, value: int) -> None:
    connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))


def _add_one(connection: sqlite3.Connection, document: int, name: str, memory: Memory, key: str) -> None:
    found = kept(memory)
    data = _encode(memory)
    is_packed = len(data) > _SHORT_BYTES
    if is_packed:
        data = compress(data, 1)
    created = epoch_milliseconds(memory.created_at) or 0
    connection.execute(
        "INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document,
            bytes.fromhex(name),
            created,
            bytes.fromhex(key),
            found.length,
            is_packed,
            crc32(data),
            data,
        ),
    )
    connection.execute("INSERT INTO streams VALUES (?, ?)", (document, array("I", found.stream).tobytes()))
    connection.execute("INSERT INTO fresh VALUES (?, ?)", (document, _encode(found.classes)))
    connection.executemany(
        "INSERT OR IGNORE INTO supersedes VALUES (?, ?)",
        [(bytes.fromhex(old), bytes.fromhex(name)) for old in memory.supersedes if _is_name(old)],
    )


def from_hex(digits: str) -> bytes:
    """Return the bytes of a name or key; a text that is none gives bytes that no memory has."""
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


def _is_name(text: str) -> bool:
    return len(text) == 32 and not set(text) - set("0123456789abcdef")


def _make_segment(connection: sqlite3.Connection, start: int, end: int) -> None:
    """Put the fresh documents from ``start`` to before ``end`` together."""
    size = end - start
    names, contents = [_NO_NAME] * size, [_NO_KEY] * size
    created, lengths = array("q", bytes(8 * size)), bytearray(size)
    rows = connection.execute(
        "SELECT doc, name, content, created, length FROM memories WHERE doc >= ? AND doc < ?", (start, end)
    )
    for document, name, content, time, length in rows:
        at = document - start
        names[at], contents[at], created[at], lengths[at] = name, content, time, length
    connection.execute(
        "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)",
        (start, size, b"".join(names), b"".join(contents), created.tobytes(), bytes(lengths)),
    )
    fresh = dict(connection.execute("SELECT doc, data FROM fresh"))
    terms = by_term({document: _decode_classes(data) for document, data in fresh.items()})
    connection.executemany(
        "INSERT INTO postings VALUES (?, ?, ?)",
        [(term, start, packed(*terms[term], start, size)) for term in sorted(terms)],
    )
    connection.execute("DELETE FROM fresh")
    _set(connection, "fresh", end)


def drop(connection: sqlite3.Connection, names: Iterable[str]) -> int:
    """Remove memories and every trace of their words; return how many there were."""
    rows = [
        (name, row[0])
        for name in sorted(set(names))
        if (
            row := connection.execute("SELECT doc FROM memories WHERE name = ?", (from_hex(name),)).fetchone()
        )
    ]
    for name, document in rows:
        _drop_from_segment(connection, document)
        for table in ("memories", "streams", "fresh"):
            connection.execute(f"DELETE FROM {table} WHERE doc = ?", (document,))  # noqa: S608
        connection.execute("DELETE FROM supersedes WHERE new = ?", (from_hex(name),))
    if rows:
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'dropped'")
    return len(rows)


def _drop_from_segment(connection: sqlite3.Connection, document: int) -> None:
    segment = connection.execute(
        "SELECT first, size, names, contents FROM segments WHERE first <= ? ORDER BY first DESC LIMIT 1",
        (document,),
    ).fetchone()
    if segment is None or document >= segment[0] + segment[1]:
        return
    first, size, names, contents = segment
    at = document - first
    connection.execute(
        "UPDATE segments SET names = ?, contents = ? WHERE first = ?",
        (
            names[: at * 16] + _NO_NAME + names[at * 16 + 16 :],
            contents[: at * 32] + _NO_KEY + contents[at * 32 + 32 :],
            first,
        ),
    )
    for memory in read(connection, [document]).values():
        for term in kept(memory).classes:
            _drop_posting(connection, term, first, size, document)


def _drop_posting(connection: sqlite3.Connection, term: str, first: int, size: int, document: int) -> None:
    row = connection.execute(
        "SELECT data FROM postings WHERE term = ? AND first = ?", (term, first)
    ).fetchone()
    if row is None:
        return
    postings = Postings()
    postings.add_packed(first, size, row[0])
    left = {number: kind for number, kind in postings.as_mapping().items() if number != document}
    connection.execute("DELETE FROM postings WHERE term = ? AND first = ?", (term, first))
    if left:
        data = packed(sorted(left), bytes(left[number] for number in sorted(left)), first, size)
        connection.execute("INSERT INTO postings VALUES (?, ?, ?)", (term, first, data))


def read(connection: sqlite3.Connection, documents: Sequence[int]) -> dict[int, Memory]:
    """Return the memories with these numbers; a row that is damaged is left out."""
    found: dict[int, Memory] = {}
    for document in documents:
        row = connection.execute(
            "SELECT packed, crc, data FROM memories WHERE doc = ?", (document,)
        ).fetchone()
        if row is not None and crc32(row[2]) == row[1]:
            found[document] = _decode_memory(decompress(row[2]) if row[0] else row[2])
    return found
