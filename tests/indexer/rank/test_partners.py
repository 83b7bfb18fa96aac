import pytest

from mneme_indexer.rank.partners import definitions_first


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("include/queue.h", "src/queue.c"),
        ("include/queue.hpp", "src/Queue.cpp"),
        ("details/queue.h", "details/queue-inl.h"),
    ],
)
def test_a_source_that_is_nearly_as_good_comes_before_its_header(header, source):
    paths = [header, "other.c", source]
    assert definitions_first([(1.0, 0), (0.9, 1), (0.8, 2)], paths) == [(1.0, 2), (0.9, 1), (0.8, 0)]


def test_a_source_that_says_much_less_stays_behind_its_header():
    ranked = [(1.0, 0), (0.5, 1)]
    assert definitions_first(ranked, ["queue.h", "queue.c"]) == ranked


def test_a_source_that_is_ahead_stays_ahead():
    ranked = [(1.0, 1), (0.9, 0)]
    assert definitions_first(ranked, ["queue.h", "queue.c"]) == ranked


def test_a_header_with_several_sources_stays_where_it_is():
    ranked = [(1.0, 0), (0.9, 1), (0.8, 2)]
    assert definitions_first(ranked, ["queue.h", "unix/queue.c", "win/queue.c"]) == ranked


def test_files_of_other_languages_are_no_partners():
    ranked = [(1.0, 0), (0.9, 1)]
    assert definitions_first(ranked, ["queue.ts", "queue.py"]) == ranked


def test_ties_go_by_path():
    assert definitions_first([(1.0, 1), (1.0, 0)], ["a.c", "b.py"]) == [(1.0, 0), (1.0, 1)]
