import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.selectors import matches, selector_problem

COVERED = [
    ("**/*.md", "a.md"),
    ("**/*.md", "x/y/a.md"),
    ("docs/**", "docs"),
    ("docs/**", "docs/a/b.md"),
    ("a/**/b", "a/b"),
    ("a/**/b", "a/x/y/b"),
    ("*", "top"),
    ("*.py", ".py"),
    ("src/*.py", "src/.hidden.py"),
    ("**", "any/thing"),
    ("a*b*c", "aXbXbc"),
    ("{a,b}", "{a,b}"),
    ("~", "~"),
    ("**/a/**/b/**", "x/a/y/a/b"),
]
NOT_COVERED = [
    ("docs", "docs/a"),
    ("*", "a/b"),
    ("docs/**", "docsx/a"),
    ("DOCS/*", "docs/a"),
    ("src/*.py", "src/a/b.py"),
    ("a/**/b", "a/b/c"),
    ("a*b", "ab/b"),
    ("a.c", "abc"),
    ("**/a", "b"),
]
REASONS = [
    ("", "path selector must be a non-empty string"),
    ("a\\b", "path selector 'a\\\\b' must use forward slashes"),
    ("/a", "path selector '/a' must be repository-relative"),
    ("C:/a", "path selector 'C:/a' must be repository-relative"),
    ("!a", "path selector '!a' cannot use negation"),
    ("a?", "path selector 'a?' uses unsupported glob syntax"),
    ("[ab]", "path selector '[ab]' uses unsupported glob syntax"),
    ("a//b", "path selector 'a//b' contains an empty or dot segment"),
    ("a/", "path selector 'a/' contains an empty or dot segment"),
    ("./a", "path selector './a' contains an empty or dot segment"),
    ("a/../b", "path selector 'a/../b' contains an empty or dot segment"),
    ("a/**b", "path selector 'a/**b' may use ** only as a complete segment"),
    ("***", "path selector '***' may use ** only as a complete segment"),
    ("/a\\b", "path selector '/a\\\\b' must use forward slashes"),
]


@pytest.mark.parametrize(("selector", "path"), COVERED)
def test_a_selector_covers(selector, path):
    assert matches(selector, path)


@pytest.mark.parametrize(("selector", "path"), NOT_COVERED)
def test_a_selector_does_not_cover(selector, path):
    assert not matches(selector, path)


@pytest.mark.parametrize(("text", "reason"), REASONS)
def test_a_bad_selector_says_why_in_the_words_of_the_format(text, reason):
    assert selector_problem(text) == reason


@pytest.mark.parametrize(("text", "_path"), COVERED)
def test_a_good_selector_has_no_problem(text, _path):
    assert selector_problem(text) == ""


def as_regex(selector: str) -> str:
    whole = "/".join(
        "\0" if part == "**" else re.escape(part).replace(r"\*", "[^/]*") for part in selector.split("/")
    )
    if whole == "\0":
        return ".*"
    whole = whole.replace("/\0/", "/(?:[^/]*/)*").replace("\0/", "(?:[^/]*/)*")
    return whole.replace("/\0", "(?:/[^/]*)*")


segments = st.sampled_from(["a", "b", "ab", "*", "a*", "*b", "a*b"])


@settings(deadline=None)
@given(
    st.lists(segments, min_size=1, max_size=4), st.lists(st.sampled_from(["a", "b", "ab", "axb"]), min_size=1)
)
def test_single_stars_agree_with_the_plain_regular_expression(pattern, path):
    selector, text = "/".join(pattern), "/".join(path)
    assert matches(selector, text) == bool(re.fullmatch(as_regex(selector), text))


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "**"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=6),
)
def test_double_stars_agree_with_trying_every_split(pattern, path):
    def slow(left, right):
        if not left:
            return not right
        if left[0] == "**":
            return any(slow(left[1:], right[cut:]) for cut in range(len(right) + 1))
        return bool(right) and left[0] == right[0] and slow(left[1:], right[1:])

    assert matches("/".join(pattern), "/".join(path)) == slow(pattern, path)


def test_many_stars_cost_no_more_than_the_product_of_the_lengths():
    started = time.perf_counter()
    assert not matches("/".join(["**", "a*a*a*a*a*b"] * 30), "/".join(["a" * 60] * 60))
    assert time.perf_counter() - started < 2
