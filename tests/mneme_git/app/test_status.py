"""What the status tells of records that no commit has."""

import pytest

from mneme_git.app.status import status, status_text
from mneme_git.app.workspace import Workspace, environment


@pytest.fixture
def recorded(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "a", "--decision", "A").code == 0
    return repo


def status_of(repo):
    return status(Workspace(cwd=repo.path, env=environment({}), now=lambda: 0))


def test_records_that_git_does_not_track_are_new_in_the_work_tree(recorded):
    recorded.commit_all()
    assert recorded.mneme("add_decision", "--id", "b", "--decision", "B").code == 0
    recorded.git("reset", "-q")
    recorded.write(".mneme/project_memory.json", "{}")
    recorded.write(".mneme/notes.txt", "mine")
    found = status_of(recorded)
    assert {(row.place, row.change) for row in found.uncommitted} == {("work tree", "new")}
    text = status_text(found)
    assert "not committed: 2 new (work tree, not staged)\n      `git add .mneme` stages what is new" in text


def test_staged_records_are_not_told_twice(recorded):
    text = status_text(status_of(recorded))
    assert "new (staged)" in text
    assert "work tree" not in text


def test_a_rule_that_hides_the_records_from_git_is_told_instead_of_the_hint(recorded):
    recorded.git("rm", "-q", "-r", "--cached", ".mneme")
    recorded.write(".gitignore", ".mneme/\n")
    text = status_text(status_of(recorded))
    assert "git ignores .mneme (.gitignore:1:.mneme/)" in text
    assert "git add" not in text
