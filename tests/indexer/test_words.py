"""Terms of identifiers and of bytes, the same for the index and for a query."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_indexer import words


@pytest.mark.parametrize(
    ("identifier", "terms"),
    [
        ("getHTTPResponse", ("gethttpresponse", "get", "http", "response")),
        ("get_http_response", ("gethttpresponse", "get", "http", "response")),
        ("GetHttpResponse", ("gethttpresponse", "get", "http", "response")),
        ("GET_HTTP_RESPONSE", ("gethttpresponse", "get", "http", "response")),
        ("__init__", ("init",)),
        ("URLs", ("urls",)),
        ("userIDsOf", ("useridsof", "user", "ids", "of")),
        ("OAuth2Client", ("oauth2client", "auth", "client", "oauth", "auth2")),
        ("sha256", ("sha256", "sha", "256")),
        ("hello", ("hello",)),
        ("404", ("404",)),
        ("x", ()),
        ("", ()),
        ("___", ()),
        ("12345678", ()),
    ],
)
def test_an_identifier_gives_its_whole_and_its_parts(identifier, terms):
    assert words.split(identifier) == terms


@pytest.mark.parametrize(
    ("identifier", "terms"),
    [
        ("GRÖSSE", ("grösse",)),
        ("größe", ("grösse",)),
        ("naïveBayes", ("naïvebayes", "naïve", "bayes")),
        ("ИмяФайла", ("имяфайла", "имя", "файла")),
        ("हिन्दी", ("हिन्दी",)),
        ("管", ("管",)),
        ("get管理", ("get", "管理")),
    ],
)
def test_other_scripts_are_folded_and_split_as_ascii_is(identifier, terms):
    assert words.split(identifier) == terms


def test_any_part_of_a_run_of_han_is_found_not_only_its_beginning():
    assert words.split("顧客管理") == ("顧客", "客管", "管理")
    assert "管理" in words.count_terms("// 顧客管理を行う".encode())


def test_an_accent_of_its_own_is_the_same_as_one_that_is_part_of_its_letter():
    assert words.split("Gro\u0308ße") == words.split("Größe")


def test_terms_are_counted_over_all_ways_of_writing_a_name():
    counts = words.count_terms(b"def foo_bar(x): return fooBar(1) + bar + 'FooBar'")
    assert counts == {"def": 1, "foobar": 3, "foo": 3, "bar": 4, "return": 1}


def test_punctuation_of_any_script_stands_between_words():
    assert words.count_terms("‘naïve’—word…".encode()) == {"naïve": 1, "word": 1}


def test_a_digest_or_encoded_data_gives_no_terms():
    assert words.count_terms(b"A1b2" * 40) == {}


def test_a_full_cache_is_emptied_and_answers_the_same(monkeypatch):
    monkeypatch.setattr(words._Cache, "SIZE", 2)
    before = words.terms_of("one two three four oneTwo")
    assert words.terms_of("one two three four oneTwo") == before
    assert before == ("one", "two", "three", "four", "onetwo", "one", "two")
    assert len(words._CACHE) <= 2


@settings(deadline=None)
@given(st.text(max_size=60))
def test_counting_text_finds_the_terms_that_a_query_of_the_same_text_has(text):
    assert set(words.terms_of(text)) == set(words.count_terms(text.encode("utf-8", "replace")))


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_can_be_counted(data):
    counts = words.count_terms(data)
    assert all(times > 0 and term for term, times in counts.items())


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{2,6}", fullmatch=True), min_size=2, max_size=5))
def test_snake_and_camel_case_of_the_same_words_have_the_same_terms(parts):
    snake, camel = "_".join(parts), parts[0] + "".join(part.capitalize() for part in parts[1:])
    assert words.split(snake) == words.split(camel)
