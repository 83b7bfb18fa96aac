from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.front_matter_edit import scalar, with_item, with_renamed_item, with_value
from mneme_git.errors import Refused
from mneme_git.text.raw_lines import read_raw


def front(*lines, end="\n", body="# T\n"):
    return end.join(["---", *lines, "---", ""]) + body


def edited(change, text, *args):
    return change(read_raw(text.encode(), name="x"), *args).encode().decode()


def fields(text):
    return yaml.safe_load(text.split("---")[1])


@settings(deadline=None)
@given(st.text(max_size=12), st.sampled_from(["", '"', "'"]))
def test_a_value_is_written_so_that_yaml_reads_the_very_text(text, mark):
    text = "".join(char for char in text if not 0xD800 <= ord(char) <= 0xDFFF)
    written = scalar(text, mark)
    assert "\n" not in written
    assert yaml.safe_load(f"key: {written}") == {"key": text}


@pytest.mark.parametrize(
    "text",
    ["yes", "No", "null", "~", "1.10", "007", "0x1F", "1_000", "12:30:45", "2024-01-01", ".5", "1e3", "-x", "? y",
     "a: b", "a #b", "a:", "[x]", "{x}", "*x", "&x", "!x", "|", ">", "%x", "@x", "`x`", "'x'", '"x"', "---", "..."],
)  # fmt: skip
def test_what_yaml_would_take_for_something_else_is_put_in_quotes(text):
    assert yaml.safe_load(f"key: {scalar(text)}") == {"key": text}


def test_a_value_is_replaced_in_its_line_with_its_quotes_and_comment():
    text = front("id: ADR-1", "status:  'accepted'   # since May", "date: 2024-01-01")
    assert edited(with_value, text, "status", "superseded") == front(
        "id: ADR-1", "status:  'superseded'", "date: 2024-01-01"
    )
    plain = front("status: accepted  # since May")
    assert edited(with_value, plain, "status", "superseded") == front("status: superseded  # since May")


def test_a_value_over_several_lines_is_replaced_as_a_whole():
    text = front("status: >", "  accepted", "", "  by all", "date: 2024-01-01")
    assert edited(with_value, text, "status", "superseded") == front("status: superseded", "date: 2024-01-01")


def test_a_key_that_is_not_there_becomes_the_last_line_and_line_ends_are_kept():
    text = front("parent: Decisions", end="\r\n")
    assert edited(with_value, text, "status", "superseded by [ADR-2](0002-x.md)") == front(
        "parent: Decisions", "status: superseded by [ADR-2](0002-x.md)", end="\r\n"
    )


def test_a_key_inside_another_value_is_no_key():
    text = front("note:", "  status: accepted", "my-status: x")
    assert fields(edited(with_value, text, "status", "superseded")) == {
        "note": {"status": "accepted"}, "my-status": "x", "status": "superseded",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        (["id: x"], ["id: x", "supersedes: [ADR-1]"]),
        (["supersedes: []"], ["supersedes: [ADR-1]"]),
        (["supersedes:"], ["supersedes: [ADR-1]"]),
        (["supersedes: null"], ["supersedes: [ADR-1]"]),
        (["supersedes: [ADR-7]  # old"], ["supersedes: [ADR-7, ADR-1]  # old"]),
        (["supersedes: [ADR-7, ]"], ["supersedes: [ADR-7, ADR-1]"]),
        (["supersedes: ADR-7"], ["supersedes: [ADR-7, ADR-1]"]),
        (["supersedes:", "  - ADR-7", "", "id: x"], ["supersedes:", "  - ADR-7", "  - ADR-1", "", "id: x"]),
        (["supersedes:", "- ADR-7", "id: x"], ["supersedes:", "- ADR-7", "- ADR-1", "id: x"]),
    ],
)
def test_an_item_is_added_in_the_notation_of_the_list(lines, made):
    assert edited(with_item, front(*lines), "supersedes", "ADR-1") == front(*made)


def test_an_odd_item_is_quoted_in_a_list():
    text = edited(with_item, front("id: x"), "supersedes", "a, b]")
    assert fields(text)["supersedes"] == ["a, b]"]


def test_a_list_over_several_lines_in_brackets_is_refused():
    with pytest.raises(Refused, match="over several lines"):
        edited(with_item, front("supersedes: [ADR-7,", "  ADR-8]"), "supersedes", "ADR-1")


@pytest.mark.parametrize("text", ["# T\n", "---\nid: x\n", ""])
def test_a_file_without_a_front_matter_is_refused(text):
    with pytest.raises(Refused):
        edited(with_value, text, "status", "x")
    with pytest.raises(Refused):
        edited(with_item, text, "supersedes", "x")


def test_an_item_is_renamed_where_it_is_a_word_of_its_own():
    text = front("supersedes:", "  - ADR-10", "  - ADR-1")
    assert edited(with_renamed_item, text, "supersedes", "ADR-1", "ADR-2") == front(
        "supersedes:", "  - ADR-10", "  - ADR-2"
    )
    with pytest.raises(Refused):
        edited(with_renamed_item, front("supersedes: [ADR-10]"), "supersedes", "ADR-1", "ADR-2")
