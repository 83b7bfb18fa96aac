"""Upkeep within a refresh, in bounded steps: segments are merged, what nobody uses any more goes."""

import sqlite3
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter

from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import FIELDS, Block
from mneme_indexer.db.write import add_segment

# How many segments below so many documents become one; larger ones are left alone.
_CLASSES = ((8, 8), (64, 8), (512, 16))
_SPARE_BLOBS = 20_000  # kept beyond those that views use, for branches to come back to
_PRUNED_AT_ONCE = 2000
_SPARE_VIEWS = 32
_SPARE_HISTORIES = 64


def merge_segments(connection: sqlite3.Connection) -> None:
    """Make one segment of those of a size class that are too many."""
    for limit, most in _CLASSES:
        query = "SELECT id, documents FROM segments WHERE count < ? ORDER BY id"
        small = connection.execute(query, (limit,)).fetchall()
        if len(small) >= most:
            _merge(connection, small)


def prune(connection: sqlite3.Connection) -> int:
    """Forget views, histories and blobs beyond what is spared, the longest unused first.

    Returns how many blobs went; their postings go with the next merge of their segment.
    """
    _prune_views(connection)
    _prune_histories(connection)
    (unused,) = connection.execute("SELECT count(*) FROM blobs WHERE unused > 0").fetchone()
    surplus = min(unused - _SPARE_BLOBS, _PRUNED_AT_ONCE)
    if surplus <= 0:
        return 0
    query = "SELECT id FROM blobs WHERE unused > 0 ORDER BY unused, id LIMIT ?"
    gone = connection.execute(query, (surplus,)).fetchall()
    connection.executemany("DELETE FROM contents WHERE blob = ?", gone)
    connection.executemany("DELETE FROM blobs WHERE id = ?", gone)
    _thin_out(connection)
    return len(gone)


def _thin_out(connection: sqlite3.Connection) -> None:
    """Rewrite the segment that has most documents of blobs that are gone, if that is half of it."""
    alive = {row for (row,) in connection.execute("SELECT id FROM blobs")}
    worst, share = None, 0.5
    for segment, documents in connection.execute("SELECT id, documents FROM segments ORDER BY id"):
        ids = packed.unpack_ids(documents)
        dead = sum(id_ not in alive for id_ in ids) / max(1, len(ids))
        if dead > share:
            worst, share = (segment, documents), dead
    if worst is not None:
        _merge(connection, [worst])


def _merge(connection: sqlite3.Connection, segments: Sequence[tuple[int, bytes]]) -> None:
    """Replace segments by one with those of their documents that the file still has."""
    alive = connection.execute
    documents: list[int] = []
    positions: dict[int, list[int]] = {}
    for segment, data in segments:
        places = positions[segment] = []
        for blob in packed.unpack_ids(data):
            is_alive = alive("SELECT 1 FROM blobs WHERE id = ?", (blob,)).fetchone()
            places.append(len(documents) if is_alive else -1)
            if is_alive:
                documents.append(blob)
    blocks = [block for field in FIELDS for block in _merged_blocks(connection, field, positions)]
    for segment in positions:
        connection.execute("DELETE FROM postings WHERE segment = ?", (segment,))
        connection.execute("DELETE FROM segments WHERE id = ?", (segment,))
    if documents:
        add_segment(connection, documents, blocks)


def _merged_blocks(
    connection: sqlite3.Connection, field: int, positions: dict[int, list[int]]
) -> Iterator[Block]:
    streams = [_terms(connection, segment, field) for segment in positions]
    rows = (
        (term, numbers)
        for term, group in groupby(merge(*streams), key=itemgetter(0))
        if (numbers := [
            number for _, segment, data in group for number in packed.moved(field, data, positions[segment])
        ])
    )  # fmt: skip
    return packed.blocks(field, rows)


def _terms(connection: sqlite3.Connection, segment: int, field: int) -> Iterator[tuple[str, int, bytes]]:
    query = "SELECT data FROM postings WHERE segment = ? AND field = ? ORDER BY first"
    for (block,) in connection.execute(query, (segment, field)):
        for term, data in packed.unpack_block(block):
            yield term, segment, data


def _prune_views(connection: sqlite3.Connection) -> None:
    """Forget the views that were asked for longest ago; their blobs count as unused from then on."""
    query = "SELECT id, used FROM views ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?"
    for view, used in connection.execute(query, (_SPARE_VIEWS,)).fetchall():
        blobs = connection.execute("SELECT DISTINCT blob FROM view_files WHERE view = ?", (view,)).fetchall()
        connection.execute("DELETE FROM view_files WHERE view = ?", (view,))
        connection.execute("DELETE FROM views WHERE id = ?", (view,))
        connection.executemany(
            "UPDATE blobs SET unused = ?1 WHERE id = ?2"
            " AND NOT EXISTS (SELECT 1 FROM view_files WHERE blob = ?2)",
            ((used, blob) for (blob,) in blobs),
        )


def _prune_histories(connection: sqlite3.Connection) -> None:
    """Forget old heads; the commits stay, they are small and other heads have them."""
    connection.execute(
        "DELETE FROM histories WHERE head IN"
        " (SELECT head FROM histories ORDER BY used DESC, head LIMIT -1 OFFSET ?)",
        (_SPARE_HISTORIES,),
    )
