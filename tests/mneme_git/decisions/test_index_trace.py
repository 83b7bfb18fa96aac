"""From a proposal to its decision, its rules and its tests, and what is missing on the way."""

from mneme_git.decisions.index_queries import get_decision, trace
from mneme_git.model.decision import Authority, RuleBinding, TestEvidence, id_of
from tests.support.canonical_index import index_of, one
from tests.support.make import make_entry, make_state, make_version

ALWAYS = [
    "enforcement_links: absent (proposals are never enforceable)",
    "trusted_evidence: absent (producer provenance is never trusted evidence)",
]


KERNEL = "enforcement_links: absent (enforcement points are not modelled in the current canonical kernel)"


def test_the_trace_of_an_open_proposal_says_what_is_missing():
    entry = make_entry()
    answer = trace([entry], index_of(), entry.proposal_id)
    assert list(answer) == [
        "result_type",
        "proposal_id",
        "proposal",
        "source_provenance",
        "accepted_decision_id",
        "canonical_record",
        "canonical_derived_rule_ids",
        "missing_links",
    ]
    assert answer["result_type"] == "proposal_trace"
    assert answer["canonical_record"] is None
    assert answer["missing_links"] == [
        "accepted_decision_id: absent (proposal not accepted)",
        "canonical_record: absent (proposal not accepted)",
        "derived_rules: absent",
        *ALWAYS,
    ]


def test_the_trace_of_an_accepted_proposal_leads_to_its_decision():
    entry = make_entry("accepted", "d1")
    answer = trace([entry], one("d1"), entry.proposal_id)
    assert answer["canonical_record"] == get_decision(one("d1"), "d1")["canonical_decision"]
    assert answer["missing_links"] == ["derived_rules: none recorded for canonical decision", *ALWAYS]


def test_the_trace_of_a_proposal_whose_decision_has_rules_lists_them():
    entry, version = make_entry("accepted", "d1"), make_version("d1")
    rule = RuleBinding(
        version_id=id_of(version),
        sequence=0,
        type="FORBID_LITERAL",
        value="x",
        authority=Authority.PROTECTION,
    )
    answer = trace(
        [entry], index_of(make_state(version, rules=(rule,)), versions=(version,)), entry.proposal_id
    )
    assert [name.split(":")[0] for name in answer["canonical_derived_rule_ids"]] == ["d1"]
    assert answer["missing_links"] == ALWAYS


def test_the_trace_of_a_proposal_whose_decision_is_gone_says_so():
    entry = make_entry("accepted", "d'1")
    assert trace([entry], index_of(), entry.proposal_id)["missing_links"] == [
        'canonical_record: accepted_decision_id "d\'1" not found in canonical index',
        *ALWAYS,
    ]


def test_the_trace_of_a_decision_tells_its_tests_and_what_is_missing():
    answer = trace([], one("d1"), "d1")
    assert list(answer) == [
        "result_type",
        "canonical_decision_id",
        "canonical_record",
        "derived_rules",
        "declared_test_evidence",
        "missing_links",
    ]
    assert answer["missing_links"] == [
        "derived_rules: none recorded for canonical decision",
        "declared_test_evidence: none declared for canonical decision",
        KERNEL,
    ]
    version = make_version("d1")
    tested = index_of(make_state(version, test_evidence=(TestEvidence(selector="t"),)), versions=(version,))
    assert trace([], tested, "d1")["missing_links"][1].startswith("test_evidence_state: declared only")


def test_an_unknown_id_is_traced_to_nothing():
    answer = trace([make_entry()], index_of(), "nope")
    assert answer["result_type"] == "trace_not_found"
    assert answer["missing_links"][0] == (
        "record: not found ('nope' is neither a proposal id nor a canonical decision id)"
    )
    assert len(answer["missing_links"]) == 4
