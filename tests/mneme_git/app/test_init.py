"""Making a store: nothing that is there is changed, and a store that lost a file is still that store."""

import json
import shutil

import pytest

from tests.support.branch import PROJECT, lay_out
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
