from __future__ import annotations

import pytest

from mneme_git.decisions.protection_tier import Tier, is_advisory, is_prescriptive, literal_tokens, standing
from mneme_git.model.enforced import Enforced, TypedRule


def decision(statement="Storage", **but):
    return Enforced(id="d", statement=statement, **but)


def tokens(statement="Storage", **but):
    return [token.literal for token in literal_tokens(decision(statement, **but))]


@pytest.mark.parametrize(
    "text",
    [
        "prefer SQLite", "Preferably SQLite", "we consider it", "recommended", "judgment calls", "a judge",
        "trade-offs", "trade off", "should", "ideally", "optional", "flexible", "where  practical",
        "when possible", "as appropriate", "as needed", "in general", "generally", "usually", "nice to have",
        "nice-to-have", "You MAY", "might", "can", "can not", "could",
    ],
)  # fmt: skip
def test_words_of_advice_are_found_whole_and_in_any_case(text):
    assert is_advisory(text)


@pytest.mark.parametrize(
    "text",
    [
        "the recommendation holds", "shoulder", "optionally", "flexibility", "maybe", "cannot", "can't",
        "can’t", "couldn't", "adjudge", "general", "where possible",
    ],
)  # fmt: skip
def test_words_that_only_look_like_advice_are_none(text):
    assert not is_advisory(text)


@pytest.mark.parametrize(
    "text",
    [
        "must x", "mustn't", "mustn’t", "shall not", "require", "required", "requires", "mandatory", "always",
        "never-ending", "rejects", "forbidden", "enforcement", "validation", "refused", "banned", "a ban",
        "failing closed", "fail close", "fail-closed", "do  not", "don't", "don’t", "cannot", "No x", "  no x",
    ],
)  # fmt: skip
def test_orders_are_found(text):
    assert is_prescriptive(text)


@pytest.mark.parametrize(
    "text",
    [
        "requirement",
        "bans",
        "invalidate",
        "fails-closed",
        "no",
        "no-x",
        "None x",
        "refusal",
        "avoid x",
        "non x",
    ],
)
def test_words_that_only_look_like_orders_are_none(text):
    assert not is_prescriptive(text)


def test_a_literal_rule_protects_even_a_decision_that_is_worded_as_advice():
    rules = (TypedRule(type="FORBID_LITERAL", value="leftpad"), TypedRule(type="FORBID_LITERAL", value="x"))
    found = standing(decision("we prefer no leftpad", rules=rules))
    assert (found.tier, found.guardrail) == (Tier.PROTECTED, "FORBID_LITERAL: leftpad")
    assert found.proposal is None


def test_advice_beats_what_a_decision_bans():
    found = standing(decision("We should avoid jquery", anti_patterns=("jquery",)))
    assert (found.tier, found.guardrail, found.intent) == (Tier.GUIDANCE, None, "guidance")


def test_a_statement_that_orders_nothing_binds_through_what_it_bans():
    assert standing(decision("Use SQLite")).tier is Tier.GUIDANCE
    assert standing(decision("Use SQLite", constraints=("no postgres",))).tier is Tier.MNEME_READY
    assert standing(decision("Use SQLite", constraints=("postgres",))).tier is Tier.GUIDANCE


def test_an_order_without_a_literal_waits_to_be_modelled():
    for made in (
        decision("Services must validate input"),
        decision("Storage", constraints=("no external database server",)),
        decision("Storage", anti_patterns=("business logic in controllers",)),
        decision("must x", constraints=("no the",)),
        decision("must x", constraints=("no kafka\nno rabbit",)),
    ):
        assert standing(made).tier is Tier.REQUIRES_MODELLING, made


def test_tokens_come_from_anti_patterns_then_constraints_then_the_statement_each_once():
    found = tokens(
        'Never write the words "foo1" or the term `bar1` anywhere',
        anti_patterns=("use the redis", "introduce orm layer"),
        constraints=("no mysql", "keep it small", "No  kafka", "no redis"),
    )
    assert found == ["redis", "mysql", "kafka", "foo1"]
    assert tokens("No kafka") == ["kafka"]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ('must not use the term "seamless" anywhere', ["seamless"]),
        ("Do not emit the token: 'abc-def'", ["abc-def"]),
        ("avoid identifiers - “abcdef”", ["abcdef"]),
        ('Do not emit the token "ab"', []),
        ('Do not emit the token "1ab"', []),
        ('must never. The word "xyzzy"', []),
        ('the word "xyzzy" is forbidden', []),
        ('must not say the word\n"xyzzy"', []),
        (f'must not {"x" * 62} word "xyzzy"', ["xyzzy"]),
        (f'must not {"x" * 63} word "xyzzy"', []),
        ('must not password "xyzzy"', []),
    ],
)
def test_a_word_banned_in_quotes_is_a_token(statement, found):
    assert tokens(statement) == found


def test_a_name_keeps_its_capitals_and_says_what_the_rule_will_not_catch():
    (token,) = literal_tokens(decision(constraints=("no PostgreSQL",)))
    assert (token.term, token.literal, token.other_spelling) == ("postgresql", "PostgreSQL", "postgresql")


def test_a_capital_that_may_only_begin_a_phrase_is_dropped_and_said():
    (token,) = literal_tokens(decision(constraints=("No Singletons",)))
    assert (token.literal, token.other_spelling) == ("singletons", "Singletons")
    (plain,) = literal_tokens(decision(constraints=("no kafka",)))
    assert plain.other_spelling == ""


def test_words_of_other_scripts_are_literals_too():
    assert tokens(constraints=("no größe",)) == ["größe"]
