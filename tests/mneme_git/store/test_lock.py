import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from mneme_git.errors import ReadOnlyStore, StoreBusy
from mneme_git.store.discover import open_backend
from mneme_git.store.lock import lock_path, write_lock

_HOLD = """
import sys, time
from pathlib import Path
from mneme_git.store.discover import open_backend
from mneme_git.store.lock import write_lock
with write_lock(open_backend(Path("."), prefer="program")):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def backend(repo):
    return open_backend(repo.path, prefer="program")


@pytest.fixture
def holder(repo):
    process = subprocess.Popen([sys.executable, "-c", _HOLD], cwd=repo.path, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_lock_that_another_process_holds_is_waited_for_and_then_named(backend, holder):
    begun = time.monotonic()
    with pytest.raises(StoreBusy) as raised, write_lock(backend, wait_seconds=0.2):
        raise AssertionError("two processes held the lock")
    assert 0.2 <= time.monotonic() - begun < 5
    assert str(holder.pid) in raised.value.message
    assert "run the command again" in raised.value.hint


def test_a_lock_is_free_as_soon_as_its_holder_is_killed_and_the_next_one_knows(backend, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with write_lock(backend, wait_seconds=0) as held:
        assert held.after_crash


def test_a_crash_is_remembered_while_its_lock_is_on_the_ref(backend, holder):
    left = backend.common_dir / "refs" / "mneme" / "journal.lock"
    left.parent.mkdir(parents=True)
    left.touch()
    holder.kill()
    holder.wait()
    for _ in range(2):
        with write_lock(backend) as held:
            assert held.after_crash
    left.unlink()
    with write_lock(backend) as held:
        assert held.after_crash
    with write_lock(backend) as held:
        assert not held.after_crash


def test_a_lock_that_was_let_go_says_nothing_of_a_crash(backend):
    with write_lock(backend):
        pass
    with write_lock(backend, wait_seconds=0) as held:
        assert not held.after_crash


def test_an_error_inside_lets_the_lock_go(backend):
    with pytest.raises(KeyError), write_lock(backend):
        raise KeyError
    with write_lock(backend, wait_seconds=0) as held:
        assert not held.after_crash


def test_two_threads_of_one_process_take_turns(backend):
    inside, most = [0], [0]
    barrier = threading.Barrier(4)

    def work():
        barrier.wait()
        with write_lock(backend):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.01)
            inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_waiting_goes_on_while_the_lock_goes_from_hand_to_hand(backend):
    stop = threading.Event()

    def taking_turns():
        while not stop.is_set():
            with write_lock(backend):
                time.sleep(0.05)

    threads = [threading.Thread(target=taking_turns) for _ in range(8)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):  # a turn comes after about 0.4 s
            with write_lock(backend, wait_seconds=0.25):
                pass
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_waiter_that_gave_up_does_not_take_the_lock_later(backend, holder):
    with pytest.raises(StoreBusy), write_lock(backend, wait_seconds=0.05):
        raise AssertionError("two processes held the lock")
    holder.kill()
    holder.wait()
    for _ in range(3):
        with write_lock(backend, wait_seconds=1):
            time.sleep(0.01)


def test_work_trees_of_one_repository_share_the_lock(repo, backend):
    repo.git("worktree", "add", "-q", str(repo.path.parent / "other"), "-b", "other")
    other = open_backend(repo.path.parent / "other", prefer="program")
    assert lock_path(other) == lock_path(backend)
    with write_lock(backend), pytest.raises(StoreBusy), write_lock(other, wait_seconds=0):
        raise AssertionError("both work trees held the lock")


def test_a_lock_file_that_somebody_removed_excludes_again(backend):
    with write_lock(backend):
        lock_path(backend).unlink()
        with (
            write_lock(backend, wait_seconds=0),
            pytest.raises(StoreBusy),
            write_lock(backend, wait_seconds=0),
        ):
            raise AssertionError("the new file was locked twice")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_repository_that_may_not_be_written_says_so(backend):
    backend.common_dir.chmod(0o500)
    try:
        with pytest.raises(ReadOnlyStore), write_lock(backend):
            raise AssertionError("a read-only repository was locked")
    finally:
        backend.common_dir.chmod(0o700)


def test_a_lock_folder_that_cannot_be_made_is_a_read_only_store(backend):
    (backend.common_dir / "mneme").write_text("in the way")
    with pytest.raises(ReadOnlyStore) as raised, write_lock(backend):
        raise AssertionError("locked a file in a file")
    assert "mneme" in raised.value.message
