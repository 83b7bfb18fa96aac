"""Searching other projects: only what the user allows, best match first, and nothing left behind."""

import json
import os
from pathlib import Path

import pytest

from mneme_git.app.memories import Memories
from mneme_git.app.search_projects import earlier_hash, search_projects
from mneme_git.app.workspace import Environment, Workspace
from mneme_git.memories.record import Draft
from mneme_git.model.memory import MemoryKind, MemoryScope
from mneme_git.store.user_data import project_hash
from tests.support.gitrepo import GitRepo

NOW = 1_700_000_000


@pytest.fixture
def here(tmp_path):
    return GitRepo.create(tmp_path / "here")


@pytest.fixture
def other(tmp_path):
    made = GitRepo.create(tmp_path / "other")
    for body in ("postgres postgres postgres", "a long note that names postgres once among many other words"):
        record(made, body)
    return made


def memories_of(repo):
    return Memories(Workspace(cwd=repo.path, env=Environment(), now=lambda: NOW))


def record(repo, body, scope=MemoryScope.PROJECT):
    with memories_of(repo) as memories:
        return memories.record(Draft(kind=MemoryKind.DECISION, body=body, scope=scope))


def allow(repo, *entries, on="true", level="--global"):
    repo.git("config", level, "mneme.crossProject", on)
    for entry in entries:
        repo.git("config", level, "--add", "mneme.crossProjectAllow", str(entry))


def search(repo, query="postgres", limit=20):
    with memories_of(repo) as memories:
        return search_projects(memories.clone, query, limit=limit)


def bodies(found):
    return [row["body"].split()[0] for row in found["matches"]]


def hash_of(repo):
    return project_hash(repo.path / ".git")


def test_it_is_off_and_says_how_to_switch_it_on(here, other):
    found = search(here)
    assert found["matches"] == []
    assert "mneme.crossProject true" in found["info"]
    allow(here, other.path, on="false")
    assert search(here)["matches"] == []


def test_an_allowed_project_is_searched_best_match_first(here, other):
    allow(here, hash_of(other))
    found = search(here)
    assert bodies(found) == ["postgres", "a"]
    assert found["skipped"] == []
    row = found["matches"][0]
    assert (row["project_hash"], row["project_root"]) == (hash_of(other), str(other.path))
    assert (row["source"], row["place"], row["id"]) == ("agent", "pending", None)
    assert row["source_db"] == str(other.path / ".git")
    assert row["score"] > found["matches"][1]["score"] > 0


def test_what_is_not_allowed_is_not_searched(here, other, tmp_path):
    record(GitRepo.create(tmp_path / "third"), "postgres of the third")
    record(here, "postgres of this one")
    allow(here, other.path)
    assert {row["project_root"] for row in search(here)["matches"]} == {str(other.path)}
    here.git("config", "--global", "--unset-all", "mneme.crossProjectAllow")
    assert search(here)["matches"] == []


@pytest.mark.parametrize("level", ["--local", "project"])
def test_a_repository_cannot_widen_its_own_reach(here, other, level):
    if level == "project":
        line = (
            f"[mneme]\n\tprojectId = {'0' * 16}\n\tcrossProject = true\n\tcrossProjectAllow = {other.path}\n"
        )
        here.write(".mneme/config", line)
    else:
        allow(here, other.path, level="--local")
    found = search(here)
    assert (found["matches"], "info" in found) == ([], True)
    here.git("config", "--global", "mneme.crossProject", "true")
    assert search(here)["matches"] == [], "the list of what is allowed is not taken from there either"


def test_global_memories_are_always_searched_and_their_own_project_if_it_is_allowed(here, other):
    record(here, "everywhere postgres", MemoryScope.GLOBAL)
    record(here, "mine postgres")
    allow(here, hash_of(here))
    found = search(here)
    assert sorted(bodies(found)) == ["everywhere", "mine"]
    rows = {row["body"].split()[0]: row for row in found["matches"]}
    assert (rows["everywhere"]["project_hash"], rows["everywhere"]["scope"]) == ("global", "global")
    assert rows["mine"]["project_hash"] == hash_of(here)
    assert isinstance(rows["mine"]["id"], int), "what is of this clone has its number"


def test_all_projects_are_on_one_scale_and_share_the_limit(here, other, tmp_path):
    third = GitRepo.create(tmp_path / "third")
    record(third, "postgres postgres postgres postgres tuning")
    for number in range(8):
        record(third, f"something quite different, number {number}, that shares a word: postgres")
    allow(here, other.path, third.path)
    whole = search(here)["matches"]
    assert [row["score"] for row in whole] == sorted((row["score"] for row in whole), reverse=True)
    assert len(whole) == 11
    assert {row["project_root"] for row in whole[:2]} == {str(other.path), str(third.path)}
    assert [row["name"] for row in search(here, limit=3)["matches"]] == [row["name"] for row in whole[:3]]


def test_without_a_query_the_newest_come_and_without_a_match_nothing(here, other):
    allow(here, other.path)
    assert len(search(here, "")["matches"]) == 2
    assert len(search(here, "", limit=1)["matches"]) == 1
    assert search(here, "zzzunknown")["matches"] == []


def test_what_cannot_be_searched_is_named_and_the_rest_is_found(here, other, tmp_path):
    (tmp_path / "plain").mkdir()
    (other.path / "below").mkdir()
    entries = ("f" * 16, tmp_path / "gone", tmp_path / "plain", other.path / "below")
    allow(here, *entries, other.path)
    found = search(here)
    assert bodies(found) == ["postgres", "a"]
    assert [row["project"] for row in found["skipped"]] == [str(entry) for entry in entries]
    assert all(row["reason"] for row in found["skipped"])
    assert not (tmp_path / "gone").exists()


def test_a_project_that_is_no_longer_there_is_named(here, other, tmp_path):
    allow(here, hash_of(other))
    called = hash_of(other)
    other.path.rename(tmp_path / "moved")
    found = search(here)
    assert (found["matches"], found["skipped"][0]["project"]) == ([], called)
    assert str(other.path) in found["skipped"][0]["reason"]


def test_a_project_without_memories_gets_no_files(here, tmp_path):
    empty = GitRepo.create(tmp_path / "empty")
    before = sorted(str(path) for path in empty.path.rglob("*"))
    allow(here, empty.path)
    assert search(here) == {"matches": [], "skipped": []}
    assert sorted(str(path) for path in empty.path.rglob("*")) == before


def test_nothing_is_counted_in_the_other_project_and_no_work_tree_is_touched(here, other):
    allow(here, other.path)
    search(here)
    with memories_of(other) as memories:
        from mneme_git.app.memories import Question

        assert {row["recall_count"] for row in memories.listed(Question())["memories"]} == {0}
    assert other.git("status", "--porcelain") == ""
    assert other.git("for-each-ref", "--format=%(refname)").splitlines() == [
        "refs/heads/main",
        "refs/mneme/journal",
    ]


def test_what_was_forgotten_there_is_not_found(here, other):
    allow(here, other.path)
    with memories_of(other) as memories:
        memories.mark("forget", [search(here)["matches"][0]["name"]])
    assert bodies(search(here)) == ["a"]


def test_clones_of_one_repository_are_told_once(here, other, tmp_path):
    other.git("init", "-q", "--bare", str(tmp_path / "copy"))
    other.git("push", "-q", str(tmp_path / "copy"), "refs/heads/*:refs/heads/*", "refs/mneme/*:refs/mneme/*")
    allow(here, other.path, other.path / ".git", hash_of(other), tmp_path / "copy")
    found = search(here)
    assert (len(found["matches"]), found["skipped"]) == (2, [])


def test_hashes_and_databases_of_the_existing_engine_mean_their_repositories(
    here, other, tmp_path, monkeypatch
):
    monkeypatch.setenv("OPENCLAUDE_HOME", str(tmp_path))
    called = earlier_hash(other.path)
    for entry in (called, f"/home/ada/.openclaude/mneme/projects/{called}/index.db"):
        allowed = {"cross_project": {"enabled": True, "allow": [entry]}}
        (tmp_path / "mneme.json").write_text(json.dumps(allowed))
        assert bodies(search(here)) == ["postgres", "a"]


def test_the_earlier_hash_counts_utf_16_units(tmp_path):
    import hashlib

    odd = tmp_path / "\U0001f600"
    text = f"mneme:v1:{len(os.fspath(odd)) + 1}:{odd}"
    assert earlier_hash(Path(odd)) == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_hook_s_environment_is_about_its_own_repository(here, other, monkeypatch):
    allow(here, other.path)
    monkeypatch.setenv("GIT_DIR", str(here.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(here.path / ".git/index"))
    assert bodies(search(here)) == ["postgres", "a"]
