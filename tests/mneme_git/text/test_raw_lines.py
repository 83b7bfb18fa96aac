from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.errors import InvalidInput
from mneme_git.text.raw_lines import diff, read_raw

TEXTS = st.text(alphabet="ab \r\n\t\ufeffé\u2028\x0b", max_size=30)


@settings(deadline=None)
@given(TEXTS)
def test_reading_and_writing_gives_the_very_bytes(text):
    data = text.encode()
    assert read_raw(data, name="x").encode() == data


@settings(deadline=None)
@given(TEXTS, st.data())
def test_an_inserted_line_is_one_line_more_and_touches_no_other(text, data):
    raw = read_raw(text.encode(), name="x")
    at = data.draw(st.integers(1, len(raw.lines) + 1))
    made = read_raw(raw.inserted(at, ["NEW"]).encode(), name="x")
    texts = [line.text for line in made.lines]
    assert texts[at - 1] == "NEW"
    assert texts[: at - 1] + texts[at:] == [line.text for line in raw.lines]


@settings(deadline=None)
@given(TEXTS, st.data())
def test_replacing_a_line_keeps_every_other_byte(text, data):
    raw = read_raw(text.encode(), name="x")
    if not raw.lines:
        return
    at = data.draw(st.integers(1, len(raw.lines)))
    same = raw.replaced(at, at, [raw.line(at)])
    assert same.encode() == raw.encode()


@pytest.mark.parametrize(
    ("data", "at", "made"),
    [
        (b"a\r\nb\r\n", 2, b"a\r\nX\r\nb\r\n"),
        (b"a\rb", 3, b"a\rb\rX"),
        (b"a\nb", 3, b"a\nb\nX"),
        (b"a\n", 2, b"a\nX\n"),
        (b"\xef\xbb\xbfa\n", 1, b"\xef\xbb\xbfX\na\n"),
        (b"", 1, b"X\n"),
    ],
)
def test_a_new_line_ends_as_its_neighbours_do(data, at, made):
    assert read_raw(data, name="x").inserted(at, ["X"]).encode() == made


def test_several_lines_may_become_others():
    raw = read_raw(b"a\nb\r\nc\nd", name="x")
    assert raw.replaced(2, 3, ["X"]).encode() == b"a\nX\r\nd"
    assert raw.replaced(2, 4, ["X", "Y"]).encode() == b"a\nX\r\nY"
    assert raw.replaced(4, 4, []).encode() == b"a\nb\r\nc\n"
    assert (raw.line(2), raw.line(9)) == ("b", "")


def test_bytes_that_are_no_text_are_refused_with_the_name():
    with pytest.raises(InvalidInput, match=r"docs/x\.md is not UTF-8 \(byte 3\)"):
        read_raw(b"ab\xff", name="docs/x.md")


def test_a_diff_shows_what_changed_and_nothing_for_line_ends_alone():
    assert diff(b"a\nb\nc\n", b"a\nX\nc\n", name="f").splitlines() == [
        "--- f", "+++ f", "@@ -1,3 +1,3 @@", " a", "-b", "+X", " c",
    ]  # fmt: skip
    assert diff(b"a\r\n", b"a\n", name="f") == ""
