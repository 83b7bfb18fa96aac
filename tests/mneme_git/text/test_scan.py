import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.scan import ScannedText
from mneme_git.text.words import phrase_words


@pytest.mark.parametrize(
    ("term", "text", "offset"),
    [
        ("redis", "redisson my_redis redis_client redis2", None),
        ("redis", "my-redis", 3),
        ("redis", "redis.conf", 0),
        ("redis", "REDIS", 0),
        ("redis", "use éredis", None),
        ("редис", "Редис", 0),
        ("straße", "die STRASSE", 4),
        ("stra", "Straße", None),
    ],
)
def test_a_term_is_a_whole_word_in_any_case(term, text, offset):
    assert ScannedText(text).find_terms([term]).get(term) == offset


ascii_words = st.lists(st.sampled_from(list("abAB1_- .,\n")), max_size=50).map("".join)
terms = st.lists(st.lists(st.sampled_from(list("ab1")), min_size=1, max_size=3).map("".join), max_size=6)


@settings(max_examples=300, deadline=None)
@given(ascii_words, terms)
def test_one_pass_finds_the_terms_that_a_regular_expression_finds(text, looked_for):
    plain = {
        term: match.start()
        for term in looked_for
        if (match := re.search(rf"\b{re.escape(term)}\b", text, re.IGNORECASE))
    }
    assert ScannedText(text).find_terms(looked_for) == plain


@pytest.mark.parametrize(
    ("phrase", "text", "offset"),
    [
        ("introduce ORM layer", "please introduce-ORM_layer", 7),
        ("introduce ORM layer", "introduce an ORM layer", None),
        ("introduce ORM layer", "ORM layer introduce", None),
        ("introduce ORM layer", "introduce ORM", None),
        ("introduce ORM layer", "reintroduce ORM layer", None),
        ("introduce ORM layer", "introduce ORM layers", None),
        ("introduce ORM layer", "we introduce\n    ORM: layer", 3),
        ("a b", "a a b", 2),
        ("naïve cache", "the cache", None),
        ("naïve cache", "a NAÏVE cache", 2),
        ("", "anything", None),
    ],
)
def test_a_phrase_is_its_words_in_a_row(phrase, text, offset):
    words = phrase_words(phrase)
    assert ScannedText(text).find_phrases([words]).get(words) == offset


@pytest.mark.parametrize(
    "text",
    [
        "We introduce.\r\n\r\nORM! Layer cake.\n",
        "introduce\n\nORM layer",
        "introduce? ORM layer",
        "introduce。ORM layer",
    ],
)
def test_a_phrase_does_not_go_across_the_end_of_a_sentence_or_paragraph(text):
    words = phrase_words("introduce ORM layer")
    assert ScannedText(text).find_phrases([words]) == {}


phrases = st.lists(st.lists(st.sampled_from(["a", "b", "c1"]), min_size=1, max_size=3).map(tuple), max_size=6)
streams = st.lists(st.sampled_from(["a", "B", "c1", "d"]), max_size=20)


@settings(max_examples=300, deadline=None)
@given(streams, phrases)
def test_one_pass_finds_the_phrases_that_comparing_every_window_finds(words, looked_for):
    folded = [word.lower() for word in words]
    plain = {}
    for phrase in looked_for:
        starts = [at for at in range(len(folded)) if tuple(folded[at : at + len(phrase)]) == phrase]
        if starts:
            plain[phrase] = len("-".join(words[: starts[0]])) + (starts[0] > 0)
    assert ScannedText("-".join(words)).find_phrases(looked_for) == plain


@pytest.mark.parametrize(
    ("name", "text", "offset"),
    [
        ("react-dom", 'import { x } from "react-dom"', 19),
        ("react-dom", "react-dom/client", 0),
        ("react-dom", "npm i React-DOM@18.2.0", 6),
        ("react-dom", "We use react-dom.", 7),
        ("react-dom", "react-dom-router, react-dom.js, my-react-dom and react-domino", None),
        ("react-dom", "@types/react-dom ./react-dom react dom", None),
        ("react-dom", "react-dom-router, then react-dom", 23),
        ("@angular/core", "from '@angular/core/testing'", 6),
        ("@angular/core", "x@angular/core @angular/corex @angular core", None),
        ("lodash.get", "lodash.get(x) lodash.getter", 0),
        ("lodash.get", "lodash get", None),
        ("d3", '"d3": "^7"', 1),
        ("d3", "d3-scale md3 d3x", None),
        ("C++", "g++ c++", 4),
        ("C++", "c++x", None),
        ("org.a:b-c", "<org.a:b-c>", 1),
        ("org.a:b-c", "org.a:b-c-d", None),
        ("пакет-а", "Пакет-А", 0),
    ],
)
def test_a_name_with_marks_is_found_as_a_whole_in_any_case(name, text, offset):
    assert ScannedText(text).find_names([name]) == ({} if offset is None else {name: offset})


@given(st.text(alphabet="ab-@/. ", max_size=30), st.text(alphabet="ab-@/.", min_size=1, max_size=5))
def test_names_are_found_as_the_rule_about_their_neighbours_says(text, name):
    hit = re.search(rf"(?<![\w@./-]){re.escape(name)}(?![\w-]|\.\w)", text)
    if re.search(r"\w", name):
        assert ScannedText(text).find_names([name]) == ({name: hit.start()} if hit else {})


def test_cost_of_names_does_not_grow_with_names_times_text():
    text = "a-x " * 50_000 + "/".join("ab" * 100_000) + "".join(f" pack-age{n}-x" for n in range(20_000))
    names = [f"pack-age{n}" for n in range(3000)]
    started = time.perf_counter()
    assert ScannedText(text).find_names(names) == {}
    assert time.perf_counter() - started < 3


def test_cost_does_not_grow_with_rules_times_text():
    line = "value_{0} = compute(item{0}, table.lookup('key-{0}')); log introduce layer number {0}\n"
    text = "".join(line.format(number % 5000) for number in range(12_000))
    literals = [f"table.lookup('key-{n}')" for n in range(0, 5000, 5)] + [
        f"import legacy{n}" for n in range(1000)
    ]
    wanted = [f"item{n}" for n in range(1000)] + [f"absent{n}" for n in range(1000)]
    rows = [("layer", "number", str(n)) for n in range(1000)] + [
        ("layer", "value", str(n)) for n in range(1000)
    ]
    started = time.process_time()
    scanned = ScannedText(text)
    assert len(scanned.find_literals(literals)) == 1000
    assert len(scanned.find_terms(wanted)) == 1000
    assert len(scanned.find_phrases(rows)) == 1000
    took = time.process_time() - started
    assert len(text) > 900_000
    assert took < 10, f"{took:.2f} s: a search for each rule takes minutes"
