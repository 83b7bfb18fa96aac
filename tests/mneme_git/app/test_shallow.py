"""History in a clone that has only the newest part of it."""

import json

import pytest

from tests.support.gitrepo import GitRepo


@pytest.fixture
def shallow(repo, tmp_path):
    assert repo.mneme("init", "--yes").code == 0
    for name in ("a", "b"):
        assert repo.mneme("add_decision", "--id", name, "--decision", name.upper()).code == 0
        repo.commit_all()
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(tmp_path / "shallow"))
    return GitRepo(tmp_path / "shallow")


def test_the_log_tells_where_the_history_ends_and_no_change_that_it_cannot_know(repo, shallow):
    (entry,) = json.loads(shallow.mneme("decision", "log", "a", "--json").out)["entries"]
    assert (entry["history_ends"], entry["changes"]) == (True, [])
    assert "history ends here (shallow clone)" in shallow.mneme("decision", "log", "a").out
    (whole,) = json.loads(repo.mneme("decision", "log", "a", "--json").out)["entries"]
    assert whole["history_ends"] is False
    assert whole["changes"]


def test_blame_tells_that_an_older_commit_may_have_brought_a_version(repo, shallow):
    (row,) = json.loads(shallow.mneme("decision", "blame", "a", "--json").out)["versions"]
    assert row["history_ends"] is True
    assert "history ends here (shallow clone)" in shallow.mneme("decision", "blame", "a").out
    assert "history ends" not in repo.mneme("decision", "blame", "a").out
