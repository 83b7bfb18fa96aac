"""A large store is recalled only while nothing of it has changed; whatever changes is read."""

import os

import pytest

from mneme_git.model.paths import decision_path
from mneme_git.store import git_store, kept_snapshots, projection
from mneme_git.store.kept_snapshots import sight_of_work_tree
from tests.support.writing import add, change, init, open_store, remove, statements

PATH = decision_path("second")


@pytest.fixture
def store(repo, monkeypatch):
    """A store that counts as large, in which nothing has changed for a while."""
    monkeypatch.setattr(kept_snapshots, "FEW", 0)
    store = init(repo)
    add(store, "first", "Use one")
    add(store, "second", "Use two")
    repo.commit_all("two")
    return store


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    """Let what changed just now count as settled, for change times cannot be set back."""
    monkeypatch.setattr(projection, "SETTLED_NS", -60_000_000_000)


def reads(repo, monkeypatch):
    """Load the store; return what it said and whether its files were read for that."""
    read = []
    original = git_store.read_branch
    monkeypatch.setattr(git_store, "read_branch", lambda *given: read.append(given) or original(*given))
    snapshot = open_store(repo.path).load()
    monkeypatch.setattr(git_store, "read_branch", original)
    return snapshot, bool(read)


def test_the_second_reading_is_recalled_and_says_the_same(repo, store, monkeypatch):
    first, read = reads(repo, monkeypatch)
    assert read
    again, read = reads(repo, monkeypatch)
    assert not read
    assert again == first
    assert again == open_store(repo.path).load(anew=True)


def by_hand(repo):
    data = repo.read(PATH).replace(b"active", b"mended")
    repo.write(PATH, data)


def same_size_and_time(repo):
    found = (repo.path / PATH).stat()
    by_hand(repo)
    os.utime(repo.path / PATH, ns=(found.st_atime_ns, found.st_mtime_ns))


CHANGES = {
    "by hand": by_hand,
    "by hand, and the time set back": same_size_and_time,
    "a file is gone": lambda repo: (repo.path / PATH).unlink(),
    "a link in its place": lambda repo: (
        (repo.path / PATH).unlink(),
        (repo.path / PATH).symlink_to("adr-1.json"),
    ),
    "a file more": lambda repo: repo.write(".mneme/decisions/more.json", b"{}"),
    "removed with git": lambda repo: repo.git("rm", "-q", PATH),
    "taken out of the index": lambda repo: repo.git("rm", "-q", "--cached", PATH),
    "no rights": lambda repo: (repo.path / PATH).chmod(0o200),
    "written by us": lambda repo: change(open_store(repo.path), "second", "Use three"),
    "removed by us": lambda repo: remove(open_store(repo.path), "second"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_read(repo, store, monkeypatch, change):
    reads(repo, monkeypatch)
    assert not reads(repo, monkeypatch)[1]
    CHANGES[change](repo)
    found, read = reads(repo, monkeypatch)
    assert read
    assert found == open_store(repo.path).load(anew=True)


def test_a_checkout_of_another_branch_is_read(repo, store, monkeypatch):
    repo.git("switch", "-q", "-c", "side")
    change(open_store(repo.path), "first", "Use another")
    repo.commit_all("other")
    reads(repo, monkeypatch)
    repo.git("switch", "-q", "main")
    assert reads(repo, monkeypatch)[1]
    assert statements(open_store(repo.path))["first"] == "Use one"


def test_a_store_with_faults_is_never_kept(repo, store, monkeypatch):
    repo.write(PATH, b"{}")
    found, _ = reads(repo, monkeypatch)
    assert [fault.code for fault in found.faults] == ["DAMAGED_DECISION"]
    assert reads(repo, monkeypatch)[1]


def test_an_open_merge_is_never_kept(repo, store, monkeypatch):
    repo.git("branch", "side")
    change(open_store(repo.path), "first", "Use ours")
    repo.commit_all("ours")
    repo.git("switch", "-q", "side")
    change(open_store(repo.path), "first", "Use theirs")
    repo.commit_all("theirs")
    assert repo.try_git("merge", "-q", "main").code != 0
    found, _ = reads(repo, monkeypatch)
    assert [contest.decision_id for contest in found.contested] == ["first"]
    assert reads(repo, monkeypatch)[1]


def test_what_changed_a_moment_ago_is_not_kept(repo, store, monkeypatch):
    monkeypatch.setattr(projection, "SETTLED_NS", 2_000_000_000)
    reads(repo, monkeypatch)
    assert reads(repo, monkeypatch)[1]


def test_a_damaged_projection_is_read_around(repo, store, monkeypatch):
    first, _ = reads(repo, monkeypatch)
    kept = repo.path / ".git/mneme/snapshot"
    kept.write_bytes(kept.read_bytes()[:-1])
    again, read = reads(repo, monkeypatch)
    assert (again, read) == (first, True)


def test_another_index_than_the_own_one_is_not_trusted(repo, store, monkeypatch):
    reads(repo, monkeypatch)
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/index"))
    assert reads(repo, monkeypatch)[1]


def test_a_commit_is_recalled_by_its_tree(repo, store, monkeypatch):
    past = open_store(repo.path, revision="HEAD")
    first = past.load()
    change(open_store(repo.path), "first", "Use three")
    repo.commit_all("later")
    monkeypatch.setattr(git_store, "read_branch", None)
    again = open_store(repo.path, revision="HEAD~1").load()
    assert again.versions == first.versions
    assert again.decisions == first.decisions
    assert again.origin == "the commit that 'HEAD~1' names"
    with pytest.raises(TypeError):  # another tree has to be read
        open_store(repo.path, revision="HEAD").load()


def test_a_small_store_is_always_read(repo, store, monkeypatch):
    monkeypatch.setattr(kept_snapshots, "FEW", 300)
    assert sight_of_work_tree(store.backend, (1, 2, 3)) is None
    reads(repo, monkeypatch)
    assert reads(repo, monkeypatch)[1]
