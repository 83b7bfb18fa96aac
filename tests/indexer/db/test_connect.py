"""Opening an index file in every state that a file can be in."""

import os
import sqlite3
from contextlib import closing

import pytest

from mneme_indexer.db import connect
from mneme_indexer.db.connect import FILE, SCHEMA_VERSION, open_database, rebuild
from mneme_indexer.errors import IndexUnusable


def opened(folder):
    """Open the index and return what was noted, and whether it is in the file and empty."""
    notes = []
    database = open_database(folder, notes.append)
    views = database.connection.execute("SELECT count(*) FROM views").fetchone()[0]
    in_file = database.path is not None
    database.close()
    return notes, in_file, views


def fill(folder):
    database = open_database(folder, pytest.fail)
    with database.writing() as connection:
        connection.execute("INSERT INTO views VALUES (1, 'work', 't', 'r', '', 1, 1)")
    database.close()


def test_a_missing_file_is_made_without_a_word(tmp_path):
    assert opened(tmp_path / "deep" / "mneme") == ([], True, 0)
    fill(tmp_path / "deep" / "mneme")
    assert opened(tmp_path / "deep" / "mneme") == ([], True, 1)


def test_the_file_says_whose_it_is(tmp_path):
    fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (connect.APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_is_what_a_killed_process_left_and_is_filled(tmp_path):
    (tmp_path / FILE).write_bytes(b"")
    assert opened(tmp_path) == ([], True, 0)


@pytest.mark.parametrize(
    "content", [b"these are notes\n" * 400, b"\0" * 8192, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_built_anew_and_said(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    notes, in_file, views = opened(tmp_path)
    assert (in_file, views) == (True, 0)
    assert len(notes) == 1
    assert "built anew" in notes[0]
    assert opened(tmp_path) == ([], True, 0)


def test_the_database_of_another_program_is_built_anew(tmp_path):
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    notes, in_file, _ = opened(tmp_path)
    assert in_file
    assert "is not an index; it is built anew" in notes[0]


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION + 1])
def test_the_file_of_another_version_is_built_anew(tmp_path, version):
    fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    notes, in_file, views = opened(tmp_path)
    assert (in_file, views) == (True, 0)
    assert "was made by another version" in notes[0]


def test_a_file_with_another_schema_or_byte_order_is_built_anew(tmp_path):
    fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'middle' WHERE key = 'made'")
    notes, _, views = opened(tmp_path)
    assert (len(notes), views) == (1, 0)


def test_a_truncated_file_is_built_anew(tmp_path):
    fill(tmp_path)
    os.truncate(tmp_path / FILE, 4096 * 3)
    notes, in_file, views = opened(tmp_path)
    assert (in_file, views) == (True, 0)
    assert "is damaged" in notes[0]


def test_an_old_log_of_a_deleted_file_is_not_applied_to_the_new_one(tmp_path):
    fill(tmp_path)
    (tmp_path / FILE).unlink()
    (tmp_path / (FILE + "-wal")).write_bytes(b"left over")
    assert opened(tmp_path) == ([], True, 0)


def test_where_no_file_can_be_made_the_index_is_in_memory_and_this_is_said(tmp_path):
    (tmp_path / "mneme").write_text("a file where the folder should be")
    notes, in_file, views = opened(tmp_path / "mneme")
    assert (in_file, views) == (False, 0)
    assert "kept in memory" in notes[0]


def test_a_file_that_cannot_be_written_is_copied_into_memory(tmp_path, monkeypatch):
    fill(tmp_path)

    def refuse(path, note):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(connect, "_open_file", refuse)
    notes, in_file, views = opened(tmp_path)
    assert (in_file, views) == (False, 1)
    assert "Permission denied" in notes[0]


def test_a_sqlite_that_is_too_old_is_told_with_the_version_that_is_needed(tmp_path, monkeypatch):
    monkeypatch.setattr(connect, "_schema", lambda: "CREATE TABLE x (a INTEGER) MORE STRICT;")
    with pytest.raises(IndexUnusable) as caught:
        open_database(tmp_path, lambda _: None)
    assert "3.37" in caught.value.hint


def test_a_rebuilt_file_is_seen_by_who_had_the_old_one_open(tmp_path):
    fill(tmp_path)
    notes = []
    first, second = open_database(tmp_path, notes.append), open_database(tmp_path, notes.append)
    assert first.is_still_there()
    second = rebuild(second, notes.append)
    assert not first.is_still_there()
    assert second.is_still_there()
    first.close()
    second.close()
    assert len(notes) == 1


def test_a_file_that_another_process_has_already_rebuilt_is_left_alone(tmp_path):
    fill(tmp_path)
    first, second = open_database(tmp_path, pytest.fail), open_database(tmp_path, pytest.fail)
    second = rebuild(second, pytest.fail, reason="")
    second.close()
    fill(tmp_path)
    first = rebuild(first, pytest.fail)
    assert first.connection.execute("SELECT count(*) FROM views").fetchone() == (1,)
    first.close()


def test_a_failed_write_is_undone(tmp_path):
    database = open_database(tmp_path, pytest.fail)
    same_key_twice = [(1, "work", "t"), (2, "work", "t")]
    with pytest.raises(sqlite3.IntegrityError), database.writing() as connection:
        connection.executemany("INSERT INTO views VALUES (?, ?, ?, 'r', '', 1, 1)", same_key_twice)
    assert database.connection.execute("SELECT count(*) FROM views").fetchone() == (0,)
    database.close()


def test_a_reader_sees_one_state_while_another_process_writes(tmp_path):
    fill(tmp_path)
    reader, writer = open_database(tmp_path, pytest.fail), open_database(tmp_path, pytest.fail)
    with reader.reading() as connection:
        assert connection.execute("SELECT count(*) FROM views").fetchone() == (1,)
        with writer.writing() as other:
            other.execute("DELETE FROM views")
        assert connection.execute("SELECT count(*) FROM views").fetchone() == (1,)
    assert reader.connection.execute("SELECT count(*) FROM views").fetchone() == (0,)
    reader.close()
    writer.close()


def test_a_full_disk_is_told_and_leaves_the_index_as_it_was(tmp_path):
    database = open_database(tmp_path, pytest.fail)
    database.connection.execute("PRAGMA max_page_count = 30")
    rows = [(number, b"x" * 4000, b"") for number in range(100)]
    with pytest.raises(IndexUnusable) as caught, database.writing() as connection:
        connection.executemany("INSERT INTO contents VALUES (?, ?, ?)", rows)
    assert "cannot be written" in caught.value.message
    assert "make room" in caught.value.hint
    assert database.connection.execute("SELECT count(*) FROM contents").fetchone() == (0,)
    database.close()
