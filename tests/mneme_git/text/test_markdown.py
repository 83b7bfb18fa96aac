import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.markdown import normal_newlines, parse, split_front_matter


def headings(text):
    return [(h.level, h.text, h.line) for h in parse(text).headings]


def prose(text):
    return [line for line in parse(text).shown if line.strip()]


def test_headings_carry_their_level_text_and_line():
    assert headings("# One\n\ntext\n## Two ##\n###### Six\n") == [(1, "One", 1), (2, "Two", 4), (6, "Six", 5)]


def test_line_numbers_count_from_where_the_text_stands_in_its_file():
    assert [h.line for h in parse("\n# One", first_line=8).headings] == [9]


def test_a_heading_needs_a_blank_after_its_marks_and_at_most_three_before():
    assert headings("#One\n####### Seven\n    # Four blanks\n   # Three\n#") == [(1, "Three", 4), (1, "", 5)]


def test_a_line_with_a_line_of_marks_below_is_a_heading():
    assert headings("Title\n=====\n\nPart\n----\n") == [(1, "Title", 1), (2, "Part", 4)]


@pytest.mark.parametrize(
    "text", ["a\nb\n---\n", "- item\n---\n", "\n---\n", "> quote\n---\n", "| a |\n---\n"]
)
def test_a_rule_below_something_else_makes_no_heading(text):
    assert headings(text) == []


@pytest.mark.parametrize(
    "fenced",
    [
        "```\n# no\n```\n# yes",
        "~~~ text\n# no\n~~~~\n# yes",
        "````\n```\n# no\n````\n# yes",
        "   ```text\n   # no\n   ```\n# yes",
        "1. item\n\n   ```text\n   # no\n   ```\n# yes",
        "- ```\n  # no\n  ```\n# yes",
        "> ```\n> # no\n# yes",
        "        ```\n# no\n        ```\n# yes",
    ],
)
def test_nothing_in_a_code_fence_is_a_heading(fenced):
    assert [text for _, text, _ in headings(fenced)] == ["yes"]


def test_indented_code_that_shows_one_fence_opens_none():
    assert headings("    ```\n\n# yes") == [(1, "yes", 3)]


def test_a_run_of_backticks_in_a_sentence_opens_no_fence():
    assert headings("``` a ``` b\n# yes") == [(1, "yes", 2)]


@pytest.mark.parametrize(
    "commented",
    [
        "<!-- # no -->\n# yes",
        "<!--\n# no\n\n# no\n-->\n# yes",
        "<!-- a --><!-- b -->\n# yes",
        "text <!-- # no\n# no --> more\n# yes",
        "<!-->\n# yes",
    ],
)
def test_nothing_in_a_comment_is_a_heading(commented):
    assert [text for _, text, _ in headings(commented)] == ["yes"]


def test_a_comment_is_cut_out_of_its_line():
    assert prose("## Links <!-- optional -->") == ["## Links "]
    assert headings("## Links <!-- optional -->") == [(2, "Links", 1)]


def test_a_comment_mark_in_code_or_behind_a_backslash_is_text():
    assert prose("a `<!--` b\n\\<!-- c\n# d") == ["a `<!--` b", "\\<!-- c", "# d"]


def test_a_comment_that_a_paragraph_does_not_close_is_text():
    assert headings("a <!-- b\n\n# yes\n\n-->") == [(1, "yes", 3)]


def test_a_fence_or_comment_that_nothing_closes_is_told():
    assert parse("a\n```\nb").unclosed.line == 2
    assert parse("a\n\n<!--\nb").unclosed.kind == "HTML comment"
    assert parse("```\n```\n<!-- -->").unclosed is None


def test_front_matter_ends_at_the_next_line_of_three_dashes_blanks_allowed():
    front = split_front_matter(" --- \na: 1\n  ---\nbody\n")
    assert (front.yaml, front.body, front.yaml_line, front.body_line) == ("a: 1\n", "body\n", 2, 4)


def test_front_matter_must_begin_on_the_first_line():
    assert split_front_matter("\n---\na: 1\n---\n") is None
    assert split_front_matter("") is None


def test_front_matter_without_an_end_is_told():
    assert not split_front_matter("---\na: 1\n").is_closed


def test_an_empty_front_matter_is_one():
    front = split_front_matter("---\n---")
    assert (front.yaml, front.body, front.is_closed) == ("", "", True)


def test_lines_of_the_body_are_counted_as_editors_count_them():
    front = split_front_matter("---\na: \u2028b\x0cc\n---\n# T")
    assert front.body_line == 4
    assert parse(front.body, first_line=front.body_line).headings[0].line == 4


def test_every_newline_becomes_lf():
    assert normal_newlines("a\r\nb\rc\n\r") == "a\nb\nc\n\n"


markup = st.text(st.sampled_from("#`~<>!- \n\t=|*[]()aé"), max_size=200)


@settings(deadline=None, max_examples=300)
@given(markup)
def test_every_line_is_kept_and_each_has_a_kind(text):
    document = parse(text)
    assert "\n".join(document.lines) == text
    assert len(document.lines) == len(document.shown) == len(document.kinds)
    assert all(
        kind == "text" or not shown for kind, shown in zip(document.kinds, document.shown, strict=True)
    )


@pytest.mark.parametrize(
    "hostile",
    [
        " " * 60_000,
        "#" + " " * 60_000 + "x",
        "[" * 20_000,
        "<!--" * 15_000,
        "<!--a-->" * 8_000,
        "`" * 60_000,
        "".join("`" * (n % 300) + "a<!--" for n in range(1_000)),
        "    ```a\n" * 8_000,
        "- " * 30_000,
        "a <!-- b\n" * 8_000,
        "> ```\n" * 8_000,
        "a\n---\n" * 8_000,
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(hostile):
    started = time.process_time()
    parse(hostile)
    split_front_matter("---\n" + hostile)
    assert time.process_time() - started < 1
