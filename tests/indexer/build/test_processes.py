"""Several refreshes at once, and refreshes that are killed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.indexer.build.trees import project

ROOT = Path(__file__).parents[3]
FILES = 150


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "project"
    for path, data in project(FILES, lines=5).items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)
    return place


def start(index, folder, seconds=0.0):
    command = [sys.executable, "-m", "tests.indexer.build.refresher", str(index), str(folder), str(seconds)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def result(process):
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err.decode()) == (0, "")
    return json.loads(out)


def stored_blobs(index):
    if not (index / "index.db").exists():
        return 0
    with closing(sqlite3.connect(index / "index.db", timeout=10)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM blobs").fetchone()[0]
        except sqlite3.Error:
            return 0


def integrity(index):
    with closing(sqlite3.connect(index / "index.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        documents = connection.execute("SELECT sum(count) FROM segments").fetchone()[0]
        assert documents == connection.execute("SELECT count(*) FROM blobs").fetchone()[0]


def test_eight_processes_on_a_cold_index_share_the_work(tmp_path, folder):
    index = tmp_path / "index"
    results = [result(process) for process in [start(index, folder) for _ in range(8)]]
    assert sum(done["parsed"] for done in results) == FILES
    assert {(done["files"], done["names"], *done["notes"]) for done in results} == {(FILES, FILES)}
    integrity(index)


def test_a_killed_refresh_is_taken_up_where_it_ended(tmp_path, folder):
    index = tmp_path / "index"
    process = start(index, folder, seconds=0.03)
    deadline = time.monotonic() + 60
    while not stored_blobs(index) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = stored_blobs(index)
    assert 0 < kept < FILES
    done = result(start(index, folder))
    assert (done["parsed"], done["names"], done["notes"]) == (FILES - kept, FILES, [])
    integrity(index)


def test_a_kill_at_any_moment_costs_no_more_than_time(tmp_path, folder):
    index = tmp_path / "index"
    for delay in (0.15, 0.3, 0.45, 0.6, 0.8, 1.0):
        process = start(index, folder, seconds=0.004)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    done = result(start(index, folder))
    assert (done["files"], done["names"], done["notes"]) == (FILES, FILES, [])
    integrity(index)


def test_a_stopped_holder_of_the_lock_blocks_only_until_it_dies(tmp_path, folder):
    index = tmp_path / "index"
    holder = start(index, folder, seconds=0.5)
    deadline = time.monotonic() + 60
    while not (index / "index.lock").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(1.0)
    holder.send_signal(signal.SIGSTOP)
    waiting = start(index, folder)
    time.sleep(1.0)
    assert waiting.poll() is None
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert result(waiting)["names"] == FILES
