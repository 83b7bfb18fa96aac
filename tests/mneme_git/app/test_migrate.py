import pytest

from mneme_git.app.migrate import migrate_in_place, ways_out
from mneme_git.model.migration import MigrationRefused
from mneme_git.store import memory_write
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_write import encode_document
from tests.support.memory import plain, row

NOW = 1_700_000_000


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(encode_document(plain(row("d1"))))
    return MemoryFile(path, as_given="m.json", now=lambda: NOW)


def test_a_file_that_changed_after_the_preview_is_not_written(store, monkeypatch):
    turn = memory_write.turn
    changed = encode_document(plain(row("d1"), row("d2")))

    def late(path, **more):
        path.write_bytes(changed)  # another program, between our reading and our turn
        return turn(path, **more)

    monkeypatch.setattr(memory_write, "turn", late)
    with pytest.raises(
        MigrationRefused, match=r"^migration refused: m.json changed after it was read; nothing was written$"
    ):
        migrate_in_place(store, now=NOW, apply=True)
    assert store.data() == changed


def test_a_refusal_about_the_whole_file_has_no_ways_out(store):
    assert ways_out(store, MigrationRefused("items must be a list")) == ()
    assert ways_out(store, MigrationRefused("x", (7,))) == ()
    assert [each.row_id for each in ways_out(store, MigrationRefused("x", (0,)))] == ["d1"]
