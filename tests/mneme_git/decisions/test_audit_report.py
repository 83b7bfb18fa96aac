from __future__ import annotations

from mneme_git.decisions.audit_report import audit_report, audit_text, has_candidates, summarize
from mneme_git.decisions.protection_evidence import RepositoryFacts, assess
from mneme_git.model.enforced import Enforced, TypedRule


def some():
    return [
        Enforced(id="p", statement="x", rules=(TypedRule(type="FORBID_LITERAL", value="leftpad"),)),
        Enforced(id="r", statement="must", anti_patterns=("kafka",)),
        Enforced(id="m", statement="Services must validate input"),
        Enforced(id="g", statement="should"),
        Enforced(id="old", statement="must", anti_patterns=("soap",), status="superseded"),
    ]


def test_only_active_decisions_that_bind_count_towards_the_percentages():
    found = summarize(assess(some()))
    assert (found.total_decisions, found.protection_relevant, found.guidance) == (5, 3, 1)
    assert (found.current_protection_pct, found.protection_gap_pct) == (33.3, 66.7)
    assert found.identified_mneme_potential_pct == found.protection_gap_pct


def test_nothing_that_binds_is_no_gap():
    found = summarize(())
    assert (found.current_protection_pct, found.protection_gap_pct) == (0.0, 0.0)


def test_a_contested_decision_counts_once():
    sides = [Enforced(id="c", statement="must", side=side) for side in ("ours", "theirs")]
    assert summarize(assess(sides)).total_decisions == 1


def test_the_text_names_every_decision_with_what_speaks_for_it():
    rows = assess(some(), RepositoryFacts(ci_files={"ci.yml": "echo kafka"}))
    lines = audit_text(audit_report(rows, "m")).split("\n")
    assert lines[2] == "Decisions discovered:         5"
    assert lines[5] == "Current Protection:           33.3%"
    at = lines.index("  [mneme_ready] r: must")
    assert lines[at + 1 : at + 3] == [
        "      guardrail: FORBID_LITERAL: kafka",
        "      evidence: ci:candidate:ci.yml",
    ]
    assert lines[-1] == ""


def test_a_mention_in_ci_counts_for_decisions_that_are_not_active_too():
    facts = RepositoryFacts(ci_files={"ci.yml": "echo soap"})
    assert has_candidates(assess(some(), facts))
    assert not has_candidates(assess(some()))


def test_the_report_has_the_fields_of_the_format_in_their_order():
    report = audit_report(assess(some()[:1]), "/x/m.json")
    assert report.__struct_fields__ == ("schema", "memory", "summary", "decisions")
    assert report.decisions[0].__struct_fields__ == (
        "id", "decision", "status", "intent", "protection_tier", "mneme_guardrail", "evidence_confidence",
        "evidence_sources",
    )  # fmt: skip
    assert report.schema == "mneme.audit/v1"
