"""Records that HEAD has and the index lacks."""

import sys
from pathlib import Path

import pytest

from mneme_git.store.discover import open_backend
from mneme_git.store.git_store import GitStore
from mneme_git.store.removals import records_removed

ROOT = Path(__file__).parents[3]


@pytest.fixture
def recorded(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "a", "--decision", "A").code == 0
    repo.commit_all()
    return repo


def removed(repo):
    backend = open_backend(repo.path)
    return records_removed(backend, GitStore(backend, now=lambda: 0).load())


def test_a_record_whose_file_stayed_in_the_work_tree_is_told(recorded):
    recorded.git("rm", "-q", "--cached", ".mneme/decisions/a.json")
    (fault,) = removed(recorded)
    assert (fault.code, fault.decision_id) == ("RECORDS_REMOVED", "a")
    assert "no longer tracked" in fault.message
    assert "git add .mneme" in fault.hint


def test_a_version_whose_file_stayed_in_the_work_tree_is_told(recorded):
    recorded.git("rm", "-q", "--cached", "-r", ".mneme/versions")
    (fault,) = removed(recorded)
    assert "dver-" in fault.path


def test_a_record_that_moved_is_not_told(recorded):
    recorded.git("mv", ".mneme/decisions/a.json", ".mneme/decisions/moved.json")
    assert removed(recorded) == ()


def hooked(repo, *commit):
    """Commit while a hook records a decision, and return what that said."""
    hook = repo.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        f"#!/bin/sh\n'{sys.executable}' -m mneme_git add_decision --id b --decision B 2>hook.err\n"
    )
    hook.chmod(0o755)
    repo.write("README.md", "changed\n")
    repo.git(*commit, PYTHONPATH=str(ROOT))
    hook.unlink()
    return repo.read("hook.err").decode()


def test_a_record_made_while_some_files_are_committed_is_left_for_the_next_commit(recorded):
    told = hooked(recorded, "commit", "-q", "-m", "partly", "--", "README.md")
    assert "written but not staged: git is making a commit of some files only" in told
    assert "b.json" not in recorded.git("ls-tree", "-r", "--name-only", "HEAD", ".mneme/decisions")
    assert "2 new (work tree, not staged)" in recorded.mneme("status").out
    recorded.git("add", ".mneme")
    recorded.git("commit", "-q", "-m", "the record")
    assert removed(recorded) == ()
    assert "b.json" in recorded.git("ls-tree", "-r", "--name-only", "HEAD", ".mneme/decisions/")


def test_a_record_made_while_everything_is_committed_is_in_that_commit(recorded):
    assert hooked(recorded, "commit", "-q", "-a", "-m", "all") == ""
    assert "b.json" in recorded.git("ls-tree", "-r", "--name-only", "HEAD", ".mneme/decisions/")
