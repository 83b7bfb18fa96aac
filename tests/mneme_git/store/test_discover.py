"""Finding the repository: nearest boundary, no process in the ordinary case, git's word in the odd ones."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mneme_git.errors import NoRepository
from mneme_git.store import process
from mneme_git.store.discover import locate, open_backend
from mneme_git.store.location import Location
from tests.support.gitrepo import GitRepo

PROJECT = Path(__file__).parents[3]


@pytest.fixture
def no_process(monkeypatch):
    """Fail if any child is started."""

    def refuse(*args, **rest):
        raise AssertionError(f"a process was started: {args}")

    monkeypatch.setattr(process.subprocess, "run", refuse)
    monkeypatch.setattr(process.subprocess, "Popen", refuse)


def by_git(path):
    """Return what git itself finds from ``path``: git dir, common dir, work tree, object format."""
    done = subprocess.run(
        [
            "git",
            "rev-parse",
            "--absolute-git-dir",
            "--git-common-dir",
            "--show-toplevel",
            "--show-object-format",
        ],
        cwd=path,
        capture_output=True,
        text=True,
        check=True,
    )
    git_dir, common, top, object_format = done.stdout.splitlines()
    return Path(git_dir), (path / common).resolve(), Path(top), object_format


def parts(found):
    return found.git_dir, found.common_dir, found.work_tree, found.object_format


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_an_ordinary_repository_is_found_without_a_process(tmp_path, object_format, request):
    made = GitRepo.create(tmp_path / "r", f"--object-format={object_format}")
    made.write("a/b/c", "1")
    expected = by_git(made.path / "a/b")
    request.getfixturevalue("no_process")
    for start in (made.path, made.path / "a/b", made.path / "a/b/c", made.path / "a/not/there"):
        assert parts(locate(start, {})) == expected
    assert open_backend(made.path / "a", prefer="program").work_tree == made.path


def test_a_linked_work_tree_and_a_submodule_are_found_without_a_process(repo, tmp_path, request):
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    inner = GitRepo.create(tmp_path / "inner")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "deep/sub")
    starts = [tmp_path / "linked", repo.path / "deep/sub", repo.path / "deep"]
    expected = [by_git(start) for start in starts]
    request.getfixturevalue("no_process")
    assert [parts(locate(start, {})) for start in starts] == expected


def test_a_linked_work_tree_that_moved_with_relative_paths_is_found(repo, tmp_path):
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked/.git").write_text("gitdir: ../repo/.git/worktrees/linked\n")
    assert locate(tmp_path / "linked", {}).git_dir == repo.path / ".git/worktrees/linked"


def test_a_repository_in_a_repository_wins_inside_itself(repo):
    inner = GitRepo.create(repo.path / "inner")
    assert locate(inner.path, {}).work_tree == inner.path
    (inner.path / ".git").rename(inner.path / ".git-moved")
    assert locate(inner.path, {}).work_tree == repo.path


def test_an_empty_dot_git_folder_is_passed_over_as_git_does(repo):
    (repo.path / "sub/.git").mkdir(parents=True)
    assert parts(locate(repo.path / "sub", {})) == by_git(repo.path / "sub")


@pytest.mark.parametrize("text", ["gitdir: /nowhere/at/all\n", "nonsense", ""])
def test_a_dot_git_file_that_leads_nowhere_is_an_error_and_no_reason_to_look_higher(repo, text):
    repo.write("sub/.git", text)
    with pytest.raises(NoRepository) as raised:
        locate(repo.path / "sub", {})
    assert str(repo.path / "sub/.git") in raised.value.message
    assert raised.value.hint


def test_outside_of_any_repository_one_line_says_git_init(tmp_path):
    for prefer in ("pygit2", "program", "auto"):
        with pytest.raises(NoRepository) as raised:
            open_backend(tmp_path, prefer=prefer)
        assert raised.value.message == f"'{tmp_path}' is not in a git repository"
        assert "git init" in raised.value.hint


def test_a_symbolic_link_to_a_repository_is_followed(repo, tmp_path):
    repo.write("a/b", "1")
    (tmp_path / "way").symlink_to(repo.path / "a")
    assert parts(locate(tmp_path / "way", {})) == by_git(repo.path / "a")


def test_a_dot_git_that_is_a_link_is_followed(repo, tmp_path):
    (repo.path / ".git").rename(tmp_path / "real")
    (repo.path / ".git").symlink_to(tmp_path / "real")
    assert parts(locate(repo.path, {})) == by_git(repo.path)


@pytest.mark.parametrize(
    "setting", [("core.worktree", "../elsewhere"), ("extensions.worktreeConfig", "true")]
)
def test_what_is_unusual_is_asked_of_git(repo, setting):
    (repo.path / "elsewhere/in").mkdir(parents=True)
    repo.git("config", "core.repositoryformatversion", "1")
    repo.git("config", *setting)
    start = repo.path / "elsewhere/in"
    assert parts(locate(start, {})) == by_git(start)


def test_bare_repositories_and_git_s_own_folder_have_no_work_tree(repo, tmp_path):
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "b.git"))
    assert parts(locate(tmp_path / "b.git/refs", {})) == (tmp_path / "b.git",) * 2 + (None, "sha1")
    assert locate(repo.path / ".git/hooks", {}).work_tree is None
    repo.git("config", "core.bare", "true")
    assert locate(repo.path, {}).work_tree is None


def test_a_work_tree_linked_to_a_bare_repository_is_found(repo, tmp_path):
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "hub/.git"))
    subprocess.run(
        ["git", "worktree", "add", "-q", "../w"], cwd=tmp_path / "hub/.git", check=True, capture_output=True
    )
    (where,) = list(tmp_path.rglob("w/.git"))
    assert parts(locate(where.parent, {})) == by_git(where.parent)


def test_git_s_limits_of_the_search_are_kept(repo, monkeypatch):
    repo.write("a/b/c", "1")
    limit = {"GIT_CEILING_DIRECTORIES": str(repo.path / "a")}
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", limit["GIT_CEILING_DIRECTORIES"])
    with pytest.raises(NoRepository):
        locate(repo.path / "a/b", limit)
    assert locate(repo.path / "a", limit).work_tree == repo.path


def test_a_foreign_git_dir_is_heeded_only_where_it_is_meant(repo, tmp_path):
    other = GitRepo.create(tmp_path / "other")
    named = {"GIT_DIR": str(other.path / ".git"), "GIT_INDEX_FILE": str(other.path / ".git/index")}
    here = locate(repo.path, named)
    assert (here.git_dir, here.variables) == (repo.path / ".git", {})
    (tmp_path / "empty").mkdir()
    assert locate(tmp_path / "empty", named).git_dir == other.path / ".git"
    (repo.path / "dots").mkdir()
    pair = {"GIT_DIR": str(other.path / ".git"), "GIT_WORK_TREE": str(repo.path / "dots")}
    assert locate(repo.path / "dots", pair).git_dir == other.path / ".git"
    assert locate(repo.path, pair).git_dir == repo.path / ".git"
    around = {"GIT_DIR": str(other.path / ".git"), "GIT_WORK_TREE": str(tmp_path)}
    assert locate(repo.path, around).git_dir == repo.path / ".git", "the nearer boundary wins"


def test_an_index_without_git_dir_is_ours_unless_it_lies_in_another_repository(repo, tmp_path):
    other = GitRepo.create(tmp_path / "other")
    for given, ours in (
        (".git/index", True),
        (str(repo.path / ".git/index.lock"), True),
        (str(tmp_path / "private-index"), True),
        (str(other.path / ".git/index"), False),
    ):
        found = locate(repo.path, {"GIT_INDEX_FILE": given})
        assert bool(found.variables) is ours, given
        assert found.index_file == (repo.path / given if ours else repo.path / ".git/index")


def test_the_quarantine_of_a_push_is_given_back_for_its_own_repository(repo, tmp_path):
    given = {
        "GIT_DIR": str(repo.path / ".git"),
        "GIT_OBJECT_DIRECTORY": ".git/objects/incoming-x",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": f".git/objects{os.pathsep}/far",
    }
    found = locate(repo.path, given)
    assert found.objects_dir == repo.path / ".git/objects/incoming-x"
    assert found.variables["GIT_ALTERNATE_OBJECT_DIRECTORIES"] == f"{repo.path}/.git/objects{os.pathsep}/far"


def test_an_incoming_push_is_seen_by_a_pre_receive_hook(repo, tmp_path):
    repo.git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    log = tmp_path / "log"
    hook = tmp_path / "hub.git/hooks/pre-receive"
    hook.write_text(
        f"#!{sys.executable}\n"
        f"import sys\nsys.path.insert(0, {str(PROJECT)!r})\nfrom pathlib import Path\n"
        "from mneme_git.store.discover import open_backend\n"
        "old, new, ref = sys.stdin.read().split()\n"
        "backend = open_backend(Path.cwd())\n"
        f"open({str(log)!r}, 'w').write(backend.tree_files(new, '')[0].path)\n"
        "backend.close()\n"
    )
    hook.chmod(0o755)
    repo.git("push", "-q", str(tmp_path / "hub.git"), "main")
    assert log.read_text() == "README.md"


def test_what_libgit2_cannot_open_is_opened_with_the_program(tmp_path, repo):
    made = GitRepo.create(tmp_path / "new", "--object-format=sha256")
    assert open_backend(made.path).name == "program"
    assert open_backend(repo.path).name == open_backend(repo.path, prefer="auto").name == "pygit2"
    repo.git("config", "core.repositoryformatversion", "1")
    repo.git("config", "extensions.notYetInvented", "true")
    with pytest.raises(NoRepository, match="notyetinvented"):
        open_backend(repo.path)


def test_the_program_backend_never_loads_libgit2(repo):
    script = (
        "import sys; from pathlib import Path; from mneme_git.store.discover import open_backend; "
        f"b = open_backend(Path({str(repo.path)!r}), prefer='program'); b.index_entries(''); b.head(); b.close(); "
        "print(sorted({'pygit2', 'cffi', 'tempfile', 'sqlite3', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    assert done.stdout == "[]\n"


def test_a_location_is_a_value():
    place = Path("/r")
    one, two = (Location(git_dir=place, common_dir=place, work_tree=None) for _ in range(2))
    assert one == two
    assert one.index_file == place / "index"
