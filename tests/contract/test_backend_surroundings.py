"""Repositories of every sort, environments of hooks, disks that refuse, and no process left behind."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mneme_git.errors import MissingObject
from mneme_git.store.backend import Head, Signature
from mneme_git.store.objects import blob
from tests.contract.making import JOURNAL, PROJECT, clean_fsck, exercise
from tests.support.gitrepo import GitRepo


def test_a_linked_work_tree_has_its_own_head_and_index_and_shares_the_journal(repo, opened, tmp_path):
    repo.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    linked = GitRepo(tmp_path / "linked")
    linked.write("only/here", "1")
    backend = opened(linked.path / "only")
    assert backend.work_tree == linked.path
    assert backend.common_dir == repo.path / ".git"
    assert backend.git_dir == repo.path / ".git/worktrees/linked"
    assert backend.head() == Head(repo.git("rev-parse", "HEAD"), "topic")
    assert backend.stage(["only/here"]) == ""
    later = exercise(backend)
    main = opened(repo.path)
    assert main.read_ref(JOURNAL) == later
    assert main.index_entries("only") == ()
    assert linked.git("ls-files", "only") == "only/here"
    clean_fsck(repo)


@pytest.mark.parametrize("where", ["its own", "another"])
def test_the_environment_of_a_hook_in_a_linked_work_tree_misleads_nobody(
    repo, opened, tmp_path, monkeypatch, kind, where
):
    repo.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    linked = GitRepo(tmp_path / "linked")
    other = GitRepo.create(tmp_path / "other", f"--object-format={kind[1]}")
    git_dir = repo.path / ".git/worktrees/linked"
    monkeypatch.setenv("GIT_DIR", str(git_dir))
    monkeypatch.setenv("GIT_INDEX_FILE", str(git_dir / "index"))
    monkeypatch.setenv("GIT_PREFIX", "")
    target = linked if where == "its own" else other
    monkeypatch.chdir(target.path)
    target.write("new", "1")
    backend = opened(target.path)
    assert backend.work_tree == target.path
    assert backend.stage(["new"]) == ""
    assert [row.path for row in backend.index_entries("")] == ["README.md", "new"]
    assert backend.head().branch == ("topic" if where == "its own" else "main")
    later = exercise(backend)
    for name in ("GIT_DIR", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name)
    assert target.git("ls-files").split() == ["README.md", "new"]
    assert target.git("rev-parse", JOURNAL) == later
    assert (repo.try_git("rev-parse", "--verify", "-q", JOURNAL).code == 0) is (where == "its own")


HOOK = """#!{python}
import os, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from mneme_git.store.discover import open_backend
for place in ({here!r}, {other!r}):
    backend = open_backend(Path(place), prefer={prefer!r})
    assert backend.name == {prefer!r}
    (backend.work_tree / "by-hook").write_text("1")
    told = backend.stage(["by-hook"])
    names = ",".join(row.path for row in backend.index_entries(""))
    with open({log!r}, "a") as log:
        log.write(f"{{told}}|{{names}}|{{backend.head().branch}}\\n")
    backend.close()
"""


@pytest.mark.parametrize("how", [["-a"], [], ["README.md"]], ids=["commit -a", "commit", "commit path"])
@pytest.mark.parametrize("linked", [False, True], ids=["main", "linked"])
def test_a_real_pre_commit_hook_stages_into_the_commit_that_is_being_made(repo, tmp_path, kind, how, linked):
    other = GitRepo.create(tmp_path / "other", f"--object-format={kind[1]}")
    at = repo
    if linked:
        repo.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
        at = GitRepo(tmp_path / "linked")
    log = tmp_path / "log"
    text = HOOK.format(
        python=sys.executable,
        root=str(PROJECT),
        here=str(at.path),
        other=str(other.path),
        prefer=kind[0],
        log=str(log),
    )
    hook = repo.write(".git/hooks/pre-commit", text)
    hook.chmod(0o755)
    at.write("README.md", "changed\n")
    if not how:
        at.git("add", "README.md")
    at.git("commit", "-q", "-m", "with hook", *how)
    branch = "topic" if linked else "main"
    mine, others = log.read_text().splitlines()
    if how == ["README.md"]:  # git's index of a partial commit is thrown away: nothing is put into it
        assert mine.startswith("git is making a commit of some files only")
        assert mine.endswith(f"|README.md|{branch}")
    else:
        assert mine == f"|README.md,by-hook|{branch}"
    assert others == "|README.md,by-hook|main"
    held = ["README.md"] if how == ["README.md"] else ["README.md", "by-hook"]
    assert at.git("ls-tree", "--name-only", "HEAD").split() == held
    assert other.git("ls-files").split() == ["README.md", "by-hook"]
    assert other.git("rev-list", "--count", "HEAD") == "1"


def test_a_submodule_is_a_repository_of_its_own(repo, opened, tmp_path, kind):
    inner = GitRepo.create(tmp_path / "inner", f"--object-format={kind[1]}")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repo.commit_all()
    (repo.path / "sub/deep").mkdir()
    backend = opened(repo.path / "sub/deep")
    assert backend.work_tree == repo.path / "sub"
    assert backend.git_dir == backend.common_dir == repo.path / ".git/modules/sub"
    exercise(backend)
    assert opened(repo.path).read_ref(JOURNAL) is None
    assert backend.clean_bytes("README.md") == b"# a project\n"


def test_a_bare_repository_takes_a_journal(repo, opened, tmp_path):
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    exercise(opened(tmp_path / "bare.git"))


def test_a_repository_whose_git_folder_is_elsewhere_is_opened(repo, opened, tmp_path):
    repo.git("init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere"))
    backend = opened(repo.path)
    assert backend.git_dir == tmp_path / "elsewhere"
    assert backend.work_tree == repo.path
    exercise(backend)


def test_git_dir_and_work_tree_named_by_the_user_are_taken(repo, opened, tmp_path, monkeypatch):
    home = tmp_path / "dotfiles"
    home.mkdir()
    (home / "rc").write_text("x\r\n")
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(home))
    backend = opened(home)
    assert (backend.work_tree, backend.git_dir) == (home, repo.path / ".git")
    assert backend.stage(["rc"]) == ""
    assert backend.clean_bytes("rc") == b"x\r\n"
    assert [row.path for row in backend.index_entries("")] == ["README.md", "rc"]
    exercise(backend)


def test_no_name_is_needed_to_write(repo, opened, monkeypatch):
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    monkeypatch.setenv("EMAIL", "")
    backend = opened(repo.path)
    assert backend.signature() == Signature("mneme", "mneme@localhost")
    exercise(backend)
    repo.git("config", "user.name", "Grace <Hopper>")
    repo.git("config", "user.email", "grace@example.org")
    assert opened(repo.path).signature() == Signature("Grace Hopper", "grace@example.org")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada")
    assert opened(repo.path).signature() == Signature("Ada", "grace@example.org")
    clean_fsck(repo)


def test_a_missing_blob_of_a_partial_clone_is_missing_and_is_not_fetched(repo, opened, tmp_path):
    repo.write("big", "content\n")
    repo.commit_all()
    big = repo.git("rev-parse", "HEAD:big")
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", str(partial))
    backend = opened(partial)
    shutil.move(repo.path, tmp_path / "gone")  # whoever tried to fetch would now fail otherwise
    with pytest.raises(MissingObject):
        backend.read(big)
    assert not backend.has(big)
    (there,) = backend.write([blob(b"there")])
    assert [backend.has(oid) for oid in (there, big, there)] == [True, False, True]
    with pytest.raises(MissingObject):
        backend.read_many([there, big, there])
    assert len(backend.write([blob(b"%d" % number) for number in range(300)])) == 300
    assert [row.path for row in backend.tree_files(backend.head().oid, "")] == ["README.md", "big"]
    assert big in backend.reachable_blobs("")
    exercise(backend)


def test_the_dirty_tree_of_a_sparse_partial_clone_needs_no_blob_that_is_not_here(repo, opened, tmp_path):
    repo.write("in/a", "1")
    repo.write("out/b", "2")
    repo.commit_all()
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = GitRepo(tmp_path / "partial")
    repo.git("clone", "-q", "--sparse", "--filter=blob:none", f"file://{repo.path}", str(partial.path))
    partial.git("sparse-checkout", "set", "in")
    shutil.move(repo.path, tmp_path / "gone")
    backend = opened(partial.path)
    assert backend.dirty_tree_id() == partial.git("rev-parse", "HEAD^{tree}")
    partial.write("in/new", "1")
    assert backend.dirty_tree_id() != partial.git("rev-parse", "HEAD^{tree}")


def test_a_split_index_and_an_untracked_cache_survive_our_questions(repo, opened):
    for number in range(30):
        repo.write(f"f{number}", "1")
    repo.commit_all()
    repo.git("update-index", "--split-index", "--untracked-cache")
    repo.write("f0", "2\r\n")
    shared = sorted((repo.path / ".git").glob("sharedindex.*"))
    backend = opened(repo.path)
    before = repo.read(".git/index")
    assert len(backend.index_entries("")) == 31
    backend.dirty_tree_id()
    assert backend.clean_bytes("f0") == b"2\r\n"
    assert repo.read(".git/index") == before
    assert sorted((repo.path / ".git").glob("sharedindex.*")) == shared
    assert backend.stage(["f0"]) == ""
    assert repo.git("diff", "--cached", "--name-only") == "f0"


AS_NOBODY = """
import os, sys
from pathlib import Path
import pygit2, tempfile
from mneme_git.errors import MnemeError, NoRepository
from mneme_git.store import private_index, program_backend, pygit2_backend
from mneme_git.store.backend import Absent
from mneme_git.store.discover import open_backend
from mneme_git.store.objects import blob
os.setgid(65534)  # after the imports: another user may not be let into this one's packages
os.setuid(65534)
"""

WRITES = """
folder, prefer, oid = sys.argv[1:]
backend = open_backend(Path(folder), prefer=prefer)
print(backend.name)
many = [blob(b"%d" % n) for n in range(300)]
for what in (
    lambda: backend.write([blob(b"new")]),
    lambda: backend.write(many),
    lambda: backend.compare_and_swap("refs/mneme/journal", Absent(), oid, message="x"),
):
    try:
        print("done", what())
    except MnemeError as error:
        print(type(error).__name__)
print(backend.stage(["README.md"]) != "" or "staged")
backend.close()
"""


@pytest.fixture
def shared_folder():
    """A folder that another user may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="mneme-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_nobody(script, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY + script, *arguments],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
def test_a_repository_that_may_not_be_written_is_read_only(shared_folder, kind):
    made = GitRepo.create(shared_folder / "repo", f"--object-format={kind[1]}")
    made.write("README.md", "changed")
    oid = made.git("rev-parse", "HEAD")
    for place, folders, files in os.walk(made.path):
        for name in (".", *folders, *files):
            os.chown(Path(place) / name, 65534, 65534)
            (Path(place) / name).chmod(0o444 if name in files else 0o555)
    assert as_nobody(WRITES, str(made.path), kind[0], oid) == [
        kind[0],
        "ReadOnlyStore",
        "ReadOnlyStore",
        "ReadOnlyStore",
        "True",
    ]


FOREIGN = """
try:
    backend = open_backend(Path(sys.argv[1]), prefer=sys.argv[2])
    backend.index_entries("")
    print("opened")
except NoRepository as error:
    print(error.message)
    print(error.hint)
"""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
def test_somebody_else_s_repository_is_refused_as_git_refuses_it(shared_folder, kind):
    made = GitRepo.create(shared_folder / "repo", f"--object-format={kind[1]}")
    message, hint = as_nobody(FOREIGN, str(made.path), kind[0])
    assert message == f"git refuses '{made.path}': it is owned by another user"
    assert "safe.directory" in hint
