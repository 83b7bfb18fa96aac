from mneme_git.decisions.rule_carry import carry_rules, first_rules
from mneme_git.model.adr import AdrRule
from mneme_git.model.decision import Applicability, Authority, RuleBinding, rule_id_of

ID = "ADR-301"
EVERYWHERE = Applicability()


def bound(value, authority, at, applies=EVERYWHERE):
    return RuleBinding(
        version_id="dver-old",
        sequence=at,
        type="FORBID_LITERAL",
        value=value,
        applicability=applies,
        authority=authority,
    )


def derived(*values):
    return [AdrRule(type="FORBID_LITERAL", value=value, line=1) for value in values]


def rule_id(rule):
    return rule_id_of(ID, rule)


OWN = bound("own", Authority.VERSION, 0)
GUARD = bound("guard", Authority.PROTECTION, 1)
OLD = bound("old", Authority.LEGACY_UNKNOWN, 2)
SCOPED = bound("scoped", Authority.PROTECTION, 3, Applicability(("a/**",)))


def carry(values, before, **requests):
    return carry_rules(ID, "dver-new", derived(*values), before, **requests)


def shown(carried):
    return [(rule.value, rule.authority.value, rule.sequence, rule.version_id) for rule in carried.bindings]


def test_rules_of_a_first_version_are_bound_by_it_in_source_order():
    assert [(r.value, r.sequence, r.authority) for r in first_rules("dver-new", derived("b", "a"))] == [
        ("b", 0, Authority.VERSION), ("a", 1, Authority.VERSION)]  # fmt: skip


def test_a_rule_that_is_derived_again_keeps_its_authority():
    found = carry(["guard", "fresh"], [OWN, GUARD])
    assert shown(found) == [("guard", "protection", 0, "dver-new"), ("fresh", "version", 1, "dver-new")]
    assert found.unresolved == ()


def test_a_rule_of_the_text_may_go_without_a_word_a_bound_one_may_not():
    found = carry([], [OWN, GUARD, OLD])
    assert found.unresolved == (GUARD, OLD)
    assert found.bindings == ()


def test_a_preserved_rule_follows_the_derived_ones_in_its_old_order():
    found = carry(["fresh"], [GUARD, OLD], preserve=[rule_id(OLD), rule_id(GUARD)])
    assert shown(found) == [
        ("fresh", "version", 0, "dver-new"),
        ("guard", "protection", 1, "dver-new"),
        ("old", "legacy_unknown", 2, "dver-new"),
    ]
    assert (found.unresolved, found.refused) == ((), ())


def test_a_released_rule_goes_or_becomes_one_of_the_text():
    assert shown(carry([], [GUARD], release=[rule_id(GUARD)])) == []
    assert shown(carry(["guard"], [GUARD], release=[rule_id(GUARD)])) == [("guard", "version", 0, "dver-new")]


def test_a_decision_that_is_not_in_force_keeps_what_nobody_has_decided_on():
    found = carry(["fresh"], [GUARD, SCOPED], keep_all=True)
    assert [value for value, *_ in shown(found)] == ["fresh", "guard", "scoped"]
    assert found.unresolved == ()


def test_requests_that_make_no_sense_are_refused_with_the_reason():
    assert (
        "both preserved and released"
        in carry([], [GUARD], preserve=[rule_id(GUARD)], release=[rule_id(GUARD)]).refused[0]
    )
    assert (
        "are not protection or legacy_unknown bindings"
        in carry([], [OWN], preserve=[rule_id(OWN)]).refused[0]
    )
    assert (
        "are still derived by the new source"
        in carry(["guard"], [GUARD], preserve=[rule_id(GUARD)]).refused[0]
    )
    assert (
        "only for a global FORBID_LITERAL rule" in carry([], [SCOPED], preserve=[rule_id(SCOPED)]).refused[0]
    )
