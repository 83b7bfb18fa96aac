import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.text.places import Places


@given(st.text(alphabet="ab\n", max_size=40), st.data())
def test_lines_and_columns_count_from_one(text, data):
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset].split("\n")
    assert Places(text).line_column(offset) == (len(before), len(before[-1]) + 1)


@pytest.mark.parametrize(
    ("text", "offset", "snippet"),
    [
        ("a\n  b c \nd", 4, "b c"),
        ("only", 0, "only"),
        ("x\x1b[31mred\u202e", 0, "x\ufffd[31mred\ufffd"),
        ("a\tb", 0, "a\tb"),
    ],
)
def test_a_snippet_is_the_line_without_what_a_terminal_would_obey(text, offset, snippet):
    assert Places(text).snippet(offset) == snippet


def test_a_snippet_of_a_long_line_is_cut_around_the_place():
    line = "x" * 500 + "HIT" + "y" * 500
    snippet = Places(line).snippet(500)
    assert "HIT" in snippet
    assert len(snippet) <= 162
    assert (snippet[0], snippet[-1]) == ("…", "…")
