import pytest

from mneme_git.decisions.matching import Gate, anti_pattern, constraint, find, prose_of
from mneme_git.model.enforced import Enforced

OPEN, NO_QUERY, SHUT = Gate(True, True), Gate(True, False), Gate(False, False)


@pytest.mark.parametrize(
    ("text", "terms", "phrase", "name", "always"),
    [
        ("Do not use YAML", ("yaml",), (), "", True),
        ("introduce ORM layer", (), ("introduce", "orm", "layer"), "", False),
        ("redis redis", (), ("redis", "redis"), "", False),
        ("C++", (), (), "C++", False),
        ("use", (), ("use",), "", False),
        ("редис", ("редис",), (), "", True),
    ],
)
def test_an_anti_pattern_is_a_term_a_phrase_or_a_short_name(text, terms, phrase, name, always):
    found = anti_pattern(text)
    assert (found.terms, found.phrase, found.name, found.always) == (terms, phrase, name, always)


@pytest.mark.parametrize(
    ("text", "terms", "name", "always"),
    [
        ("no postgres", ("postgres",), "", True),
        ("NO   Kafka", ("kafka",), "", True),
        ("  no external database  ", ("external", "database"), "", False),
        ("no Go", (), "Go", False),
        ("No C++", (), "C++", False),
    ],
)
def test_a_constraint_that_says_no_looks_for_what_follows(text, terms, name, always):
    found = constraint(text)
    assert (found.terms, found.name, found.always) == (terms, name, always)


def test_a_constraint_on_one_name_is_always_looked_for_as_that_name_where_names_are_whole():
    found = constraint("no react-dom", whole_names=True)
    assert (found.joined, found.terms, found.always) == ("react-dom", (), True)
    assert constraint("no react-dom").terms == ("react", "dom"), "the existing format looks for any word"
    for text in ("no postgres", "no external database", "no Go", "must stay"):
        assert constraint(text, whole_names=True) == constraint(text)


@pytest.mark.parametrize(
    "text",
    [
        "never rabbit",
        "must stay local",
        "nosql",
        "no",
        "no ",
        "avoid no sqs",
        "no\nkafka\nx",
        "no use",
        "...",
    ],
)
def test_any_other_wording_is_not_enforced(text):
    found = constraint(text)
    assert found is None


def test_an_anti_pattern_without_a_word_looks_for_nothing():
    assert anti_pattern("+++") is None


@pytest.mark.parametrize(
    ("text", "opens"),
    [("redis", (True, True, True)), ("introduce ORM", (True, True, False)), ("Go", (True, False, False))],
)
def test_a_gate_decides_on_rules_that_are_not_one_term(text, opens):
    assert tuple(gate.opens(anti_pattern(text)) for gate in (OPEN, NO_QUERY, SHUT)) == opens


def test_without_a_query_a_constraint_of_several_words_is_shut():
    assert [gate.opens(constraint("no external database")) for gate in (OPEN, NO_QUERY)] == [True, False]


def hits(text, *rules):
    found = find(text, [], rules)
    return [hit and (hit.trigger, hit.offset) for hit in map(found.hit, rules)]


def test_the_trigger_is_the_first_matching_term_in_rule_order():
    assert hits("cluster broker", constraint("no heavy broker cluster")) == [("broker", 8)]


def test_the_trigger_of_a_phrase_is_the_rule_as_written():
    assert hits("we introduce-ORM_layer", anti_pattern("introduce ORM layer")) == [("introduce ORM layer", 3)]


def test_a_short_name_is_found_as_written_only():
    rules = anti_pattern("Go"), anti_pattern("C++"), constraint("no Go")
    assert hits("we go to plan c", *rules) == [None, None, None]
    assert hits("in Go, not C++14", *rules) == [("Go", 3), ("C++", 11), ("Go", 3)]


def test_there_is_no_handling_of_negation():
    assert hits("We removed psycopg2 and will never use it again.", anti_pattern("psycopg2")) == [
        ("psycopg2", 11)
    ]
    assert hits("do not use postgres", constraint("no postgres")) == [("postgres", 11)]


def test_anti_patterns_come_before_constraints_in_their_order():
    row = Enforced(
        id="d", statement="s", anti_patterns=("b", "..", "alpha"), constraints=("stay", "no kafka")
    )
    assert [rule.text for rule in prose_of(row)] == ["b", "alpha", "no kafka"]
