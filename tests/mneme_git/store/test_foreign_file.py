import os
import subprocess
import sys
import threading

import pytest

from mneme_git.errors import GuardMismatch, ReadOnlyStore, StoreBusy, StoreFault
from mneme_git.store.foreign_file import read_foreign, replace_foreign, turn


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_a_missing_file_is_none_and_a_folder_is_a_fault(tmp_path):
    assert read_foreign(tmp_path / "x.json") is None
    with pytest.raises(StoreFault):
        read_foreign(tmp_path)


def test_a_new_file_gets_its_folder_and_the_mode_of_the_umask_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / "a" / "b" / "x.json"
    before = os.umask(0o027)
    try:
        with turn(path):
            replace_foreign(path, b"1", expected=None)
    finally:
        os.umask(before)
    assert path.read_bytes() == b"1"
    assert path.stat().st_mode & 0o777 == 0o640
    assert names(path.parent) == ["x.json"]


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o444])
def test_an_existing_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "x.json"
    path.write_bytes(b"1")
    path.chmod(mode)
    with turn(path):
        replace_foreign(path, b"2", expected=b"1")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"2", mode)


def test_a_symbolic_link_stays_one_and_its_target_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "x.json", tmp_path / "link.json"
    target.write_bytes(b"1")
    link.symlink_to(target)
    with turn(link):
        replace_foreign(link, b"2", expected=b"1")
    assert link.is_symlink()
    assert target.read_bytes() == b"2"
    assert names(tmp_path) == ["link.json", "real"]


def test_a_file_that_changed_is_not_replaced(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"theirs")
    with turn(path), pytest.raises(GuardMismatch):
        replace_foreign(path, b"mine", expected=b"read earlier")
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["x.json"]


def test_a_file_that_came_or_went_in_between_is_noticed(tmp_path):
    path = tmp_path / "x.json"
    with turn(path), pytest.raises(GuardMismatch):
        replace_foreign(path, b"mine", expected=b"was there")
    assert not path.exists()
    path.write_bytes(b"theirs")
    with turn(path), pytest.raises(GuardMismatch):
        replace_foreign(path, b"mine", expected=None)
    assert path.read_bytes() == b"theirs"


def test_what_a_killed_writer_left_is_removed_and_its_lock_taken_over(tmp_path):
    path = tmp_path / "x.json"
    code = (
        "import os, signal, sys, pathlib\n"
        "from mneme_git.store import foreign_file\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "foreign_file._sync_folder = lambda folder: os.kill(os.getpid(), signal.SIGKILL)\n"
        "foreign_file.read_foreign = lambda path: os.kill(os.getpid(), signal.SIGKILL)\n"
        "with foreign_file.turn(path):\n"
        "    foreign_file.replace_foreign(path, b'half', expected=None)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -9
    assert len(names(tmp_path)) == 2
    with turn(path):
        replace_foreign(path, b"whole", expected=None)
    assert names(tmp_path) == ["x.json"]


def test_files_of_other_names_beside_it_are_left_alone(tmp_path):
    path, other = tmp_path / "x.json", tmp_path / ".y.json.0.mneme-tmp"
    other.write_bytes(b"")
    (tmp_path / ".x.json.swp").write_bytes(b"")
    with turn(path):
        replace_foreign(path, b"1", expected=None)
    assert names(tmp_path) == [".x.json.swp", ".y.json.0.mneme-tmp", "x.json"]


def test_only_one_has_the_turn(tmp_path):
    path = tmp_path / "x.json"
    with turn(path):
        ran: list[Exception] = []

        def other():
            try:
                with turn(path, wait_seconds=0.02):
                    pass
            except StoreBusy as error:
                ran.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(ran) == 1


def test_writers_that_take_turns_lose_nothing(tmp_path):
    path, barrier = tmp_path / "x", threading.Barrier(8)

    def write(number):
        barrier.wait()
        for _ in range(5):
            with turn(path):
                before = read_foreign(path)
                replace_foreign(path, (before or b"") + b"%d" % number, expected=before)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.read_bytes()) == sorted(b"01234567" * 5)
    assert names(tmp_path) == ["x"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ReadOnlyStore, match="cannot make"), turn(tmp_path / "file" / "x.json"):
        pass
