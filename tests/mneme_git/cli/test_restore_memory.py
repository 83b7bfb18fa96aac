import json

import pytest

from tests.support.memory import indexed

NAME = ".mneme/project_memory.json"


@pytest.fixture
def damaged(repo):
    repo.write(NAME, json.dumps(indexed()))
    repo.commit_all("memory")
    repo.write(NAME, repo.read(NAME).replace(b'"Use JSON"', b'"Use YAML"', 1))
    return repo


def test_it_shows_what_would_come_back_and_what_changed_and_writes_with_apply(damaged):
    before = damaged.read(NAME)
    ran = damaged.mneme("restore", "--memory", NAME)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{NAME} is damaged: persisted decisions[]")
    assert "\nNewest good version: " in ran.out
    assert "\n  row of decisions[]: 'd1' differs in decision\n" in ran.out
    assert ran.out.endswith("Nothing was written. Re-run with --apply to write that version.\n")
    assert damaged.read(NAME) == before
    ran = damaged.mneme("restore", "--memory", NAME, "--apply")
    assert (ran.code, "Restored: " in ran.out) == (0, True)
    assert damaged.mneme("list_decisions", "--memory", NAME).code == 0
    ran = damaged.mneme("restore", "--memory", NAME)
    assert ran.out.startswith(f"{NAME} is good; nothing to restore\nVersions, newest first")


def test_programs_see_the_same(damaged):
    answer = json.loads(damaged.mneme("restore", "--memory", NAME, "--json").out)
    assert (answer["code"], answer["since"]) == (
        "WOULD_RESTORE",
        ["row of decisions[]: 'd1' differs in decision"],
    )
    assert (
        json.loads(damaged.mneme("restore", "--memory", NAME, "--apply", "--json").out)["code"] == "RESTORED"
    )
    assert (
        json.loads(damaged.mneme("restore", "--memory", NAME, "--json").out)["code"] == "NOTHING_TO_RESTORE"
    )


def test_a_file_without_a_good_version_ends_in_an_error(repo):
    repo.write(NAME, "broken")
    ran = repo.mneme("restore", "--memory", NAME)
    assert ran.code == 2
    assert "No good version of it is in a commit or in the journal." in ran.out


def test_options_of_the_git_store_do_not_go_with_it(damaged):
    assert damaged.mneme("restore", "--memory", NAME, "--all").code == 2
    assert damaged.mneme("restore", "--apply").code == 2
