"""Memories and git itself: what is recorded lasts through everything that people do with branches."""

import pytest

from mneme_git.errors import CommitRefused, NoRepository, Refused, StoreBusy
from mneme_git.model.paths import marker_path, memory_path
from tests.support.gitrepo import GitRepo
from tests.support.remembering import Remembering


@pytest.fixture
def mine(repo):
    """A repository with the layout of mneme at its first commit."""
    assert repo.mneme("init", "--yes").code == 0
    repo.commit_all("layout")
    return Remembering.of(repo)


def test_what_is_pending_becomes_one_commit_of_exactly_these_files(mine):
    first, second = mine.record("one"), mine.record("two")
    mine.mark("pin", first)
    assert mine.places(first, second) == ["pending", "pending"]
    assert mine.git("status", "--porcelain") == ""
    written = mine.commit_pending(message="what we learned")
    assert set(written.names) == {first, second}
    assert written.commit == mine.git("rev-parse", "HEAD")
    assert mine.git("log", "-1", "--format=%s") == "what we learned"
    assert mine.at_head() == sorted([f"{first}.json", f"{first}.pinned", f"{second}.json"])
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
    mine.write("a.txt", "changed after\n")
    mine.write("untracked.txt", "mine\n")
    before = mine.git("status", "--porcelain"), mine.git("diff"), mine.git("diff", "--cached")
    mine.record("one")
    mine.commit_pending()
    assert (mine.git("status", "--porcelain"), mine.git("diff"), mine.git("diff", "--cached")) == before
    assert mine.git("show", "--name-only", "--format=").startswith(".mneme/memories/")
