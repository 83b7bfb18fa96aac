"""Where memories can be read and recorded: without commits, without a work tree, where nothing can be written.

A file in the way of a folder keeps every user from writing there, the superuser included.
"""

import json
import sqlite3

import pytest

from tests.support.gitrepo import GitRepo

EVERY_COMMAND = (
    ["memory", "record", "--kind", "todo", "x"], ["memory", "recall"], ["memory", "list"],
    ["memory", "show", "1"], ["memory", "forget", "1"], ["memory", "unforget", "1"], ["memory", "pin", "1"],
    ["memory", "promote", "1"], ["memory", "supersede", "1", "y"], ["memory", "log"], ["memory", "stale"],
    ["memory", "search-projects"], ["commit"], ["gc"],
)  # fmt: skip


def told(repo, *args):
    ran = repo.mneme(*args, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def listed(repo):
    return [row["body"] for row in told(repo, "memory", "list")["memories"]]


def test_outside_of_a_repository_every_command_says_what_to_do(tmp_path):
    for command in EVERY_COMMAND:
        ran = GitRepo(tmp_path).mneme(*command)
        assert (ran.code, ran.out) == (2, ""), command
        assert "not in a git repository" in ran.err, command
        assert "hint: run `git init`" in ran.err, command
        assert json.loads(GitRepo(tmp_path).mneme(*command, "--json").out)["code"] == "NO_REPOSITORY", command


def test_before_the_first_commit_memories_are_recorded_and_committed(tmp_path):
    fresh = GitRepo(tmp_path)
    fresh.git("init", "-q", "-b", "main")
    told(fresh, "memory", "record", "--kind", "todo", "--file", "a.py", "--identifier", "f", "first of all")
    assert listed(fresh) == ["first of all"]
    assert told(fresh, "memory", "pin", "1")["changed"]
    assert fresh.git("status", "--porcelain", "--ignored") == ""
    assert fresh.mneme("memory", "list", "--at", "HEAD").code == 2
    assert told(fresh, "commit")["memories"] == 1
    assert told(fresh, "memory", "list", "--at", "HEAD")["memories"][0]["pinned"] is True


def test_a_bare_repository_remembers_and_says_where_to_commit(tmp_path):
    GitRepo(tmp_path).git("init", "-q", "--bare", "-b", "main", "bare.git")
    bare = GitRepo(tmp_path / "bare.git")
    told(bare, "memory", "record", "--kind", "todo", "of the bare one")
    assert listed(bare) == ["of the bare one"]
    for command in (["commit"], ["memory", "record", "--kind", "todo", "--stage", "y"]):
        ran = bare.mneme(*command)
        assert (ran.code, "bare repository" in ran.err, "clone" in ran.err) == (2, True, True)
    assert told(bare, "memory", "forget", "1")["changed"]
    assert listed(bare) == []


def test_a_repository_without_mneme_is_left_as_it_is_until_the_commit(repo):
    told(repo, "memory", "record", "--kind", "todo", "one")
    assert not (repo.path / ".mneme").exists()
    assert repo.git("status", "--porcelain", "--ignored") == ""
    assert repo.git("for-each-ref", "--format=%(refname)") == "refs/heads/main\nrefs/mneme/journal"


@pytest.fixture
def unwritable(repo):
    """A repository whose folder of caches and counts cannot be made."""
    told(repo, "memory", "record", "--kind", "todo", "kept")
    told(repo, "memory", "record", "--kind", "todo", "gone")
    told(repo, "memory", "forget", "2")
    folder = repo.path / ".git/mneme"
    folder.rename(repo.path / ".git/mneme.aside")
    folder.write_text("in the way")
    return repo


def test_where_nothing_can_be_written_recall_goes_on_and_writers_say_so(unwritable):
    for command in (["recall"], ["recall", "kept"], ["list"], ["show", "1"]):
        ran = unwritable.mneme("memory", *command)
        assert (ran.code, "kept" in ran.out, "gone" in ran.out) == (0, True, False), command
        assert "are not kept" in ran.err, command
    assert unwritable.mneme("memory", "log").code == 0
    assert unwritable.mneme("memory", "stale").code == 0
    for command in (["record", "--kind", "todo", "x"], ["forget", "1"], ["pin", "1"]):
        ran = unwritable.mneme("memory", *command)
        assert (ran.code, "cannot write" in ran.err) == (2, True), command
    (unwritable.path / ".git/mneme").unlink()
    (unwritable.path / ".git/mneme.aside").rename(unwritable.path / ".git/mneme")
    assert listed(unwritable) == ["kept"]


def test_a_home_that_cannot_be_written_costs_global_memories_only(repo, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    assert repo.mneme("memory", "record", "--kind", "todo", "of the project").code == 0
    ran = repo.mneme("memory", "recall", "project")
    assert (ran.code, "of the project" in ran.out, "global memories are left out" in ran.err) == (
        0,
        True,
        True,
    )
    for command in (["record", "--kind", "todo", "--scope", "global", "x"], ["promote", "1"]):
        ran = repo.mneme("memory", *command)
        assert (ran.code, "hint: " in ran.err) == (2, True), command
    assert told(repo, "memory", "forget", "1")["changed"]


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4096])
def test_damaged_databases_lose_no_memory(repo, damage):
    told(repo, "memory", "record", "--kind", "todo", "kept")
    told(repo, "memory", "record", "--kind", "todo", "gone")
    told(repo, "memory", "forget", "2")
    repo.mneme("memory", "recall", "kept")
    folder = repo.path / ".git/mneme"
    for name in ("recall.db", "local.db"):
        for extra in ("-wal", "-shm"):
            (folder / f"{name}{extra}").unlink(missing_ok=True)
        (folder / name).write_bytes(damage)
    ran = repo.mneme("memory", "recall", "kept", "--json")
    (row,) = json.loads(ran.out)["matches"]
    assert (ran.code, row["id"], row["body"]) == (0, 1, "kept")
    assert [row["id"] for row in told(repo, "memory", "list", "--forgotten")["memories"]] == [2]
    if damage:
        assert "LOCAL_DB_DAMAGED" in ran.err
        assert list(folder.glob("local.db.damaged-*"))


def test_another_programs_lock_on_the_databases_keeps_nobody_from_recall(repo, monkeypatch):
    told(repo, "memory", "record", "--kind", "todo", "kept")
    monkeypatch.setattr("mneme_git.store.local_connect.WAIT_SECONDS", 0.05)
    held = [sqlite3.connect(repo.path / ".git/mneme" / name) for name in ("recall.db", "local.db")]
    for connection in held:
        connection.execute("BEGIN IMMEDIATE")
    ran = repo.mneme("memory", "recall", "kept")
    assert (ran.code, "kept" in ran.out) == (0, True)
    for connection in held:
        connection.close()


def test_a_sparse_and_partial_clone_without_the_configuration_remembers_and_keeps_the_projects_id(
    repo, tmp_path
):
    told(repo, "memory", "record", "--kind", "todo", "of the whole")
    told(repo, "commit")
    repo.git("config", "uploadpack.allowFilter", "true")
    part = GitRepo(tmp_path / "part")
    repo.git(
        "clone",
        "-q",
        "--no-checkout",
        "--sparse",
        "--filter=blob:none",
        f"file://{repo.path}",
        str(part.path),
    )
    part.git("sparse-checkout", "set", "src")
    part.git("checkout", "-q", "main")
    config = part.git("rev-parse", "HEAD:.mneme/config")
    assert part.try_git("cat-file", "-e", config, GIT_NO_LAZY_FETCH="1").code != 0
    told(part, "memory", "record", "--kind", "todo", "of the part")
    assert "of the part" in listed(part)
    assert told(part, "commit")["memories"] == 1
    assert part.git("rev-parse", "HEAD:.mneme/config") == config
    assert part.git("show", "--name-status", "--format=").split()[0::2] == ["A"]
    assert part.mneme("status").code == 0
