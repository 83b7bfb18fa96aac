"""Many processes record at once, and writers are killed; no memory that was acknowledged is lost."""

import itertools
import os
import random
import sys
import time
import traceback

import pytest

from mneme_git.app.memories import Memories, Question
from mneme_git.app.workspace import Workspace, environment
from mneme_git.memories.record import Draft
from mneme_git.model.memory import MemoryKind
from mneme_git.model.memory_view import Place
from mneme_git.store.discover import open_backend
from mneme_git.store.lock import write_lock
from mneme_git.store.memories_store import MemoriesStore
from tests.support.killing import run_and_kill
from tests.support.writing import clean_fsck

PROCESSES = 8
RECORDS = 50
SEED = 20261201


def memories_at(folder, prefer="pygit2"):
    return Memories(Workspace(cwd=folder, env=environment({}), now=lambda: int(time.time())), prefer=prefer)


def draft(text):
    return Draft(kind=MemoryKind.LEARNING, body=text, tags=("load",))


def start(writer, folder, gate):
    """Fork a writer that waits for the gate; everything that it opens, it opens itself."""
    child = os.fork()
    if child:
        return child
    try:
        memories = memories_at(folder)
        os.read(gate, 1)
        for count in range(RECORDS):
            made = memories.record(draft(f"writer {writer} learned lesson {count}\r\n"))
            assert made["existing"] is False
            if count % 10 == 0:
                found = memories.recall(Question(query=f"writer {writer} lesson {count}", limit=400))
                assert f"writer {writer} learned lesson {count}\r\n" in [m["body"] for m in found["matches"]]
        os._exit(0)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        os._exit(1)


def test_eight_processes_with_fifty_records_each_lose_nothing(repo):
    repo.commit_all("first")
    linked = repo.path.parent / "linked"
    repo.git("worktree", "add", "-q", str(linked), "-b", "linked")
    gate, opening = os.pipe()
    children = [start(n, linked if n % 4 == 3 else repo.path, gate) for n in range(PROCESSES)]
    os.write(opening, b"x" * PROCESSES)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * PROCESSES

    expected = {
        f"writer {n} learned lesson {count}\r\n" for n in range(PROCESSES) for count in range(RECORDS)
    }
    for folder in (repo.path, linked):
        listed = memories_at(folder).listed(Question(limit=1000))["memories"]
        assert len(listed) == len(expected)
        assert {row["body"] for row in listed} == expected
        assert sorted(row["id"] for row in listed) == list(range(1, len(expected) + 1))
    store = MemoriesStore(open_backend(repo.path), now=lambda: 0)
    assert {memory.body for memory in store.read(store.view().standings).values()} == expected
    clean_fsck(repo)


def recording(folder, prefer, first):
    """Return a writer of memories, one after another, that says the number of each when it is acknowledged."""

    def write(done, ready):
        memories = memories_at(folder, prefer)
        ready()
        for count in itertools.count(first):
            assert not memories.record(draft(f"kill {count}"))["existing"]
            done(count)

    return write


def loop(repo, kills):
    repo.commit_all("first")
    backend = open_backend(repo.path)
    chance = random.Random(SEED)
    acknowledged = set()
    interrupted = 0
    for kill in range(kills):
        prefer = "program" if kill % 5 == 4 else "pygit2"
        acknowledged |= set(
            run_and_kill(recording(repo.path, prefer, 1000 * (kill + 1)), chance.uniform(0.0, 0.1))
        )
        with write_lock(backend, wait_seconds=1) as held:
            interrupted += held.after_crash
        assert not memories_at(repo.path).record(draft(f"between {kill}"))["existing"]
    assert interrupted, "no kill came at a moment that matters"

    store = MemoriesStore(open_backend(repo.path), now=lambda: 0)
    view = store.view()
    assert {row.place for row in view.standings.values()} == {Place.PENDING}
    bodies = {memory.body for memory in store.read(view.standings).values()}
    assert len(bodies) == len(view.standings), "a memory is known whose text cannot be read"
    wanted = {f"kill {count}" for count in acknowledged} | {f"between {kill}" for kill in range(kills)}
    assert wanted <= bodies
    listed = memories_at(repo.path).listed(Question(limit=10_000))["memories"]
    assert {row["body"] for row in listed} == bodies
    assert len({row["id"] for row in listed}) == len(listed)
    clean_fsck(repo)


def test_no_acknowledged_memory_is_lost_when_writers_are_killed(repo):
    loop(repo, 15)


@pytest.mark.soak
def test_no_acknowledged_memory_is_lost_by_two_hundred_kills(repo):
    loop(repo, 200)
