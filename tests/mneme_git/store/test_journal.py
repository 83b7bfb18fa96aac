import os
import threading
import time

import pytest

from mneme_git.errors import CorruptRecord, Refused, StoreBusy
from mneme_git.store import journal
from mneme_git.store.backend import Absent, Exactly
from mneme_git.store.discover import open_backend
from mneme_git.store.journal_entry import Note, StateWritten
from mneme_git.store.journal_tree import Grove, insert, needed
from mneme_git.store.lock import Held, write_lock
from mneme_git.store.objects import NewCommit, decode_commit, encode_commit
from mneme_git.store.pending_fold import PendingFold
from tests.support.writing import clean_fsck

CALM = Held(after_crash=False)


@pytest.fixture(params=["pygit2", "program"])
def backend(request, repo):
    return open_backend(repo.path, prefer=request.param)


def write(backend, name, data=b"x", held=CALM, **note):
    return journal.append(backend, held, Note(verb="add", subject=name, **note), {name: data}, now=7)


def raw_commit(backend, tree, parents=(), message="foreign"):
    who = backend.signature()
    made = NewCommit(tree=tree, parents=parents, author=who, committer=who, time=5, message=message)
    (oid,) = backend.write([encode_commit(made)])
    return oid


def test_an_empty_journal_has_nothing(backend):
    assert journal.tip(backend) is None
    assert list(journal.entries(backend)) == []
    assert journal.contents(backend) == {}
    assert journal.read_state(backend, "a" * 64) is None


def test_every_write_is_one_commit_and_the_tree_only_grows(backend, repo):
    places = [f"states/{n:02d}/{n}" for n in range(5)]
    for count, place in enumerate(places, 1):
        appended = write(backend, place, place.encode())
        assert appended.sequence == count
        assert repo.git("rev-parse", journal.JOURNAL_REF) == appended.commit
    assert list(journal.contents(backend)) == places
    assert [journal.read_record(backend, place) for place in places] == [p.encode() for p in places]
    assert repo.git("rev-list", "--count", journal.JOURNAL_REF) == "5"
    assert repo.git("log", "-1", "--format=%an <%ae> %at %s", journal.JOURNAL_REF) == (
        "Ada <ada@example.org> 7 mneme: add states/04/4"
    )
    assert repo.git("show", f"{journal.JOURNAL_REF}:generation") == "1"
    clean_fsck(repo)


def test_entries_come_newest_first_with_what_was_noted(backend):
    write(backend, "states/aa/1", branch="main", states=(StateWritten("X", "1" * 64),))
    write(backend, "states/bb/2", branch="side", removed=(".mneme/decisions/x.json",))
    newest, oldest = journal.entries(backend)
    assert (newest.sequence, newest.note.branch, newest.note.removed) == (
        2,
        "side",
        (".mneme/decisions/x.json",),
    )
    assert (oldest.sequence, oldest.time, oldest.note.states) == (1, 7, (StateWritten("X", "1" * 64),))


def test_the_same_record_twice_is_two_entries_and_one_record(backend):
    write(backend, "states/aa/1")
    assert write(backend, "states/aa/1").sequence == 2
    assert list(journal.contents(backend)) == ["states/aa/1"]


def test_a_ref_that_moves_in_between_is_joined_not_overwritten(backend):
    write(backend, "states/aa/1")
    moved = []

    def other_writer(_):
        if len(moved) < 3:
            moved.append(None)
            write(backend, f"states/bb/{len(moved)}")

    journal.append(
        backend, CALM, Note(verb="add", subject="x"), {"states/cc/x": b""}, now=7, before_swap=other_writer
    )
    assert list(journal.contents(backend)) == [
        "states/aa/1",
        "states/bb/1",
        "states/bb/2",
        "states/bb/3",
        "states/cc/x",
    ]
    assert [entry.sequence for entry in journal.entries(backend)] == [5, 4, 3, 2, 1]


def test_a_ref_that_never_stands_still_ends_in_an_error_not_in_a_loss(backend):
    count = [0]

    def other_writer(_):
        count[0] += 1
        tip = journal.tip(backend)
        tree = decode_commit(tip, backend.read(tip).data).tree if tip else backend.write([])[0]
        new = raw_commit(backend, tree, (tip,), f"foreign {count[0]}")
        backend.compare_and_swap(journal.JOURNAL_REF, Exactly(tip), new, message="foreign")

    write(backend, "states/aa/1")
    with pytest.raises(StoreBusy, match="moved 20 times"):
        journal.append(
            backend,
            CALM,
            Note(verb="add", subject="x"),
            {"states/cc/x": b""},
            now=7,
            before_swap=other_writer,
        )
    assert count == [20]


def test_what_was_erased_on_purpose_is_not_recorded_again(backend):
    grove = Grove(backend.read, backend.object_format)
    files = {"generation": grove.blob(b"2\n"), "erased/states/aa/1": grove.blob(b"")}
    root = insert(grove, None, files)
    backend.write(needed(grove, root))
    backend.compare_and_swap(
        journal.JOURNAL_REF, Absent(), raw_commit(backend, root), message="erased by a newer mneme"
    )
    with pytest.raises(Refused, match="erased"):
        write(backend, "states/aa/1")
    write(backend, "states/aa/2")
    assert list(journal.contents(backend)) == ["states/aa/2"]


def test_a_lock_that_a_killed_writer_left_on_the_ref_is_broken_soon(backend, repo):
    write(backend, "states/aa/1")
    lock = repo.path / ".git" / "refs" / "mneme" / "journal.lock"
    lock.touch()
    old = time.time() - 2
    os.utime(lock, (old, old))
    write(backend, "states/aa/2", held=Held(after_crash=True))
    assert not lock.exists()
    assert len(journal.contents(backend)) == 2


def test_a_lock_that_lives_is_waited_for(backend, repo):
    write(backend, "states/aa/1")
    lock = repo.path / ".git" / "refs" / "mneme" / "journal.lock"
    lock.touch()
    threading.Timer(0.2, lock.unlink).start()
    write(backend, "states/aa/2")
    assert len(journal.contents(backend)) == 2


def test_a_journal_commit_is_known_by_its_descendants(backend):
    first = write(backend, "states/aa/1").commit
    second = write(backend, "states/aa/2").commit
    stray = raw_commit(backend, decode_commit(first, backend.read(first).data).tree)
    assert journal.holds_entry(backend, first)
    assert journal.holds_entry(backend, second)
    assert not journal.holds_entry(backend, stray)


def test_the_last_state_is_told_by_branch_and_a_removal_ends_it(backend):
    def wrote(decision, digest, branch):
        write(backend, f"states/{digest}/x", branch=branch, states=(StateWritten(decision, digest),))

    wrote("X", "11", "main")
    wrote("X", "22", "side")
    wrote("X", "33", "main")
    wrote("Y", "44", "main")
    write(backend, "files/00/0", branch="main", removed=(".mneme/decisions/y.json",))
    wrote("Z", "55", "")
    last = journal.last_states(journal.entries(backend))
    # an id such as Y is not a plain one, so its file is not called y.json
    assert {key: row.digest for key, row in last.items()} == {
        ("main", "X"): "33",
        ("side", "X"): "22",
        ("main", "Y"): "44",
        ("", "Z"): "55",
    }
    write(backend, "states/66/x", branch="main", states=(StateWritten("adr-x", "66"),))
    write(backend, "files/00/1", branch="main", removed=(".mneme/decisions/adr-x.json",))
    assert journal.last_states(journal.entries(backend))[("main", "adr-x")].digest == ""


def test_a_journal_without_a_user_name_is_written_all_the_same(backend, repo, monkeypatch):
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    with write_lock(backend) as held:
        write(backend, "states/aa/1", held=held)
    assert repo.git("log", "-1", "--format=%an", journal.JOURNAL_REF) == "mneme"


@pytest.mark.parametrize("named", ["1" * 40, "HEAD:README.md"])
def test_a_journal_that_names_no_commit_is_told_as_what_it_is(repo, backend, named):
    (repo.path / ".git/refs/mneme").mkdir(parents=True)
    oid = named if ":" not in named else repo.git("rev-parse", named)
    repo.write(".git/refs/mneme/journal", f"{oid}\n")
    for looking in (lambda: list(journal.entries(backend)), lambda: PendingFold(backend).advance()):
        with pytest.raises(CorruptRecord, match="refs/mneme/journal names") as told:
            looking()
        assert "git fsck" in told.value.hint
    assert "refs/mneme/journal names" in repo.mneme("memory", "list").err
