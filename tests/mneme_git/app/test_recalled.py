"""What a large store came to is recalled only while nothing that it follows from has changed."""

import json

import pytest

from mneme_git.app import freshness
from mneme_git.store import kept_snapshots, projection
from tests.support.adrs import strict

ADR = "docs/adr/ADR-001-x.md"


@pytest.fixture
def large(repo, monkeypatch):
    """A store that counts as large, in which all that changed just now counts as settled."""
    monkeypatch.setattr(kept_snapshots, "FEW", 0)
    monkeypatch.setattr(freshness, "_MANY", 0)
    monkeypatch.setattr(projection, "SETTLED_NS", -60_000_000_000)
    assert repo.mneme("init", "--yes").code == 0
    repo.write(ADR, strict(1, scope="a"))
    repo.write("docs/adr/ADR-002-y.md", strict(2, scope="b"))
    assert repo.mneme("adr", "import", "docs/adr", "--apply").code == 0
    repo.commit_all("two")
    assert status(repo) == status(repo)
    return repo


def status(repo):
    ran = repo.mneme("status", "--json")
    assert ran.code in {0, 1}, ran.err
    return json.loads(ran.out)


def codes(repo):
    return [fault["code"] for fault in status(repo)["faults"]]


def test_a_clean_store_is_recalled_without_a_look_at_its_files(large, monkeypatch):
    before = status(large)
    for name in ("_look", "_lies_as_imported"):
        monkeypatch.setattr(freshness, name, None)
    monkeypatch.setattr("mneme_git.store.git_store.read_branch", None)
    monkeypatch.setattr("mneme_git.app.verify.state_faults", None)
    monkeypatch.setattr("mneme_git.app.status.uncommitted", None)
    monkeypatch.setattr("mneme_git.app.status.kept", None)
    assert status(large) == before


def test_an_edited_adr_is_told_though_its_size_is_the_same(large):
    assert codes(large) == []
    text = large.read(ADR)
    large.write(ADR, text.replace(b"SQLite", b"DuckDB"))
    assert codes(large) == ["ADR_CHANGED"]
    large.write(ADR, text)
    assert codes(large) == []


def test_an_adr_that_is_gone_is_told(large):
    (large.path / ADR).unlink()
    assert codes(large) == ["ADR_MISSING"]


def test_what_is_not_committed_is_told_after_head_alone_has_moved(large):
    assert status(large)["uncommitted"] == []
    large.git("reset", "-q", "--soft", "HEAD~1")
    assert [row["place"] for row in status(large)["uncommitted"][:1]] == ["staged"]


def test_a_removed_record_is_told(large):
    large.git("rm", "-q", "--cached", ".mneme/decisions/adr-001.json")
    assert {(row["place"], row["change"]) for row in status(large)["uncommitted"]} == {
        ("staged", "removed"),
        ("work tree", "new"),
    }


def test_what_only_the_journal_has_is_told_after_the_journal_has_moved(large):
    assert status(large)["lost"] == 0
    assert large.mneme("add_decision", "--id", "d", "--decision", "Use X").code == 0
    large.git("reset", "-q", "--hard")
    large.git("clean", "-qfdx")
    assert status(large)["lost"] == 2


def test_faults_between_decisions_are_told_though_each_file_is_good(large):
    large.git("switch", "-q", "-c", "side")
    large.write(ADR, strict(1, scope="a", supersedes="[ADR-002]"))
    assert large.mneme("adr", "import", "docs/adr", "--apply", "--update-existing").code == 0
    large.git("checkout", "-q", "HEAD", "--", ".mneme/decisions/adr-002.json")
    assert "ACTIVE_SUPERSEDED" in codes(large)
    assert codes(large) == codes(large)
