"""Refs: a compare-and-swap that is one, also for creation, whatever else happens."""

import os
import subprocess
import sys

import pytest

from mneme_git.errors import CorruptRecord, InvalidInput, MissingObject, MnemeError, RefMoved, StoreBusy
from mneme_git.store.backend import Absent, Exactly, Head
from mneme_git.store.objects import zero_id
from mneme_git.store.refs import break_stale_lock
from tests.contract.making import JOURNAL, PROJECT, clean_fsck, commit_of, set_age


def test_a_ref_is_created_moved_and_read(repo, backend):
    one, two = (commit_of(backend, {"a": data}) for data in (b"1", b"2"))
    assert backend.read_ref(JOURNAL) is None
    backend.compare_and_swap(JOURNAL, Absent(), one, message="first")
    assert backend.read_ref(JOURNAL) == repo.git("rev-parse", JOURNAL) == one
    backend.compare_and_swap(JOURNAL, Exactly(one), two, message="second")
    assert backend.read_ref(JOURNAL) == repo.git("show-ref", "--hash", "--verify", JOURNAL) == two
    clean_fsck(repo)


def test_a_swap_on_another_value_changes_nothing_and_says_what_it_found(repo, backend):
    one, two = (commit_of(backend, {"a": data}) for data in (b"1", b"2"))
    with pytest.raises(RefMoved) as raised:
        backend.compare_and_swap(JOURNAL, Exactly(one), two, message="not there")
    assert (raised.value.expected, raised.value.found) == (one, "nothing")
    assert backend.read_ref(JOURNAL) is None
    backend.compare_and_swap(JOURNAL, Absent(), one, message="made")
    for expected in (Absent(), Exactly(two)):
        with pytest.raises(RefMoved) as raised:
            backend.compare_and_swap(JOURNAL, expected, two, message="late")
        assert raised.value.found == one
    assert repo.git("rev-parse", JOURNAL) == one
    assert not (repo.path / f".git/{JOURNAL}.lock").exists()


def test_a_packed_ref_is_read_and_swapped(repo, backend):
    one, two = (commit_of(backend, {"a": data}) for data in (b"1", b"2"))
    backend.compare_and_swap(JOURNAL, Absent(), one, message="made")
    repo.git("pack-refs", "--all", "--prune")
    assert not (repo.path / ".git" / JOURNAL).exists()
    assert backend.read_ref(JOURNAL) == one
    with pytest.raises(RefMoved):
        backend.compare_and_swap(JOURNAL, Absent(), two, message="it is packed, not absent")
    backend.compare_and_swap(JOURNAL, Exactly(one), two, message="moved")
    assert repo.git("rev-parse", JOURNAL) == two


def test_a_ref_never_points_to_what_is_not_there(backend):
    with pytest.raises(MissingObject):
        backend.compare_and_swap(JOURNAL, Absent(), "1" * len(zero_id(backend.object_format)), message="x")
    assert backend.read_ref(JOURNAL) is None


@pytest.mark.usefixtures("ref_files")
@pytest.mark.parametrize("content", [b"", b"\0" * 41, b"garbage\n"], ids=["empty", "zeros", "garbage"])
def test_a_damaged_ref_is_not_taken_for_an_absent_one(repo, backend, content):
    one = commit_of(backend, {"a": b"1"})
    repo.write(f".git/{JOURNAL}", content)
    with pytest.raises(CorruptRecord) as raised:
        backend.read_ref(JOURNAL)
    assert JOURNAL in raised.value.message
    with pytest.raises(MnemeError):
        backend.compare_and_swap(JOURNAL, Absent(), one, message="would begin a second journal")
    assert (repo.path / ".git" / JOURNAL).read_bytes() == content


@pytest.mark.usefixtures("ref_files")
def test_a_locked_ref_is_busy_and_a_stale_lock_can_be_broken(repo, backend):
    one = commit_of(backend, {"a": b"1"})
    lock = repo.write(f".git/{JOURNAL}.lock", "")
    with pytest.raises(StoreBusy) as raised:
        backend.compare_and_swap(JOURNAL, Absent(), one, message="x")
    assert not isinstance(raised.value, RefMoved)
    assert backend.read_ref(JOURNAL) is None
    assert not break_stale_lock(backend, JOURNAL, 10)
    assert lock.exists(), "a fresh lock is somebody's"
    set_age(lock, days=1)
    assert break_stale_lock(backend, JOURNAL, 10)
    assert not break_stale_lock(backend, JOURNAL, 10)
    backend.compare_and_swap(JOURNAL, Absent(), one, message="x")
    assert backend.read_ref(JOURNAL) == one


@pytest.mark.usefixtures("ref_files")
def test_only_locks_of_our_own_refs_are_broken(repo, backend):
    lock = repo.write(".git/refs/heads/main.lock", "")
    set_age(lock, days=1)
    with pytest.raises(InvalidInput):
        break_stale_lock(backend, "refs/heads/main", 10)
    assert lock.exists()


def test_a_folder_in_the_way_of_a_ref_is_an_error_of_ours(repo, backend):
    one = commit_of(backend, {"a": b"1"})
    repo.git("update-ref", f"{JOURNAL}/below", one)
    with pytest.raises(MnemeError) as raised:
        backend.compare_and_swap(JOURNAL, Absent(), one, message="x")
    assert not isinstance(raised.value, StoreBusy), "waiting would not help"
    assert backend.read_ref(JOURNAL) is None


RACER = """
import sys
from pathlib import Path
from mneme_git.errors import StoreBusy
from mneme_git.store.backend import Absent
from mneme_git.store.discover import open_backend
folder, prefer, rounds, *oids = sys.argv[1:]
backend = open_backend(Path(folder), prefer=prefer)
print("ready", flush=True)
for number in range(int(rounds)):
    sys.stdin.readline()
    try:
        backend.compare_and_swap(f"refs/mneme/race{number}", Absent(), oids[number % 2], message="race")
        print("won", flush=True)
    except StoreBusy:
        print("lost", flush=True)
backend.close()
"""


def test_of_processes_that_create_one_ref_exactly_one_wins(repo, backend, kind):
    oids = [commit_of(backend, {"a": data}) for data in (b"1", b"2")]
    rounds, racers = 25, 4
    command = [sys.executable, "-c", RACER, str(repo.path), kind[0], str(rounds)]
    started = [
        subprocess.Popen(
            [*command, *(oids if number % 2 else reversed(oids))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        for number in range(racers)
    ]
    try:
        assert [racer.stdout.readline() for racer in started] == ["ready\n"] * racers
        for number in range(rounds):
            for racer in started:
                racer.stdin.write("go\n")
                racer.stdin.flush()
            said = [racer.stdout.readline().strip() for racer in started]
            assert sorted(said) == ["lost"] * (racers - 1) + ["won"], (number, said)
            winner = oids[number % 2] if said.index("won") % 2 else oids[1 - number % 2]
            assert backend.read_ref(f"refs/mneme/race{number}") == winner
    finally:
        for racer in started:
            racer.communicate(timeout=30)
    clean_fsck(repo)


APPENDER = """
import sys, time, random
from pathlib import Path
from mneme_git.errors import StoreBusy
from mneme_git.store.backend import Absent, Exactly
from mneme_git.store.discover import open_backend
from tests.contract.making import JOURNAL, PROJECT, commit_of
folder, prefer, name, count = sys.argv[1:]
backend = open_backend(Path(folder), prefer=prefer)
for number in range(int(count)):
    while True:
        tip = backend.read_ref("refs/mneme/journal")
        made = commit_of(backend, {f"{name}-{number}": b"x"}, [tip] if tip else [])
        try:
            backend.compare_and_swap(
                "refs/mneme/journal", Exactly(tip) if tip else Absent(), made, message="append"
            )
            break
        except StoreBusy:
            time.sleep(random.random() / 100)
backend.close()
"""


def test_appends_by_swap_lose_nothing(repo, backend, kind):
    writers, count = 3, 12
    started = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDER, str(repo.path), kind[0], str(number), str(count)],
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        for number in range(writers)
    ]
    assert [writer.wait(timeout=120) for writer in started] == [0] * writers
    listed = repo.git("log", "--name-only", "--format=", "-m", "--root", "--no-renames", JOURNAL)
    names = set(listed.split())
    assert names == {f"{writer}-{number}" for writer in range(writers) for number in range(count)}
    assert int(repo.git("rev-list", "--count", JOURNAL)) == writers * count
    clean_fsck(repo)


def test_head_is_known_before_the_first_commit_on_a_branch_and_detached(
    tmp_path, repo, backend, opened, kind
):
    first = repo.git("rev-parse", "HEAD")
    assert backend.head() == Head(first, "main")
    repo.git("checkout", "-q", "-b", "topic/é")
    assert backend.head() == Head(first, "topic/é")
    repo.git("checkout", "-q", "--detach")
    assert backend.head() == Head(first, None)
    empty = tmp_path / "empty"
    repo.git("init", "-q", "-b", "begun", f"--object-format={kind[1]}", str(empty))
    assert opened(empty).head() == Head(None, "begun")


def test_revisions_are_resolved_as_git_resolves_them(repo, backend):
    repo.commit_all("second")
    repo.git("tag", "-a", "-m", "t", "v1", "HEAD~1")
    for name in ("HEAD", "main", "HEAD~1", "v1", "HEAD@{1}", "refs/heads/main", ":/second", "@"):
        assert backend.resolve(name) == repo.git("rev-list", "-1", name), name
    short = repo.git("rev-parse", "--short", "HEAD")
    assert backend.resolve(short) == repo.git("rev-parse", "HEAD")
    for name in ("", "nope", "-q", "--all", "HEAD:README.md", "a\nb", "main..main", "~", "HEAD~99"):
        assert backend.resolve(name) is None, name
