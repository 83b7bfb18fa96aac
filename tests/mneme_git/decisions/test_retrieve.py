import pytest

from mneme_git.decisions.retrieve import best, rank
from mneme_git.model.enforced import Enforced


def decision(name, statement="x", **more):
    return Enforced(id=name, statement=statement, **more)


def scores(decisions, query):
    return [(row.decision.id, row.score) for row in rank(decisions, query)]


def test_each_field_has_its_weight_and_ties_keep_their_order():
    rows = [
        decision("non"),
        decision("rat", rationale="storage"),
        decision("dec", "storage"),
        decision("con", constraints=("no storage",)),
        decision("ant", anti_patterns=("storage",)),
        decision("sco", scope=("storage",)),
    ]
    assert scores(rows, "storage, STORAGE") == [
        ("sco", 2.0),
        ("con", 1.5),
        ("ant", 1.5),
        ("dec", 1.0),
        ("rat", 0.5),
        ("non", 0.0),
    ]


def test_a_score_sums_distinct_terms_over_fields_and_names_the_fields():
    row = decision(
        "a",
        "Postgres storage",
        scope=("storage", "storage"),
        constraints=("no postgres", "mongodb"),
        anti_patterns=("mongodb",),
        rationale="postgres storage",
    )
    (found,) = rank([row], "postgres storage mongodb")
    assert found.score == 2 * 1.0 + 1 * 2.0 + 2 * 1.5 + 1 * 1.5 + 2 * 0.5
    assert found.matched == ("decision", "scope", "constraints", "anti_patterns", "rationale")


@pytest.mark.parametrize("query", ["add", "?!", "", "the api"])
def test_a_query_without_a_usable_term_gives_everything_the_floor(query):
    assert scores([decision("a"), decision("b")], query) == [("a", 1.0), ("b", 1.0)]


def test_neither_the_id_nor_typed_rules_are_scored():
    assert scores([decision("storage")], "storage") == [("storage", 0.0)]


@pytest.mark.parametrize(("top", "ids"), [(2, ["a", "b"]), (9, ["a", "b", "c"]), (0, []), (-3, [])])
def test_the_best_are_at_most_as_many_as_asked_and_zero_takes_none(top, ids):
    ranked = rank([decision(name, "storage") for name in "abc"] + [decision("none")], "storage")
    assert [row.decision.id for row in best(ranked, top)] == ids


def test_the_sides_of_a_contested_decision_count_as_one_and_come_together():
    rows = [
        decision("a", "storage", side="ours"),
        decision("a", "storage", side="theirs"),
        decision("b", "storage"),
    ]
    ranked = rank(rows, "storage")
    assert [(row.decision.id, row.decision.side) for row in best(ranked, 1)] == [
        ("a", "ours"),
        ("a", "theirs"),
    ]
