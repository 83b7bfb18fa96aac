"""``mneme commit`` on the command line: what it says, and what it takes from where."""

import json
import os
import subprocess
import sys

import pytest


@pytest.fixture(autouse=True)
def _own_data(tmp_path, monkeypatch):
    monkeypatch.setenv("MNEME_DATA_HOME", str(tmp_path / "data"))


def record(repo, text, kind="gotcha", *options):
    ran = repo.mneme("memory", "record", "--kind", kind, text, "--json", *options)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_the_message_has_a_line_for_each_memory_and_the_layout_is_told(repo):
    pool = record(repo, "\n  the pool is\tnot thread-safe\nsecond line")["short"]
    docs = record(repo, "write docs " + "x" * 100, "todo")["short"]
    ran = repo.mneme("commit")
    assert ran.code == 0
    message = repo.git("log", "-1", "--format=%B").splitlines()
    assert message[:3] == ["mneme: 2 memories", "", f"gotcha {pool} the pool is not thread-safe"]
    assert message[3].startswith(f"todo {docs} write docs xxx")
    assert message[3].endswith("...")
    lines = ran.out.splitlines()
    assert lines[0] == f"Committed on main as {repo.git('rev-parse', 'HEAD')[:12]}: 2 memories"
    assert lines[1] == f"  gotcha    {pool}  the pool is not thread-safe"
    assert lines[3] == "  with the 52 files that `mneme init` makes"
    repo.mneme("memory", "pin", pool)
    repo.mneme("memory", "forget", docs)
    assert repo.mneme("commit", "-m", "JIRA-7: tidied\n\nup").code == 0
    assert repo.git("log", "-1", "--format=%B").splitlines() == ["JIRA-7: tidied", "", "up"]


def test_without_anything_to_commit_it_says_so_and_what_waits_for_other_branches(repo):
    assert repo.mneme("commit").out == "Nothing waits to be committed on main\n"
    repo.git("switch", "-q", "-c", "work")
    record(repo, "on work")
    repo.git("switch", "-q", "main")
    ran = repo.mneme("commit")
    assert (ran.code, repo.git("log", "--format=%s")) == (0, "start")
    assert ran.out.splitlines()[1] == "pending on work: 1 memory; `mneme commit --from work` commits them"
    found = json.loads(repo.mneme("commit", "--json").out)
    assert (found["code"], found["commit"], found["rows"]) == ("NOTHING", None, [])


def test_a_preview_writes_nothing(repo):
    name = record(repo, "seen before it is done")["name"]
    found = json.loads(repo.mneme("commit", "--dry-run", "--json").out)
    assert (found["code"], found["names"], found["commit"]) == ("PREVIEW", [name], None)
    assert len(found["made_along"]) == 52
    assert repo.mneme("commit", "--dry-run").out.startswith("To commit on main: 1 memory\n")
    assert not (repo.path / ".mneme").exists()
    assert repo.git("log", "--format=%s") == "start"


def test_another_branch_or_a_detached_head_is_named(repo):
    repo.git("switch", "-q", "-c", "gone")
    record(repo, "on a branch that is gone")
    repo.git("checkout", "-q", "--detach")
    record(repo, "on no branch")
    repo.git("switch", "-q", "main")
    repo.git("branch", "-q", "-D", "gone")
    unknown = repo.mneme("commit", "--from", "gnoe", "--json")
    assert (unknown.code, json.loads(unknown.out)["code"]) == (2, "NOT_FOUND")
    assert "'gone'" in unknown.err
    assert repo.mneme("commit", "--from", "gone", "--detached").code == 2
    assert json.loads(repo.mneme("commit", "--from", "gone", "--json").out)["branch"] == "gone"
    assert repo.mneme("commit", "--detached").out.startswith("Committed on main as ")
    assert len(json.loads(repo.mneme("memory", "list", "--place", "here", "--json").out)["memories"]) == 2


def test_a_commit_on_a_detached_head_says_that_it_is_on_no_branch(repo):
    repo.git("checkout", "-q", "--detach")
    record(repo, "found while bisecting")
    ran = repo.mneme("commit")
    assert ran.out.startswith("Committed on a detached HEAD as ")
    assert "on no branch" in ran.err


def test_what_the_branch_has_already_is_settled_and_what_was_forgotten_is_left(repo):
    repo.git("switch", "-q", "-c", "work")
    name = record(repo, "known to both")["name"]
    record(repo, "forgotten at once")
    repo.mneme("memory", "forget", "2")
    repo.git("switch", "-q", "main")
    repo.mneme("commit", "--from", "work")
    repo.git("switch", "-q", "work")
    assert json.loads(repo.mneme("commit", "--json").out)["code"] == "NOTHING"
    assert "Left in the journal: 1, forgotten before it was committed" in repo.mneme("commit").out
    record(repo, "only here")
    repo.git("merge", "-q", "--ff-only", "main")
    found = json.loads(repo.mneme("commit", "--json").out)
    assert (found["code"], name in found["names"], found["memories"]) == ("COMMITTED", False, 1)


def test_a_commit_that_was_killed_before_it_was_noted_is_not_made_twice(repo):
    repo.mneme("init")
    repo.commit_all("init")
    hook = repo.write(".git/hooks/post-commit", f"#!/bin/sh\nkill -9 $(cat {repo.path.parent / 'pid'})\n")
    hook.chmod(0o755)
    record(repo, "killed before it was noted")
    script = (
        "import os; from pathlib import Path; from mneme_git.cli.entry import main; import sys\n"
        f"Path({str(repo.path.parent / 'pid')!r}).write_text(str(os.getpid())); sys.argv = ['mneme', 'commit']; main()"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=repo.path, check=False).returncode < 0
    found = repo.mneme("commit")
    assert found.out == "Nothing to commit: main has all that waited already\n"
    assert repo.mneme("commit").out == "Nothing waits to be committed on main\n"


def test_a_refusal_tells_what_the_hook_said_and_no_verify_passes_it_over(repo):
    record(repo, "not today")
    path = repo.write(".git/hooks/pre-commit", "#!/bin/sh\necho the linter is not amused\nexit 1\n")
    path.chmod(0o755)
    ran = repo.mneme("commit", "--json")
    assert (ran.code, json.loads(ran.out)["code"]) == (2, "COMMIT_REFUSED")
    assert "  the linter is not amused\n" in ran.err
    assert not (repo.path / ".mneme").exists()
    assert repo.mneme("commit", "--no-verify").code == 0


def test_global_memories_are_committed_in_their_own_repository_without_an_identity(repo, monkeypatch):
    assert repo.mneme("commit", "--scope", "global").out.startswith("Nothing waits to be committed")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    name = record(repo, "for every project", "learning", "--scope", "global")["name"]
    repo.write("staged.txt", "mine\n")
    repo.git("add", "staged.txt")
    ran = repo.mneme("commit", "--scope", "global", "--json")
    assert (ran.code, json.loads(ran.out)["names"]) == (0, [name])
    assert repo.git("log", "--format=%s") == "start"
    (row,) = json.loads(repo.mneme("memory", "list", "--json").out)["memories"]
    assert (row["name"], row["scope"], row["place"]) == (name, "global", "here")


def test_on_a_branch_whose_name_is_no_utf8_memories_are_recorded_staged_and_committed(repo):
    repo.git("switch", "-q", "-c", os.fsdecode(b"raw\xff"))
    record(repo, "waits")
    staged = record(repo, "staged", "todo", "--stage")
    assert f".mneme/memories/{staged['name'][0]}/{staged['name']}.json" in staged["paths"]
    assert "pending on raw\\xff: 1 memory; `mneme commit` commits them" in repo.mneme("status").out
    assert repo.mneme("commit").code == 0
    assert repo.mneme("commit", "--json").code == 0
