import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.text.words import (
    joined_name,
    phrase_words,
    retrieval_matches,
    retrieval_terms,
    rule_terms,
    short_name,
)

ascii_text = st.text(alphabet=st.characters(min_codepoint=9, max_codepoint=126), max_size=60)


@given(ascii_text)
def test_ascii_text_gives_the_tokens_of_the_format(text):
    runs = re.findall("[a-z0-9]+", text.lower())
    assert phrase_words(text) == tuple(runs)
    assert retrieval_terms(text) == {run for run in runs if len(run) >= 4}
    assert [word for word in rule_terms(text) if len(word) < 3] == []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Do not use YAML", ("yaml",)),
        ("add sqlalchemy", ("sqlalchemy",)),
        ("redis redis", ("redis", "redis")),
        ("introduce ORM layer", ("introduce", "orm", "layer")),
        ("use", ()),
        ("Go", ()),
        ("C++", ()),
        ("my_redis", ("redis",)),
        ("редис", ("редис",)),
        ("Straße", ("straße",)),
        ("naïve cache", ("naïve", "cache")),
    ],
)
def test_rule_terms_are_long_enough_and_no_fillers(text, terms):
    assert rule_terms(text) == terms


def test_a_query_word_counts_once_however_often_and_wherever_it_stands():
    assert retrieval_matches(retrieval_terms("Postgres storage"), ["no postgres", "postgres, storage"]) == 2


def test_a_query_word_inside_a_longer_word_is_no_match():
    assert retrieval_matches(retrieval_terms("order"), ["orders-api", "reorder"]) == 0


def test_an_accent_makes_another_word_and_does_not_split_one():
    assert retrieval_matches(retrieval_terms("cafe house"), ["café"]) == 0
    assert retrieval_matches(retrieval_terms("CAFÉ"), ["café"]) == 1


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4))
def test_matches_are_the_size_of_the_intersection(query, texts):
    terms = retrieval_terms(query)
    union = frozenset().union(*(re.findall(r"[^\W_]+", text.casefold()) for text in texts))
    assert retrieval_matches(terms, texts) == len(terms & union)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Go", "Go"),
        (" C++ ", "C++"),
        ("R", "R"),
        ("js", ""),
        ("no", ""),
        ("k8", "k8"),
        ("use", ""),
        ("Go on", ""),
        ("...", ""),
    ],
)
def test_a_short_name_is_the_only_word_of_its_rule(text, name):
    assert short_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("react-dom", "react-dom"),
        (" `@angular/core`. ", "@angular/core"),
        ("lodash.get", "lodash.get"),
        ("node:fs", "node:fs"),
        ("vue.js", "vue.js"),
        ("C++", "C++"),
        ("d3", "d3"),
        ("pg", "pg"),
        ("redis", ""),
        ("Redis", ""),
        ("use", ""),
        ("Go", ""),
        ("c", ""),
        ("react dom", ""),
        ("external database", ""),
        ("--", ""),
        ("", ""),
    ],
)
def test_a_joined_name_is_one_word_with_marks_or_a_short_one(text, name):
    assert joined_name(text) == name
