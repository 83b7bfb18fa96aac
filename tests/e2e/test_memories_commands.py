"""Memories on the command line: texts to the byte, paths from here, and what is undone how."""

import json
import time
from types import SimpleNamespace

import pytest

from tests.support.gitrepo import GitRepo


def test_a_text_from_stdin_is_kept_to_the_byte_and_printed_to_the_byte(repo):
    text = "\n two\r\n\ttabs \n\n"
    assert repo.mneme_process("memory", "record", "--kind", "todo", "--", "-", stdin="x").code == 0
    ran = repo.mneme("memory", "record", "--kind", "todo", "-", "--json", stdin=text)
    name = json.loads(ran.out)["name"]
    assert json.loads(repo.mneme("memory", "show", name, "--json").out)["memories"][0]["body"] == text
    assert repo.mneme("memory", "show", "--body", name).out == text


def test_a_text_that_begins_with_dashes_is_a_text(repo):
    assert repo.mneme("memory", "record", "--kind", "todo", "--", "--").code == 0
    assert repo.mneme("memory", "record", "--kind", "todo", "--", "--force is slow").code == 0
    assert [row["body"] for row in json.loads(repo.mneme("memory", "list", "--json").out)["memories"]] != []
    assert "--force is slow" in repo.mneme("memory", "recall", "force").out


def test_a_path_is_meant_from_the_current_folder_and_kept_from_the_top(repo):
    repo.write("src/deep/a.py", "x = 1\n")
    inside = GitRepo(repo.path / "src" / "deep")
    inside.mneme(
        "memory", "record", "--kind", "todo", "--file", "a.py", "--file", str(repo.path / "b.py"), "x"
    )
    (row,) = json.loads(repo.mneme("memory", "list", "--json").out)["memories"]
    assert row["files"] == ["src/deep/a.py", "b.py"]
    for asked in ("src/deep/a.py", "a.py", "src"):
        assert repo.mneme("memory", "recall", "--file", asked).code == 0, asked
    assert inside.mneme("memory", "recall", "--file", "a.py").code == 0
    assert repo.mneme("memory", "recall", "--file", "c.py").code == 1


def test_forgetting_is_undone_and_shown(repo):
    repo.mneme("memory", "record", "--kind", "todo", "one")
    ran = repo.mneme("memory", "forget", "1")
    assert ran.out.splitlines()[0].startswith("Forgotten: ")
    undo = ran.out.splitlines()[1].removeprefix("undo: mneme ").split()
    assert "one" not in repo.mneme("memory", "list").out
    assert "one" in repo.mneme("memory", "list", "--forgotten").out
    assert json.loads(repo.mneme("memory", "forget", "1", "--json").out)["code"] == "UNCHANGED"
    assert repo.mneme(*undo).code == 0
    assert "one" in repo.mneme("memory", "list").out
    assert [line.split()[2] for line in repo.mneme("memory", "log", "1").out.splitlines()] == [
        "unforget",
        "forget",
        "record",
    ]


def test_a_memory_is_replaced_by_a_text_or_by_one_that_is_there(repo):
    for text in ("old", "other", "newest"):
        repo.mneme("memory", "record", "--kind", "decision", "--tag", "t", text)
    assert repo.mneme("memory", "supersede", "1", "old is wrong").code == 0
    assert repo.mneme("memory", "supersede", "2", "--by", "3").code == 0
    rows = json.loads(repo.mneme("memory", "list", "--json").out)["memories"]
    assert sorted((row["body"], row["tags"][0]) for row in rows) == [("newest", "t"), ("old is wrong", "t")]
    every = json.loads(repo.mneme("memory", "list", "--superseded", "--json").out)["memories"]
    assert {row["body"] for row in every if row["superseded_by"]} == {"old", "other"}
    assert repo.mneme("memory", "supersede", "1").code == 2


def test_usage_and_ids_that_are_wrong_are_refused_with_what_to_do(repo):
    assert repo.mneme("memory", "record", "--kind", "banana", "x").code == 2
    assert repo.mneme("memory", "record", "--kind", "todo", " ").code == 2
    for command in ("show", "forget", "pin", "promote"):
        ran = repo.mneme("memory", command, "12345678")
        assert (ran.code, "hint:" in ran.err) == (2, True), command
    ran = repo.mneme("memory", "recall", "nothing at all")
    assert (ran.code, ran.out) == (1, "no memory has to do with 'nothing at all'\n")
    assert json.loads(repo.mneme("memory", "show", "feed", "--json").out)["code"] == "NOT_FOUND"


def test_no_command_about_memories_touches_the_work_tree(repo):
    repo.mneme("memory", "record", "--kind", "todo", "one")
    repo.mneme("memory", "forget", "1")
    repo.mneme("memory", "recall", "one")
    assert repo.git("status", "--porcelain", "--ignored") == ""


def test_what_waits_is_previewed_then_committed_and_nothing_else_is(repo):
    repo.write("README.md", "# changed, not staged\n")
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    name = json.loads(repo.mneme("memory", "record", "--kind", "todo", "one", "--json").out)["name"]
    preview = repo.mneme("commit", "--dry-run")
    assert (preview.code, name[:8] in preview.out) == (0, True)
    assert json.loads(repo.mneme("commit", "--dry-run", "--json").out)["code"] == "PREVIEW"
    before = repo.git("rev-parse", "HEAD")
    assert repo.mneme("commit", "-m", "what we learned").code == 0
    assert repo.git("log", "--format=%s", f"{before}..") == "what we learned"
    assert "staged.txt" not in repo.git("show", "--name-only", "--format=")
    assert repo.git("status", "--porcelain") == "M README.md\nA  staged.txt"
    again = repo.mneme("commit", "--json")
    assert (again.code, json.loads(again.out)["code"]) == (0, "NOTHING")
    (row,) = json.loads(repo.mneme("memory", "list", "--place", "here", "--json").out)["memories"]
    assert (row["name"], row["place"]) == (name, "here")


def test_a_memory_that_is_staged_at_once_goes_with_your_own_commit(repo):
    repo.mneme("init")
    repo.commit_all("init")
    done = json.loads(repo.mneme("memory", "record", "--kind", "todo", "--stage", "one", "--json").out)
    assert repo.git("diff", "--cached", "--name-only").splitlines() == done["paths"]
    assert json.loads(repo.mneme("commit", "--json").out)["memories"] == 0


def test_an_older_revision_answers_with_what_it_had(repo):
    repo.mneme("memory", "record", "--kind", "todo", "first")
    repo.mneme("commit")
    repo.mneme("memory", "record", "--kind", "todo", "second")
    assert repo.mneme("memory", "recall", "second", "--at", "HEAD").code == 1
    assert "first" in repo.mneme("memory", "recall", "--at", "HEAD").out
    assert repo.mneme("memory", "list", "--at", "HEAD~1").out == "there is no such memory\n"
    assert repo.mneme("memory", "list", "--at", "nowhere").code == 2


def test_what_is_on_another_branch_is_labelled_until_it_is_forgotten_here(repo):
    repo.git("switch", "-q", "-c", "topic")
    repo.mneme("memory", "record", "--kind", "todo", "from the topic")
    assert "pending on topic" in repo.mneme("memory", "list").out
    repo.mneme("commit")
    repo.git("switch", "-q", "main")
    assert "on topic" in repo.mneme("memory", "recall", "topic").out
    repo.mneme("memory", "forget", "1")
    assert repo.mneme("memory", "recall", "topic").code == 1
    repo.git("switch", "-q", "topic")
    assert repo.mneme("memory", "recall", "topic").code == 0


def test_a_path_outside_of_the_repository_is_kept_and_said(repo):
    ran = repo.mneme("memory", "record", "--kind", "todo", "--file", "../other/a.py", "x", "--json")
    assert (ran.code, "outside of the repository" in ran.err) == (0, True)
    (row,) = json.loads(repo.mneme("memory", "list", "--json").out)["memories"]
    assert row["files"] == ["../other/a.py"]


@pytest.fixture
def later(monkeypatch):
    """Let the clock of commands go on by so many days."""

    def go_on(days):
        clock = SimpleNamespace(time=lambda: time.time() + days * 86_400)
        monkeypatch.setattr("mneme_git.app.open.time", clock)

    return go_on


def test_collecting_is_shown_with_reasons_then_done_then_undone(repo, later):
    for text in ("unused", "recalled", "kept"):
        repo.mneme("memory", "record", "--kind", "learning", text)
    repo.mneme("memory", "recall", "recalled")
    repo.mneme("memory", "pin", "3")
    refused = repo.mneme("gc", "--json")
    assert (refused.code, json.loads(refused.out)["code"]) == (2, "COUNTERS_TOO_YOUNG")
    later(100)
    preview = json.loads(repo.mneme("gc", "--json").out)
    assert {row["body"]: (row["goes"], row["why"]) for row in preview["rows"]} == {
        "unused": (True, "unused"),
        "recalled": (False, "recalled"),
        "kept": (False, "pinned"),
    }
    assert all(row["reason"] for row in preview["rows"])
    assert "unused" in repo.mneme("memory", "list").out
    done = repo.mneme("memory", "gc", "--apply")
    assert "unused" not in repo.mneme("memory", "list").out
    (undo,) = [line.removeprefix("undo: mneme ") for line in done.out.splitlines() if line[:5] == "undo:"]
    assert repo.mneme(*undo.split()).code == 0
    assert "unused" in repo.mneme("memory", "list").out


def test_what_was_forgotten_long_ago_is_purged_only_when_that_is_asked(repo, later):
    name = json.loads(repo.mneme("memory", "record", "--kind", "todo", "one", "--json").out)["name"]
    repo.mneme("memory", "record", "--kind", "todo", "two")
    repo.mneme("memory", "forget", name)
    repo.mneme("commit")
    repo.mneme("memory", "record", "--kind", "todo", "--tag", "t", "one")
    repo.mneme("commit")
    third = json.loads(repo.mneme("memory", "recall", "one", "--json").out)["matches"][0]["name"]
    repo.mneme("memory", "forget", third)
    repo.mneme("commit")
    later(10)
    assert json.loads(repo.mneme("gc", "--purge", "--json").out)["code"] == "COUNTERS_TOO_YOUNG"
    later(100)
    repo.mneme("gc", "--apply", "--days", "99")
    assert (repo.path / f".mneme/memories/{third[0]}/{third}.json").exists()
    told = repo.mneme("gc", "--purge", "--apply").out
    assert "commits that have them keep them" in told
    repo.mneme("commit")
    assert not (repo.path / f".mneme/memories/{third[0]}/{third}.json").exists()
    assert repo.read(f".mneme/memories/{third[0]}/{third}.forgotten") == b"purged\n"
    assert repo.mneme("memory", "unforget", third).code == 2


def test_what_is_replaced_is_replaced_with_all_that_say_the_same(repo):
    """The last act wins also where one of the two was recorded twice on the way."""

    def record(text):
        return json.loads(repo.mneme("memory", "record", "--kind", "todo", text, "--json").out)["name"]

    two, four = record("two"), record("four")
    assert repo.mneme("memory", "supersede", two, "--by", four).code == 0
    assert repo.mneme("memory", "supersede", four, "--by", two).code == 0
    rows = json.loads(repo.mneme("memory", "recall", "--json").out)["matches"]
    assert [row["body"] for row in rows] == ["two"]


def test_marks_say_what_they_are_about_and_a_listing_what_is_forgotten(repo):
    name = json.loads(repo.mneme("memory", "record", "--kind", "todo", "one\nmore", "--json").out)["name"]
    assert f"Pinned: {name[:8]}  one" in repo.mneme("memory", "pin", name).out
    assert "  pinned  " in repo.mneme("memory", "list").out
    assert f"Forgotten: {name[:8]}  one" in repo.mneme("memory", "forget", name).out
    assert json.loads(repo.mneme("memory", "list", "--forgotten", "--json").out)["memories"][0]["forgotten"]
    (repo.path / ".git/mneme/local.db").unlink()
    assert "  forgotten  " in repo.mneme("memory", "list", "--forgotten").out


def test_words_of_a_question_need_no_quotes(repo):
    repo.mneme("memory", "record", "--kind", "todo", "the pool of connections")
    assert "the pool" in repo.mneme("memory", "recall", "connections", "pool", "--limit", "1").out


def test_marks_on_a_global_memory_say_that_they_are_for_all_projects(repo):
    made = repo.mneme("memory", "record", "--kind", "todo", "--scope", "global", "one", "--json")
    told = repo.mneme("memory", "forget", json.loads(made.out)["short"]).out
    assert "  global  one\n" in told
    assert "for all projects: pending until `mneme commit --scope global`\n" in told


def test_who_waits_for_the_first_index_is_told(repo, monkeypatch):
    monkeypatch.setattr("mneme_git.app.memories_open._MANY", 2)
    for text in ("one", "two"):
        repo.mneme("memory", "record", "--kind", "todo", text)
    (repo.path / ".git/mneme/recall.db").unlink()
    ran = repo.mneme("memory", "recall", "one")
    assert "indexing 2 memories for recall, this once" in ran.err
    assert "indexing" not in repo.mneme("memory", "recall", "one").err
