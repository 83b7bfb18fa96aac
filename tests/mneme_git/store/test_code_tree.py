"""The work tree as the index sees it, against what git itself would make of it."""

import os
import stat
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mneme_git.errors import NotFound, Refused
from mneme_git.store import patched_tree
from mneme_git.store.code_tree import RevisionSource, WorkTreeSource
from mneme_git.store.discover import locate
from tests.support.code_tree import seen, source_of, tree_by_git
from tests.support.gitrepo import GitRepo

PATHS = ("a.py", "a.py/in.py", "d/b.py", "d", "d/e/c.txt", "d/e", "z \udcff\n.py", "ü.md", "README.md")
TEXTS = (b"", b"one\n", b"two\n", b"one\r\ntwo\r\n", b"$Id$ one\n", b"\0\r\n")


def everything_in_git(repo):
    """All of git's folder but what is ours, byte for byte."""
    top = repo.path / ".git"
    return {
        path.relative_to(top): path.read_bytes()
        for path in top.rglob("*")
        if path.is_file() and "mneme" not in path.relative_to(top).parts
    }


# -- the id of the tree ---------------------------------------------------------------------------


class World:
    """A repository and the steps that random states are made of."""

    def __init__(self, repo):
        self.repo = repo

    def _clear(self, place):
        for parent in list(place.parents)[::-1]:
            if parent.is_symlink() or parent.is_file():
                parent.unlink()
        if place.is_symlink() or place.is_file():
            place.unlink()
        elif place.is_dir():
            for inside in sorted(place.rglob("*"), reverse=True):
                inside.rmdir() if inside.is_dir() and not inside.is_symlink() else inside.unlink()
            place.rmdir()

    def write(self, path, text):
        place = self.repo.path / path
        self._clear(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)

    def remove(self, path, _):
        self._clear(self.repo.path / path)

    def link(self, path, text):
        self.write(path, text)
        self._clear(self.repo.path / path)
        (self.repo.path / path).symlink_to("README.md")

    def executable(self, path, _):
        place = self.repo.path / path
        if place.is_file() and not place.is_symlink():
            place.chmod(0o755)

    def add(self, path, _):
        self.repo.try_git("add", "-f", "--", path)

    def forget(self, path, _):
        self.repo.try_git("rm", "-q", "-r", "--cached", "--", path)

    def intend(self, path, _):
        self.repo.try_git("add", "-N", "--", path)

    def assume(self, path, _):
        self.repo.try_git("update-index", "--assume-unchanged", "--", path)

    def skip(self, path, _):
        self.repo.try_git("update-index", "--skip-worktree", "--", path)

    def commit(self, path, _):
        self.repo.try_git("commit", "-q", "--allow-empty", "-m", "step")

    def soft(self, path, _):
        self.repo.try_git("reset", "-q", "--soft", "HEAD~1")

    def ignore(self, path, _):
        self.write(".gitignore", os.fsencode(path.partition("/")[0]) + b"\n")

    def attributes(self, path, text):
        self.write(".gitattributes", b"* text=auto\n" if text else b"*.py ident eol=crlf\n")

    def line_ends(self, path, text):
        self.repo.git("config", "core.autocrlf", "input" if text else "false")


STEPS = st.lists(
    st.tuples(
        st.sampled_from(sorted(name for name in vars(World) if not name.startswith("_"))),
        st.sampled_from(PATHS),
        st.sampled_from(TEXTS),
    ),
    max_size=14,
)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(early=STEPS, late=STEPS)
def test_the_id_is_that_of_the_tree_that_git_would_make(tmp_path_factory, object_format, early, late):
    repo = GitRepo(tmp_path_factory.mktemp("world"))
    repo.git("init", "-q", "-b", "main", f"--object-format={object_format}")
    world = World(repo)
    source = source_of(repo)
    for steps in (early, late):
        for step, path, text in steps:
            getattr(world, step)(path, text)
        assert source.tree_id() == tree_by_git(repo)
        assert source_of(repo).tree_id() == tree_by_git(repo)


@pytest.mark.parametrize("state", ["detached", "conflict", "sparse", "submodule", "linked", "split"])
def test_the_id_is_right_in_unusual_places(repo, tmp_path, state):
    repo.write("d/a.py", "a\n")
    repo.write("e/b.py", "b\n")
    first = repo.commit_all()
    if state == "detached":
        repo.git("checkout", "-q", "--detach", first)
    elif state == "conflict":
        repo.git("switch", "-q", "-c", "other")
        repo.write("d/a.py", "x\n")
        repo.git("rm", "-q", "e/b.py")
        repo.commit_all()
        repo.git("switch", "-q", "main")
        repo.write("d/a.py", "y\n")
        repo.write("e/b.py", "c\n")
        repo.commit_all()
        assert repo.try_git("merge", "other").code != 0
    elif state == "sparse":
        repo.git("sparse-checkout", "set", "d")
        assert not (repo.path / "e/b.py").exists()
    elif state == "submodule":
        inner = GitRepo.create(tmp_path / "inner")
        repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    elif state == "linked":
        repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
        repo = GitRepo(tmp_path / "linked")
    else:
        repo.git("update-index", "--split-index")
    source = source_of(repo)
    assert source.tree_id() == tree_by_git(repo)
    repo.write("d/c.py", "c\n")
    assert source.tree_id() == tree_by_git(repo)
    contents, _ = seen(repo, source)
    assert contents["d/c.py"] == b"c\n"
    assert "sub/README.md" not in contents
    if state == "sparse":
        assert contents["e/b.py"] == b"b\n"


def test_equal_trees_have_one_id_however_they_came_about(repo):
    repo.write("a.py", "a\n")
    source = source_of(repo)
    untracked = source.tree_id()
    repo.git("add", "a.py")
    staged = source.tree_id()
    commit = repo.commit_all()
    assert {
        untracked,
        staged,
        source.tree_id(),
        RevisionSource(locate(repo.path, os.environ), "HEAD").tree_id(),
    } == {repo.git("rev-parse", f"{commit}^{{tree}}")}


def test_nothing_changed_gives_the_very_same_listing(repo):
    source = source_of(repo)
    assert source.listing() is source.listing()


def test_an_edit_that_keeps_size_and_time_is_seen(repo):
    place = repo.write("u.py", "aaa\n")
    source = source_of(repo)
    os.utime(place, ns=(10**18, 10**18))
    source.tree_id()
    before = source.tree_id()
    place.write_bytes(b"bbb\n")
    os.utime(place, ns=(10**18, 10**18))
    assert source.tree_id() != before
    assert seen(repo, source)[0]["u.py"] == b"bbb\n"


def test_a_large_untracked_file_is_read_once(repo):
    repo.write("big.bin", b"\0" * 5_000_000)
    time.sleep(0.15)  # a file is trusted once it is older than a tick of the clock
    source = source_of(repo)
    for _ in range(3):
        source.tree_id()
    assert source._ids.read == 5_000_000


def test_the_next_process_does_not_read_it_again(repo):
    repo.write("big.bin", b"\0" * 5_000_000)
    time.sleep(0.15)
    before = source_of(repo).tree_id()
    again = source_of(repo)
    assert again.tree_id() == before
    assert again._ids.read == 0
    repo.write("big.bin", b"\1" * 5_000_000)
    assert again.tree_id() == tree_by_git(repo) != before
    repo.write(".git/mneme/contents", "damaged")
    assert source_of(repo).tree_id() == tree_by_git(repo)


def test_files_too_large_to_read_are_listed_with_the_reason(repo, monkeypatch):
    monkeypatch.setattr("mneme_git.store.content_ids.READ_AT_MOST", 10)
    monkeypatch.setattr("mneme_git.store.code_tree.READ_AT_MOST", 10)
    repo.write("big.bin", b"x" * 11)
    source = source_of(repo)
    assert "larger than" in source.listing().files["big.bin"].skipped
    assert source._ids.read == 0


# -- what is left alone ---------------------------------------------------------------------------


def test_the_repository_is_left_as_it_is(repo):
    repo.write("a.py", "a\n")
    repo.commit_all()
    repo.write("a.py", "b\n")
    repo.write("u.py", "u\r\n")
    repo.git("config", "core.autocrlf", "true")
    os.utime(repo.path / "README.md")
    before = everything_in_git(repo)
    source = source_of(repo)
    seen(repo, source)
    RevisionSource(locate(repo.path, os.environ), "HEAD").listing()
    source.close()
    assert everything_in_git(repo) == before


def test_a_stale_index_is_brought_up_to_date_once_in_our_copy(repo):
    for at in range(30):
        repo.write(f"f{at}.py", f"{at}\n")
    repo.commit_all()
    for at in range(30):
        os.utime(repo.path / f"f{at}.py", ns=(10**18, 10**18))
    user_s = (repo.path / ".git/index").read_bytes()
    source = source_of(repo)
    before = source.tree_id()
    copies = list((repo.path / ".git/mneme").glob("index-*"))
    assert len(copies) == 1
    assert copies[0].read_bytes() != user_s
    repo.git("add", "-A")
    assert source.tree_id() == before
    assert len(list((repo.path / ".git/mneme").glob("index-*"))) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_repository_that_cannot_be_written_is_read(repo):
    repo.write("u.py", "u\n")
    git_dir = repo.path / ".git"
    git_dir.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert "u.py" in source_of(repo).listing().files
    finally:
        git_dir.chmod(stat.S_IRWXU)


def test_a_folder_of_ours_that_cannot_be_made_costs_time_only(repo):
    repo.write(".git/mneme", "in the way")
    repo.write("u.py", "u\n")
    before = everything_in_git(repo)
    assert "u.py" in source_of(repo).listing().files
    assert everything_in_git(repo) == before


def test_a_bare_repository_has_revisions_only(repo, tmp_path):
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare"))
    location = locate(tmp_path / "bare", os.environ)
    with pytest.raises(Refused, match="bare"):
        WorkTreeSource(location)
    assert set(RevisionSource(location, "HEAD").listing().files) == {"README.md"}
    with pytest.raises(NotFound, match="nope"):
        RevisionSource(location, "nope")


def test_many_untracked_files_are_looked_at_and_not_read_and_few_changes_make_few_trees(repo, monkeypatch):
    for at in range(300):
        repo.write(f"d{at % 7}/f{at}.py", f"{at}\n")
    time.sleep(0.15)
    source = source_of(repo)
    source.tree_id()
    encoded = []
    real = patched_tree.encode_tree
    monkeypatch.setattr(patched_tree, "encode_tree", lambda rows: encoded.append(1) or real(rows))
    before = source._ids.read
    repo.write("d3/f3.py", "other\n")
    assert source.tree_id() == tree_by_git(repo)
    assert source._ids.read == before + len("other\n")
    assert len(encoded) == 2


# -- the look ---------------------------------------------------------------------------------------


def test_an_index_that_changes_during_the_look_is_looked_at_again(repo):
    repo.write("a.py", "a\n")
    source = source_of(repo)
    source.tree_id()
    with source.looking() as seen:
        repo.write("b.py", "b\n")
        repo.commit_all()
        assert seen().tree == tree_by_git(repo)


def test_a_look_that_nobody_waits_for_leaves_no_trace(repo):
    source = source_of(repo)
    source.tree_id()
    with pytest.raises(KeyError), source.looking():
        raise KeyError
    assert not list((repo.path / ".git/mneme").glob("*.lock"))
    repo.write("a.py", "a\n")
    assert source.tree_id() == tree_by_git(repo)
