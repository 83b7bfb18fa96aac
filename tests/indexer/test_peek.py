"""A look at the index as it is, while another connection changes it."""

import pytest

from mneme_indexer.answers import Settings
from mneme_indexer.api import CodeIndex
from mneme_indexer.db.connect import FILE
from mneme_indexer.peek import Peek, Place, symbols_of
from tests.indexer.build.trees import MemoryTree


@pytest.fixture
def source():
    return MemoryTree(
        {"a.py": b"def one():\n    pass\n", "b.py": b"def one():\n    pass\n\n\ndef two():\n    pass\n"}
    )


def refreshed(folder, source):
    with CodeIndex(folder, source, None, Settings(workers=1), view="w") as index:
        index.refresh()
    return {row.path: row.blob for row in source.listing().files.values()}


def test_names_are_found_in_the_view_and_follow_what_another_process_writes(tmp_path, source):
    ids = refreshed(tmp_path, source)
    peek = Peek(tmp_path, "w")
    assert peek.places("one") == (Place("a.py", ids["a.py"]), Place("b.py", ids["b.py"]))
    assert peek.places("One") == peek.places("on") == ()
    source.files["a.py"] = b"def other():\n    pass\n"
    ids = refreshed(tmp_path, source)
    assert peek.places("one") == (Place("b.py", ids["b.py"]),)
    assert peek.places("other") == (Place("a.py", ids["a.py"]),)
    peek.close()


def test_symbols_are_told_for_the_content_that_the_index_has(tmp_path, source):
    ids = refreshed(tmp_path, source)
    peek = Peek(tmp_path, "w")
    assert [symbol.name for symbol in peek.symbols("b.py", ids["b.py"])] == ["one", "two"]
    assert peek.symbols("b.py", ids["a.py"]) is None
    assert peek.symbols("c.py", ids["a.py"]) is None
    assert peek.with_content(ids["b.py"]) == ("b.py",)
    assert peek.with_content("0" * 40) == ()
    peek.close()


def test_another_view_has_its_own_files(tmp_path, source):
    refreshed(tmp_path, source)
    peek = Peek(tmp_path, "other")
    assert not peek.is_there()
    assert peek.places("one") == ()
    assert Peek(tmp_path, "w").is_there()


def test_an_index_that_is_built_later_is_seen_and_one_that_goes_is_let_go(tmp_path, source):
    peek = Peek(tmp_path, "w")
    assert not peek.is_there()
    assert list(tmp_path.iterdir()) == []
    refreshed(tmp_path, source)
    assert peek.is_there()
    assert len(peek.places("one")) == 2
    (tmp_path / FILE).unlink()
    assert peek.places("one") == ()


def test_one_file_is_read_alone():
    assert [symbol.name for symbol in symbols_of("x.py", b"def f(): pass\n")] == ["f"]
    assert symbols_of("x.unheard-of", b"def f(): pass\n") == ()
    assert symbols_of("x.py", b"\0\xff") == ()
