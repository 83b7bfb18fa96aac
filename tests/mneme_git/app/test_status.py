"""What the status tells of records that no commit has."""

import errno
import os
import shutil

import pytest

from mneme_git.app.status import status, status_text
from mneme_git.app.workspace import Workspace, environment
from tests.support.gitrepo import GitRepo
from tests.support.remembering import Remembering


@pytest.fixture
def recorded(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "a", "--decision", "A").code == 0
    return repo


def status_of(repo):
    return status(Workspace(cwd=repo.path, env=environment({}), now=lambda: 0))


def test_records_that_git_does_not_track_are_new_in_the_work_tree(recorded):
    recorded.commit_all()
    assert recorded.mneme("add_decision", "--id", "b", "--decision", "B").code == 0
    recorded.git("reset", "-q")
    recorded.write(".mneme/project_memory.json", "{}")
    recorded.write(".mneme/notes.txt", "mine")
    found = status_of(recorded)
    assert {(row.place, row.change) for row in found.uncommitted} == {("work tree", "new")}
    text = status_text(found)
    assert "not committed: 2 new (work tree, not staged)\n      `git add .mneme` stages what is new" in text


def test_staged_records_are_not_told_twice(recorded):
    text = status_text(status_of(recorded))
    assert "new (staged)" in text
    assert "work tree" not in text


def test_a_rule_that_hides_the_records_from_git_is_told_instead_of_the_hint(recorded):
    recorded.git("rm", "-q", "-r", "--cached", ".mneme")
    recorded.write(".gitignore", ".mneme/\n")
    text = status_text(status_of(recorded))
    assert "git ignores .mneme (.gitignore:1:.mneme/)" in text
    assert "git add" not in text


def _folder(path):
    path.mkdir()


def _fifo(path):
    os.mkfifo(path)


def _link(path):
    path.symlink_to("/dev/null")


def _loop(path):
    path.symlink_to(path.name)


RECORDS = (".mneme/config", ".mneme/format", ".mneme/.gitattributes", ".mneme/decisions/a.json")


@pytest.mark.skipif(os.name == "nt", reason="pipes and links")
@pytest.mark.parametrize("put", [_folder, _fifo, _link, _loop])
@pytest.mark.parametrize("path", RECORDS)
def test_what_stands_where_a_file_must_be_is_told_and_read_around(recorded, path, put):
    recorded.commit_all()
    recorded.write("a.py", "fine\n")
    (recorded.path / path).unlink()
    put(recorded.path / path)
    ran = recorded.mneme("status")
    assert ran.code == 0, ran.err
    assert f"NOT_A_FILE '{path}' is " in ran.out
    hides = path.endswith("a.json")
    for command, usual in (("verify", 1), ("check a.py", 0)):
        told = recorded.mneme(*command.split())
        assert told.code == (2 if hides else usual), command
        assert "NOT_A_FILE" in told.out + told.err
    assert "[a]" in recorded.mneme("list_decisions").out


@pytest.mark.parametrize("text", ["[mneme\n", "mneme = {\n", "\0\xff", "[mneme]\n\tprojectId = no\n"])
def test_a_configuration_that_cannot_be_read_is_told_and_read_around(recorded, text):
    recorded.commit_all()
    recorded.write("a.py", "fine\n")
    recorded.write(".mneme/config", text)
    ran = recorded.mneme("status")
    assert (ran.code, ran.err.count(".mneme/config")) == (0, 1)
    assert recorded.mneme("check", "a.py").code == 0


@pytest.mark.parametrize("what", [".mneme/config", ".mneme/decisions/a.json", ".mneme/decisions", ".mneme"])
def test_what_may_not_be_read_is_told_and_read_around(recorded, monkeypatch, what):
    """Root may read anything, so it is the system call that refuses here."""
    recorded.commit_all()
    place = str(recorded.path / what)

    def refusing(call):
        def called(path=".", *args, **named):
            if os.fspath(path) == place:
                raise PermissionError(errno.EACCES, "Permission denied", place)
            return call(path, *args, **named)

        return called

    for name in ("open", "scandir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    ran = recorded.mneme("status")
    assert ran.code == 0, ran.err
    assert f"UNREADABLE_FILE '{what}' cannot be read: Permission denied" in ran.out
    assert "[a]" in recorded.mneme("list_decisions").out


def test_a_store_that_was_removed_with_git_is_told_with_the_way_back(recorded):
    recorded.commit_all()
    before = recorded.read(".mneme/config")
    recorded.git("rm", "-r", "-q", ".mneme")
    ran = recorded.mneme("status")
    assert "the store that HEAD has is not here: `mneme init`" in ran.out
    assert "RECORDS_REMOVED .mneme/decisions/a.json" in ran.out
    assert "`mneme restore a` brings it back" in ran.out
    assert recorded.mneme("init", "--yes").code == 0
    assert recorded.read(".mneme/config") == before
    assert recorded.mneme("restore", "a").code == 0
    recorded.git("add", ".mneme")
    assert recorded.git("status", "--porcelain") == ""


def test_a_store_that_only_the_work_tree_lost_is_not_called_removed(recorded):
    recorded.commit_all()
    shutil.rmtree(recorded.path / ".mneme")
    text = status_text(status_of(recorded))
    assert "GONE_FROM_WORK_TREE" in text
    assert "not here" not in text


@pytest.mark.parametrize("has_store", [True, False])
def test_a_bare_repository_is_told_as_one(recorded, tmp_path, has_store):
    if has_store:
        recorded.commit_all()
    bare = GitRepo(tmp_path / "bare.git")
    recorded.git("clone", "-q", "--bare", ".", str(bare.path))
    ran = bare.mneme("status")
    assert (ran.code, "mneme init" in ran.out) == (0, False)
    assert ("decisions: 1 active" if has_store else "make it in a clone and push") in ran.out


def test_a_contested_decision_is_counted_where_it_is_the_only_one(recorded):
    (file,) = (recorded.path / ".mneme/decisions").glob("*.json")
    text = file.read_text()
    file.write_text(f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> side\n")
    told = recorded.mneme("status").out
    assert "decisions: 1 contested; 1 version\n" in told


def test_what_waits_to_be_committed_is_told_by_branch_with_the_command_that_takes_it(recorded):
    mine = Remembering.of(recorded)
    mine.commit_all()
    old = mine.record("committed")
    mine.commit_pending()
    mine.git("switch", "-q", "-c", "it's-gone")
    mine.record("of a branch that is gone")
    mine.git("switch", "-q", "-c", "work")
    mine.record("of work")
    mine.record("of work, too")
    mine.git("checkout", "-q", "--detach")
    mine.record("of no branch")
    mine.git("switch", "-q", "main")
    mine.git("branch", "-q", "-D", "it's-gone")
    slip = mine.record("a slip")
    mine.mark("forget", slip)
    assert "pending on main: 1 forgotten before being committed, which stay in the journal" in told(mine)
    mine.record("of main")
    mine.mark("pin", old)
    text = told(mine)
    assert (
        "pending on main: 1 memory, 1 memory marked, 1 forgotten before being committed; `mneme commit` "
        "commits them\n"
        "pending on a detached HEAD: 1 memory; `mneme commit --detached` commits them\n"
        "pending on it's-gone, a branch that is gone: 1 memory; `mneme commit --from 'it'\"'\"'s-gone'` commits"
        " them\n"
        "pending on work: 2 memories; `mneme commit --from work` commits them"
    ) in text
    assert "lost" not in text
    rows = [(row.branch, row.memories, row.marks, row.forgotten, row.gone) for row in status_of(mine).pending]
    assert rows == [
        ("main", 1, 1, 1, False),
        ("", 1, 0, 0, False),
        ("it's-gone", 1, 0, 0, True),
        ("work", 2, 0, 0, False),
    ]
    for branch in ("main", "", "it's-gone", "work"):
        mine.commit_pending(branch=branch)
    assert [(row.branch, row.memories) for row in status_of(mine).pending] == [("main", 0)]


def told(repo):
    return status_text(status_of(repo))


def test_what_waits_is_told_where_there_is_no_layout_yet(repo):
    mine = Remembering.of(repo)
    mine.record("first of all")
    text = told(mine)
    assert "run `mneme init`" in text
    assert "pending on main: 1 memory; `mneme commit` commits them" in text


def test_without_a_journal_nothing_is_looked_at_for_what_waits(repo, monkeypatch):
    from mneme_git.store import pending_fold

    monkeypatch.setattr(pending_fold, "PendingFold", lambda _: pytest.fail("the journal was read"))
    assert status_of(repo).pending == ()
