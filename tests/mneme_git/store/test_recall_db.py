"""The file of the recall index: several processes, damage, and folders that cannot be written."""

import multiprocessing
import os
import sqlite3
from contextlib import closing

import pytest

from mneme_git.store import recall_db
from mneme_git.store.recall_index import Filters
from tests.support.recall import bodies, memory, name_of, named, opened


def word(at):
    return "".join("abcdfghijk"[int(digit)] for digit in f"{at:03}") + "x"


RECORDS = [memory(f"alpha {word(at)} in the file", at=at) for at in range(400)]
BY_NAME = named(RECORDS)


def read(names):
    return {name: BY_NAME[name] for name in names}


def asked(index):
    return bodies(index, word(7), RECORDS)


def write_many(folder, start, errors):
    try:
        index = opened(folder)
        for at in range(40):
            index.add(named([memory(f"from {start} number {at}", at=at), memory(f"shared {at}", at=at)]))
            index.search("from number", Filters(), frozenset(BY_NAME), 5)
        index.close()
    except BaseException as error:
        errors.put(repr(error))
        raise


def test_several_processes_add_and_ask_at_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    errors = context.Queue()
    workers = [context.Process(target=write_many, args=(tmp_path, start, errors)) for start in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert errors.empty(), errors.get()
    assert [worker.exitcode for worker in workers] == [0] * 4
    records = [memory(f"from {start} number {at}", at=at) for start in range(4) for at in range(40)]
    records += [memory(f"shared {at}", at=at) for at in range(40)]
    index = opened(tmp_path)
    assert index.missing(named(records)) == ()
    assert len(index.contents()) == 200
    assert len(bodies(index, "number", records, limit=300)) == 160


def test_what_another_process_added_or_dropped_is_seen_at_once(tmp_path):
    one, two = opened(tmp_path, RECORDS[:5]), opened(tmp_path)
    assert asked(one) == asked(two) == []
    two.add(named(RECORDS[5:]))
    assert asked(one) == [RECORDS[7].body]
    two.drop([name_of(RECORDS[7])])
    assert asked(one) == []


@pytest.mark.parametrize("rubbish", [b"", b"no database", b"SQLite format 3\x00" + b"\x00" * 5000])
def test_a_file_that_is_none_is_made_anew(tmp_path, rubbish):
    (tmp_path / recall_db.FILE).write_bytes(rubbish)
    index = opened(tmp_path)
    assert index.missing(BY_NAME) == tuple(sorted(BY_NAME))
    index.add(BY_NAME)
    assert asked(index) == [RECORDS[7].body]


@pytest.mark.parametrize("change", ["PRAGMA application_id = 7", "PRAGMA user_version = 99",
                                    "UPDATE meta SET value = 7 WHERE key = 'made'", "DROP TABLE meta"])  # fmt: skip
def test_a_file_of_another_kind_or_version_is_made_anew(tmp_path, change):
    opened(tmp_path, RECORDS).close()
    with closing(sqlite3.connect(tmp_path / recall_db.FILE)) as connection, connection:
        connection.execute(change)
    index = opened(tmp_path)
    assert index.missing(BY_NAME) == tuple(sorted(BY_NAME))


@pytest.mark.parametrize("fill", [b"\xff", b"\x00"])
@pytest.mark.parametrize("has_reader", [True, False])
def test_damaged_pages_are_never_fatal(tmp_path, fill, has_reader):
    opened(tmp_path, RECORDS).close()
    path = tmp_path / recall_db.FILE
    size = path.stat().st_size
    for start in range(4096, size, 4096 * 5):
        index = opened(tmp_path, read=read if has_reader else None)
        index.add(read(index.missing(BY_NAME)))
        index.close()
        with path.open("r+b") as file:
            file.seek(start)
            file.write(fill * 4096)
        index = opened(tmp_path, read=read if has_reader else None)
        index.newest(Filters(), frozenset(BY_NAME), 5)
        bodies(index, "alpha the file", RECORDS)
        index.add(read(index.missing(BY_NAME)))
        assert set(index.memories(BY_NAME).items()) <= set(BY_NAME.items())
        index.close()


@pytest.mark.parametrize("table", ["memories", "streams", "postings", "segments", "meta"])
def test_a_table_that_is_gone_is_built_again_from_what_can_be_read(tmp_path, table):
    index = opened(tmp_path, RECORDS, read=read)
    assert asked(index) == [RECORDS[7].body]
    with closing(sqlite3.connect(tmp_path / recall_db.FILE)) as connection, connection:
        connection.execute(f"DROP TABLE {table}")
    assert asked(index) == [RECORDS[7].body]
    assert index.memories(BY_NAME) == BY_NAME


def test_a_body_that_was_changed_in_the_file_is_not_served(tmp_path):
    index, name = opened(tmp_path, RECORDS), name_of(RECORDS[7])
    with closing(sqlite3.connect(tmp_path / recall_db.FILE)) as connection, connection:
        connection.execute("UPDATE memories SET data = zeroblob(50) WHERE name = ?", (bytes.fromhex(name),))
    assert index.memories([name]) == {}
    assert index.missing([name]) == (name,)
    index.add(read([name]))
    assert index.memories([name]) == read([name])


def test_a_file_that_is_taken_away_under_a_running_process_is_made_again(tmp_path):
    index = opened(tmp_path, RECORDS, read=read)
    assert asked(index) == [RECORDS[7].body]
    for path in list(tmp_path.iterdir()):
        path.unlink()
    assert asked(index) == [RECORDS[7].body]
    assert (tmp_path / recall_db.FILE).exists()


def test_a_folder_that_cannot_be_made_gives_an_index_in_memory(tmp_path):
    (tmp_path / "file").write_text("in the way")
    index = opened(tmp_path / "file" / "mneme", RECORDS)
    assert asked(index) == [RECORDS[7].body]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_read_and_added_to_in_memory(tmp_path):
    opened(tmp_path, RECORDS[:9]).close()
    tmp_path.chmod(0o500)
    (tmp_path / recall_db.FILE).chmod(0o400)
    try:
        index = opened(tmp_path, read=read)
        index.add(read(index.missing(BY_NAME)))
        assert asked(index) == [RECORDS[7].body]
    finally:
        tmp_path.chmod(0o700)


def test_a_full_disk_moves_the_index_into_memory(tmp_path):
    index = opened(tmp_path, RECORDS[:9], read=read)
    assert asked(index) == [RECORDS[7].body]
    (pages,) = index._database.connection.execute("PRAGMA page_count").fetchone()
    index._database.connection.execute(f"PRAGMA max_page_count = {pages}")
    index.add(BY_NAME)
    assert asked(index) == [RECORDS[7].body]
    assert index.missing(BY_NAME) == ()


def test_a_file_that_cannot_be_written_anew_after_a_drop_is_built_again(tmp_path):
    index, gone = opened(tmp_path, RECORDS, read=read), name_of(RECORDS[7])
    connection = index._database.connection

    def stop_vacuum(statement):
        if statement == "VACUUM":
            connection.set_progress_handler(lambda: 1, 1)

    connection.set_trace_callback(stop_vacuum)
    index.drop([gone])
    assert index._database.connection is not connection
    assert asked(index) == []
    assert index.missing(BY_NAME) == (gone,)
    index.close()
    assert word(7).encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
