from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.protection import choose, plan_activate, plan_deactivate, validate
from mneme_git.decisions.protection_evidence import RepositoryFacts, assess
from mneme_git.decisions.protection_report import (
    counts,
    list_text,
    refusal_text,
    spelling_notice,
    status_text,
)
from mneme_git.decisions.protection_tier import literal_tokens
from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import Authority, active_rules, id_of, rule_id_of
from mneme_git.model.enforced import Enforced, TypedRule
from mneme_git.model.snapshot import Contested
from tests.support.make import make_rule, make_snapshot, make_state, make_version


def ready(**but):
    but.setdefault("constraints", ("no postgres",))
    return Enforced(id="d1", statement=but.pop("statement", "Use SQLite"), **but)


def one(decision, facts=None):
    return assess([decision], facts)[0]


def test_the_first_word_that_a_decision_bans_is_proposed():
    found = choose(one(ready(constraints=("no postgres", "no mysql"))))
    assert (found.literal, found.reason) == ("postgres", "")


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (ready(constraints=()), "canonical tier is guidance; not Mneme-ready"),
        (ready(statement="must x", constraints=()), "canonical tier is requires_modelling; not Mneme-ready"),
        (
            ready(status="superseded"),
            "decision status is 'superseded'; only active decisions can be activated",
        ),
    ],
)
def test_a_decision_that_cannot_be_protected_says_why(decision, reason):
    found = choose(one(decision))
    assert (found.token, found.reason, found.is_done) == (None, reason, False)


def test_a_protected_decision_has_nothing_to_activate():
    by_rule = choose(one(ready(rules=(TypedRule(type="FORBID_LITERAL", value="postgres"),))))
    facts = RepositoryFacts(ci_files={"ci.yml": "grep postgres && exit 1"})
    by_ci = choose(one(ready(), facts))
    assert (by_rule.is_done, by_rule.token) == (True, None)
    assert (by_ci.is_done, by_ci.token) == (True, None)
    assert refusal_text("d1", by_rule, validating=False).endswith("\n  Nothing to activate.")


def test_a_further_word_or_spelling_can_be_asked_for():
    decision = ready(
        constraints=("no PostgreSQL", "no mysql"),
        rules=(TypedRule(type="FORBID_LITERAL", value="PostgreSQL"),),
    )
    assert choose(one(decision), literal="postgresql").literal == "postgresql"
    assert choose(one(decision), literal="mysql").literal == "mysql"
    assert choose(one(decision), literal="PostgreSQL").is_done
    with pytest.raises(InvalidInput) as raised:
        choose(one(decision), literal="redis")
    assert "postgresql, mysql" in raised.value.hint


def test_asking_for_a_word_does_not_make_advice_bind():
    advice = ready(statement="should use SQLite")
    assert choose(one(advice), literal="postgres").reason == "canonical tier is guidance; not Mneme-ready"


def test_the_four_checks_of_a_good_rule_pass_and_read_as_the_format_says():
    found = validate(ready(source="/repo/docs/adr/d1.md"), "postgres")
    assert found.result == "VALID"
    assert [(check.name, check.detail) for check in found.checks] == [
        ("prohibited_detected", "input containing 'postgres' is a typed FAIL"),
        ("permitted_allowed", "permitted input without 'postgres' is not blocked"),
        ("path_scope_respected", "artifact path enforced=True, canonical policy source exempt=True"),
        (
            "unrelated_paths_unaffected",
            "unrelated artifact path enforced=True, permitted content blocked=False",
        ),
    ]


@pytest.mark.parametrize(
    "literal", ["component", "plain", "remark", "well", "a", "line", "Größe", "C++", "--x"]
)
def test_a_word_of_the_built_in_sentences_still_validates(literal):
    assert validate(ready(), literal).result == "VALID"


def test_what_else_the_decision_forbids_does_not_spoil_the_proposal():
    assert validate(ready(anti_patterns=("plain", "remark", "well")), "postgres").result == "VALID"


def test_a_blank_literal_cannot_be_validated():
    assert validate(ready(), " ").result == "UNSUPPORTED"


V1 = make_version("d1", "Use SQLite", constraints=("no postgres",))
V2 = make_version("d1", "Use SQLite 3", predecessor=id_of(V1))


def test_activating_binds_one_rule_after_the_others_and_changes_nothing_else():
    bound = make_rule(V2, "redis", 4)
    state = make_state(V1, V2, rules=(make_rule(V1, "old", 7), bound))
    plan = plan_activate(make_snapshot(state, versions=(V1, V2)), "d1", "postgres")
    (operation,) = plan.operations
    added = operation.state.rules[-1]
    assert (added.sequence, added.authority, added.value) == (5, Authority.PROTECTION, "postgres")
    assert operation.state.rules[:2] == state.rules
    assert operation.state.active_version_id == state.active_version_id
    assert operation.state.versions == state.versions
    assert [(read.what, read.name, read.value) for read in plan.reads] == [
        ("decision", "d1", state_digest(state))
    ]
    assert plan.activates


def test_the_first_rule_of_a_version_has_sequence_zero():
    state = make_state(V1)
    plan = plan_activate(make_snapshot(state, versions=(V1,)), "d1", "postgres")
    assert plan.operations[0].state.rules[0].sequence == 0


@pytest.mark.parametrize("authority", list(Authority))
def test_a_rule_that_is_bound_under_any_authority_is_not_bound_again(authority):
    state = make_state(V1, rules=(make_rule(V1, "postgres", authority=authority),))
    assert plan_activate(make_snapshot(state, versions=(V1,)), "d1", "postgres").operations == ()


def test_a_scoped_rule_of_the_same_value_is_another_rule():
    state = make_state(V1, rules=(make_rule(V1, "postgres", include=("src/**",)),))
    assert len(plan_activate(make_snapshot(state, versions=(V1,)), "d1", "postgres").operations) == 1


def test_a_contested_or_unknown_decision_is_refused():
    contested = make_snapshot(contested=(Contested(decision_id="d1", sides=(), why="edited on both sides"),))
    for plan in (plan_activate, plan_deactivate):
        arguments = ("postgres",) if plan is plan_activate else ()
        with pytest.raises(Refused, match="contested"):
            plan(contested, "d1", *arguments)
        with pytest.raises(NotFound):
            plan(make_snapshot(), "d1", *arguments)


def test_deactivating_is_the_way_back():
    state = make_state(V1, rules=(make_rule(V1, "redis"),))
    activated = plan_activate(make_snapshot(state, versions=(V1,)), "d1", "postgres").operations[0].state
    plan, removed = plan_deactivate(make_snapshot(activated, versions=(V1,)), "d1")
    assert plan.operations[0].state == state
    assert [rule.value for rule in removed] == ["postgres"]
    assert not plan.activates


def test_only_protections_of_the_active_version_are_taken_off():
    rules = (
        make_rule(V1, "a", 0, authority=Authority.PROTECTION),
        make_rule(V2, "b", 0),
        make_rule(V2, "c", 1, authority=Authority.PROTECTION),
        make_rule(V2, "d", 2, authority=Authority.LEGACY_UNKNOWN),
        make_rule(V2, "e", 3, authority=Authority.PROTECTION),
    )
    snapshot = make_snapshot(make_state(V1, V2, rules=rules), versions=(V1, V2))
    plan, removed = plan_deactivate(snapshot, "d1")
    assert [rule.value for rule in plan.operations[0].state.rules] == ["a", "b", "d"]
    assert [rule.value for rule in removed] == ["c", "e"]


def test_one_rule_can_be_named_and_one_carried_over_must_be():
    rules = tuple(
        make_rule(V1, value, at, authority=authority)
        for at, (value, authority) in enumerate(
            [("a", Authority.PROTECTION), ("b", Authority.LEGACY_UNKNOWN), ("c", Authority.PROTECTION)]
        )
    )
    snapshot = make_snapshot(make_state(V1, rules=rules), versions=(V1,))
    carried = rule_id_of("d1", rules[1])
    plan, removed = plan_deactivate(snapshot, "d1", rule_id=carried)
    assert [rule.value for rule in plan.operations[0].state.rules] == ["a", "c"]
    assert [rule.rule_id for rule in removed] == [carried]
    with pytest.raises(NotFound):
        plan_deactivate(snapshot, "d1", rule_id="d1:FORBID_LITERAL:0")


def test_a_rule_that_the_text_states_cannot_be_taken_off_and_says_so():
    rule = make_rule(V1, "postgres")
    snapshot = make_snapshot(make_state(V1, rules=(rule,)), versions=(V1,))
    for rule_id in ("", rule_id_of("d1", rule)):
        with pytest.raises(Refused) as raised:
            plan_deactivate(snapshot, "d1", rule_id=rule_id)
        assert 'only FORBID_LITERAL "postgres" (version)' in raised.value.message
        assert "edit its ADR" in raised.value.hint


def test_a_carried_over_rule_is_offered_by_name():
    snapshot = make_snapshot(
        make_state(V1, rules=(make_rule(V1, "postgres", authority=Authority.LEGACY_UNKNOWN),)), versions=(V1,)
    )
    with pytest.raises(Refused) as raised:
        plan_deactivate(snapshot, "d1")
    assert "--rule: d1:FORBID_LITERAL:" in raised.value.hint


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(list(Authority))),
        max_size=4,
        unique_by=lambda x: x[0],
    ),
    st.sampled_from("abcde"),
)
def test_activating_then_deactivating_that_rule_gives_the_state_back(bound, literal):
    rules = tuple(make_rule(V1, value, at, authority=how) for at, (value, how) in enumerate(bound))
    state = make_state(V1, rules=rules)
    plan = plan_activate(make_snapshot(state, versions=(V1,)), "d1", literal)
    if not plan.operations:
        assert literal in {value for value, _ in bound}
        return
    activated = plan.operations[0].state
    new = next(rule for rule in active_rules(activated) if rule not in state.rules)
    back, _ = plan_deactivate(make_snapshot(activated, versions=(V1,)), "d1", rule_id=rule_id_of("d1", new))
    assert back.operations[0].state == state


def test_only_active_decisions_count_and_a_contested_one_counts_once():
    rows = assess(
        [
            ready(),
            Enforced(id="old", statement="must", anti_patterns=("x11",), status="superseded"),
            Enforced(id="c", statement="must", anti_patterns=("kafka",), side="ours"),
            Enforced(id="c", statement="must", side="theirs"),
        ]
    )
    assert counts(rows) == {"protected": 0, "mneme_ready": 2, "requires_modelling": 0, "guidance": 0}
    assert "Candidates: 1" in list_text(rows)


def test_a_status_shows_the_evidence_that_was_found():
    facts = RepositoryFacts(ci_files={"ci.yml": "echo postgres"})
    text = status_text(one(ready(), facts))
    assert "  evidence:         candidate\n      ci:candidate:ci.yml\n  rule installed:   no\n" in text


def test_the_spelling_that_a_rule_does_not_catch_is_told_until_it_is_bound_too():
    decision = ready(constraints=("no PostgreSQL",))
    (token,) = literal_tokens(decision)
    assert "--literal postgresql" in spelling_notice(decision, token, "PostgreSQL")
    both = ready(rules=(TypedRule(type="FORBID_LITERAL", value="postgresql"),))
    assert spelling_notice(both, token, "PostgreSQL") == ""
