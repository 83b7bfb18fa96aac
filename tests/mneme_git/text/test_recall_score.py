import math

import pytest

from mneme_git.text.recall_score import (
    LENGTHS,
    Asked,
    closeness,
    length_class,
    posting_byte,
    rarity,
    weight,
    worths,
)


def test_a_byte_says_times_and_length():
    assert [length_class(length) for length in LENGTHS] == list(range(32))
    assert length_class(0) == 0
    assert length_class(10**6) == 31
    seen = [posting_byte(times, 5) for times in (1, 2, 3, 4, 5, 7, 8, 12, 13, 10**6)]
    assert seen == sorted(seen)
    assert min(seen) > 0
    assert max(posting_byte(10**6, 31), *seen) < 256


def test_worths_are_those_of_bm25():
    adds = worths(100.0)
    length = LENGTHS[length_class(100)]
    assert adds[posting_byte(2, length_class(100))] == pytest.approx(
        2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * length / 100))
    )
    assert adds[0] == 0
    assert adds[posting_byte(3, 9)] > adds[posting_byte(2, 9)] > adds[posting_byte(2, 12)]


def test_what_is_rarer_says_more_and_nothing_says_less_than_nothing():
    assert rarity(100, 1) > rarity(100, 50) > rarity(100, 100) > 0
    assert rarity(10, 3) == pytest.approx(math.log(1 + 7.5 / 3.5))
    assert 0 < weight("what", 10, 3) < weight("parser", 10, 3)


def asked(*sequence, having=2, documents=10, length=1000):
    return Asked(sequence, dict.fromkeys(sequence, having), documents, length)


def test_terms_in_one_passage_are_closer_than_terms_apart():
    near = [9] * 100 + [1, 2] + [9] * 100
    far = [1] + [9] * 200 + [2]
    none = [9] * 200
    first, second, third = closeness(asked(1, 2), [near, far, none])
    assert first > second > third == 0


def test_terms_in_the_order_of_the_query_are_closer():
    first, second = closeness(asked(1, 2), [[1, 2, 9], [2, 1, 9]])
    assert first > second > 0


def test_what_else_is_looked_at_changes_little_if_it_has_the_term_as_often():
    (alone,) = closeness(asked(1, having=3), [[1, 9, 9]])
    among = closeness(asked(1, having=3), [[1, 9, 9]] * 3)
    assert among == [pytest.approx(alone)] * 3


def test_no_terms_and_no_streams_give_nothing():
    assert closeness(asked(), [[1, 2]]) == [0.0]
    assert closeness(asked(1), []) == []
    assert closeness(asked(1), [[]]) == [0.0]
