"""What one clone alone knows: it is kept, never waited for in vain, and never thrown away."""

import os
import sqlite3
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.store.local_db import Count, LocalDb, next_numbers

ONE, TWO, THREE = ("project", "a" * 32), ("global", "b" * 32), ("project", "c" * 32)


class Clock:
    def __init__(self, at=1000):
        self.at = at

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def db(tmp_path, clock):
    made = LocalDb(tmp_path, now=clock)
    yield made
    made.close()


def numbers(db):
    return {key: row.number for key, row in db.known().items()}


def test_numbers_are_given_in_the_order_of_meeting_and_kept(db, tmp_path, clock):
    db.meet([ONE, TWO])
    clock.at = 2000
    db.meet([THREE, ONE])
    assert numbers(db) == {ONE: 1, TWO: 2, THREE: 3}
    assert [row.first_seen for row in db.known().values()] == [1000, 1000, 2000]
    again = LocalDb(tmp_path, now=clock)
    assert numbers(again) == {ONE: 1, TWO: 2, THREE: 3}
    again.close()


def test_a_number_is_not_used_again_when_its_memory_is_gone(db, tmp_path):
    db.meet([ONE, TWO])
    db.close()
    with sqlite3.connect(tmp_path / "local.db") as connection:
        connection.execute("DELETE FROM known WHERE number = 2")
    connection.close()
    db.meet([THREE])
    assert numbers(db) == {ONE: 1, THREE: 3}


def test_what_another_process_has_numbered_is_seen_and_not_numbered_twice(db, tmp_path, clock):
    db.meet([ONE])
    other = LocalDb(tmp_path, now=clock)
    other.meet([TWO])
    db.meet([TWO, THREE])
    assert numbers(db) == numbers(other) == {ONE: 1, TWO: 2, THREE: 3}
    other.close()


_KEYS = st.lists(st.tuples(st.sampled_from(["project", "global"]), st.text("abc", min_size=1, max_size=3)))


@settings(deadline=None)
@given(_KEYS, st.data())
def test_numbers_lost_off_the_end_are_given_again_the_same(order, data):
    all_at_once = next_numbers((), 0, order)
    kept = data.draw(st.integers(0, len(all_at_once)))
    known = dict(list(all_at_once.items())[:kept])
    assert {**known, **next_numbers(known, kept, order)} == all_at_once
    assert sorted(all_at_once.values()) == list(range(1, len(all_at_once) + 1))


def test_counts_are_by_scope_and_name(db, clock):
    db.count([ONE, TWO])
    clock.at = 3000
    db.count([TWO])
    assert db.counts() == {ONE: Count(1, 1000), TWO: Count(2, 3000)}


def test_a_forgotten_memory_keeps_its_time_on_each_branch_until_it_is_live_again(db, clock):
    db.see_forgotten("main", "project", ["x", "y"])
    clock.at = 2000
    db.see_forgotten("main", "project", ["x", "y"])
    db.see_forgotten("other", "project", ["x"])
    db.see_forgotten("main", "global", ["g"])
    db.see_forgotten("main", "project", ["y"])
    assert db.forgotten("main") == {("project", "y"): 1000, ("global", "g"): 2000}
    assert db.forgotten("other") == {("project", "x"): 2000}


def test_a_damaged_database_is_kept_beside_and_said(db, tmp_path, clock):
    db.meet([ONE, TWO])
    db.count([ONE])
    db.close()
    (tmp_path / "local.db").write_bytes(b"this is no database at all" * 400)
    clock.at = 5000
    assert db.counts() == {}
    (told,) = db.notices()
    assert "LOCAL_DB_DAMAGED" in told
    assert "local.db.damaged-5000" in told
    assert (tmp_path / "local.db.damaged-5000").read_bytes().startswith(b"this is no")
    assert db.born == 5000
    db.meet([TWO])
    assert numbers(db) == {TWO: 1}
    assert db.notices() == ()


def test_a_database_damaged_inside_is_found_out_when_it_is_opened(db, tmp_path):
    db.meet([("project", f"{number:032x}") for number in range(2000)])
    db.close()
    data = bytearray((tmp_path / "local.db").read_bytes())
    data[4096 * 3 : 4096 * 8] = b"\xff" * (4096 * 5)
    (tmp_path / "local.db").write_bytes(data)
    assert numbers(db) == {}
    assert "LOCAL_DB_DAMAGED" in db.notices()[0]


def test_a_database_that_is_taken_away_is_made_anew(db, tmp_path):
    db.meet([ONE])
    (tmp_path / "local.db").unlink()
    db.meet([TWO, ONE])
    assert numbers(db) == {TWO: 1, ONE: 2}
    assert (tmp_path / "local.db").exists()


def test_one_that_another_process_holds_fails_nothing_and_is_made_up_for(tmp_path, clock):
    db = LocalDb(tmp_path, now=clock, wait_seconds=0.05)
    db.meet([ONE])
    held = sqlite3.connect(tmp_path / "local.db", isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    db.meet([TWO])
    db.count([ONE])
    assert numbers(db) == {ONE: 1, TWO: 2}
    assert db.counts()[ONE].recalls == 1
    held.execute("ROLLBACK")
    held.close()
    db.count([ONE])
    db.close()
    assert db.counts()[ONE].recalls == 2
    db.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the rights of a folder bind nobody here")
def test_a_folder_that_cannot_be_written_fails_nothing(db, tmp_path, clock):
    db.meet([ONE])
    db.close()
    tmp_path.chmod(0o500)
    try:
        reading = LocalDb(tmp_path, now=clock)
        reading.meet([TWO])
        reading.count([TWO])
        assert numbers(reading)[ONE] == 1
        assert reading.counts()[TWO].recalls == 1
        reading.close()
    finally:
        tmp_path.chmod(0o700)


def test_where_no_file_can_be_made_it_holds_to_the_end_of_the_process(tmp_path, clock):
    (tmp_path / "file").write_text("no folder")
    db = LocalDb(tmp_path / "file" / "deeper", now=clock)
    db.meet([ONE])
    db.count([ONE])
    assert numbers(db) == {ONE: 1}
    assert db.counts() == {ONE: Count(1, 1000)}
    assert "not kept" in db.notices()[0]
    db.close()


def test_a_database_of_a_newer_mneme_is_not_touched(db, tmp_path):
    db.meet([ONE])
    db.close()
    with sqlite3.connect(tmp_path / "local.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    db.meet([TWO])
    assert numbers(db)[TWO] >= 1
    assert "newer" in db.notices()[0]
    db.close()
    with sqlite3.connect(tmp_path / "local.db") as connection:
        assert connection.execute("SELECT count(*) FROM known").fetchone() == (1,)
    connection.close()


def test_many_processes_at_once_number_and_count_without_a_lock_error(tmp_path):
    script = """
        import sys
        from pathlib import Path
        from mneme_git.store.local_db import LocalDb
        db = LocalDb(Path(sys.argv[1]), now=lambda: 1)
        for number in range(30):
            db.meet([("project", f"{sys.argv[2]}-{number}")])
            db.count([("project", "shared")])
        assert db.notices() == (), db.notices()
        db.close()
    """
    running = [
        subprocess.Popen([sys.executable, "-c", textwrap.dedent(script), str(tmp_path), str(number)])
        for number in range(4)
    ]
    assert [process.wait() for process in running] == [0] * 4
    db = LocalDb(tmp_path, now=lambda: 1)
    assert sorted(numbers(db).values()) == list(range(1, 121))
    assert db.counts()[("project", "shared")].recalls == 120
    db.close()


def test_a_memory_is_found_by_its_number(db, tmp_path, clock):
    assert db.numbered(1) is None
    db.meet([ONE])
    assert (db.numbered(1), db.numbered(2)) == (ONE, None)
    other = LocalDb(tmp_path, now=clock)
    other.meet([TWO])
    assert db.numbered(2) == TWO
    other.close()


def test_what_was_not_looked_at_stays_forgotten(db):
    db.see_forgotten("main", "project", ["x", "y"])
    db.see_forgotten("main", "project", [], among=["x"])
    assert db.forgotten("main") == {("project", "y"): 1000}
