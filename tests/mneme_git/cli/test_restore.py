import json

import pytest

from tests.support.writing import add, change, init


@pytest.fixture
def store(repo):
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store


def discard(repo):
    repo.git("reset", "-q", "--hard")
    repo.git("clean", "-qfd")


def test_with_nothing_lost_it_says_so(repo, store):
    ran = repo.mneme("restore")
    assert ran.code == 0
    assert ran.out.startswith("Nothing is lost")
    assert json.loads(repo.mneme("restore", "--json").out) == {
        "code": "NOTHING_LOST",
        "lost": [],
        "elsewhere": [],
    }


def test_lost_records_are_listed_previewed_and_brought_back(repo, store):
    add(store, "second", "Use two")
    discard(repo)
    listed = repo.mneme("restore")
    assert listed.code == 0
    assert "Lost (1)" in listed.out
    assert "dver-" not in listed.out  # its version comes with it
    assert "second" in listed.out
    assert "Use two" in listed.out
    assert "on main, entry 2" in listed.out
    dry = repo.mneme("restore", "second", "--dry-run")
    assert dry.out.startswith("Would restore decision second (")
    assert repo.git("status", "--porcelain") == ""
    done = repo.mneme("restore", "--all")
    assert done.code == 0
    assert done.out.startswith("Restored decision second (")
    assert "decisions/second.json" in repo.git("diff", "--cached", "--name-only")


def test_json_tells_what_was_done_in_a_stable_word(repo, store):
    change(store, "first", "Use two")
    discard(repo)
    shown = json.loads(repo.mneme("restore", "--json").out)
    assert (shown["code"], shown["lost"][0]["id"], shown["lost"][0]["replaced"]) == ("LOST", "first", True)
    dry = json.loads(repo.mneme("restore", "first", "--dry-run", "--json").out)
    assert (dry["code"], dry["receipt"]) == ("WOULD_RESTORE", None)
    done = json.loads(repo.mneme("restore", "first", "--json").out)
    assert (done["code"], done["receipt"]["staged"]) == ("RESTORED", True)
    again = json.loads(repo.mneme("restore", "first", "--json").out)
    assert (again["code"], again["skipped"][0]["why"]) == ("NOTHING_TO_RESTORE", "it is here already")


def test_what_another_branch_has_is_shown_apart(repo, store):
    repo.git("switch", "-q", "-c", "side")
    add(store, "second", "Use two")
    repo.commit_all("second")
    repo.git("switch", "-q", "main")
    out = repo.mneme("restore").out
    assert out.startswith("Nothing is lost")
    assert "kept by a commit or another work tree (1)" in out
    assert repo.mneme("restore", "--all").out == "Nothing to restore; nothing was written\n"
    assert repo.mneme("restore", "second").code == 0


def test_states_of_a_day_and_of_a_commit_are_brought_back(repo, store):
    change(store, "first", "Use two")
    repo.commit_all("two")
    ran = repo.mneme("restore", "--at", "HEAD~1", "first")
    assert ran.code == 0
    assert "over" in ran.out
    ran = repo.mneme("restore", "--as-of", "2", "first")
    assert ran.code == 0
    assert ran.out.startswith("As of entry 2 of 2023-11-14T22:13:20Z\nRestored decision first")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing",),
        ("--all", "first"),
        ("--all", "--as-of", "1"),
        ("--at", "HEAD"),
        ("--at", "nowhere", "first"),
        ("--as-of", "soon"),
    ],
)
def test_what_cannot_be_done_is_exit_2_with_a_hint_and_writes_nothing(repo, store, arguments):
    tip = repo.git("rev-parse", "refs/mneme/journal")
    ran = repo.mneme("restore", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("ERROR: ")
    assert "hint: " in ran.err
    assert repo.git("rev-parse", "refs/mneme/journal") == tip
