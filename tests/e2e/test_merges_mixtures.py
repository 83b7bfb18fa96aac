"""Decision files that a merge (or a hand) made into what nobody wrote: noticed, and never served."""

import sys

import pytest

from mneme_git.errors import CorruptRecord
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.decision import TestEvidence as Evidence
from mneme_git.store.soundness import has_markers, sound_state
from tests.support.branch import change, codes, home, load, resolve
from tests.support.make import make_rule, make_state, make_version

V1 = make_version("use-x", "one")
V2 = make_version("use-x", "two", predecessor=id_of(V1))
RULES = tuple(make_rule(V1, f"word{number}", number) for number in range(4))
S1 = make_state(V1, rules=RULES)
OURS = make_state(V1, rules=RULES, status=Lifecycle.DEPRECATED)
THEIRS = make_state(V1, rules=RULES, test_evidence=(Evidence(selector="tests/test_x.py"),))
HOME = home(S1)
DRIVER = """
import json, sys
ours, theirs = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
merged = {**theirs, "lifecycle_status": ours["lifecycle_status"], "digest": ours["digest"]}
open(sys.argv[1], "w", encoding="utf-8").write(json.dumps(merged, indent=2) + "\\n")
"""


@pytest.fixture
def forked(repo):
    """Two branches that changed one decision in different places."""
    assert repo.mneme("init", "--yes").code == 0
    repo.git("commit", "-q", "-m", "init")
    change(repo, None, S1, V1)
    repo.git("branch", "other")
    change(repo, S1, OURS)
    repo.git("switch", "-q", "other")
    change(repo, S1, THEIRS)
    repo.git("switch", "-q", "main")
    return repo


def is_mixture(repo):
    try:
        sound_state(repo.read(HOME))
    except CorruptRecord:
        return True
    return False


def the_mixture_is_noticed_and_both_lines_are_enforced(repo):
    assert is_mixture(repo)
    snapshot = load(repo)
    assert snapshot.state("use-x") is None
    contest = snapshot.contest("use-x")
    assert {side.state for side in contest.sides} == {OURS, THEIRS}
    (fault,) = snapshot.faults
    assert (fault.code, fault.path, fault.decision_id) == ("DAMAGED_DECISION", HOME, "use-x")
    assert fault.blocks
    return contest


def settle(repo, contest, wanted):
    label = next(side.label for side in contest.sides if side.state == wanted)
    resolve(repo, "use-x", "--take", label)
    repo.git("commit", "-q", "-m", "settled")
    after = load(repo)
    assert (after.decisions, after.contested, after.faults) == ((wanted,), (), ())


def test_a_merge_with_x_ours_makes_a_mixture_that_is_noticed(forked):
    forked.git("merge", "-q", "--no-edit", "-X", "ours", "other")
    contest = the_mixture_is_noticed_and_both_lines_are_enforced(forked)
    settle(forked, contest, THEIRS)


def test_a_union_merge_makes_a_mixture_that_is_noticed(forked):
    forked.write(".git/info/attributes", ".mneme/decisions/*.json merge=union\n")
    forked.git("merge", "-q", "--no-edit", "other")
    contest = the_mixture_is_noticed_and_both_lines_are_enforced(forked)
    settle(forked, contest, OURS)


def test_a_json_merge_driver_makes_a_mixture_that_is_noticed(forked, tmp_path):
    driver = tmp_path / "driver.py"
    driver.write_text(DRIVER)
    forked.git("config", "merge.json.driver", f"{sys.executable} {driver} %A %B")
    forked.write(".git/info/attributes", ".mneme/decisions/*.json merge=json\n")
    forked.git("merge", "-q", "--no-edit", "other")
    the_mixture_is_noticed_and_both_lines_are_enforced(forked)


def test_a_mixture_stays_contested_through_later_commits_and_merges(forked):
    forked.git("merge", "-q", "--no-edit", "-X", "ours", "other")
    forked.write("code.py", "x = 1\n")
    forked.commit_all("go on")
    forked.git("switch", "-q", "-c", "side", "HEAD~1")
    forked.write("other.py", "y = 1\n")
    forked.commit_all("beside")
    forked.git("merge", "-q", "--no-edit", "main")
    the_mixture_is_noticed_and_both_lines_are_enforced(forked)


def test_a_mixture_is_seen_at_its_revision_too(forked):
    forked.git("merge", "-q", "--no-edit", "-X", "ours", "other")
    contest = load(forked, "HEAD").contest("use-x")
    assert {side.state for side in contest.sides} == {OURS, THEIRS}
    assert load(forked, "HEAD^1").decisions == (OURS,)
    assert load(forked, "HEAD^2").decisions == (THEIRS,)


def test_a_mixture_in_a_merge_that_is_not_concluded_is_contested(forked):
    forked.git("merge", "-q", "--no-commit", "-X", "ours", "other")
    contest = the_mixture_is_noticed_and_both_lines_are_enforced(forked)
    assert [side.label for side in contest.sides] == ["ours", "theirs"]
    resolve(forked, "use-x", "--theirs")
    forked.git("commit", "-q", "-m", "merged")
    assert load(forked).decisions == (THEIRS,)


def test_a_mixture_on_one_side_of_a_later_conflict_shows_what_was_behind_it(forked):
    forked.git("branch", "third")
    forked.git("merge", "-q", "--no-edit", "-X", "theirs", "other")
    assert is_mixture(forked)
    forked.git("switch", "-q", "third")
    newer = make_state(V1, V2, rules=RULES)
    change(forked, OURS, newer, V2)
    forked.git("switch", "-q", "main")
    assert forked.try_git("merge", "third").code == 1
    snapshot = load(forked)
    assert {side.state for side in snapshot.contest("use-x").sides} == {OURS, THEIRS, newer}
    assert codes(snapshot) == ["DAMAGED_DECISION"]
    resolve(forked, "use-x", "--theirs")
    forked.git("commit", "-q", "-m", "merged")
    assert load(forked).decisions == (newer,)


def test_a_mixture_that_git_merged_further_shows_every_state_behind_it(forked):
    forked.git("branch", "third")
    forked.git("merge", "-q", "--no-edit", "-X", "ours", "other")
    forked.git("switch", "-q", "third")
    newer = make_state(V1, V2, rules=RULES)
    change(forked, OURS, newer, V2)
    forked.git("switch", "-q", "main")
    forked.git("merge", "-q", "--no-edit", "third")  # the mixture kept our digest: git sees no conflict
    assert is_mixture(forked)
    assert {side.state for side in load(forked).contest("use-x").sides} == {OURS, THEIRS, newer}


def test_conflict_markers_that_were_committed_contest_the_decision(forked):
    assert forked.try_git("merge", "other").code == 1
    forked.git("commit", "-q", "-a", "-m", "markers and all")
    assert has_markers(forked.read(HOME))
    snapshot = load(forked)
    contest = snapshot.contest("use-x")
    assert {side.state for side in contest.sides} == {OURS, THEIRS}
    assert "conflict markers" in contest.why
    assert snapshot.faults == ()
    settle(forked, contest, OURS)


def labelled(repo):
    return [(side.label, side.state) for side in load(repo).contest("use-x").sides]


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("later", ["at once", "after another commit", "uncommitted again", "from a clone"])
def test_the_sides_of_committed_markers_are_ours_and_theirs_and_their_base_is_none(
    forked, tmp_path, style, later
):
    forked.git("config", "merge.conflictStyle", style)
    assert forked.try_git("merge", "other").code == 1
    forked.git("commit", "-q", "-a", "-m", "markers and all")
    if later == "after another commit":
        forked.write("code.py", "x = 1\n")
        forked.commit_all("go on")
    elif later == "uncommitted again":
        forked.git("reset", "-q", "--soft", "HEAD~1")
        forked.git("branch", "-q", "-D", "other")
    elif later == "from a clone":
        forked.git("clone", "-q", ".", str(tmp_path / "clone"))
        forked = type(forked)(tmp_path / "clone")
    assert labelled(forked) == [("ours", OURS), ("theirs", THEIRS)]
    assert load(forked).faults == ()
    resolve(forked, "use-x", "--theirs")
    forked.git("commit", "-q", "-m", "settled")
    assert load(forked).decisions == (THEIRS,)


def test_the_sides_of_a_committed_mixture_are_its_parents(forked):
    forked.git("merge", "-q", "--no-edit", "-X", "ours", "other")
    forked.write("code.py", "x = 1\n")
    forked.commit_all("go on")
    assert labelled(forked) == [("ours", OURS), ("theirs", THEIRS)]


def test_a_contest_is_told_with_the_commands_for_its_sides_and_not_with_the_one_that_was_run(forked):
    assert forked.try_git("merge", "other").code == 1
    shown = forked.mneme("decision", "resolve", "use-x").out.splitlines()
    commands = [line.strip() for line in shown if "mneme decision resolve" in line]
    assert commands == ["mneme decision resolve use-x --ours", "mneme decision resolve use-x --theirs"]
    for command in ("status", "decision show use-x"):
        told = forked.mneme(*command.split())
        assert told.out.count("mneme decision resolve use-x") == 1, command


def test_conflict_markers_that_were_staged_contest_the_decision(forked):
    assert forked.try_git("merge", "other").code == 1
    forked.git("add", "-A")
    contest = load(forked).contest("use-x")
    assert [(side.label, side.state) for side in contest.sides] == [("ours", OURS), ("theirs", THEIRS)]


def test_markers_left_after_the_merge_was_given_up_contest_it_with_what_the_journal_has(forked):
    assert forked.try_git("merge", "other").code == 1
    forked.git("reset", "-q")
    assert has_markers(forked.read(HOME))
    snapshot = load(forked)
    assert {side.state for side in snapshot.contest("use-x").sides} == {OURS, THEIRS}
    assert snapshot.faults == ()


def test_a_side_that_no_place_has_any_more_makes_enforcement_incomplete(forked):
    assert forked.try_git("merge", "other").code == 1
    (forked.path / ".git/index").unlink()  # `git reset` alone would keep the stages, to undo it
    forked.git("reset", "-q")
    forked.git("branch", "-q", "-D", "other")
    forked.git("update-ref", "-d", "refs/mneme/journal")
    forked.git("reflog", "expire", "--expire=all", "--all")
    snapshot = load(forked)
    assert [side.state for side in snapshot.contest("use-x").sides] == [OURS]
    (fault,) = snapshot.faults
    assert (fault.code, fault.blocks) == ("SIDE_LOST", True)


def test_a_hand_edit_that_was_committed_is_served_as_it_was_before(forked):
    edited = forked.read(HOME).replace(b'"deprecated"', b'"active"')
    forked.write(HOME, edited)
    assert load(forked).decisions == (OURS,), "git's index has it"
    forked.git("add", "-A")
    assert load(forked).decisions == (OURS,), "HEAD has it"
    forked.git("commit", "-q", "-m", "edited by hand")
    snapshot = load(forked)
    assert snapshot.decisions == (OURS,), "the commit before has it"
    assert codes(snapshot) == ["DAMAGED_DECISION"]
    assert all(fault.blocks for fault in snapshot.faults)


def test_a_new_decision_that_was_damaged_before_it_was_committed_is_served_from_the_journal(forked):
    ran = forked.mneme("add_decision", "--id", "use-y", "--decision", "Use Y")
    assert ran.code == 0
    forked.git("rm", "-q", "--cached", "--", ".mneme/decisions/use-y.json")
    forked.write(".mneme/decisions/use-y.json", b"garbage")
    snapshot = load(forked)
    assert snapshot.versions[snapshot.state("use-y").active_version_id].statement == "Use Y"
    assert codes(snapshot) == ["DAMAGED_DECISION"]


def test_files_that_a_clone_converted_to_crlf_are_read_in_place(forked, tmp_path):
    forked.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = type(forked)(tmp_path / "clone")
    clone.git("config", "core.autocrlf", "true")
    clone.write(".git/info/attributes", "* text=auto eol=crlf\n")
    clone.git("rm", "-q", "-r", "--cached", ".")
    clone.git("reset", "-q", "--hard")
    assert b"\r\n" in clone.read(HOME), "only .git/info/attributes can do this"
    snapshot = load(clone)
    assert snapshot.decisions == (OURS,)
    assert codes(snapshot) == ["REFORMATTED"]
    assert not any(fault.blocks for fault in snapshot.faults)
