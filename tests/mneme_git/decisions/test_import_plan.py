"""What an import records, leaves alone and asks a person about."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mneme_git.decisions.import_plan import plan_import
from mneme_git.decisions.record import Draft, plan_add
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import AdrEvidence, Authority, active_evidence, active_rules
from mneme_git.model.plan import PutEvidence, PutState, PutVersion, Read
from mneme_git.model.snapshot import Contested, Fault, Side, Snapshot
from tests.support.adrs import (
    ALLOWED,
    FOLDER,
    blob_id,
    carried_out,
    folder,
    imported,
    lifecycles,
    nygard,
    rules,
    source,
    strict,
)
from tests.support.imports import codes, plan, row


def test_a_new_adr_is_a_version_a_state_and_the_bytes_it_was_read_from():
    text = strict(1, body="Body.\n" + rules("redis"))
    version, state, evidence = plan({"ADR-001-a.md": text}).plan.operations
    assert isinstance(version, PutVersion)
    assert isinstance(state, PutState)
    assert isinstance(evidence, PutEvidence)
    assert (evidence.data, evidence.locator) == (text.encode(), "docs/adr/ADR-001-a.md")
    [row] = active_evidence(state.state)
    assert (row.source_locator, row.blob, row.sha256) == (
        evidence.locator,
        blob_id(text.encode()),
        evidence.sha256,
    )
    assert [(r.value, r.authority) for r in state.state.rules] == [("redis", Authority.VERSION)]


def test_a_plan_names_everything_it_rests_on():
    files = {"ADR-001-a.md": strict(1), "notes.md": "# Notes\n", "README.md": "x"}
    first = plan(files)
    assert first.plan.reads == (
        Read("adr", "docs/adr/ADR-001-a.md", blob_id(strict(1).encode())),
        Read("adr", "docs/adr/notes.md", blob_id(b"# Notes\n")),
        Read("decision", "ADR-001", "absent"),
    )
    store = imported({"ADR-001-a.md": strict(1)})
    assert Read("decision", "ADR-001", state_digest(store.decisions[0])) in plan(files, store).plan.reads


def test_importing_twice_does_nothing_the_second_time():
    files = {"ADR-001-a.md": strict(1), "0002-b.md": nygard("B"), "20200101-c.md": nygard("C", "Draft")}
    again = plan(files, imported(files))
    assert again.plan.operations == ()
    assert {each.change for each in again.rows} == {"unchanged"}
    assert codes(again) == []


def test_line_endings_alone_change_nothing():
    text = strict(1, body="Body.\n" + rules("redis"))
    for old, new in ((text, text.replace("\n", "\r\n")), (text.replace("\n", "\r\n"), text)):
        assert plan({"ADR-001-a.md": new}, imported({"ADR-001-a.md": old})).plan.operations == ()


def test_a_record_of_the_raw_bytes_is_the_same_text_too():
    text = strict(1)
    raw = text.replace("\n", "\r\n").encode() + b""
    store = imported({"ADR-001-a.md": raw})
    read = folder({"ADR-001-a.md": text})
    filtered = replace(
        read, adrs=(replace(read.adrs[0], raw_sha256=store.decisions[0].versions[0].evidence[0].sha256),)
    )
    assert plan_import(filtered, store).plan.operations == ()


def test_a_changed_adr_is_a_successor_version_and_needs_a_word():
    store = imported({"ADR-001-a.md": strict(1, "Use SQLite", body="x" + rules("a"))})
    files = {"ADR-001-a.md": strict(1, "Use SQLite 3", body="x" + rules("b"))}
    found = plan(files, store)
    assert codes(found) == ["EXISTS"]
    assert (row(found, "ADR-001").change, row(found, "ADR-001").because) == (
        "changed",
        ("the text has changed",),
    )
    after = carried_out(found, store).decisions[0]
    assert [entry.predecessor for entry in after.versions] == [None, store.decisions[0].active_version_id]
    assert after.active_version_id == after.versions[1].version_id
    assert [rule.value for rule in active_rules(after)] == ["b"]
    assert len(after.rules) == 2


def test_the_plan_id_stands_when_the_flags_it_asks_for_are_added():
    store = imported({"ADR-001-a.md": strict(1)})
    files = {"ADR-001-a.md": strict(1, "New"), "ADR-002-b.md": "broken"}
    asked, allowed = plan(files, store), plan(files, store, ImportOptions(update_existing=True, partial=True))
    assert asked.plan_id == allowed.plan_id
    assert (codes(asked), codes(allowed)) == (["PROBLEMS", "EXISTS"], [])


def test_a_plan_id_changes_with_the_files_and_with_the_store():
    files = {"ADR-001-a.md": strict(1)}
    ids = {
        plan(files).plan_id,
        plan({**files, "ADR-002-b.md": strict(2)}).plan_id,
        plan(files, imported(files)).plan_id,
        plan({"ADR-001-a.md": strict(1, "Other")}).plan_id,
    }
    assert len(ids) == 4


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("proposed", "accepted", "active"),
        ("accepted", "deprecated", "deprecated"),
        ("accepted", "superseded", "superseded"),
        ("accepted", "rejected", "inactive"),
        ("deprecated", "accepted", "active"),
    ],
)
def test_every_change_of_a_status_is_possible_when_it_is_allowed(before, after, expected):
    store = imported({"ADR-001-a.md": strict(1, status=before)})
    found = plan({"ADR-001-a.md": strict(1, status=after)}, store)
    assert codes(found) == ["EXISTS"]
    assert lifecycles(carried_out(found, store)) == {"ADR-001": expected}
    assert any(" -> " in reason for reason in row(found, "ADR-001").because)


def test_a_renamed_adr_changes_nothing_but_where_it_is():
    store = imported({"ADR-001-a.md": strict(1)})
    found = plan({"ADR-001-b.md": strict(1)}, store)
    assert codes(found) == []
    assert (row(found, "ADR-001").change, row(found, "ADR-001").renamed_from) == (
        "state",
        "docs/adr/ADR-001-a.md",
    )
    after = carried_out(found, store).decisions[0]
    assert [each.source_locator for each in active_evidence(after)] == ["docs/adr/ADR-001-b.md"]
    assert after.active_version_id == store.decisions[0].active_version_id
    assert Read("adr", "docs/adr/ADR-001-a.md", "absent") in found.plan.reads


def test_an_adr_whose_file_is_gone_is_named_and_stays():
    store = imported({"ADR-001-a.md": strict(1), "ADR-002-b.md": strict(2)})
    found = plan({"ADR-002-b.md": strict(2)}, store, ALLOWED)
    assert [(gone.id, gone.path, gone.lifecycle) for gone in found.gone] == [
        ("ADR-001", "docs/adr/ADR-001-a.md", "active")
    ]
    assert found.plan.operations == ()


def test_an_adr_whose_file_is_broken_now_is_a_problem_and_not_gone():
    store = imported({"ADR-001-a.md": strict(1)})
    found = plan({"ADR-001-a.md": "broken"}, store, ALLOWED)
    assert (found.gone, codes(found)) == ((), ["PROBLEMS"])


def test_a_decision_recorded_by_hand_can_be_taken_over():
    store = carried_out(_planned_by_hand(), Snapshot())
    found = plan({"ADR-001-a.md": strict(1)}, store)
    assert codes(found) == ["EXISTS"]
    after = carried_out(found, store).decisions[0]
    assert [type(entry.evidence[0]).__name__ for entry in after.versions] == [
        "RuntimeEvidence",
        "AdrEvidence",
    ]


def _planned_by_hand():
    added = plan_add(Snapshot(), Draft(decision_id="ADR-001", statement="By hand"))
    return replace(plan({}), plan=added)


def test_a_pinned_import_is_a_retry_of_what_was_done_or_is_stale():
    first = {"ADR-001-a.md": strict(1)}
    second = {"ADR-001-a.md": strict(1, "Two")}
    store = imported(first)
    pin = replace(ALLOWED, pins=(("ADR-001", store.decisions[0].active_version_id),))
    assert codes(plan(second, store, pin)) == []
    done = imported(second, store, pin)
    retry = plan(second, done, pin)
    assert (codes(retry), retry.plan.operations) == ([], ())
    assert codes(plan({"ADR-001-a.md": strict(1, "Three")}, done, pin)) == ["BAD_REQUEST"]
    assert codes(plan(first, done, replace(ALLOWED, pins=(("ADR-009", "dver-0"),)))) == ["BAD_REQUEST"]


def test_going_back_to_an_older_text_is_a_third_version():
    one, two = {"ADR-001-a.md": strict(1)}, {"ADR-001-a.md": strict(1, "Two")}
    store = imported(one, imported(two, imported(one)))
    assert len({entry.version_id for entry in store.decisions[0].versions}) == 3


def test_a_contested_decision_is_not_touched_and_says_how_to_settle_it():
    [state] = imported({"ADR-001-a.md": strict(1)}).decisions
    sides = (Side(label="ours", state=state), Side(label="theirs", state=None))
    store = Snapshot(contested=(Contested(decision_id="ADR-001", sides=sides, why="x"),))
    found = plan(
        {"ADR-001-a.md": strict(1, "New"), "ADR-002-b.md": strict(2)}, store, replace(ALLOWED, partial=True)
    )
    assert [(p.code, p.hint) for p in found.problems] == [
        ("CONTESTED", "settle it with `mneme decision resolve ADR-001`")
    ]
    assert [each.adr.id for each in found.rows] == ["ADR-002"]
    assert [read.name for read in found.plan.reads if read.what == "decision"] == ["ADR-002"]


def test_a_decision_that_is_set_aside_as_damaged_is_not_begun_anew():
    fault = Fault(code="DAMAGED_DECISION", message="its digest is wrong", decision_id="ADR-001", blocks=True)
    found = plan({"ADR-001-a.md": strict(1)}, Snapshot(faults=(fault,)), ALLOWED)
    assert [p.code for p in found.problems] == ["DAMAGED"]
    assert found.plan.operations == ()


def test_plain_tags_are_the_scope_and_without_any_it_is_global():
    store = imported(
        {
            "0001-a.md": "# A\n\n- Status: accepted\n- Tags: ui, build\n\n## Context\n",
            "0002-b.md": nygard("B"),
        }
    )
    assert [store.versions[s.active_version_id].scope for s in store.decisions] == [("ui", "build"), ("",)]


texts = st.sampled_from(
    [
        strict(1),
        strict(1, "Two"),
        strict(1, status="proposed"),
        strict(1, scope="s"),
        strict(1, supersedes="[ADR-002]"),
        "broken",
        None,
    ]
)


others = st.sampled_from(
    [
        strict(2),
        strict(2, scope="s"),
        strict(2, status="superseded"),
        strict(2, supersedes="[ADR-001]"),
        nygard("B", "Superseded by ADR-1"),
        None,
    ]
)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(texts, others), min_size=1, max_size=5))
def test_whatever_was_imported_before_importing_again_does_nothing(history):
    store = Snapshot()
    for first, second in history:
        files = {name: text for name, text in (("ADR-001-a.md", first), ("ADR-002-b.md", second)) if text}
        options = ImportOptions(update_existing=True, partial=True, approve_conflicts=True)
        found = plan(files, store, options)
        assert found.plan_id == plan(dict(reversed(files.items())), store, options).plan_id
        if not found.refusals:
            before = store
            store = carried_out(found, store)
            assert plan(files, store, options).plan.operations == ()
            for state in before.decisions:
                kept = store.state(state.decision_id)
                assert kept is not None
                assert kept.versions[: len(state.versions) - 1] == state.versions[:-1]
        for state in store.decisions:
            assert state.active_version_id in store.versions
            assert all(isinstance(e, AdrEvidence) for entry in state.versions for e in entry.evidence)


def test_five_hundred_adrs_are_read_and_planned_in_two_seconds_of_cpu_time():
    # Half a second where nothing else runs; a CPU that others share takes twice that and more.
    sources = [
        source(f"ADR-{n:03}-x.md", strict(n, scope=f"a.s{n}", body="Why. " * 400 + rules(f"word{n}")))
        for n in range(1, 501)
    ]
    from mneme_git.decisions.adr_read import read_folder

    started = time.process_time()
    read = read_folder(sources, FOLDER)
    found = plan_import(read, Snapshot())
    took = time.process_time() - started
    assert len(found.plan.operations) == 1_500
    assert took < 2, took
