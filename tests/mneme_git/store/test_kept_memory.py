"""A large memory file is recalled only while its bytes, and the links to its ADRs, are the same."""

import json

import pytest

from mneme_git.app import freshness
from mneme_git.errors import InvalidMemory
from mneme_git.store import kept_memory, memory_file, projection
from mneme_git.store.memory_file import MemoryFile
from tests.support.adrs import strict

NAME = "m.json"


@pytest.fixture
def store(repo, monkeypatch):
    """A file that counts as large, in which all that changed just now counts as settled."""
    monkeypatch.setattr(kept_memory, "FEW_BYTES", 0)
    monkeypatch.setattr(freshness, "_MANY", 0)
    monkeypatch.setattr(projection, "SETTLED_NS", -60_000_000_000)
    assert repo.mneme("init", "--path", NAME).code == 0
    for number in (1, 2):
        repo.write(f"docs/adr/ADR-00{number}-x.md", strict(number, scope=f"s{number}"))
    ran = repo.mneme("adr", "import", "docs/adr", "--memory", NAME, "--apply")
    assert ran.code == 0, ran.err
    return MemoryFile(repo.path / NAME, as_given=NAME)


def unread(monkeypatch):
    """Let nothing be verified any more: what is still answered was recalled."""
    monkeypatch.setattr(memory_file, "contents_of", None)


def test_rows_and_snapshot_are_recalled_as_they_were(store, monkeypatch):
    rows, snapshot = store.rows(), store.load()
    assert (rows, snapshot) == (store.read().rows, store.snapshot(store.read(need_head=False)))
    unread(monkeypatch)
    again = MemoryFile(store.path, as_given=NAME)
    assert (again.rows(), again.load()) == (rows, snapshot)


def test_a_changed_byte_is_read(repo, store, monkeypatch):
    store.rows()
    repo.write(NAME, repo.read(NAME).replace(b'"name": ""', b'"name": "x"'))
    unread(monkeypatch)
    with pytest.raises(TypeError):
        store.rows()


def test_what_is_not_valid_is_refused_each_time(repo, store):
    store.rows()
    document = json.loads(repo.read(NAME))
    document["decisions"].pop()
    repo.write(NAME, json.dumps(document))
    for _ in range(2):
        with pytest.raises(InvalidMemory) as refused:
            store.rows()
        assert refused.value.path == NAME


def test_an_adr_that_became_a_link_is_looked_up_again(repo, store):
    before = store.rows()
    adr = repo.path / "docs/adr/ADR-001-x.md"
    adr.rename(repo.path / "docs/adr/other.md")
    adr.symlink_to("other.md")
    after = store.rows()
    assert after == store.read().rows
    assert after != before


def test_outside_a_repository_nothing_is_kept(tmp_path, store):
    place = tmp_path / "alone" / NAME
    place.parent.mkdir()
    place.write_bytes(store.data())
    assert kept_memory.sight_of_file(place, store.data()) is None
    assert len(MemoryFile(place).rows()) == 2


def test_an_edited_adr_is_told_though_the_file_is_recalled(repo, store):
    arguments = ("check", "README.md", "--memory", NAME)
    fresh = repo.mneme(*arguments)
    assert repo.mneme(*arguments) == fresh
    adr = repo.path / "docs/adr/ADR-001-x.md"
    adr.write_text(adr.read_text().replace("SQLite", "DuckDB"))
    changed = repo.mneme(*arguments)
    assert "ADR-001" in changed.out.replace(fresh.out, "")
    (repo.path / "docs/adr/ADR-002-x.md").unlink()
    assert repo.mneme(*arguments).out not in {fresh.out, changed.out}
