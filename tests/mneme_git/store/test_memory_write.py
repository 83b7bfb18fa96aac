"""Which records a plan writes into a memory file, and that all others stay word for word."""

import pytest
from msgspec.structs import replace

from mneme_git.errors import Refused
from mneme_git.model.decision import (
    AdrEvidence,
    Authority,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    RuleBinding,
    active_rules,
    id_of,
)
from mneme_git.model.plan import PutVersion
from mneme_git.store.memory_write import encode_document
from tests.support.make import make_version
from tests.support.memory import META, binding, decision, indexed, plain, row, snapshot_row, version
from tests.support.memory_store import STAMP, add_plan, document_of, put


def test_a_document_is_written_as_the_format_writes_it():
    document = {"b": ["é", "😀", "\x7f/\n"], "a": {}, "n": [1, 1.50, float("inf")], "e": []}
    assert encode_document(document) == (
        b'{\n  "b": [\n    "\\u00e9",\n    "\\ud83d\\ude00",\n    "\\u007f/\\n"\n  ],\n  "a": {},\n'
        b'  "n": [\n    1,\n    1.5,\n    Infinity\n  ],\n  "e": []\n}\n'
    )


def test_an_added_decision_stands_at_the_end_of_every_list(memory):
    store = memory(indexed())
    before = document_of(store)
    receipt = store.commit(add_plan(store, rationale="because", constraints=("no y",)), stage=True)
    made = version("d9", "Use X", rationale="because", constraints=("no y",)) | {"created_at": STAMP}
    owner = decision(made) | {"updated_at": STAMP}
    expected = before
    expected["decision_index"]["versions"].append(made)
    expected["decision_index"]["decisions"].append(owner)
    expected["decisions"].append(snapshot_row(made) | {"updated_at": STAMP})
    assert store.path.read_bytes() == encode_document(expected)
    assert (receipt.paths, receipt.staged) == ((".mneme/project_memory.json",), False)


def test_unknown_keys_of_the_file_the_section_and_the_records_stay(memory):
    document = indexed()
    document["first"] = {"kept": 1.10}
    section = document["decision_index"]
    section["note"] = "kept"
    for rows in ("decisions", "versions", "rules"):
        for record in section[rows]:
            record["x-note"] = "kept"
    store = memory(document)
    state = store.load().state("ADR-102")
    store.commit(put(store, replace(state, lifecycle_status=Lifecycle.DEPRECATED)), stage=True)
    written = document_of(store)
    assert (written["first"], written["decision_index"]["note"]) == ({"kept": 1.1}, "kept")
    records = [r for rows in ("decisions", "versions", "rules") for r in written["decision_index"][rows]]
    assert [record["x-note"] for record in records] == ["kept"] * 10
    assert [record["id"] for record in written["decisions"]] == ["d1"]


def test_a_successor_version_leaves_the_older_records_word_for_word(memory):
    document = indexed()
    del document["decision_index"]["rules"][0]["binding_authority"]  # of the older version
    store = memory(document)
    old = store.load().state("ADR-102")
    made = make_version(
        "ADR-102", "Use Postgres 17", occurrence=("ADR-102", "4" * 64, "adr-import"),
        predecessor=old.active_version_id, scope=("storage",),
    )  # fmt: skip
    evidence = AdrEvidence(source_locator="../docs/adr/ADR-102-b.md", sha256="4" * 64)
    rule = RuleBinding(
        version_id=id_of(made), sequence=0, type="FORBID_LITERAL", value="oracle", authority=Authority.VERSION
    )
    state = replace(
        old,
        active_version_id=id_of(made),
        versions=(
            *old.versions,
            LineageEntry(version_id=id_of(made), predecessor=made.predecessor, evidence=(evidence,)),
        ),
        rules=(*old.rules, rule),
    )
    store.commit(put(store, state, made, updated_at="2025-02-02"), stage=True)
    index, before = document_of(store)["decision_index"], document["decision_index"]
    assert index["versions"][:-1] == before["versions"]
    assert index["rules"][:-1] == before["rules"]
    assert index["rules"][-1] == binding(index["versions"][-1], 0, "oracle")
    assert list(index["rules"][-1]) == list(binding(index["versions"][-1], 0, "oracle"))
    assert index["versions"][-1]["supersedes_version_id"] == old.active_version_id
    assert index["decisions"][1]["updated_at"] == "2025-02-02"
    assert document_of(store)["decisions"][0]["source"]["sha256"] == "4" * 64
    assert store.load().state("ADR-102") == state


def test_a_rule_that_goes_takes_only_its_own_record(memory):
    store = memory(indexed())
    state = store.load().state("ADR-102")
    kept = tuple(rule for rule in state.rules if rule.value != "legacy")
    store.commit(put(store, replace(state, rules=kept)), stage=True)
    rules = document_of(store)["decision_index"]["rules"]
    before = indexed()["decision_index"]["rules"]
    assert rules == [before[0], before[2]]
    assert document_of(store)["decisions"][0]["rules"] == [{"type": "FORBID_LITERAL", "value": "mongodb"}]


def test_a_rule_of_another_authority_changes_in_place(memory):
    store = memory(indexed())
    state = store.load().state("ADR-102")
    changed = tuple(
        replace(rule, authority=Authority.PROTECTION) if rule in active_rules(state) else rule
        for rule in state.rules
    )
    store.commit(put(store, replace(state, rules=changed)), stage=True)
    authorities = [rule["binding_authority"] for rule in document_of(store)["decision_index"]["rules"]]
    assert authorities == ["version", "protection", "protection"]


def test_a_version_that_takes_the_place_of_another_keeps_its_row_and_its_rules(memory):
    old = version("ddec-1", "Cache", occurrence=("legacy-decisions", "ddec-1"))
    rule = binding(old, 0, "redis") | {"x-note": "kept"}
    document = {
        "meta": META,
        "decisions": [snapshot_row(old, [rule])],
        "decision_index": {
            "schema": "mneme.decision-index/v1",
            "decisions": [decision(old)],
            "versions": [old | {"x-note": "kept"}],
            "rules": [rule],
        },
    }
    store = memory(document)
    state = store.load().state("ddec-1")
    made = make_version("ddec-1", "Cache", occurrence=("dprop-1", "k", "f"))
    evidence = ProposalEvidence(
        proposal_id="dprop-1", producer_key="k", content_fingerprint="f", origin_classification="ai_generated",
        proposed_at="t", source_reference="r", source_version="v", accepted_decision_id="ddec-1",
    )  # fmt: skip
    after = replace(
        state,
        active_version_id=id_of(made),
        rules=tuple(replace(each, version_id=id_of(made)) for each in state.rules),
        versions=(LineageEntry(version_id=id_of(made), evidence=(evidence,)),),
    )
    plan = put(store, after, verb="accept")
    store.commit(replace(plan, operations=(PutVersion(made, ""), *plan.operations)), stage=True)
    index = document_of(store)["decision_index"]
    assert [(row["version_id"], row["created_at"], row["x-note"]) for row in index["versions"]] == [
        (id_of(made), old["created_at"], "kept")
    ]
    assert [(row["decision_version_id"], row["x-note"]) for row in index["rules"]] == [(id_of(made), "kept")]
    proposal = index["versions"][0]["source_evidence"][0]
    assert list(proposal)[:5] == list(old["source_evidence"][0])
    assert (proposal["source_locator"], proposal["source_revision"]) == ("r", "v")
    assert store.load().state("ddec-1") == after


def test_only_accept_leaves_the_other_rows_as_they_were(memory):
    document = indexed()
    document["decisions"][1] = {"note": "mine", **document["decisions"][1]}
    del document["decisions"][1]["status"]
    for verb, kept in (("accept", True), ("add", False)):
        store = memory(document)
        store.commit(replace(add_plan(store), verb=verb), stage=True)
        rows = document_of(store)["decisions"]
        assert ("note" in rows[1]) is kept
        assert ("status" in rows[1]) is not kept
        assert [each["id"] for each in rows] == ["ADR-102", "d1", "d9"]


def test_evidence_of_a_form_that_only_old_versions_may_have_is_kept(memory):
    document = indexed()
    document["decision_index"]["versions"][1]["source_evidence"] = [{"source_type": "fax"}, 7]
    store = memory(document)
    store.commit(add_plan(store), stage=True)
    assert document_of(store)["decision_index"]["versions"][1]["source_evidence"] == [
        {"source_type": "fax"},
        7,
    ]


def test_a_section_less_file_gets_a_row_and_no_index(memory):
    store = memory({"meta": META})
    store.commit(add_plan(store, scope=("s",)), stage=True)
    assert document_of(store) == {
        "meta": META,
        "decisions": [
            {
                "id": "d9", "decision": "Use X", "rationale": "", "scope": ["s"], "constraints": [],
                "anti_patterns": [], "created_at": STAMP, "updated_at": STAMP,
            }
        ],
    }  # fmt: skip


def test_a_rule_comes_into_a_section_less_row_and_goes_again(memory):
    store = memory(plain(row("d1", source={"type": "adr", "path": "docs/x.md"}), row("d2", note="mine")))
    state = store.load().state("d2")
    rule = RuleBinding(
        version_id=state.active_version_id,
        sequence=0,
        type="FORBID_LITERAL",
        value="x",
        authority=Authority.PROTECTION,
    )
    store.commit(put(store, replace(state, rules=(rule,)), verb="protect", activates=True), stage=True)
    document = document_of(store)
    assert document["decisions"][1] == row(
        "d2", note="mine", rules=[{"type": "FORBID_LITERAL", "value": "x"}]
    )
    assert document["activation"]["activated_at"] == STAMP
    store.commit(put(store, replace(store.load().state("d2"), rules=())), stage=True)
    assert document_of(store)["decisions"][1] == row("d2", note="mine", rules=[])


@pytest.mark.parametrize("what", ["lifecycle", "version", "item"])
def test_what_a_section_less_file_has_no_place_for_names_the_migration(memory, what):
    items = [{"id": "r1", "type": "rule", "title": "Deps", "content": "no x"}]
    store = memory(plain(row("d1"), items=items))
    before = store.path.read_bytes()
    state = store.load().state("r1" if what == "item" else "d1")
    after = {
        "lifecycle": replace(state, lifecycle_status=Lifecycle.DEPRECATED),
        "version": replace(state, versions=(*state.versions, *state.versions)),
        "item": replace(state, rules=(RuleBinding(
            version_id=state.active_version_id, sequence=0, type="FORBID_LITERAL", value="x", authority=Authority.PROTECTION
        ),)),
    }[what]  # fmt: skip
    with pytest.raises(Refused, match=r"decision-index migrate --memory .mneme/project_memory.json --apply"):
        store.commit(put(store, after), stage=True)
    assert store.path.read_bytes() == before
