import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.text.english import FUNCTION_STEMS, stem
from mneme_git.text.recall_words import asked_terms, fold, kept_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("getHTTPResponse", ["get", "http", "respons"]),
        ("get_http_response", ["get", "http", "respons"]),
        ("XMLs and HTMLParser", ["xml", "and", "html", "parser"]),
        ("don't O'Brien's Caroline's", ["dont", "o", "brien", "s", "carolin"]),
        ("C++ c# .NET", ["c++", "c#", "net"]),
        ("3.11", ["3", "11"]),
        ("管", ["管"]),
        ("顧客管理", ["顧客", "客管", "管理"]),
        ("café", ["caf"]),
        ("*** -- \"'", []),
        ("👍🏽 ❤️", ["👍", "❤"]),
        ("", []),
    ],
)
def test_terms_of_a_text(text, terms):
    assert list(asked_terms(text).sequence) == terms


def test_a_name_of_several_parts_is_also_one_term_however_it_is_written():
    forms = ("getHTTPResponse", "get_http_response", "GetHttpResponse", "GET_HTTP_RESPONSE")
    assert {asked_terms(form).further for form in forms} == {("gethttpresponse",)}


def test_single_characters_of_a_run_are_kept_but_not_asked_for():
    assert set("顧客") <= set(kept_terms("顧客").further)
    assert asked_terms("顧客").further == ()


@pytest.mark.parametrize(
    "forms",
    ["stop stops stopped stopping", "city cities", "cache caches cached caching", "go went gone goes", "box boxes",
     "buy bought buying buys", "child children", "try tries tried trying", "index indexes indices", "pass passes passed"],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    ["sing sin", "bus but", "thing th", "red r", "status stat", "analysis analys", "live life"],
)
def test_other_words_do_not_meet(pair):
    one, two = pair.split()
    assert stem(one) != stem(two)


def test_function_words_are_known_by_their_stems():
    assert {stem(word) for word in ("what", "does", "this", "when")} <= FUNCTION_STEMS
    assert stem("parser") not in FUNCTION_STEMS


@given(st.text(max_size=60))
def test_what_is_kept_is_found_by_the_same_text(text):
    asked, kept = asked_terms(text), kept_terms(text)
    assert asked.sequence == kept.sequence
    assert set(asked.further) <= set(kept.further)
    assert all(terms and len(terms) <= 400 for terms in (*kept.sequence, *kept.further))


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=1, max_size=12))
def test_folding_twice_changes_nothing(word):
    assert fold(fold(word)) == fold(word)
