"""Rules that people bound to a decision, when its ADR is imported again."""

from msgspec.structs import replace

from mneme_git.model.decision import Authority, active_rules, rule_id_of
from tests.support.adrs import ALLOWED, carried_out, imported, rules, strict
from tests.support.imports import codes, plan


def protected(*values):
    """Return a store with ADR-301 whose rules were bound by people."""
    store = imported({"ADR-301-a.md": strict(301, body="x" + rules(*values))})
    [state] = store.decisions
    bound = tuple(replace(rule, authority=Authority.PROTECTION) for rule in state.rules)
    return replace(store, decisions=(replace(state, rules=bound),))


def test_a_bound_rule_that_is_derived_again_keeps_its_authority():
    found = plan({"ADR-301-a.md": strict(301, body="y" + rules("guard", "new"))}, protected("guard"), ALLOWED)
    [state] = carried_out(found, protected("guard")).decisions
    assert [(r.value, r.authority.value) for r in active_rules(state)] == [
        ("guard", "protection"),
        ("new", "version"),
    ]


def test_a_bound_rule_that_the_new_text_drops_is_named_and_nothing_is_written_without_a_word():
    store = protected("guard")
    rule_id = rule_id_of("ADR-301", store.decisions[0].rules[0])
    files = {"ADR-301-a.md": strict(301, body="y")}
    found = plan(files, store, ALLOWED)
    assert codes(found) == ["CONTINUITY"]
    assert rule_id in found.refusals[0].message
    assert [(each.decision_id, each.rules[0].id) for each in found.obligations] == [("ADR-301", rule_id)]
    for options, left in (
        (replace(ALLOWED, preserve=(rule_id,)), ["guard"]),
        (replace(ALLOWED, release=(rule_id,)), []),
    ):
        resolved = plan(files, store, options)
        assert codes(resolved) == []
        assert [rule.value for rule in active_rules(carried_out(resolved, store).decisions[0])] == left
        again = plan(files, carried_out(resolved, store), options)
        assert (codes(again), again.plan.operations) == ([], ())


def test_requests_for_rules_that_are_not_there_are_refused():
    store = protected("guard")
    files = {"ADR-301-a.md": strict(301, body="y")}
    assert "BAD_REQUEST" in codes(plan(files, store, replace(ALLOWED, preserve=("ADR-9:FORBID_LITERAL:x",))))
    assert "BAD_REQUEST" in codes(plan(files, store, replace(ALLOWED, release=("ADR-301:FORBID_LITERAL:x",))))
    unchanged = {"ADR-301-a.md": strict(301, body="x" + rules("guard"))}
    rule_id = rule_id_of("ADR-301", store.decisions[0].rules[0])
    assert codes(plan(unchanged, store, replace(ALLOWED, release=(rule_id,)))) == ["BAD_REQUEST"]


def test_a_bound_rule_survives_while_its_decision_is_out_of_force():
    store = protected("guard")
    found = plan({"ADR-301-a.md": strict(301, status="deprecated", body="y")}, store, ALLOWED)
    assert codes(found) == []
    assert [rule.value for rule in active_rules(carried_out(found, store).decisions[0])] == ["guard"]


def test_bound_rules_that_leave_force_with_their_decision_are_announced():
    files = {
        "ADR-301-a.md": strict(301, body="x" + rules("guard")),
        "ADR-302-b.md": strict(302, supersedes="[ADR-301]"),
    }
    [effect] = plan(files, protected("guard")).effects
    assert (effect.decision_id, effect.superseded_by, len(effect.rules)) == ("ADR-301", "ADR-302", 1)
