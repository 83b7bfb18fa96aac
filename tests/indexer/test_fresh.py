"""A question is asked while the files are looked at, and its answer is that of the files as they are."""

import sqlite3
from contextlib import contextmanager
from pathlib import Path

import pytest

from mneme_indexer.answers import Query, Settings
from mneme_indexer.api import CodeIndex
from tests.indexer.build.trees import MemoryTree


class Told(MemoryTree):
    """Files that tell when they are looked at."""

    def __init__(self, files):
        super().__init__(files)
        self.events: list[str] = []
        self.during = lambda: None

    @contextmanager
    def looking(self):
        self.events.append("look")

        def seen():
            self.events.append("seen")
            self.during()
            return self.listing()

        yield seen


@pytest.fixture
def tree():
    return Told({"a.py": b"def one(): pass\n"})


@pytest.fixture
def index(tmp_path: Path, tree: Told):
    with CodeIndex(tmp_path, tree, None, Settings(workers=1, history=0)) as opened:
        opened.refresh()
        tree.events.clear()
        yield opened


def asked(index: CodeIndex, tree: Told, name: str):
    def question(refreshed):
        tree.events.append(f"asked {refreshed.changed}")
        (found,) = index.lookup(name)
        return found.file

    return index.fresh(question)


def test_a_question_is_asked_during_the_look_and_once(index: CodeIndex, tree: Told):
    assert asked(index, tree, "one") == "a.py"
    assert tree.events == ["look", "asked False", "seen"]


def test_what_changed_during_the_question_is_in_the_answer(index: CodeIndex, tree: Told):
    tree.during = lambda: tree.files.update({"a.py": b"", "b.py": b"def one(): pass\n"})
    assert asked(index, tree, "one") == "b.py"
    assert tree.events == ["look", "asked False", "seen", "asked True"]


def test_another_commit_of_the_same_files_is_another_snapshot(index: CodeIndex, tree: Told):
    tree.commit = "c" * 40
    assert asked(index, tree, "one") == "a.py"
    assert tree.events == ["look", "asked False", "seen", "asked False"]


def test_what_another_process_did_during_the_question_is_in_the_answer(
    tmp_path: Path, index: CodeIndex, tree: Told
):
    changed = {"b.py": b"def one(): pass\n"}

    def other():
        tree.files = changed
        with CodeIndex(tmp_path, MemoryTree(changed), None, Settings(workers=1, history=0)) as second:
            second.refresh()

    tree.during = other
    assert asked(index, tree, "one") == "b.py"


def test_what_is_not_there_any_more_is_asked_for_again(index: CodeIndex, tree: Told):
    tree.files["b.py"] = b"def two(): pass\n"
    assert asked(index, tree, "two") == "b.py"
    with pytest.raises(ValueError, match="unpack"):
        asked(index, tree, "three")
    assert asked(index, tree, "two") == "b.py"


def test_the_first_question_waits_for_the_first_look(tmp_path: Path, tree: Told):
    with CodeIndex(tmp_path, tree, None, Settings(workers=1, history=0)) as index:
        assert asked(index, tree, "one") == "a.py"
    assert tree.events == ["look", "seen", "asked True"]


def test_a_model_is_asked_once_and_about_what_is_there(index: CodeIndex, tree: Told):
    def model(system, user):
        tree.events.append("model")
        return "{}"

    query = Query(task="what does one do", hint="", budget=2000)
    index.fresh(lambda _: index.context(query, model))
    assert tree.events == ["look", "seen", "model"]


def test_a_damaged_index_is_not_built_anew_during_the_look(index: CodeIndex, tree: Told):
    def symbols(_):
        error = sqlite3.DatabaseError("malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    index._session.reader.symbols = symbols
    assert asked(index, tree, "one") == "a.py"
    assert tree.events == ["look", "asked False", "seen", "asked False", "look", "seen"]


def test_while_nothing_changes_a_server_makes_ready_to_parse(
    index: CodeIndex, tree: Told, monkeypatch: pytest.MonkeyPatch
):
    tree.files.update({"b.py": b"def two(): pass\n", "c.go": b"package c\n", "notes.xyz": b"plain\n"})
    index.refresh()
    parsed = []
    monkeypatch.setattr("mneme_indexer.extract.parse.parse", lambda name, _: parsed.append(name))
    for _ in range(4):
        assert asked(index, tree, "one") == "a.py"
    assert parsed == ["python", "go"]
