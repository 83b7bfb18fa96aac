"""Making a store: nothing that is there is changed, and a store that lost a file is still that store."""

import json
import shutil

import pytest

from tests.support.branch import PROJECT, lay_out
from tests.support.gitrepo import GitRepo
from tests.support.memory import plain

USUAL = ".mneme/project_memory.json"
CONFIG = ".mneme/config"


@pytest.fixture
def recorded(repo):
    lay_out(repo)
    assert repo.mneme("add_decision", "--id", "d", "--decision", "D").code == 0
    repo.commit_all()
    return repo


def test_init_makes_and_stages_a_store_and_a_second_one_makes_nothing(repo):
    made = json.loads(repo.mneme("init", "--json").out)
    assert (made["written"], made["present"]) == (True, False)
    staged = repo.git("diff", "--cached", "--name-only").splitlines()
    assert sorted(made["files"]) == sorted(staged)
    again = json.loads(repo.mneme("init", "--json").out)
    assert (again["files"], again["present"]) == ([], True)


def test_a_dry_run_writes_nothing(repo):
    ran = repo.mneme("init", "--dry-run")
    assert (ran.code, "Nothing was written." in ran.out) == (0, True)
    assert not (repo.path / ".mneme").exists()


def test_a_memory_file_keeps_a_store_from_being_made_beside_it(repo):
    repo.write(USUAL, json.dumps(plain()))
    ran = repo.mneme("init", "--yes")
    assert (ran.code, "would no longer be read" in ran.err) == (2, True)
    assert not (repo.path / ".mneme/format").exists()


def test_a_store_without_its_format_file_is_mended_although_a_memory_file_lies_beside_it(recorded):
    (recorded.path / ".mneme/format").unlink()
    recorded.write(USUAL, json.dumps(plain()))
    made = json.loads(recorded.mneme("init", "--json").out)
    assert (made["present"], made["files"]) == (True, [".mneme/format"])


def test_a_project_that_has_an_id_keeps_it(recorded):
    shutil.rmtree(recorded.path / ".mneme")
    assert recorded.mneme("init", "--yes").code == 0
    assert PROJECT in recorded.read(CONFIG).decode()


def test_an_ignored_store_is_told_with_the_rule(repo):
    repo.write(".gitignore", ".mneme/\n")
    ran = repo.mneme("init", "--yes")
    assert (ran.code, "git ignores .mneme (.gitignore:1:.mneme/)" in ran.err) == (0, True)


@pytest.mark.parametrize("gone", ["staged", "work tree"])
def test_a_project_keeps_its_whole_configuration(recorded, gone):
    text = f"[mneme]\n\tprojectId = {PROJECT}\n\tadrDir = docs/records\n"
    recorded.write(CONFIG, text)
    recorded.commit_all()
    if gone == "staged":
        recorded.git("rm", "-r", "-q", ".mneme")
    else:
        shutil.rmtree(recorded.path / ".mneme")
    assert recorded.mneme("init", "--yes").code == 0
    assert recorded.read(CONFIG).decode() == text


def test_a_configuration_that_names_no_project_is_not_brought_back(recorded):
    recorded.write(CONFIG, "[mneme]\n\tprojectId = x\n")
    recorded.commit_all()
    recorded.git("rm", "-r", "-q", ".mneme")
    assert recorded.mneme("init", "--yes").code == 0
    assert "projectId = x" not in recorded.read(CONFIG).decode()


def test_the_next_steps_name_every_folder_of_adrs(repo):
    for folder in ("docs/adr", "svc/my decisions/adr", "b/decisions"):
        repo.write(f"{folder}/0001-a.md", "# A\n")
    repo.commit_all()
    out = repo.mneme("init", "--yes").out
    steps = [line.split("#")[0].strip() for line in out.splitlines() if "mneme adr import" in line]
    assert steps == [
        "mneme adr import b/decisions",
        "mneme adr import docs/adr",
        "mneme adr import 'svc/my decisions/adr'",
    ]


ADR = "# 1. Use SQLite\n\n## Status\n\nAccepted\n\n## Decision\n\nUse SQLite.\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_preview_before_init_says_that_init_comes_first(repo, as_json):
    repo.write("docs/adr/0001-a.md", ADR)
    more = ["--json"] if as_json else []
    ran = repo.mneme("adr", "import", "docs/adr", *more)
    assert "run `mneme init`" in ran.err
    assert "--plan" not in ran.out
    repo.mneme("init", "--yes")
    ran = repo.mneme("adr", "import", "docs/adr", *more)
    assert "mneme init" not in ran.err


def test_paths_that_are_given_start_where_the_command_runs_whatever_the_project_root(repo, tmp_path):
    lay_out(repo)
    repo.write("svc/docs/adr/0001-a.md", ADR)
    repo.write("svc/a.py", "import redis\n")
    repo.mneme("add_decision", "--id", "d", "--decision", "D", "--anti-pattern", "redis")
    inside, outside = GitRepo(repo.path / "svc"), GitRepo(tmp_path)
    for at, adrs, file in ((inside, "docs/adr", "a.py"), (outside, "repo/svc/docs/adr", "repo/svc/a.py")):
        root = {"MNEME_PROJECT_ROOT": str(repo.path)}
        shown = at.mneme("adr", "import", adrs, "--json", **root)
        assert '"path":"svc/docs/adr/0001-a.md"' in shown.out, shown.err
        assert at.mneme("check", file, **root).code == 2
        assert "svc/" in at.mneme("adr", "new", "Another", "--folder", adrs, "--dry-run", **root).out
        assert at.mneme("adr", "import", "svc/docs/adr", **root).code == 2
