"""Which store a command uses: nobody switches the decisions off with one file."""

import json
import shutil

import pytest

from mneme_git.app.open import chosen_file, overridden
from mneme_git.app.workspace import Workspace, environment
from tests.support.branch import lay_out
from tests.support.memory import plain

USUAL = ".mneme/project_memory.json"


def at(folder, **variables):
    return Workspace(cwd=folder, env=environment(variables), now=lambda: 0)


@pytest.fixture
def recorded(repo):
    lay_out(repo)
    ran = repo.mneme("add_decision", "--id", "d", "--decision", "D", "--anti-pattern", "redis")
    assert ran.code == 0, ran.err
    repo.write("src/a.py", "import redis\n")
    repo.commit_all()
    return repo


def plant(repo, name=USUAL):
    repo.write(name, json.dumps(plain()))


def no_format_file(repo):
    (repo.path / ".mneme/format").unlink()


def no_format_in_index(repo):
    repo.git("rm", "-q", ".mneme/format")


def no_format_in_head(repo):
    repo.git("rm", "-q", ".mneme/format")
    repo.git("commit", "-q", "-m", "gone")


def no_format_and_no_files(repo):
    shutil.rmtree(repo.path / ".mneme")


@pytest.mark.parametrize(
    "loss", [no_format_file, no_format_in_index, no_format_in_head, no_format_and_no_files]
)
@pytest.mark.parametrize("place", [USUAL, "src/" + USUAL])
def test_a_planted_memory_file_does_not_switch_the_decisions_off(recorded, loss, place):
    loss(recorded)
    plant(recorded, place)
    for folder in (recorded.path, recorded.path / "src"):
        assert chosen_file(at(folder)) == ""
    assert recorded.mneme("check", "src/a.py").code == 2


def test_while_only_head_has_the_store_that_store_is_meant_and_the_removal_is_told(recorded):
    recorded.git("rm", "-rqf", ".mneme")
    plant(recorded)
    assert chosen_file(at(recorded.path)) == ""
    assert "RECORDS_REMOVED" in recorded.mneme("check", "src/a.py").err
    recorded.git("commit", "-q", "-m", "no store any more")
    assert chosen_file(at(recorded.path)) == USUAL


def test_a_repository_without_a_git_store_uses_its_memory_file(repo):
    plant(repo)
    repo.commit_all()
    assert chosen_file(at(repo.path)) == USUAL
    assert "checks read the memory file" in repo.mneme("status").out


def test_records_without_a_format_file_are_named_by_check_and_status(recorded):
    no_format_in_head(recorded)
    assert "FORMAT_MISSING" in recorded.mneme("check", "src/a.py").err
    told = recorded.mneme("status").out
    assert "FORMAT_MISSING" in told
    assert "mneme init`," in told
    assert "1 active" in told
    ran = recorded.mneme("add_decision", "--id", "e", "--decision", "E")
    assert (ran.code, "records are there" in ran.err) == (2, True)
    assert recorded.mneme("init", "--yes").code == 0
    assert "FORMAT_MISSING" not in recorded.mneme("status").out


@pytest.mark.parametrize("command", [["check", "src/a.py"], ["list_decisions"], ["status"]])
def test_a_variable_that_hides_the_git_store_is_told_once(recorded, tmp_path, command):
    name = tmp_path / "m.json"
    name.write_text(json.dumps(plain()))
    told = recorded.mneme(*command, MNEME_MEMORY=str(name)).err
    assert told.count("MNEME_MEMORY names") == 1
    assert "MNEME_MEMORY" not in recorded.mneme(*command, MNEME_MEMORY=str(name), MNEME_QUIET="1").err


def test_a_variable_that_hides_a_store_without_its_format_file_is_told_too(recorded):
    no_format_in_head(recorded)
    assert "MNEME_MEMORY names" in overridden(at(recorded.path, MNEME_MEMORY="m.json"))


def test_a_variable_in_a_repository_without_a_git_store_is_no_news(repo):
    assert overridden(at(repo.path, MNEME_MEMORY="m.json")) == ""


def test_status_tells_of_a_journal_that_cannot_be_read_and_goes_on(recorded):
    ref = next((recorded.path / ".git/refs/mneme").rglob("*journal*"))
    ref.write_bytes(b"")
    ran = recorded.mneme("status")
    assert (ran.code, "the journal cannot be read" in ran.err, "1 active" in ran.out) == (0, True, True)
