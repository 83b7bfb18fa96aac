"""Which decision a file holds, what damage to it does, and whose sides a merge left open."""

import json

import pytest

from mneme_git.model.codec import encode_state
from mneme_git.model.decision import Lifecycle
from mneme_git.model.paths import decision_path
from mneme_git.store.journal import state_name
from tests.support.branch import codes
from tests.support.files import (
    HOME,
    NINE,
    OTHER,
    S1,
    S2,
    V1,
    V2,
    Known,
    only_fault,
    snapshot_of,
    version_file,
)
from tests.support.make import make_state, make_version


@pytest.mark.parametrize(
    ("place", "words"),
    [("index", "git's index"), ("journal", "the journal")],
)
def test_a_hand_edit_is_set_aside_and_the_good_copy_is_served(place, words):
    edited = encode_state(S1).replace(b'"active"', b'"inactive"')
    good = encode_state(S1)
    digest = json.loads(good)["digest"]
    copies = Known(index={HOME: good}) if place == "index" else Known(journal={state_name(digest): good})
    snapshot = snapshot_of((HOME, edited), version_file(V1), copies=copies)
    assert snapshot.state("use-x") == S1
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.decision_id) == ("DAMAGED_DECISION", HOME, "use-x")
    assert fault.blocks
    assert "digest" in fault.message
    assert words in fault.message


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        encode_state(S1).replace(b"{\n", b'{\n  "decision_id": "other",\n', 1),
        encode_state(S1).replace(b'  "lifecycle_status": "active",\n', b""),
        encode_state(S1).replace(b"active", b"sleeping"),
        encode_state(S1).replace(b'"use-x"', b'"\\ud800"'),
    ],
)
def test_damage_without_a_good_copy_makes_enforcement_incomplete(damage):
    snapshot = snapshot_of((HOME, damage), version_file(V1))
    assert snapshot.state("use-x") is None
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("DAMAGED_DECISION", HOME, True)


def test_a_repeated_key_is_damage_even_under_a_fitting_digest():
    from mneme_git.text.canonical import sha256_hex

    plain = encode_state(S1).split(b"\n", 2)[2]
    doubled = b"{\n" + plain.replace(b'  "lifecycle', b'  "decision_id": "use-x",\n  "lifecycle', 1)
    forged = b'{\n  "digest": "' + sha256_hex(doubled).encode() + b'",\n' + doubled[2:]
    snapshot = snapshot_of((HOME, forged), version_file(V1))
    assert snapshot.state("use-x") is None
    assert "twice" in only_fault(snapshot).message


def test_damage_leaves_everything_else_in_force():
    snapshot = snapshot_of((HOME, b"{"), (decision_path("ADR-9"), encode_state(NINE)), version_file(OTHER))
    assert snapshot.decisions == (NINE,)


def test_the_id_inside_is_the_truth():
    path = decision_path("ADR-9")
    snapshot = snapshot_of((path, encode_state(S1)), version_file(V1))
    assert snapshot.decisions == (S1,)
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("MISPLACED_DECISION", path, False)
    assert HOME in fault.hint


def test_overwriting_a_decision_with_another_one_does_not_switch_it_off():
    path = decision_path("ADR-9")
    snapshot = snapshot_of(
        (path, encode_state(S1)),
        version_file(V1),
        version_file(OTHER),
        copies=Known(index={path: encode_state(NINE)}),
    )
    assert snapshot.decisions == (NINE, S1)
    assert "'ADR-9'" in only_fault(snapshot).message


def test_of_two_files_of_one_decision_the_one_under_its_own_name_counts():
    stray = ".mneme/decisions/copy.json"
    snapshot = snapshot_of(
        (HOME, encode_state(S2)), (stray, encode_state(S1)), version_file(V1), version_file(V2)
    )
    assert snapshot.decisions == (S2,)
    assert snapshot.contested == ()
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.decision_id) == ("DUPLICATE_DECISION", stray, "use-x")


def test_two_files_of_one_decision_that_differ_and_are_both_misplaced_contest_it():
    snapshot = snapshot_of(
        (".mneme/decisions/a.json", encode_state(S1)),
        (".mneme/decisions/b.json", encode_state(S2)),
        version_file(V1),
        version_file(V2),
    )
    contest = snapshot.contest("use-x")
    assert [side.label for side in contest.sides] == ["a.json", "b.json"]
    assert contest.paths == (".mneme/decisions/a.json", ".mneme/decisions/b.json")


@pytest.mark.parametrize(
    ("decision_id", "folder"),
    [
        ("dver-" + "a" * 32, "decisions"),
        ("dver-" + "a" * 32, "old"),
        ("dver-" + "a" * 31, "decisions"),
        ("a" * 32, "decisions"),  # elsewhere it would be the name of a memory
    ],
)
def test_an_id_that_looks_like_another_record_s_name_is_a_decision_all_the_same(decision_id, folder):
    version = make_version(decision_id, "Use X")
    state = make_state(version)
    path = decision_path(decision_id).replace("decisions", folder)
    snapshot = snapshot_of((path, encode_state(state)), version_file(version))
    assert snapshot.decisions == (state,)
    assert codes(snapshot) == ([] if folder == "decisions" else ["WRONG_FOLDER"])


def test_the_sides_of_a_decision_that_looks_like_a_version_are_contested():
    decision_id = "dver-" + "b" * 32
    one, two = make_version(decision_id, "Use X"), make_version(decision_id, "Use Y")
    home = decision_path(decision_id)
    stages = [(home, 2, encode_state(make_state(one))), (home, 3, encode_state(make_state(two)))]
    snapshot = snapshot_of(version_file(one), version_file(two), stages=stages)
    assert [contest.decision_id for contest in snapshot.contested] == [decision_id]


def test_a_copy_in_another_folder_does_not_contest_a_decision():
    snapshot = snapshot_of(
        (HOME, encode_state(S2)),
        (".mneme/old/use-x.json", encode_state(S1)),
        version_file(V1),
        version_file(V2),
    )
    assert snapshot.decisions == (S2,)
    assert codes(snapshot) == ["DUPLICATE_DECISION"]


def test_stages_make_a_decision_contested_whatever_the_work_tree_holds():
    stages = [(HOME, 1, encode_state(S1)), (HOME, 2, encode_state(S2))]
    theirs = make_state(V1, status=Lifecycle.DEPRECATED)
    stages.append((HOME, 3, encode_state(theirs)))
    snapshot = snapshot_of(version_file(V1), version_file(V2), stages=stages)
    (contest,) = snapshot.contested
    assert [(side.label, side.state) for side in contest.sides] == [("ours", S2), ("theirs", theirs)]
    assert contest.sides[0].data == encode_state(S2)
    assert contest.continued_by == "ours"
    assert snapshot.decisions == ()


def test_stages_are_grouped_by_the_id_inside():
    nine = decision_path("ADR-9")
    stages = [(nine, 1, encode_state(S1)), (nine, 2, encode_state(NINE)), (nine, 3, encode_state(S2))]
    snapshot = snapshot_of(version_file(V1), version_file(V2), version_file(OTHER), stages=stages)
    edited, added = snapshot.contest("use-x"), snapshot.contest("ADR-9")
    assert [(side.label, side.state) for side in edited.sides] == [("ours", None), ("theirs", S2)]
    assert edited.continued_by == ""
    assert [(side.label, side.state) for side in added.sides] == [("ours", NINE), ("theirs", None)]
    assert added.continued_by == "ours"
    assert edited.paths == added.paths == (nine,)
