"""Merging segments and forgetting changes no answer of a view."""

import pytest

from mneme_indexer.answers import Settings
from mneme_indexer.build.refresh import refresh
from mneme_indexer.db import upkeep
from mneme_indexer.db.session import Session
from tests.indexer.build.test_refresh import answers_of
from tests.indexer.build.trees import MemoryTree, module, project

ALONE = Settings(workers=1)


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path / "index", "work", pytest.fail)
    yield session
    session.close()


def count(session, table):
    return session.database.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_many_small_refreshes_keep_few_segments_and_answer_as_one_large_one(tmp_path, session):
    tree = MemoryTree(project(3))
    for number in range(40):
        tree.files[f"more{number}.py"] = module(100 + number)
        refresh(session, tree, None, ALONE)
    assert count(session, "segments") < 16
    other = Session(tmp_path / "other", "work", pytest.fail)
    refresh(other, tree, None, ALONE)
    assert count(other, "segments") == 1
    assert answers_of(session) == answers_of(other)
    other.close()


def test_what_other_trees_had_changes_no_answer(tmp_path, session):
    for number in range(5):
        refresh(session, MemoryTree({f"x{number}.py": module(number)}), None, ALONE)
    tree = MemoryTree(project(6))
    refresh(session, tree, None, ALONE)
    other = Session(tmp_path / "other", "work", pytest.fail)
    refresh(other, tree, None, ALONE)
    assert answers_of(session) == answers_of(other)
    other.close()


def test_unused_blobs_are_forgotten_beyond_what_is_spared_oldest_first(session, monkeypatch):
    monkeypatch.setattr(upkeep, "_SPARE_BLOBS", 3)
    for number in range(8):
        refresh(session, MemoryTree({"a.py": module(number)}), None, ALONE)
    assert count(session, "blobs") == 4
    assert count(session, "contents") == 4
    kept = refresh(session, MemoryTree({"a.py": module(5)}), None, ALONE)
    gone = refresh(session, MemoryTree({"a.py": module(0)}), None, ALONE)
    assert (kept.parsed, gone.parsed) == (0, 1)
    with session.reading() as reader:
        assert [hit.path for hit in reader.lookup("Thing0", 5)] == ["a.py"]


def test_the_postings_of_forgotten_blobs_go_with_their_segment(session, monkeypatch):
    monkeypatch.setattr(upkeep, "_SPARE_BLOBS", 0)
    refresh(session, MemoryTree(project(20)), None, ALONE)
    refresh(session, MemoryTree({"a.py": module(500)}), None, ALONE)
    assert count(session, "blobs") == 1
    assert session.database.connection.execute("SELECT sum(count) FROM segments").fetchone() == (1,)


def test_a_blob_of_another_view_is_not_forgotten(tmp_path, session, monkeypatch):
    monkeypatch.setattr(upkeep, "_SPARE_BLOBS", 0)
    other = Session(tmp_path / "index", "other", pytest.fail)
    tree = MemoryTree(project(4))
    refresh(other, tree, None, ALONE)
    refresh(session, tree, None, ALONE)
    refresh(session, MemoryTree({"a.py": module(500)}), None, ALONE)
    with other.reading() as reader:
        assert len(reader.postings("thing")) == 4
    other.close()


def test_views_that_nobody_asks_for_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(upkeep, "_SPARE_VIEWS", 2)
    monkeypatch.setattr(upkeep, "_SPARE_BLOBS", 0)
    sessions = [Session(tmp_path, f"view{number}", pytest.fail) for number in range(4)]
    for number, session in enumerate(sessions):
        refresh(session, MemoryTree({"a.py": module(number)}), None, ALONE)
    assert count(sessions[0], "views") == 2
    assert count(sessions[0], "view_files") == 2
    again = refresh(sessions[0], MemoryTree({"a.py": module(0)}), None, ALONE)
    assert again.parsed == 1
    with sessions[0].reading() as reader:
        assert [hit.path for hit in reader.lookup("Thing0", 5)] == ["a.py"]
    for session in sessions:
        session.close()
