import pytest

from mneme_git.memories.stale import Change, Present, changes
from mneme_git.model.memory import FileAnchor, SymbolAnchor
from tests.support.memories import memory

FILE = memory(files=(FileAnchor(path="a.py", blob="1"),))
SYMBOL = memory(identifiers=(SymbolAnchor(name="f", text_sha256="2"),))


@pytest.mark.parametrize(
    ("now", "word"),
    [({"a.py": "1"}, None), ({"a.py": "9"}, "changed"), ({"a.py": ""}, "vanished"), ({}, "unknown")],
)
def test_a_file_is_as_it_was_or_changed_or_gone_or_not_known(now, word):
    found = changes(FILE, Present(blobs=now), unknown=True)
    assert found == ((Change(what="file", name="a.py", change=word),) if word else ())


@pytest.mark.parametrize(
    ("now", "word"), [({"f": "2"}, None), ({"f": "9"}, "changed"), ({"f": ""}, "vanished"), ({}, "unknown")]
)
def test_a_symbol_is_as_it_was_or_changed_or_gone_or_not_known(now, word):
    found = changes(SYMBOL, Present(texts=now), unknown=True)
    assert found == ((Change(what="symbol", name="f", change=word),) if word else ())


def test_a_file_that_moved_is_told_with_where_it_went():
    found = changes(FILE, Present(blobs={"a.py": ""}, moved={"a.py": "b.py"}))
    assert found == (Change(what="file", name="a.py", change="moved", to="b.py"),)


def test_what_was_not_found_at_recording_is_never_stale():
    made = memory(files=("a.py",), identifiers=("f",))
    present = Present(blobs={"a.py": "1"}, texts={"f": "2"})
    assert changes(made, present) == ()
    assert [row.change for row in changes(made, present, unknown=True)] == ["unknown", "unknown"]
