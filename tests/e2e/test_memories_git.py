"""Memories and git itself: what is recorded lasts through everything that people do with branches."""

import json

import pytest

from tests.support.gitrepo import GitRepo
from tests.support.remembering import Remembering


def linked(repo, name, *options):
    path = repo.path.parent / name
    repo.git("worktree", "add", "-q", *options, str(path))
    return Remembering.of(path)


def test_two_branches_that_each_record_commit_forget_and_pin_merge_without_conflict(mine, old):
    shared, pinned = mine.record("shared"), mine.record("pinned here, forgotten there")
    mine.commit_pending()
    names = {}
    for branch in ("left", "right"):
        mine.git("switch", "-q", "-c", branch, "main")
        names[branch] = mine.record(f"of {branch}")
        names[f"pin {branch}"] = mine.record("the same on both", tags=("both",))
        mine.mark("forget", old)
        mine.mark("pin", shared)
        mine.mark("pin" if branch == "left" else "forget", pinned)
        mine.commit_pending()
    mine.git("merge", "-q", "--no-edit", "left")
    assert mine.git("status", "--porcelain") == ""
    assert mine.standing(old).forgotten
    assert mine.standing(shared).pinned
    assert mine.standing(pinned).live
    assert mine.live() == [
        "of left",
        "of right",
        "pinned here, forgotten there",
        "shared",
        "the same on both",
    ]
    assert mine.store.pending().settled == ()
    found = mine.mneme("status")
    assert found.code == 0
    assert pinned in found.out


def test_branches_that_each_make_the_layout_along_merge_without_conflict(repo):
    mine = Remembering.of(repo)
    mine.git("branch", "-q", "other")
    mine.record("on main")
    mine.commit_pending()
    mine.git("switch", "-q", "other")
    mine.record("on other")
    assert ".mneme/config" in mine.commit_pending().paths
    mine.git("merge", "-q", "--no-edit", "main")
    assert mine.live() == ["on main", "on other"]


def test_rebase_squash_and_cherry_pick_keep_memories(mine, old):
    mine.git("switch", "-q", "-c", "work")
    first = mine.record("on work")
    mine.mark("forget", old)
    mine.commit_pending()
    mine.git("switch", "-q", "main")
    second = mine.record("on main")
    mine.commit_pending()
    mine.git("switch", "-q", "work")
    mine.git("rebase", "-q", "main")
    assert mine.places(first, second) == ["here", "here"]
    assert mine.standing(old).forgotten
    mine.git("switch", "-q", "-c", "squashed", "main")
    mine.git("merge", "-q", "--squash", "work")
    mine.git("commit", "-q", "-m", "squashed")
    assert mine.places(first, second) == ["here", "here"]
    mine.git("switch", "-q", "-c", "picked", "main")
    mine.git("cherry-pick", "work")
    assert mine.places(first, second) == ["here", "here"]
    for branch in ("work", "squashed", "picked"):
        mine.git("switch", "-q", branch)
        assert mine.live() == ["on main", "on work"]
        assert mine.git("status", "--porcelain") == ""


def test_nothing_pending_is_lost_by_cleaning_resetting_stashing_and_collecting(mine):
    mine.git("switch", "-q", "-c", "work")
    name = mine.record("pending")
    path = linked(mine, "beside", "-b", "beside")
    other = path.record("recorded beside")
    mine.write("junk.txt", "junk\n")
    mine.git("stash", "-q", "-u")
    mine.git("clean", "-q", "-fdx")
    mine.git("reset", "-q", "--hard", "HEAD~1")
    mine.git("switch", "-q", "main")
    mine.git("branch", "-q", "-D", "work")
    mine.git("worktree", "remove", "--force", str(path.path))
    mine.git("branch", "-q", "-D", "beside")
    mine.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    mine.git("gc", "-q", "--prune=now")
    assert mine.live() == ["old", "pending", "recorded beside"]
    assert [mine.standing(one).branch for one in (name, other)] == ["work", "beside"]
    mine.commit_pending(branch="work")
    mine.commit_pending(branch="beside")
    assert mine.places(name, other) == ["here", "here"]


def test_two_work_trees_that_commit_the_same_memory_can_merge(mine, old):
    name = mine.record("known to both")
    beside = linked(mine, "beside", "-b", "beside")
    assert beside.places(name) == ["pending"]
    mine.commit_pending()
    assert beside.places(name) == ["elsewhere"]
    beside.record("known to both", branch="beside")
    beside.mark("pin", old)
    beside.commit_pending()
    assert f"{name}.json" in beside.at_head()
    mine.git("merge", "-q", "--no-edit", "beside")
    assert mine.git("status", "--porcelain") == ""
    assert mine.live() == ["known to both", "old"]
    assert mine.standing(old).pinned


def test_a_second_clone_sees_what_was_committed_and_a_submodule_commits_its_own(mine, old, tmp_path):
    name, waits = mine.record("committed"), "pending here"
    mine.commit_pending()
    mine.record(waits)
    mine.git("clone", "-q", str(mine.path), str(tmp_path / "clone"))
    clone = Remembering.of(tmp_path / "clone")
    assert clone.live() == ["committed", "old"]
    outer = GitRepo.create(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(mine.path), "inner")
    inner = Remembering.of(outer.path / "inner")
    inside = inner.record("inside")
    inner.commit_pending()
    assert inner.places(name, old, inside) == ["here", "here", "here"]
    assert inner.git("status", "--porcelain") == ""


def test_what_is_forgotten_here_does_not_come_back_from_another_branch(mine, old):
    mine.git("branch", "-q", "other")
    mine.mark("forget", old)
    assert mine.live() == []
    mine.commit_pending()
    assert mine.live() == []
    mine.git("switch", "-q", "other")
    assert mine.live() == ["old"]
    mine.git("switch", "-q", "main")
    assert mine.live() == []
    mine.git("merge", "-q", "--no-edit", "other")
    assert mine.live() == []


def test_an_older_commit_has_its_own_memories_and_what_is_pending(mine, old):
    name = mine.record("newer")
    mine.commit_pending()
    mine.mark("forget", old)
    mine.commit_pending()
    waits = mine.record("pending")
    mine.git("checkout", "-q", "HEAD~2")
    assert mine.places(old, name, waits) == ["here", "elsewhere", "pending"]
    assert mine.standing(old).live
    mine.git("switch", "-q", "main")
    assert mine.places(old, name, waits) == ["here", "here", "pending"]
    assert mine.standing(old).forgotten


def test_what_another_branch_forgot_and_this_one_wants_is_committed_here(mine, old):
    mine.git("checkout", "-q", "--orphan", "topic")
    mine.git("rm", "-q", "-r", "--cached", ".mneme")
    mine.git("commit", "-q", "-m", "without memories")
    mine.git("checkout", "-q", "-f", "main")
    mine.mark("forget", old)
    mine.commit_pending()
    mine.git("checkout", "-q", "topic")
    assert not mine.store.view().standings[old].live
    mine.mark("unforget", old)
    assert mine.store.view().standings[old].live
    mine.commit_pending()
    assert f"{old}.json" in mine.at_head()
    assert mine.places(old) == ["here"]
    assert mine.store.view().standings[old].live


@pytest.mark.parametrize("prefer", ["pygit2", "program"])
def test_a_repository_with_sha256_commits_its_memories(tmp_path, prefer):
    repo = Remembering.of(GitRepo.create(tmp_path / "long", "--object-format=sha256"), prefer)
    name, other = repo.record("in a long repository"), repo.record("staged", stage=True)
    repo.commit_pending()
    assert f"{name}.json" in repo.at_head()
    assert f"{other}.json" not in repo.at_head()
    repo.mark("forget", name)
    repo.commit_pending()
    assert repo.standing(name).forgotten


def test_what_is_recorded_while_a_rebase_has_stopped_is_for_its_branch(repo):
    repo.write("a.txt", "first\n")
    repo.commit_all("first")
    repo.git("switch", "-qc", "side")
    repo.write("a.txt", "side\n")
    repo.commit_all("side")
    repo.git("switch", "-q", "main")
    repo.write("a.txt", "main\n")
    repo.commit_all("main")
    repo.git("switch", "-q", "side")
    assert repo.try_git("rebase", "-q", "main").code != 0
    told = repo.mneme("memory", "record", "--kind", "gotcha", "both changed a.txt", "--json").out
    row = json.loads(repo.mneme("memory", "show", json.loads(told)["short"], "--json").out)["memories"][0]
    assert (row["place"], row["branch"]) == ("pending", "side")
    repo.git("rebase", "--abort")
    assert repo.mneme("commit").code == 0
    assert "both changed a.txt" in repo.mneme("memory", "list", "--place", "here").out
    repo.write("a.txt", "side\nmore\n")
    repo.commit_all("more")
    assert repo.try_git("rebase", "-q", "main").code != 0
    staged = json.loads(repo.mneme("memory", "record", "--kind", "todo", "staged", "--stage", "--json").out)
    assert staged["paths"]
    assert staged["paths"][0] in repo.git("diff", "--cached", "--name-only")
