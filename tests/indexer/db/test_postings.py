"""Packing and unpacking are each other's inverse, for every field."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import BODY, FIELDS, HEAD, MOST_TIMES, NAME, USE

documents = st.integers(0, (1 << 22) - 1)


@settings(deadline=None)
@given(st.sampled_from([BODY, USE]), st.lists(st.tuples(documents, st.integers(0, MOST_TIMES))))
def test_counts_come_back(field, rows):
    blobs = {document: document + 1 for document, _ in rows}
    data = packed.pack(field, (document << 10 | times for document, times in rows))
    table = _Table(blobs)
    assert packed.counted(field, data, table) == [(document + 1, times) for document, times in rows]


@settings(deadline=None)
@given(
    st.sampled_from([HEAD, NAME]),
    st.lists(st.tuples(documents, st.integers(0, (1 << 20) - 1), st.integers(0, 255))),
)
def test_places_come_back(field, rows):
    data = packed.pack(field, (document << 28 | symbol << 8 | weight for document, symbol, weight in rows))
    table = _Table({document: document + 1 for document, _, _ in rows})
    assert packed.placed(field, data, table) == [(d + 1, symbol, weight) for d, symbol, weight in rows]


class _Table(dict):
    """Rows of blobs by position, as a long list would have them."""


def test_documents_that_the_view_lacks_are_left_out():
    data = packed.pack(BODY, [0 << 10 | 3, 1 << 10 | 4])
    assert packed.counted(BODY, data, [0, 8]) == [(8, 4)]
    data = packed.pack(HEAD, [0 << 28 | 2 << 8 | 1, 1 << 28 | 3 << 8 | 2])
    assert packed.placed(HEAD, data, [7, 0]) == [(7, 2, 1)]


@pytest.mark.parametrize("field", FIELDS)
def test_a_moved_document_keeps_what_was_said_of_it(field):
    shift = packed.SHIFTS[field]
    data = packed.pack(field, [0 << shift | 5, 1 << shift | 6, 2 << shift | 7])
    assert packed.moved(field, data, [4, -1, 0]) == [4 << shift | 5, 0 << shift | 7]


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), st.binary(max_size=200), max_size=300))
def test_blocks_hold_all_terms_in_order_and_begin_with_their_first(terms):
    blocks = list(packed.blocks(BODY, sorted(terms.items())))
    unpacked = [packed.unpack_block(block.data) for block in blocks]
    assert [entry for block in unpacked for entry in block.items()] == sorted(terms.items())
    assert [block.first for block in blocks] == [min(block) for block in unpacked]
    assert all(len(block) <= 64 for block in unpacked)


@settings(deadline=None)
@given(st.lists(st.integers(0, (1 << 32) - 1)))
def test_ids_come_back(ids):
    assert list(packed.unpack_ids(packed.pack_ids(ids))) == ids
