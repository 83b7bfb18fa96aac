"""A commit of what is pending: what it takes, what it leaves alone, and what it takes back."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from mneme_git.errors import CommitRefused, NoRepository, Refused, StoreBusy
from mneme_git.model.paths import marker_path, memory_path
from mneme_git.store import memories_stage
from tests.support.remembering import Remembering


def hook(repo, name, text):
    path = repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def wait_for(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


# What a commit takes


def test_what_is_pending_becomes_one_commit_of_exactly_these_files(mine, old):
    first, second = mine.record("one"), mine.record("two")
    mine.mark("pin", first)
    assert mine.places(first, second, old) == ["pending", "pending", "here"]
    assert mine.git("status", "--porcelain") == ""
    written = mine.commit_pending(message="what we learned")
    assert set(written.names) == {first, second}
    assert written.commit == mine.git("rev-parse", "HEAD")
    assert mine.git("log", "-1", "--format=%s") == "what we learned"
    assert mine.at_head() == sorted([f"{old}.json", f"{first}.json", f"{first}.pinned", f"{second}.json"])
    assert mine.read(marker_path(first, "pinned")) == b""
    assert mine.git("status", "--porcelain") == ""
    assert mine.places(first, second) == ["here", "here"]
    assert mine.store.pending().settled == ()
    assert mine.standing(first).unsettled == ()


def test_a_commit_without_anything_pending_makes_none(mine):
    head = mine.git("rev-parse", "HEAD")
    written = mine.commit_pending()
    assert (written.commit, written.journal, written.names) == ("", "", ())
    assert mine.git("rev-parse", "HEAD") == head


def test_what_the_user_staged_and_changed_is_untouched(mine):
    mine.write("a.txt", "committed\n")
    mine.commit_all()
    mine.write("a.txt", "staged\n")
    mine.write("new.txt", "staged\n")
    mine.git("add", "a.txt", "new.txt")
    mine.git("rm", "-q", "--cached", "README.md")
    mine.write("a.txt", "changed after\n")
    mine.write("untracked.txt", "mine\n")
    before = mine.git("status", "--porcelain"), mine.git("diff"), mine.git("diff", "--cached")
    name = mine.record("one")
    mine.commit_pending()
    assert (mine.git("status", "--porcelain"), mine.git("diff"), mine.git("diff", "--cached")) == before
    assert mine.git("show", "--name-only", "--format=") == memory_path(name)


def test_marks_become_empty_files_and_their_undoing_removes_them(mine, old):
    mine.mark("pin", old)
    mine.commit_pending()
    assert mine.at_head() == [f"{old}.json", f"{old}.pinned"]
    mine.mark("forget", old)
    mine.commit_pending()
    assert mine.at_head() == [f"{old}.forgotten", f"{old}.json"]
    assert mine.read(marker_path(old, "forgotten")) == b""
    assert mine.standing(old).forgotten
    mine.mark("unforget", old)
    mine.commit_pending()
    assert mine.at_head() == [f"{old}.json"]
    assert mine.standing(old).live
    assert mine.git("status", "--porcelain") == ""


def test_a_purge_removes_the_file_and_says_so_in_the_marker(mine, old):
    mine.mark("forget", old)
    mine.mark("purge", old)
    mine.commit_pending()
    assert mine.at_head() == [f"{old}.forgotten"]
    assert mine.read(marker_path(old, "forgotten")).strip() == b"purged"
    assert mine.standing(old).purged
    assert mine.git("status", "--porcelain") == ""


def test_a_memory_forgotten_before_it_was_committed_is_left_out_and_comes_back_when_unforgotten(mine, old):
    name, other = mine.record("a slip"), mine.record("stays")
    mine.mark("forget", name)
    taking = mine.store.pending()
    assert ([row.name for row in taking.taken], taking.left) == ([other], (name,))
    mine.commit_pending()
    assert mine.at_head() == sorted([f"{old}.json", f"{other}.json"])
    assert mine.standing(name).forgotten
    assert mine.live() == ["old", "stays"]
    assert mine.commit_pending().commit == ""
    mine.mark("unforget", name)
    mine.commit_pending()
    assert f"{name}.json" in mine.at_head()
    assert mine.live() == ["a slip", "old", "stays"]


def test_what_the_branch_has_already_is_settled_without_a_file(mine):
    mine.git("switch", "-q", "-c", "work")
    name = mine.record("known soon")
    mine.mark("pin", name)
    mine.git("switch", "-q", "main")
    mine.commit_pending(branch="work")
    mine.git("switch", "-q", "work")
    mine.git("merge", "-q", "--ff-only", "main")
    head = mine.git("rev-parse", "HEAD")
    taking = mine.store.pending("work")
    assert taking.taken == ()
    written = mine.commit_pending()
    assert written.commit == ""
    assert mine.git("rev-parse", "HEAD") == head
    assert mine.store.pending("work").settled == ()


def test_pending_of_a_branch_that_is_gone_is_committed_where_one_wants_it(mine):
    mine.git("switch", "-q", "-c", "gone")
    name = mine.record("from a branch that is gone")
    mine.git("switch", "-q", "main")
    mine.git("branch", "-q", "-D", "gone")
    assert (mine.places(name), mine.standing(name).branch) == (["pending"], "gone")
    assert mine.store.pending().settled == ()
    mine.commit_pending(branch="gone")
    assert mine.places(name) == ["here"]
    assert mine.store.pending("gone").settled == ()


def test_pending_of_a_detached_head_is_committed_on_a_branch(mine):
    mine.git("checkout", "-q", "--detach")
    name = mine.record("found while bisecting")
    mine.git("switch", "-q", "main")
    assert mine.places(name) == ["pending"]
    assert mine.store.pending().settled == ()
    mine.commit_pending(branch="")
    assert f"{name}.json" in mine.at_head()


def test_the_layout_is_made_along_on_an_unborn_branch_and_other_staged_files_stay_staged(tmp_path):
    bare = Remembering.of(tmp_path / "new")
    bare.path.mkdir()
    bare.git("init", "-q", "-b", "main")
    bare.write("code.py", "pass\n")
    bare.git("add", "code.py")
    name = bare.record("before the first commit")
    assert not (bare.path / ".mneme").exists()
    written = bare.commit_pending()
    assert ".mneme/format" in written.paths
    assert f"{name}.json" in bare.at_head()
    assert bare.git("status", "--porcelain") == "A  code.py"
    assert bare.mneme("verify").code == 0


def test_a_memory_can_be_written_and_staged_at_once(mine, old):
    waits = mine.record("waits")
    mine.mark("pin", old)
    name = mine.record("staged", stage=True)
    mine.mark("forget", old, stage=True)
    staged = mine.git("status", "--porcelain").splitlines()
    assert sorted(staged) == sorted([f"A  {memory_path(name)}", f"A  {marker_path(old, 'forgotten')}"])
    assert mine.places(name, waits) == ["here", "pending"]
    assert mine.standing(old).forgotten
    assert [row.name for row in mine.store.pending().settled] == [waits]
    mine.git("commit", "-q", "-m", "mine")
    mine.commit_pending()
    assert mine.at_head() == sorted([f"{old}.json", f"{old}.forgotten", f"{name}.json", f"{waits}.json"])


def test_outside_of_a_sparse_checkout_memories_are_committed_all_the_same(mine, old):
    mine.write("src/a.py", "pass\n")
    mine.commit_all()
    mine.mark("pin", old)
    mine.commit_pending()
    mine.git("sparse-checkout", "set", "--cone", "src")
    assert not (mine.path / ".mneme").exists()
    name = mine.record("seen through a slit")
    mine.mark("unpin", old)
    hook(mine, "pre-commit", "exit 1")
    before = mine.look()
    with pytest.raises(CommitRefused):
        mine.commit_pending()
    assert mine.look() == before
    mine.commit_pending(verify=False)
    assert mine.at_head() == sorted([f"{old}.json", f"{name}.json"])
    assert not [row for row in mine.git("status", "--porcelain").splitlines() if row]


def test_staging_that_was_cut_short_is_finished_by_the_next_look(mine, old, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(memories_stage, "carry_out", die)
    with pytest.raises(KeyboardInterrupt):
        mine.record("staged", stage=True)
    assert mine.git("status", "--porcelain") == ""
    assert mine.live() == ["old", "staged"]
    (line,) = mine.git("status", "--porcelain").splitlines()
    assert line.startswith("A  .mneme/memories/")
    assert mine.store.pending().settled == ()


# When git refuses


@pytest.mark.parametrize("laid_out", [True, False])
def test_a_refused_commit_leaves_everything_as_it_was(mine, repo, old, laid_out):
    mine = mine if laid_out else Remembering.of(repo)
    mine.write("staged.txt", "mine\n")
    mine.git("add", "staged.txt")
    name = mine.record("not today")
    if laid_out:
        mine.mark("forget", old)
        mine.mark("purge", old)
    hook(mine, "pre-commit", "echo the linter is not amused >&2; exit 1")
    before = mine.look()
    with pytest.raises(CommitRefused, match="the linter is not amused"):
        mine.commit_pending()
    assert mine.look() == before
    assert mine.places(name) == ["pending"]
    mine.commit_pending(verify=False)
    assert f"{name}.json" in mine.at_head()
    assert mine.git("status", "--porcelain") == "A  staged.txt"


def test_patterns_that_a_hook_gives_to_git_are_patterns(mine):
    mine.record("with a hook")
    hook(mine, "pre-commit", 'git add -u ":/"')
    assert mine.commit_pending().commit


def test_a_commit_message_hook_is_asked_and_a_signature_that_cannot_be_made_refuses(mine):
    name = mine.record("signed")
    hook(mine, "commit-msg", 'grep -q JIRA- "$1" || { echo no ticket >&2; exit 1; }')
    with pytest.raises(CommitRefused, match="no ticket"):
        mine.commit_pending(message="mneme: 1 memory")
    mine.git("config", "commit.gpgSign", "true")
    mine.git("config", "gpg.program", "false")
    before = mine.look()
    with pytest.raises(CommitRefused, match="sign"):
        mine.commit_pending(message="JIRA-1: one memory")
    assert mine.look() == before
    mine.git("config", "commit.gpgSign", "false")
    mine.commit_pending(message="JIRA-1: one memory")
    assert mine.places(name) == ["here"]


def test_without_an_identity_git_is_told_and_all_stays_pending(mine, monkeypatch):
    name = mine.record("whose")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    mine.git("config", "user.useConfigOnly", "true")
    before = mine.look()
    with pytest.raises(CommitRefused, match=r"user\.email"):
        mine.commit_pending()
    assert mine.look() == before
    assert mine.places(name) == ["pending"]


@pytest.mark.parametrize("git_goes_on", [True, False])
def test_a_commit_that_was_killed_is_gone_on_with_and_nothing_is_there_twice(mine, old, git_goes_on):
    name = mine.record("written")
    mine.mark("forget", old)
    pid = mine.path.parent / "pid"
    # git is a process of its own: when mneme is gone it may still commit, or not.
    hook(mine, "pre-commit", f"kill -9 $(cat {pid}); exit {int(not git_goes_on)}")
    child = os.fork()
    if not child:
        pid.write_text(str(os.getpid()))
        mine.commit_pending()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    wait_for(lambda: not (mine.path / ".git/index.lock").exists())
    assert (mine.path / memory_path(name)).exists()
    assert {row.name for row in mine.store.pending().settled} == {name, old}
    hook(mine, "pre-commit", "exit 0")
    head = mine.git("rev-parse", "HEAD")
    mine.commit_pending()
    assert (mine.git("rev-parse", "HEAD") == head) is git_goes_on
    assert mine.at_head() == sorted([f"{old}.json", f"{old}.forgotten", f"{name}.json"])
    assert mine.store.pending().settled == ()
    assert mine.git("status", "--porcelain") == ""


def test_what_is_recorded_while_git_commits_stays_pending(mine, old):
    first = mine.record("before")
    script = mine.path.parent / "late.py"
    script.write_text(
        "import sys\n"
        "from tests.support.remembering import Remembering\n"
        f"mine = Remembering.of({str(mine.path)!r})\n"
        "mine.record('meanwhile')\n"
        f"mine.mark('forget', {first!r})\n"
    )
    hook(mine, "pre-commit", f"cd {Path.cwd()} && PYTHONPATH=. {sys.executable} {script}")
    mine.commit_pending()
    assert f"{first}.json" in mine.at_head()
    assert mine.standing(first).unsettled == ("forget",)
    (row,) = [row for row in mine.store.pending().taken if row.name != first]
    assert row.record
    hook(mine, "pre-commit", "exit 0")
    mine.commit_pending()
    assert f"{first}.forgotten" in mine.at_head()
    assert mine.live() == ["meanwhile", "old"]


def test_in_the_middle_of_a_merge_rebase_pick_or_revert_nothing_is_committed(mine):
    mine.write("a.txt", "base\n")
    mine.commit_all()
    mine.git("switch", "-q", "-c", "other")
    mine.write("a.txt", "other\n")
    mine.commit_all()
    mine.git("switch", "-q", "main")
    mine.write("a.txt", "main\n")
    mine.commit_all()
    mine.record("waits")
    for word, begin, end in (
        ("merge", ("merge", "other"), ("merge", "--abort")),
        ("rebase", ("rebase", "other"), ("rebase", "--abort")),
        ("cherry-pick", ("cherry-pick", "other"), ("cherry-pick", "--abort")),
        ("revert", ("revert", "--no-edit", "other"), ("revert", "--abort")),
    ):
        assert mine.try_git(*begin).code != 0
        before = mine.look()
        branch = "main"
        with pytest.raises(Refused, match=f"a {word} is under way"):
            mine.commit_pending(branch=branch)
        assert mine.look() == before
        mine.git(*end)
    assert mine.commit_pending().commit


def test_a_locked_index_refuses_and_nothing_is_touched(mine):
    mine.record("waits")
    mine.write(".git/index.lock", "")
    before = mine.look()
    with pytest.raises(StoreBusy, match="index is locked"):
        mine.commit_pending()
    assert mine.look() == before
    name = mine.record("asked to be staged", stage=True)
    (mine.path / ".git/index.lock").unlink()
    assert mine.places(name) == ["pending"]
    assert mine.commit_pending().commit


def test_an_ignored_folder_is_told_with_the_rule_and_the_line_that_undoes_it(repo):
    mine = Remembering.of(repo)
    mine.write(".gitignore", "*.log\n.mneme/\n")
    mine.commit_all()
    name = mine.record("hidden")
    before = mine.look()
    with pytest.raises(Refused, match=r"\.gitignore:2:\.mneme/") as refused:
        mine.commit_pending()
    assert "!/.mneme/" in refused.value.hint
    assert mine.look() == before
    staged = mine.record("hidden too", stage=True)
    assert mine.look() == before
    assert mine.places(name, staged) == ["pending", "pending"]
    mine.write(".gitignore", "*.log\n.mneme/\n!/.mneme/\n")
    mine.commit_pending()
    assert mine.places(name, staged) == ["here", "here"]


def test_a_rule_that_ignores_only_what_is_new_is_told_too(mine, old):
    mine.write(".gitignore", "*.pinned\n")
    mine.mark("pin", old)
    with pytest.raises(Refused, match=r"\.gitignore:1:\*\.pinned"):
        mine.commit_pending()


def test_a_bare_repository_refuses_and_a_memory_file_is_not_switched_off(mine, repo, tmp_path):
    mine.git("clone", "-q", "--bare", str(mine.path), str(tmp_path / "bare"))
    with pytest.raises(NoRepository, match="bare"):
        Remembering.of(tmp_path / "bare").commit_pending()
    other = Remembering.of(repo)
    other.write(".mneme/project_memory.json", "{}")
    name = other.record("beside a memory file")
    before = other.look()
    with pytest.raises(Refused, match="project_memory"):
        other.commit_pending()
    assert other.look() == before
    assert other.places(name) == ["pending"]
