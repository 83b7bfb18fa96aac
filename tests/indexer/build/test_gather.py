"""The postings of a segment, against a plain count over the same files."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_indexer import words
from mneme_indexer.build.gather import Gatherer
from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import BODY, DOC_TIMES, HEAD, IN_NAME, MOST_TIMES, NAME, USE
from mneme_indexer.model import Import, ParsedFile, Reference, Symbol

EMPTY = ParsedFile(language="")


def field_of(gatherer, field):
    """Return the rows of each term of a field."""
    rows = {}
    for block in gatherer.blocks():
        if block.field == field:
            for term, data in packed.unpack_block(block.data):
                documents = range(1, 1000)
                unpack = packed.counted if field in {BODY, USE} else packed.placed
                rows[term] = sorted((hit[0] - 1, *hit[1:]) for hit in unpack(field, data, documents))
    return rows


names = st.sampled_from(["fooBar", "foo_bar", "foo", "Bar", "x", "FooBar2", "größe", "管理", "HTTPFoo", "42"])


@settings(deadline=None)
@given(st.lists(st.lists(names, max_size=8), max_size=6))
def test_the_body_of_each_document_is_counted_as_its_terms_are(files):
    gatherer = Gatherer()
    expected = {}
    for number, file in enumerate(files):
        data = " ".join(file).encode()
        assert gatherer.add(data, EMPTY) == len(file)
        for term, times in words.count_terms(data).items():
            expected.setdefault(term, []).append((number, times))
    assert field_of(gatherer, BODY) == expected


@settings(deadline=None)
@given(st.lists(st.tuples(names, st.lists(names, max_size=5)), max_size=6))
def test_the_head_of_each_symbol_says_where_a_term_stands(symbols):
    gatherer = Gatherer()
    rows = tuple(
        Symbol(name, "function", "function", "", "", True, "public", 1, 1, 0, 1, "", " ".join(doc))
        for name, doc in symbols
    )
    gatherer.skip()
    gatherer.add(b"", ParsedFile(language="python", symbols=rows))
    expected = {}
    for number, (name, doc) in enumerate(symbols):
        times = Counter(term for word in doc for term in words.split(word))
        for term in {*words.split(name), *times}:
            weight = (IN_NAME if term in words.split(name) else 0) | min(times[term], DOC_TIMES)
            expected.setdefault(term, []).append((1, number, weight))
    assert field_of(gatherer, HEAD) == expected


def test_counts_end_at_their_limit_and_do_not_spill():
    gatherer = Gatherer()
    gatherer.add(b"foo " * 3000 + b"Foo " * 3000, EMPTY)
    gatherer.add(b"foo", EMPTY)
    assert field_of(gatherer, BODY)["foo"] == [(0, MOST_TIMES), (1, 1)]


def test_names_are_found_whatever_their_case_and_uses_only_as_written():
    symbol = Symbol("Größe", "class", "class", "", "", True, "public", 1, 1, 0, 1)
    parsed = ParsedFile(
        language="python",
        symbols=(symbol,),
        references=(Reference("calls", "Get", "", 1, -1), Reference("calls", "Get", "", 2, -1)),
        imports=(Import("m", "thing", "other", 1), Import("m", "plain", "", 1)),
    )
    for field, expected in ((NAME, {"grösse": [(0, 0, 1)]}), (USE, {"Get": [(0, 2)], "thing": [(0, 1)]})):
        gatherer = Gatherer()
        gatherer.add(b"", parsed)
        assert field_of(gatherer, field) == expected
