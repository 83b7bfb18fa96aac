"""What was kept is recalled under its own key only, and a damaged file is as good as none."""

import time

import msgspec
import pytest

from mneme_git.store.projection import keep, key_of, recall

KEY = key_of(b"a", b"b")
NUMBERS = msgspec.msgpack.Decoder(list[int])


@pytest.fixture
def place(tmp_path):
    return tmp_path / "mneme" / "numbers"


def test_what_was_kept_is_recalled_under_its_key(place):
    keep(place, KEY, [1, 2])
    assert recall(place, KEY, NUMBERS) == [1, 2]
    assert recall(place, key_of(b"a", b"c"), NUMBERS) is None
    assert [file.name for file in place.parent.iterdir()] == ["numbers"]


def test_keys_tell_parts_apart():
    assert key_of(b"ab", b"") != key_of(b"a", b"b") != key_of(b"ab")


@pytest.mark.parametrize("at", [0, 20, 60, -1])
def test_a_damaged_file_is_none(place, at):
    keep(place, KEY, [1, 2])
    data = bytearray(place.read_bytes())
    data[at] ^= 1
    place.write_bytes(bytes(data))
    assert recall(place, KEY, NUMBERS) is None


@pytest.mark.parametrize("length", [0, 10, 81, -1])
def test_a_torn_file_is_none(place, length):
    keep(place, KEY, [1, 2])
    place.write_bytes(place.read_bytes()[:length])
    assert recall(place, KEY, NUMBERS) is None


def test_a_file_of_another_form_is_none(place):
    keep(place, KEY, {"not": "a list"})
    assert recall(place, KEY, NUMBERS) is None


def test_what_changed_a_moment_ago_is_not_kept(place):
    now = time.time_ns()
    keep(place, KEY, [1], newest_ns=now - 1_000_000_000)
    assert not place.exists()
    keep(place, KEY, [1], newest_ns=now - 3_000_000_000)
    assert recall(place, KEY, NUMBERS) == [1]


def test_what_cannot_be_written_is_no_fault(tmp_path):
    (tmp_path / "mneme").write_bytes(b"a file in the way")
    keep(tmp_path / "mneme" / "numbers", KEY, [1])
    keep(tmp_path / "text", KEY, "\ud800")
    assert [file.name for file in tmp_path.iterdir()] == ["mneme"]
