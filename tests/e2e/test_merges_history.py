"""Reverts, cherry-picks, squash merges, rebases, stashes and restores, all by the git program."""

import shutil

import pytest

from mneme_git.model.codec import encode_state
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.paths import version_path
from mneme_git.store.discover import open_backend
from mneme_git.store.removals import records_removed
from tests.support.branch import change, codes, enforced, home, load, put, resolve, unmerged
from tests.support.make import make_state, make_version

V1 = make_version("use-x", "one")
V2 = make_version("use-x", "two", predecessor=id_of(V1))
V3 = make_version("use-x", "three", predecessor=id_of(V2))
V4 = make_version("use-x", "four", predecessor=id_of(V3))
S1, S2, S3, S4 = (make_state(*(V1, V2, V3, V4)[:count]) for count in (1, 2, 3, 4))
OTHER_VERSION = make_version("other", "Other")
OTHER = make_state(OTHER_VERSION)


@pytest.fixture
def base(repo):
    """A repository in which ``mneme init`` was run."""
    assert repo.mneme("init", "--yes").code == 0
    repo.git("commit", "-q", "-m", "init")
    return repo


def lineage_is_there(repo):
    """Every version that the decision's lineage names has its file in the work tree and the index."""
    (state,) = (state for state in load(repo).decisions if state.decision_id == "use-x")
    tracked = set(repo.git("ls-files").split("\n"))
    return all(version_path(entry.version_id) in tracked for entry in state.versions)


def test_reverting_a_commit_in_the_middle_conflicts_when_the_decision_changed_since(base):
    change(base, None, S1, V1)
    middle = change(base, S1, S2, V2)
    change(base, S2, S3, V3)
    assert base.try_git("revert", "--no-edit", middle).code == 1
    snapshot = load(base)
    assert [side.state for side in snapshot.contest("use-x").sides] == [S3, S1]
    assert snapshot.contest("use-x").continued_by == "ours"
    assert "REVERT_HEAD" in snapshot.contest("use-x").why

    resolve(base, "use-x", "--ours")
    assert lineage_is_there(base), "the revert took the file of version two, resolve brings it back"
    assert unmerged(base) == []
    base.try_git("revert", "--continue")
    base.try_git("revert", "--skip")
    assert base.git("status", "--porcelain") == ""
    assert load(base).decisions == (S3,)
    assert load(base).faults == ()


def test_reverting_a_commit_when_nothing_changed_since_is_clean(base):
    change(base, None, S1, V1)
    middle = change(base, S1, S2, V2)
    change(base, None, OTHER, OTHER_VERSION)
    base.git("revert", "--no-edit", middle)
    snapshot = load(base)
    assert snapshot.state("use-x") == S1
    assert (snapshot.contested, snapshot.faults) == ((), ())


def test_picking_a_late_commit_conflicts_and_resolve_brings_every_version(base):
    change(base, None, S1, V1)
    base.git("switch", "-q", "-c", "other")
    change(base, S1, S2, V2)
    late = change(base, S2, S3, V3)
    base.git("switch", "-q", "main")
    changed = make_state(V1, status=Lifecycle.DEPRECATED)
    change(base, S1, changed)
    assert base.try_git("cherry-pick", late).code == 1
    assert [side.state for side in load(base).contest("use-x").sides] == [changed, S3]
    resolve(base, "use-x", "--theirs")
    assert lineage_is_there(base), "version two was not in the commit that was picked"
    base.git("-c", "core.editor=true", "cherry-pick", "--continue")
    assert load(base).decisions == (S3,)
    assert load(base).faults == ()


def test_a_pick_that_git_takes_cleanly_leaves_no_version_missing(base):
    change(base, None, S1, V1)
    base.git("switch", "-q", "-c", "other")
    picked = change(base, S1, S2, V2)
    base.git("switch", "-q", "main")
    base.git("cherry-pick", picked)
    assert load(base).decisions == (S2,)
    assert load(base).faults == ()


def test_a_branch_goes_on_after_its_squash_merge_and_its_side_is_proposed(base):
    change(base, None, S1, V1)
    base.git("switch", "-q", "-c", "topic")
    change(base, S1, S2, V2)
    base.git("switch", "-q", "main")
    base.git("merge", "-q", "--squash", "topic")
    base.git("commit", "-q", "-m", "squashed")
    base.git("switch", "-q", "topic")
    change(base, S2, S3, V3)
    base.git("switch", "-q", "main")
    assert base.try_git("merge", "--no-edit", "topic").code == 1
    assert load(base).contest("use-x").continued_by == "theirs"
    shown = base.mneme("decision", "resolve", "use-x")
    assert "proposed: mneme decision resolve use-x --theirs" in shown.out
    resolve(base, "use-x", "--theirs")
    base.git("commit", "-q", "-m", "merged")
    assert load(base).decisions == (S3,)
    assert load(base).faults == ()


def test_a_rebase_goes_on_after_every_resolve(base):
    change(base, None, S1, V1)
    base.git("switch", "-q", "-c", "topic")
    change(base, S1, S2, V2)
    change(base, S2, S3, V3)
    base.git("switch", "-q", "main")
    change(base, S1, make_state(V1, status=Lifecycle.DEPRECATED))
    base.git("switch", "-q", "topic")
    assert base.try_git("rebase", "main").code == 1
    rounds = 0
    while load(base).contested:
        rounds += 1
        assert rounds <= 2
        resolve(base, "use-x", "--theirs")
        base.try_git("-c", "core.editor=true", "rebase", "--continue")
    assert "rebase in progress" not in base.git("status")
    assert load(base).decisions == (S3,)
    assert lineage_is_there(base)
    assert base.git("log", "--format=%s", "-2").split("\n") == ["change use-x"] * 2


def test_switching_and_stashing_take_effect_at_the_next_read(base):
    change(base, None, S1, V1)
    base.git("switch", "-q", "-c", "other")
    change(base, S1, S2, V2)
    base.git("switch", "-q", "main")
    assert load(base).decisions == (S1,)
    base.git("switch", "-q", "other")
    assert load(base).decisions == (S2,)
    base.mneme("add_decision", "--id", "more", "--decision", "More")
    base.git("stash", "-q")
    assert [state.decision_id for state in load(base).decisions] == ["use-x"]
    base.git("stash", "pop", "-q")
    assert [state.decision_id for state in load(base).decisions] == ["more", "use-x"]


def test_a_stash_that_conflicts_contests_the_decision(base):
    change(base, None, S1, V1)
    put(base, S2, V2)
    base.git("stash", "-q", "-u")
    other = make_state(V1, status=Lifecycle.DEPRECATED)
    change(base, S1, other)
    assert base.try_git("stash", "pop").code == 1
    assert [side.state for side in load(base).contest("use-x").sides] == [other, S2]
    resolve(base, "use-x", "--theirs")
    assert load(base).decisions == (S2,)
    assert load(base).faults == ()


def test_checking_out_the_store_of_an_old_commit_keeps_what_is_newer(base):
    old = change(base, None, S1, V1)
    change(base, S1, S2, V2)
    change(base, None, OTHER, OTHER_VERSION)
    base.git("checkout", "-q", old, "--", ".mneme")
    assert load(base).decisions == (OTHER, S1)
    assert load(base).faults == ()


def test_restoring_the_store_of_an_old_commit_is_exact(base):
    old = change(base, None, S1, V1)
    change(base, S1, S2, V2)
    change(base, None, OTHER, OTHER_VERSION)
    base.git("restore", "-s", old, "-SW", "--", ".mneme")
    assert load(base).decisions == (S1,)
    assert load(base).faults == ()


def test_deleting_the_folder_switches_nothing_off_and_is_named(base):
    change(base, None, S1, V1)
    shutil.rmtree(base.path / ".mneme")
    snapshot = load(base)
    assert enforced(snapshot) == [("use-x", "", "one")]
    assert codes(snapshot) == ["GONE_FROM_WORK_TREE"]
    assert "[use-x] one" in base.mneme("list_decisions").out


def test_removing_the_folder_with_git_counts(base):
    change(base, None, S1, V1)
    base.git("rm", "-q", "-r", "--", ".mneme")
    assert load(base).decisions == ()


def test_the_state_of_any_commit_can_be_read(base):
    first = change(base, None, S1, V1)
    change(base, S1, S2, V2)
    assert load(base, first).decisions == (S1,)
    assert load(base, "HEAD~1").decisions == (S1,)
    assert load(base, "HEAD").decisions == (S2,)
    assert home(S1) in base.git("ls-tree", "-r", "--name-only", first)
    assert base.git("show", f"{first}:{home(S1)}").encode() + b"\n" == encode_state(S1)


def test_a_removal_with_git_is_warned_of_until_it_is_committed(base):
    change(base, None, S1, V1)
    change(base, None, OTHER, OTHER_VERSION)
    base.git("rm", "-q", "--", home(S1))
    backend = open_backend(base.path, prefer="program")
    (fault,) = records_removed(backend, load(base))
    assert (fault.code, fault.path, fault.decision_id) == ("RECORDS_REMOVED", home(S1), "use-x")
    base.git("commit", "-q", "-m", "remove")
    assert records_removed(backend, load(base)) == ()


def test_a_file_that_only_left_the_index_still_counts_and_its_removal_is_told(base):
    change(base, None, S1, V1)
    base.git("rm", "-q", "--cached", "--", home(S1))
    assert load(base).decisions == (S1,)
    told = records_removed(open_backend(base.path, prefer="program"), load(base))
    assert [(fault.code, fault.blocks) for fault in told] == [("RECORDS_REMOVED", False)]
