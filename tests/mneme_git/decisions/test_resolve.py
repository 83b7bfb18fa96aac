import pytest

from mneme_git.decisions.resolve import plan_resolve, sides_text
from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.model.codec import encode_state
from mneme_git.model.decision import id_of
from mneme_git.model.paths import decision_path, version_path
from mneme_git.model.plan import PutFile, PutState, PutVersion, Read, RemoveFile
from mneme_git.model.snapshot import Contested, Side, continuing
from tests.support.make import make_rule, make_snapshot, make_state, make_version

V1 = make_version("use-x", "one")
V2 = make_version("use-x", "two", predecessor=id_of(V1))
V3 = make_version("use-x", "three", predecessor=id_of(V1))
S1, S2, S3 = make_state(V1), make_state(V1, V2), make_state(V1, V3)
HOME = decision_path("use-x")
OTHER = make_version("other", "Other")
O1 = make_state(OTHER)
O2 = make_state(OTHER, rules=(make_rule(OTHER),))
OTHER_HOME = decision_path("other")


def side(label, state, data=None):
    if state is None:
        return Side(label=label, state=None)
    return Side(label=label, state=state, data=encode_state(state) if data is None else data)


def contest(*sides, decision_id="use-x", paths=(HOME,), **but):
    return Contested(decision_id=decision_id, sides=sides, why="git has not merged it", paths=paths, **but)


def snapshot_of(*contests, versions=(V1, V2, V3, OTHER), **but):
    return make_snapshot(versions=versions, contested=contests, **but)


BOTH = contest(side("ours", S2), side("theirs", S3))


def test_one_side_is_written_with_every_version_its_lineage_names():
    resolution = plan_resolve(snapshot_of(BOTH), "use-x", "ours")
    assert resolution.plan.operations == (PutVersion(V1), PutVersion(V2), PutState(S2))
    assert resolution.plan.reads == (Read("decision", "use-x", "contested"),)
    assert (resolution.missing, resolution.also) == ((), ())


def test_bytes_that_are_not_canonical_are_written_as_the_side_has_them():
    crlf = encode_state(S2).replace(b"\n", b"\r\n")
    snapshot = snapshot_of(contest(side("ours", S2, crlf), side("theirs", S3)))
    assert plan_resolve(snapshot, "use-x", "ours").plan.operations[-1] == PutFile(path=HOME, data=crlf)


def test_a_missing_version_is_named_unless_it_was_recovered():
    snapshot = snapshot_of(BOTH, versions=(V2, V3))
    assert plan_resolve(snapshot, "use-x", "ours").missing == (id_of(V1),)
    resolution = plan_resolve(snapshot, "use-x", "ours", recovered={id_of(V1): V1})
    assert resolution.missing == ()
    assert PutVersion(V1) in resolution.plan.operations


def test_taking_a_deletion_removes_the_file():
    resolution = plan_resolve(snapshot_of(contest(side("ours", None), side("theirs", S2))), "use-x", "ours")
    assert resolution.plan.operations == (RemoveFile(path=HOME),)
    assert resolution.chosen.deleted


def test_paths_of_the_conflict_that_hold_nothing_any_more_are_removed():
    found = contest(side("a.json", S2), side("b.json", S3), paths=(".mneme/decisions/a.json", OTHER_HOME))
    resolution = plan_resolve(snapshot_of(found), "use-x", "b.json")
    assert resolution.plan.operations[-2:] == (
        RemoveFile(path=".mneme/decisions/a.json"),
        RemoveFile(path=OTHER_HOME),
    )


def test_the_file_of_a_settled_decision_is_never_removed_along():
    found = contest(side("1", S2), side("2", S3), paths=(OTHER_HOME,))
    snapshot = make_snapshot(O1, versions=(V1, V2, V3, OTHER), contested=(found,))
    operations = plan_resolve(snapshot, "use-x", "1").plan.operations
    assert not [op for op in operations if isinstance(op, RemoveFile)]


def test_a_decision_whose_only_state_lies_in_the_same_file_is_kept_too():
    edited = contest(side("ours", None), side("theirs", S2), paths=(OTHER_HOME,))
    added = contest(side("ours", O1), side("theirs", None), decision_id="other", paths=(OTHER_HOME,))
    snapshot = snapshot_of(edited, added)
    first, second = plan_resolve(snapshot, "use-x", "theirs"), plan_resolve(snapshot, "other", "ours")
    assert set(first.plan.operations) == set(second.plan.operations)
    assert {op.state for op in first.plan.operations if isinstance(op, PutState)} == {S2, O1}
    assert [row.decision_id for row in first.also] == ["other"]
    assert len(first.plan.reads) == 2


def test_a_decision_that_is_truly_contested_in_the_same_file_is_left_open():
    edited = contest(side("ours", None), side("theirs", S2), paths=(OTHER_HOME,))
    truly = contest(side("ours", O1), side("theirs", O2), decision_id="other", paths=(OTHER_HOME,))
    resolution = plan_resolve(snapshot_of(edited, truly), "use-x", "theirs")
    assert resolution.plan.operations == (PutVersion(V1), PutVersion(V2), PutState(S2))


def test_a_side_of_another_contest_in_ones_own_file_has_to_be_settled_first():
    mine = contest(side("ours", S2), side("theirs", S3), paths=(HOME,))
    truly = contest(side("ours", O1), side("theirs", O2), decision_id="other", paths=(HOME, OTHER_HOME))
    with pytest.raises(Refused) as raised:
        plan_resolve(snapshot_of(mine, truly), "use-x", "ours")
    assert "resolve other" in raised.value.hint


def test_version_files_that_git_left_open_are_settled_along():
    path, unknown = version_path(id_of(OTHER)), version_path("dver-" + "0" * 32)
    snapshot = snapshot_of(BOTH, unmerged=(path, unknown, ".mneme/decisions/gone.json"))
    operations = plan_resolve(snapshot, "use-x", "ours").plan.operations
    assert PutVersion(OTHER) in operations
    assert RemoveFile(path=unknown) in operations
    assert RemoveFile(path=".mneme/decisions/gone.json") in operations


def test_what_is_not_contested_or_not_there_or_has_no_such_side_is_refused():
    snapshot = make_snapshot(S1, versions=(V1,))
    with pytest.raises(Refused):
        plan_resolve(snapshot, "use-x", "ours")
    with pytest.raises(NotFound):
        plan_resolve(snapshot, "nothing", "ours")
    with pytest.raises(InvalidInput) as raised:
        plan_resolve(snapshot_of(BOTH), "use-x", "mine")
    assert "ours, theirs" in raised.value.hint


def test_a_side_continues_the_others_only_if_its_lineage_begins_with_theirs_and_goes_on():
    assert continuing([side("ours", S1), side("theirs", S2)]) == "theirs"
    assert continuing([side("ours", S2), side("theirs", S1)]) == "ours"
    assert continuing([side("ours", S2), side("theirs", S3)]) == ""
    assert continuing([side("ours", S1), side("theirs", S1)]) == ""
    assert continuing([side("ours", S2), side("theirs", None)]) == ""


def test_the_sides_are_shown_with_their_differences_and_the_one_that_goes_on_is_proposed():
    found = contest(side("ours", S1), side("theirs", S2), continued_by="theirs")
    text = sides_text(snapshot_of(found), found)
    assert "-  one" in text
    assert "+  two" in text
    assert "proposed: mneme decision resolve use-x --theirs" in text


def test_labels_that_are_no_options_are_chosen_with_take():
    found = contest(side("0123456789ab", S2), side("ba9876543210", S3))
    assert "resolve use-x --take 0123456789ab" in sides_text(snapshot_of(found), found)
