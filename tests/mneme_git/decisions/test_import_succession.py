"""ADRs that give way: one supersedes another, or wins over it in a scope."""

from msgspec.structs import replace

from mneme_git.decisions.import_plan import plan_import
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.codec import state_digest
from mneme_git.model.plan import PutState, Read
from mneme_git.model.snapshot import Snapshot
from tests.support.adrs import ALLOWED, carried_out, imported, lifecycles, nygard, rules, source, strict
from tests.support.imports import codes, plan, row


def test_a_new_adr_that_supersedes_a_recorded_one_needs_no_further_word():
    store = imported({"ADR-001-a.md": strict(1, body="x" + rules("a"))})
    for old in (strict(1, body="x" + rules("a")), strict(1, status="superseded", body="x")):
        found = plan({"ADR-001-a.md": old, "ADR-002-b.md": strict(2, supersedes="[ADR-001]")}, store)
        assert codes(found) == []
        assert lifecycles(carried_out(found, store)) == {"ADR-001": "superseded", "ADR-002": "active"}


def test_both_decisions_of_a_supersession_are_written():
    store = imported({"0001-a.md": nygard("A"), "0002-b.md": nygard("B")})
    found = plan({"0001-a.md": nygard("A", "Superseded by [2](0002-b.md)"), "0002-b.md": nygard("B")}, store)
    written = {op.state.decision_id for op in found.plan.operations if isinstance(op, PutState)}
    assert written == {"0001", "0002"}
    assert carried_out(found, store).state("0002").relationships[0].target_decision_id == "0001"


def test_a_supersession_can_be_taken_back():
    files = {"ADR-001-a.md": strict(1), "ADR-002-b.md": strict(2, supersedes="[ADR-001]")}
    store = imported(files)
    found = plan({**files, "ADR-002-b.md": strict(2)}, store)
    assert codes(found) == ["EXISTS", "EXISTS"]
    after = carried_out(found, store)
    assert lifecycles(after) == {"ADR-001": "active", "ADR-002": "active"}
    assert after.state("ADR-002").relationships == ()
    assert "no longer supersedes ADR-001" in row(found, "ADR-002").because


def test_a_loser_of_precedence_is_recorded_inactive_and_named():
    found = plan(
        {"ADR-001-a.md": strict(1, scope="s"), "ADR-002-b.md": strict(2, scope="s", priority="foundational")}
    )
    assert row(found, "ADR-001").loses_to == "ADR-002"
    assert lifecycles(carried_out(found, Snapshot())) == {"ADR-001": "inactive", "ADR-002": "active"}


def test_a_loser_that_wins_and_a_winner_that_loses_change_places():
    low, high = strict(1, scope="s"), strict(2, scope="s", priority="foundational")
    store = imported({"ADR-001-a.md": low})
    found = plan({"ADR-001-a.md": low, "ADR-002-b.md": high}, store)
    assert codes(found) == ["EXISTS"]
    store = carried_out(found, store)
    assert lifecycles(store) == {"ADR-001": "inactive", "ADR-002": "active"}
    back = plan(
        {"ADR-001-a.md": low, "ADR-002-b.md": high.replace("foundational", "exception")}, store, ALLOWED
    )
    assert lifecycles(carried_out(back, store)) == {"ADR-001": "active", "ADR-002": "inactive"}


def test_a_loser_does_not_come_back_because_the_file_of_the_winner_is_gone_or_broken():
    low, high = strict(1, scope="s"), strict(2, scope="s", priority="foundational")
    store = imported({"ADR-001-a.md": low, "ADR-002-b.md": high})
    for files in ({"ADR-001-a.md": low}, {"ADR-001-a.md": low, "ADR-002-b.md": "broken"}):
        found = plan(files, store, replace(ALLOWED, partial=True))
        assert found.plan.operations == ()
        assert row(found, "ADR-001").loses_to == "ADR-002"


def test_a_superseded_adr_does_not_come_back_because_its_successor_is_gone_or_broken():
    old, new = strict(1), strict(2, supersedes="[ADR-001]")
    store = imported({"ADR-001-a.md": old, "ADR-002-b.md": new})
    for files in ({"ADR-001-a.md": old}, {"ADR-001-a.md": old, "ADR-002-b.md": "broken"}):
        assert plan(files, store, replace(ALLOWED, partial=True)).plan.operations == ()


def test_a_tie_is_left_out_only_by_a_persons_word():
    files = {
        "ADR-001-a.md": strict(1, scope="s"),
        "ADR-002-b.md": strict(2, scope="s"),
        "ADR-003-c.md": strict(3),
        "ADR-004-d.md": strict(4, scope="s", status="proposed"),
    }
    found = plan(files)
    assert codes(found) == ["CONTRADICTION"]
    assert [tie.top for tie in found.ties] == [("ADR-001", "ADR-002")]
    assert codes(plan(files, options=ImportOptions(approve_conflicts=True))) == []
    assert lifecycles(carried_out(found, Snapshot())) == {"ADR-003": "active", "ADR-004": "inactive"}


def test_a_decision_of_another_folder_is_superseded_and_written_too():
    store = imported({"ADR-001-a.md": strict(1)})
    other = [source("ADR-002-b.md", strict(2, supersedes="[ADR-001]"), folder="other")]
    from mneme_git.decisions.adr_read import read_folder

    there = frozenset({"docs/adr/ADR-001-a.md"})
    found = plan_import(read_folder(other, "other"), store, elsewhere=there)
    after = carried_out(found, store)
    assert lifecycles(after) == {"ADR-001": "superseded", "ADR-002": "active"}
    assert [each.because for each in found.partners] == ["superseded by ADR-002"]
    assert Read("decision", "ADR-001", state_digest(store.decisions[0])) in found.plan.reads
    again = plan({"ADR-001-a.md": strict(1)}, after, elsewhere=frozenset({"other/ADR-002-b.md"}))
    assert again.plan.operations == ()


def test_a_successor_of_another_folder_gets_the_relation():
    from mneme_git.decisions.adr_read import read_folder

    new = read_folder([source("0009-new.md", nygard("New"), folder="other")], "other")
    store = carried_out(plan_import(new, Snapshot()), Snapshot())
    there = frozenset({"other/0009-new.md"})
    old = {"0001-old.md": nygard("Old", "Superseded by [9](../../other/0009-new.md)")}
    found = plan(old, store, elsewhere=there)
    after = carried_out(found, store)
    assert after.state("0009").relationships[0].target_decision_id == "0001"
    assert lifecycles(after) == {"0001": "superseded", "0009": "active"}
    again = plan_import(new, after, elsewhere=frozenset({"docs/adr/0001-old.md"}))
    assert again.plan.operations == ()


def test_a_relation_stays_when_the_file_that_stated_it_is_gone_or_broken():
    new = {"0002-new.md": nygard("New")}
    store = imported({"0001-old.md": nygard("Old", "Superseded by [2](0002-new.md)"), **new})
    for files in (new, {**new, "0001-old.md": "broken"}):
        assert plan(files, store, replace(ALLOWED, partial=True)).plan.operations == ()
