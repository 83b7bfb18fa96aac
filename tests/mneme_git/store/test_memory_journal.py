import json

import pytest

from mneme_git.decisions.record import Draft, plan_add
from mneme_git.store import memory_journal
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_journal import journalled, place_of, read_journalled
from mneme_git.text.canonical import sha256_hex
from tests.support.memory import indexed

NOW = 1_700_000_000
NAME = ".mneme/project_memory.json"


@pytest.fixture
def store(repo):
    repo.write(NAME, json.dumps(indexed()))
    return MemoryFile(repo.path / NAME, as_given=NAME, now=lambda: NOW)


def add(store, decision_id):
    return store.commit(plan_add(store.load(), Draft(decision_id=decision_id, statement="X")), stage=True)


def test_every_version_that_was_written_or_overwritten_is_in_the_journal(store):
    versions = [store.data()]
    for name in ("n1", "n2"):
        assert add(store, name).notices == ()
        versions.append(store.data())
    place = place_of(store.path)
    found = list(journalled(place))
    assert [each.sha256 for each in found] == [sha256_hex(versions[number]) for number in (2, 1, 1, 0)]
    assert [each.entry.note.subject for each in found] == ["n2", "n2", "n1", "n1"]
    assert read_journalled(place, found[0].sha256) == versions[2]


def test_a_file_is_found_under_its_path_only(store, repo):
    add(store, "n1")
    repo.write("other.json", json.dumps(indexed()))
    assert list(journalled(place_of(repo.path / "other.json"))) == []


def test_nothing_shows_in_git_status_but_the_file_itself(store, repo):
    repo.commit_all("memory")
    add(store, "n1")
    assert repo.git("status", "--porcelain").split() == ["M", NAME]


def test_outside_a_repository_nothing_is_kept_and_nothing_is_said(tmp_path):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(indexed()))
    assert place_of(path) is None
    assert add(MemoryFile(path), "n1").notices == ()


def test_a_journal_that_cannot_be_written_is_told_and_the_file_is_written(store, monkeypatch):
    from mneme_git.errors import StoreBusy

    def busy(*args, **more):
        raise StoreBusy("another writer holds it")

    monkeypatch.setattr(memory_journal, "keep_versions", busy)
    receipt = add(store, "n1")
    assert receipt.notices == (
        "the file is written, but the journal has no copy of it: another writer holds it",
    )
    assert store.load().state("n1") is not None
