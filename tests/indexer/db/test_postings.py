"""Packing and unpacking are each other's inverse, for every field."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import BODY, FIELDS, HEAD, MOST_TIMES, NAME, USE


def pack(field, numbers):
    """Return numbers as they are stored, by way of a block."""
    (block,) = packed.blocks(field, [("term", list(numbers))])
    return packed.find(block.data, "term")


documents = st.integers(0, (1 << 22) - 1)


@settings(deadline=None)
@given(st.sampled_from([BODY, USE]), st.lists(st.tuples(documents, st.integers(0, MOST_TIMES)), min_size=1))
def test_counts_come_back(field, rows):
    blobs = {document: document + 1 for document, _ in rows}
    data = pack(field, (document << 10 | times for document, times in rows))
    table = _Table(blobs)
    assert packed.counted(field, data, table) == [(document + 1, times) for document, times in rows]


@settings(deadline=None)
@given(
    st.sampled_from([HEAD, NAME]),
    st.lists(st.tuples(documents, st.integers(0, (1 << 20) - 1), st.integers(0, 255)), min_size=1),
)
def test_places_come_back(field, rows):
    data = pack(field, (document << 28 | symbol << 8 | weight for document, symbol, weight in rows))
    table = _Table({document: document + 1 for document, _, _ in rows})
    assert packed.placed(field, data, table) == [(d + 1, symbol, weight) for d, symbol, weight in rows]


class _Table(dict):
    """Rows of blobs by position, as a long list would have them."""


def test_documents_that_the_view_lacks_are_left_out():
    data = pack(BODY, [0 << 10 | 3, 1 << 10 | 4])
    assert packed.counted(BODY, data, [0, 8]) == [(8, 4)]
    data = pack(HEAD, [0 << 28 | 2 << 8 | 1, 1 << 28 | 3 << 8 | 2])
    assert packed.placed(HEAD, data, [7, 0]) == [(7, 2, 1)]


@pytest.mark.parametrize("field", FIELDS)
def test_a_moved_document_keeps_what_was_said_of_it(field):
    shift = packed.SHIFTS[field]
    data = pack(field, [0 << shift | 5, 1 << shift | 6, 2 << shift | 7])
    assert packed.moved(field, data, [4, -1, 0]) == [4 << shift | 5, 0 << shift | 7]


@settings(deadline=None)
@given(
    st.sampled_from(FIELDS),
    st.dictionaries(
        st.text(max_size=5), st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=60), max_size=200
    ),
    st.text(max_size=5),
)
def test_blocks_hold_all_terms_in_order_and_begin_with_their_first(field, terms, other):
    blocks = list(packed.blocks(field, sorted(terms.items())))
    rows = [list(packed.unpack_block(block.data)) for block in blocks]
    found = [(term, list(packed.unpack(field, data))) for block in rows for term, data in block]
    assert found == sorted(terms.items())
    assert [block.first for block in blocks] == [block[0][0] for block in rows]
    assert all(len(block) <= 64 for block in rows)
    for term in {*terms, other}:
        data = [data for block in blocks if (data := packed.find(block.data, term)) is not None]
        assert [list(packed.unpack(field, one)) for one in data] == ([terms[term]] if term in terms else [])


@settings(deadline=None)
@given(st.lists(st.integers(0, (1 << 32) - 1)))
def test_ids_come_back(ids):
    assert list(packed.unpack_ids(packed.pack_ids(ids))) == ids
