"""Workers that die, hang, or cannot be started."""

import os
import signal
import sys

import pytest

from mneme_indexer.build import process
from mneme_indexer.build.parse import FLUSH, Parser, Source, Task
from mneme_indexer.build.pool import Pool
from mneme_indexer.build.process import Worker
from mneme_indexer.build.wire import Closed
from tests.indexer.build.trees import blob_id, module


def source(number):
    return Source(blob_id(module(number)), "python", module(number))


@pytest.fixture
def worker():
    worker = Worker()
    yield worker
    worker.stop()
    worker.end()


def in_one_process(*tasks):
    parser = Parser()
    return [parser.run(task) for task in tasks]


def test_a_worker_gives_what_this_process_gives(worker):
    task = Task((source(1), source(2)))
    assert [worker.parse(task), worker.flush()] == in_one_process(task, FLUSH)


def test_a_flush_begins_anew(worker):
    worker.parse(Task((source(1),)))
    worker.flush()
    worker.parse(Task((source(2),)))
    assert worker.flush() == in_one_process(Task((source(2),)), FLUSH)[1]


def test_a_worker_that_is_killed_is_replaced_and_loses_nothing(worker):
    first, second = Task((source(1),)), Task((source(2),))
    expected = in_one_process(first, second, FLUSH)
    assert worker.parse(first) == expected[0]
    os.kill(worker._process.pid, signal.SIGKILL)
    assert worker.parse(second) == expected[1]
    os.kill(worker._process.pid, signal.SIGKILL)
    assert worker.flush() == expected[2]


def killer(text):
    """Return what a worker runs to die at a file that contains ``text``, or to hang at one with "Sleep"."""
    return (
        "import sys, json, os, time; sys.path[:] = json.loads(sys.argv[1])\n"
        "from mneme_indexer.build import parse, worker\n"
        "real = parse.parse\n"
        "def parse_or_die(language, data):\n"
        f"    if {text!r} in data: os._exit(7)\n"
        "    if b'Sleep' in data: time.sleep(60)\n"
        "    return real(language, data)\n"
        "parse.parse = parse_or_die\n"
        "worker.main()\n"
    )


def test_a_file_that_kills_the_parser_costs_only_itself(monkeypatch):
    monkeypatch.setattr(process, "_START", killer(b"Thing2("))
    deadly = Source("deadly", "python", b"class Thing2(object): pass\n")
    worker = Worker()
    earlier, task = Task((source(5),)), Task((source(1), deadly, source(3)))
    worker.parse(earlier)
    blobs = worker.parse(task).blobs
    flushed = worker.flush()
    worker.stop()
    worker.end()
    assert [(blob.oid, blob.skipped) for blob in blobs] == [
        (source(1).oid, ""),
        ("deadly", "the parser failed or took too long"),
        (source(3).oid, ""),
    ]
    parts = [earlier, Task((source(1),)), Task((deadly,), "x"), Task((source(3),)), FLUSH]
    assert flushed == in_one_process(*parts)[-1]


def test_a_file_that_takes_for_ever_is_left_unparsed(monkeypatch):
    monkeypatch.setattr(process, "_START", killer(b"none"))
    monkeypatch.setattr(process, "_SECONDS", 1.0)
    monkeypatch.setattr(process, "_SECONDS_ALONE", 1.0)
    worker = Worker()
    worker.parse(Task((source(5),)))  # up, so that only the file is slow
    blobs = worker.parse(Task((Source("slow", "python", b"class Sleep: pass\n"), source(1)))).blobs
    worker.stop()
    worker.end()
    assert [blob.skipped for blob in blobs] == ["the parser failed or took too long", ""]


@pytest.mark.parametrize("program", ["", "/no/such/python", "/bin/false"])
def test_without_a_process_the_work_is_done_here(monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    worker = Worker()
    task = Task((source(1),))
    assert [worker.parse(task), worker.flush()] == in_one_process(task, FLUSH)
    worker.stop()
    worker.end()


def test_a_stopped_worker_starts_no_other_process(worker):
    worker.parse(Task((source(1),)))
    worker.stop()
    with pytest.raises(Closed):
        worker.parse(Task((source(2),)))
    assert worker._process is None


def test_a_pool_gives_back_all_that_it_takes():
    pool = Pool(2)
    tasks = [Task((source(number),)) for number in range(12)]
    oids, flushes = [], 0
    waiting = list(tasks)
    while waiting or pool.is_busy():
        if waiting and pool.offer(waiting[0]):
            waiting.pop(0)
            if not waiting:
                pool.flush()
            continue
        for finished in pool.finished(1.0):
            oids += [blob.oid for blob in finished.result.blobs]
            flushes += finished.is_flush
    pool.close()
    assert sorted(oids) == sorted(task.sources[0].oid for task in tasks)
    assert flushes == 2


def test_a_pool_is_closed_in_the_middle_of_its_work():
    pool = Pool(2)
    for number in range(4):
        assert pool.offer(Task(tuple(source(other) for other in range(number * 200, number * 200 + 200))))
    pool.close()
    assert not any(thread.is_alive() for thread in pool._threads)
