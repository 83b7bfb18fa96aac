"""The copy of the index that git may bring up to date."""

import os

import pytest

from mneme_git.store.discover import locate
from mneme_git.store.index_copy import IndexCopy


def notes_of(path):
    data = path.read_bytes()
    return data[data.rfind(b"UNTR") :]


@pytest.fixture
def noted(repo):
    """A repository in whose own index git has noted what is untracked."""
    for count in range(3):
        repo.write(f"folder{count}/file.txt", "x")
    repo.commit_all("first")
    repo.git("update-index", "--force-untracked-cache")
    repo.git("-c", "core.untrackedCache=true", "status")
    assert f"Location {repo.path}, system".encode() in notes_of(repo.path / ".git/index")
    return repo


def test_notes_of_the_place_before_a_move_are_begun_anew_in_the_copy_alone(noted):
    moved = noted.path.parent / "moved"
    noted.path.rename(moved)
    before = (moved / ".git/index").read_bytes()
    copy = IndexCopy(locate(moved, os.environ))
    ran = copy.git().run("status", "--porcelain", "-uall", settings=copy.settings)
    assert (ran.code, ran.complaint) == (0, "")
    (made,) = (path for path in (moved / ".git/mneme").glob("index-*") if "." not in path.name)
    assert f"Location {moved}, system".encode() in notes_of(made)
    assert (moved / ".git/index").read_bytes() == before


def test_notes_of_this_place_are_taken_over(noted):
    copy = IndexCopy(locate(noted.path, os.environ))
    copy.git()
    (made,) = (path for path in (noted.path / ".git/mneme").glob("index-*") if "." not in path.name)
    assert made.read_bytes() == (noted.path / ".git/index").read_bytes()
