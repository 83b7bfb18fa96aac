"""The user's own folder: made once, by whoever is first, and never in anybody's way."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mneme_git.errors import InvalidInput, NoRepository, ReadOnlyStore, StoreFault
from mneme_git.model.paths import CONFIG, FORMAT
from mneme_git.store.discover import locate
from mneme_git.store.user_data import (
    data_home,
    global_backend,
    known_project,
    known_projects,
    project_hash,
    readable_global,
    remember_project,
)
from tests.support.gitrepo import GitRepo

AS_ROOT = os.geteuid() == 0
PROGRAM = "from mneme_git.store.user_data import global_backend; print(global_backend(create=True).git_dir)"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("MNEME_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({"HOME": "/home/ada"}, "/home/ada/.local/share/mneme"),
        ({"HOME": "/home/ada", "XDG_DATA_HOME": "/data"}, "/data/mneme"),
        ({"HOME": "/home/ada", "XDG_DATA_HOME": "data"}, "/home/ada/.local/share/mneme"),
        ({"HOME": "/home/ada", "XDG_DATA_HOME": "/data", "MNEME_DATA_HOME": "/mine"}, "/mine"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the default is another elsewhere")
def test_the_folder_is_where_the_environment_says(variables, found):
    assert data_home(variables) == Path(found)


def test_a_relative_folder_would_be_another_one_in_each_place_and_is_refused():
    with pytest.raises(InvalidInput, match="MNEME_DATA_HOME is 'data'"):
        data_home({"HOME": "/home/ada", "MNEME_DATA_HOME": "data"})


def test_without_a_home_there_is_no_place():
    with pytest.raises(InvalidInput, match="no home folder"):
        data_home({"HOME": "nowhere"})


def test_reading_makes_nothing(home):
    assert global_backend(create=False) is None
    assert readable_global() == (None, "")
    assert not home.exists()


def test_the_global_repository_is_made_with_its_scaffold_committed(home):
    made = global_backend(create=True)
    repo = GitRepo(home / "global")
    assert made.work_tree == repo.path
    assert repo.git("status", "--porcelain") == ""
    tracked = repo.git("ls-files").splitlines()
    assert {FORMAT, CONFIG, "README.md"} <= set(tracked)
    assert "memories of global scope" in repo.read("README.md").decode()
    assert repo.git("log", "--format=%an %s") == "Ada mneme: a place for memories of global scope"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert global_backend(create=True).git_dir == made.git_dir
    assert repo.git("rev-list", "--count", "HEAD") == "1", "it is made once"
    assert sorted(path.name for path in home.iterdir()) == ["global"]


def test_templates_hooks_ignore_rules_and_signing_of_the_user_stay_out(home, tmp_path):
    template, hooks = tmp_path / "template/hooks", tmp_path / "hooks"
    for folder in (template, hooks):
        folder.mkdir(parents=True)
        for name in ("pre-commit", "commit-msg", "prepare-commit-msg"):
            (folder / name).write_text("#!/bin/sh\nexit 1\n")
            (folder / name).chmod(0o755)
    (tmp_path / "ignored").write_text(".mneme\nREADME.md\n")
    for key, value in {
        "init.templateDir": template.parent,
        "core.hooksPath": hooks,
        "core.excludesFile": tmp_path / "ignored",
        "commit.gpgSign": "true",
        "user.signingKey": "nobody",
    }.items():
        subprocess.run(["git", "config", "--global", key, str(value)], check=True)
    made = global_backend(create=True)
    repo = GitRepo(made.work_tree)
    assert FORMAT in repo.git("ls-files").splitlines()
    assert not (made.git_dir / "hooks").exists()
    assert made.ignored(FORMAT) == ""
    repo.write(".mneme/memories/0/x.json", "{}")
    repo.git("add", "-A")
    repo.git("commit", "-q", "--no-gpg-sign", "-m", "hooks of the user are not asked")


def test_a_user_whom_git_does_not_know_has_one_too(home, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))]:
        monkeypatch.delenv(name)
    subprocess.run(["git", "config", "--global", "user.useConfigOnly", "true"], check=True)
    assert global_backend(create=True) is not None
    assert GitRepo(home / "global").git("log", "--format=%an <%ae>") == "mneme <mneme@localhost>"


def test_many_processes_at_once_make_one(home):
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) for _ in range(6)
    ]
    told = {process.communicate()[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 6
    assert told == {str(home / "global/.git")}
    assert GitRepo(home / "global").git("rev-list", "--count", "HEAD") == "1"
    assert sorted(path.name for path in home.iterdir()) == ["global"]


def test_what_a_killed_process_left_half_made_is_made_anew(home):
    (home / "global.part/.git").mkdir(parents=True)
    (home / "global").mkdir()
    assert global_backend(create=True) is not None
    assert sorted(path.name for path in home.iterdir()) == ["global"]


def test_what_somebody_else_put_there_is_not_touched(home):
    (home / "global").mkdir(parents=True)
    (home / "global/letter").write_text("dear diary")
    with pytest.raises(NoRepository, match="holds something else than mneme's global repository"):
        global_backend(create=True)
    found, notice = readable_global()
    assert found is None
    assert notice.startswith("global memories are left out: ")
    assert (home / "global/letter").read_text() == "dear diary"


def test_a_repository_around_the_folder_is_not_taken_for_it(home, tmp_path):
    GitRepo(tmp_path).git("init", "-q")
    (home / "global").mkdir(parents=True)
    (home / "global/letter").write_text("dear diary")
    with pytest.raises(NoRepository, match="something else than mneme's global repository"):
        global_backend(create=True)


def test_a_file_in_the_way_is_a_clear_error_and_reading_goes_on(home):
    home.write_text("a file")
    with pytest.raises((ReadOnlyStore, StoreFault), match="data"):
        global_backend(create=True)
    found, notice = readable_global()
    assert (found, notice[:30]) == (None, "global memories are left out: ")


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_a_home_that_cannot_be_written_is_an_error_only_for_writes(tmp_path, monkeypatch):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    monkeypatch.setenv("MNEME_DATA_HOME", str(closed / "mneme"))
    assert readable_global() == (None, "")
    with pytest.raises(ReadOnlyStore, match="global memories cannot be kept in"):
        global_backend(create=True)


def test_a_hook_of_another_repository_does_not_lead_astray(home, repo, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repo.path))
    made = global_backend(create=True)
    assert (made.work_tree, made.location.variables) == (home / "global", {})
    assert {entry.path for entry in made.index_entries("")} >= {FORMAT, "README.md"}
    assert repo.git("log", "--format=%s") == "start"


def test_the_user_s_object_format_is_taken(home, monkeypatch):
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    assert global_backend(create=True, prefer="pygit2").object_format == "sha256"


def test_a_project_is_found_by_the_hash_that_its_code_index_tells(home, repo):
    from mneme_git.app.code import Code
    from mneme_git.app.workspace import Environment, Workspace

    assert known_projects() == ()
    location = locate(repo.path, {})
    assert remember_project(location.common_dir, location.work_tree) == ""
    (found,) = known_projects()
    assert (found.root, found.common_dir) == (repo.path, repo.path / ".git")
    with Code(Workspace(cwd=repo.path, env=Environment(), now=lambda: 0)) as code:
        assert found.project_hash == code.project_hash == project_hash(location.common_dir)
    assert known_project(found.project_hash) == found
    repo.git("worktree", "add", "-q", "../linked")
    linked = locate(repo.path / "../linked", {})
    remember_project(linked.common_dir, linked.work_tree)
    assert known_projects() == (found,), "work trees are one project, called by its main one"


def test_a_project_that_is_known_is_not_written_again(home, repo):
    remember_project(repo.path / ".git", repo.path)
    (file,) = (home / "projects").iterdir()
    before = file.stat().st_mtime_ns, file.stat().st_ino
    remember_project(repo.path / ".git", repo.path)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_a_bare_repository_is_called_by_its_own_folder(home, tmp_path):
    GitRepo(tmp_path).git("init", "-q", "--bare", "bare.git")
    remember_project(tmp_path / "bare.git", None)
    assert known_projects()[0].root == tmp_path / "bare.git"


def test_a_path_that_is_no_text_is_kept(home, tmp_path):
    odd = tmp_path / os.fsdecode(b"caf\xe9 \n x") / ".git"
    odd.mkdir(parents=True)
    assert remember_project(odd, odd.parent) == ""
    assert known_projects()[0].root == odd.parent


@pytest.mark.parametrize("text", ["", "{", "[]", '{"root": 1}', '{"root": "/a", "common_dir": "/b"}', "\xff"])
def test_a_file_of_the_register_that_is_not_what_it_should_be_is_passed_over(home, repo, text):
    remember_project(repo.path / ".git", repo.path)
    (home / "projects" / f"{'0' * 16}.json").write_text(text)
    (home / "projects/notes.json").write_text("{}")
    assert [project.root for project in known_projects()] == [repo.path]


def test_a_hash_that_is_a_path_finds_nothing(home, repo):
    remember_project(repo.path / ".git", repo.path)
    assert known_project("../projects/" + project_hash(repo.path / ".git")) is None


def test_what_cannot_be_noted_is_said_and_is_no_error(home, repo):
    home.write_text("a file")
    assert "other projects cannot find this one" in remember_project(repo.path / ".git", repo.path)
    assert "absolute" not in remember_project(repo.path / ".git", None, variables={"MNEME_DATA_HOME": "rel"})
    assert known_projects() == ()
    assert known_projects({"HOME": "nowhere"}) == ()
