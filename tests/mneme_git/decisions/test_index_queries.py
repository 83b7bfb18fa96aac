"""What the index tools answer: a record, a search, what applies."""

import pytest
from msgspec.structs import replace

from mneme_git.decisions.index_queries import (
    SearchFilters,
    applicable_to,
    get_decision,
    get_proposal,
    named,
    search,
    trace,
)
from mneme_git.decisions.index_records import CanonicalIndex
from mneme_git.errors import Refused
from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    Authority,
    Lifecycle,
    LineageEntry,
    Relationship,
    RuleBinding,
    TestEvidence,
    digest_of,
    id_of,
)
from mneme_git.model.proposal import Origin, Provenance
from mneme_git.model.recorded import Recorded
from mneme_git.model.snapshot import Contested, Side, Snapshot
from tests.support.canonical_index import index_of, one
from tests.support.examples import PROPOSAL_EVIDENCE
from tests.support.make import make_entry, make_snapshot, make_state, make_version


def test_a_decision_is_answered_with_every_field_in_order():
    version = make_version(
        "ADR-2", "Use SQLite", rationale="why", scope=("db",), constraints=("no x",), anti_patterns=("y",)
    )
    rules = tuple(
        RuleBinding(
            version_id=id_of(version),
            sequence=sequence,
            type="FORBID_LITERAL",
            value=value,
            applicability=Applicability(include_paths=paths),
            authority=Authority.VERSION,
        )
        for sequence, value, paths in ((1, "b", ("src/**",)), (0, "a", None))
    )
    evidence = AdrEvidence(source_locator="../docs/adr/ADR-2.md", sha256="0" * 64, blob="b")
    state = make_state(
        version, supersedes=("ADR-1",), rules=rules, test_evidence=(TestEvidence(selector="t", sha="s"),)
    )
    lineage = (LineageEntry(version_id=id_of(version), evidence=(evidence,)),)
    state = replace(state, versions=lineage)
    recorded = Recorded(
        created_at={id_of(version): "2025-01-01"},
        updated_at={"ADR-2": "2025-02-02"},
        revision={id_of(version): "7"},
    )
    index = index_of(state, versions=(version,), recorded=recorded)
    answer = get_decision(index, "ADR-2")
    assert answer["record_type"] == "canonical_decision"
    found = answer["canonical_decision"]
    assert list(found.items()) == [
        ("decision_id", "ADR-2"),
        ("version", "7"),
        ("version_id", id_of(version)),
        ("decision_version_id", id_of(version)),
        ("content_digest", digest_of(version)),
        ("decision_class", "architecture"),
        ("statement", "Use SQLite"),
        ("rationale", "why"),
        ("lifecycle_status", "active"),
        ("owner", ""),
        ("decided_at", "2025-01-01"),
        ("updated_at", "2025-02-02"),
        ("context_scope", ["db"]),
        ("targets", []),
        ("constraints", ["no x"]),
        ("anti_patterns", ["y"]),
        (
            "source_evidence",
            [
                {
                    "source_type": "adr",
                    "source_locator": "../docs/adr/ADR-2.md",
                    "source_revision": "0" * 64,
                    "observed_at": "",
                }
            ],
        ),
        ("test_evidence", [{"selector": "t", "sha": "s"}]),
        ("relationships", [["supersedes", "ADR-1"]]),
        (
            "derived_rule_ids",
            [row["rule_id"] for row in trace([], index, "ADR-2")["derived_rules"]],
        ),
    ]
    rows = trace([], index, "ADR-2")["derived_rules"]
    assert [list(row) for row in rows] == [
        [
            "rule_id",
            "decision_id",
            "decision_version",
            "decision_version_id",
            "sequence",
            "rule_type",
            "rule_payload",
            "applicability",
            "lifecycle_status",
        ]
    ] * 2
    assert [(row["sequence"], row["rule_payload"], row["applicability"]) for row in rows] == [
        (0, {"value": "a"}, {}),
        (1, {"value": "b"}, {"include_paths": ["src/**"]}),
    ]


def test_an_accepted_proposal_is_evidence_with_its_own_fields_and_dates_the_decision():
    version = make_version("use-cache")
    lineage = (LineageEntry(version_id=id_of(version), evidence=(PROPOSAL_EVIDENCE,)),)
    state = make_state(version)
    state = replace(state, versions=lineage)
    found = get_decision(index_of(state, versions=(version,)), "use-cache")["canonical_decision"]
    assert list(found["source_evidence"][0]) == [
        "source_type",
        "source_locator",
        "source_revision",
        "observed_at",
        "verification_status",
        "proposal_id",
        "producer_key",
        "content_fingerprint",
        "origin_classification",
        "proposed_at",
        "source_reference",
        "accepted_decision_id",
    ]
    assert found["decided_at"] == PROPOSAL_EVIDENCE.observed_at


def test_an_unknown_id_is_answered_not_refused():
    assert get_decision(index_of(), "nope") == {"record_type": "not_found", "record_id": "nope"}


def test_a_proposal_is_answered_with_every_field_in_order():
    entry = make_entry("accepted", "d1", scope_hints=("a",), architecture_context={"k": "v"})
    answer = get_proposal(entry)
    assert answer["record_type"] == "proposal"
    assert list(answer["proposal"].items()) == [
        ("proposal_id", entry.proposal_id),
        ("proposal_status", "accepted"),
        ("title", "Cache"),
        ("statement", "Cache in Redis"),
        ("rationale", ""),
        (
            "provenance",
            {
                "producer_name": "arch-bot",
                "producer_type": "agent",
                "source_reference": "docs/plan.md#3",
                "external_source_id": "",
                "source_version": "",
                "repository_locator": "",
                "origin_classification": "imported_unknown",
            },
        ),
        ("scope_hints", ["a"]),
        ("architecture_context", {"k": "v"}),
        ("related_decision_ids", []),
        ("producer_key", entry.producer_key),
        ("content_fingerprint", entry.content_fingerprint),
        ("proposed_at", "2025-01-31T12:00:00Z"),
        ("accepted_decision_id", "d1"),
    ]


def test_ids_are_looked_up_whole():
    entry = make_entry()
    assert named([entry], entry.proposal_id) == entry
    assert named([entry], entry.proposal_id[:12]) is None


def found(entries, index, query="", **filters):
    answer = search(entries, index, query, SearchFilters(**filters))
    assert list(answer) == ["proposals", "canonical_decisions"]
    return (
        [row["proposal_id"] for row in answer["proposals"]],
        [row["decision_id"] for row in answer["canonical_decisions"]],
    )


@pytest.mark.parametrize(
    "query",
    ["", "cache in", "FAST", "docs/PLAN.md#3", "git@host", "größe", "adr-9", "cache cache in redis fast"],
)
def test_a_search_finds_a_proposal_by_any_of_its_texts(query):
    source = Provenance(
        producer_name="n", producer_type="t", source_reference="docs/plan.md#3", repository_locator="git@host"
    )
    entry = make_entry(
        rationale="fast", provenance=source, scope_hints=("GRÖSSE", "größe"), related_decision_ids=("ADR-9",)
    )
    assert found([entry], index_of(), query) == ([entry.proposal_id], [])


@pytest.mark.parametrize("query", ["arch-bot", "agent", "nothing of it", "strasse"])
def test_a_search_looks_at_no_other_text_of_a_proposal(query):
    assert found([make_entry(statement="Straße")], index_of(), query) == ([], [])


@pytest.mark.parametrize("query", ["", "d1", "use x", "why", "DB", "no y", "anti", "docs/adr/"])
def test_a_search_finds_a_decision_by_any_of_its_texts(query):
    version = make_version(
        "D1", rationale="Why", scope=("db",), constraints=("no Y",), anti_patterns=("Anti",)
    )
    state = make_state(version, source="docs/adr/a.md")
    assert found([], index_of(state, versions=(version,)), query) == ([], ["D1"])


def test_filters_of_proposals_do_not_limit_decisions_and_the_reverse():
    human = Provenance(
        producer_name="Ann",
        producer_type="person",
        source_reference="mail",
        origin_classification=Origin.HUMAN_AUTHORED,
    )
    machine, person, bare = (
        make_entry(),
        make_entry(title="P", provenance=human),
        make_entry("rejected", title="B", provenance=None),
    )
    every, index = [machine, person, bare], one("d1", status=Lifecycle.SUPERSEDED)
    ids = [entry.proposal_id for entry in every]
    assert found(every, index) == (ids, ["d1"])
    assert found(every, index, proposal_status="rejected") == ([ids[2]], ["d1"])
    assert found(every, index, producer_name="Ann") == ([ids[1]], ["d1"])
    assert found(every, index, source_reference="docs/plan.md#3") == ([ids[0]], ["d1"])
    assert found(every, index, origin_classification="human_authored") == ([ids[1]], ["d1"])
    assert found(every, index, origin_classification="human_authored", producer_name="n") == ([], ["d1"])
    assert found(every, index, canonical_lifecycle_status="active") == (ids, [])
    assert found(every, index, canonical_lifecycle_status="superseded") == (ids, ["d1"])


def test_a_hint_applies_where_it_occurs_in_a_text_whatever_its_case():
    entry = make_entry(scope_hints=("Cache", "perf", "größe"))
    index = one("d1", scope=("DB", "storage"))
    answer = applicable_to([entry], index, ["src/CACHE/a.py", "GRÖSSE GRÖßE"])
    assert answer["proposal_hint_matches"] == [
        {"proposal_id": entry.proposal_id, "matched_hints": ["Cache", "größe"]}
    ]
    assert answer["canonical_scope_matches"] == []
    version = make_version("d1", scope=("DB", "storage"))
    assert applicable_to([], index, ["a db"])["canonical_scope_matches"] == [
        {
            "decision_id": "d1",
            "version": "1",
            "version_id": id_of(version),
            "statement": "Use X",
            "lifecycle_status": "active",
            "context_scope": ["DB", "storage"],
        }
    ]


def test_without_texts_nothing_applies_and_a_global_decision_applies_to_any_text():
    entry, index = make_entry(scope_hints=("a",)), one("d1", scope=("",))
    nothing = {"proposal_hint_matches": [], "canonical_scope_matches": []}
    assert applicable_to([entry], index, []) == nothing
    assert len(applicable_to([entry], index, [""])["canonical_scope_matches"]) == 1
    assert applicable_to([entry], one("d1", scope=()), ["a"])["canonical_scope_matches"] == []


def contested():
    ours, theirs = make_version("d1", "Ours"), make_version("d1", "Theirs")
    sides = (
        Side(label="ours", state=make_state(ours)),
        Side(label="theirs", state=make_state(theirs)),
        Side(label="base", state=None),
    )
    contest = Contested(decision_id="d1", sides=sides, why="two branches changed it")
    snapshot = Snapshot(contested=(contest,), versions={id_of(v): v for v in (ours, theirs)})
    return CanonicalIndex(snapshot)


@pytest.mark.parametrize("ask", [get_decision, lambda index, name: trace([], index, name)])
def test_a_contested_decision_is_refused_with_the_way_out(ask):
    with pytest.raises(Refused, match="contested: two branches changed it") as raised:
        ask(contested(), "d1")
    assert "mneme decision resolve d1" in raised.value.hint


def test_a_search_gives_every_side_of_a_contested_decision():
    rows = search([], contested(), "", SearchFilters())["canonical_decisions"]
    assert [row["statement"] for row in rows] == ["Ours", "Theirs"]


def test_a_lost_active_version_is_refused_for_itself_and_left_out_of_lists():
    index = CanonicalIndex(make_snapshot(make_state(make_version("d1"))))
    with pytest.raises(Refused, match="active version of decision 'd1' is missing"):
        get_decision(index, "d1")
    assert found([], index) == ([], [])


def test_a_relationship_is_shown_as_a_pair():
    version = make_version("d2")
    state = make_state(version, supersedes=("d1",))
    assert state.relationships == (Relationship(target_decision_id="d1"),)
    row = get_decision(index_of(state, versions=(version,)), "d2")["canonical_decision"]
    assert row["relationships"] == [["supersedes", "d1"]]
