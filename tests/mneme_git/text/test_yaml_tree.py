import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.yaml_tree import (
    Listing,
    Mapping,
    Scalar,
    YamlProblem,
    parse_yaml,
    repeated_keys,
    type_name,
)


def values(text):
    tree = parse_yaml(text)
    assert isinstance(tree, Mapping)
    return {key.text: node for key, node in tree.pairs}


@pytest.mark.parametrize("text", ["yes", "1.10", "2025-01-31", "2025-13-45", "0x1F", "012", "=", "on"])
def test_a_plain_scalar_stays_as_it_is_written(text):
    found = values(f"k: {text}")["k"]
    assert found.text == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("yes", "other"),
        ("'yes'", "text"),
        ("~", "null"),
        ("", "null"),
        ("null", "null"),
        ("'~'", "text"),
        ("abc", "text"),
        ("!!str 1", "text"),
        ("1", "other"),
    ],
)
def test_a_scalar_tells_what_yaml_takes_it_for(text, kind):
    assert values(f"k: {text}")["k"].kind == kind


def test_lines_are_those_of_the_file():
    tree = parse_yaml("a: 1\nb:\n  - x\n  - y\n", first_line=10)
    assert [key.line for key, _ in tree.pairs] == [10, 11]
    assert [item.line for item in tree.pairs[1][1].items] == [12, 13]


def test_an_alias_is_the_node_it_names():
    found = values("a: &x [1]\nb: *x\n")
    assert found["a"] is found["b"]
    assert isinstance(found["b"], Listing)


def test_every_repetition_of_a_key_is_told_at_its_place():
    tree = parse_yaml("a: 1\nb: 2\na: 3\na: 4\n")
    assert [(key.text, key.line) for key in repeated_keys(tree)] == [("a", 3), ("a", 4)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [", 1),
        ("a: 1\nb: c: d", 2),
        ("a: *x", 1),
        ("a: 1\n---\nb: 2", 2),
        ("a: 1\nb: \x07", 2),
        ("\ta: b", 1),
    ],
)
def test_what_is_not_yaml_is_refused_with_its_line(text, line):
    with pytest.raises(YamlProblem) as raised:
        parse_yaml(text)
    assert raised.value.line == line


def test_depth_is_limited():
    with pytest.raises(YamlProblem):
        parse_yaml("\n".join("  " * n + "a:" for n in range(40)))


def test_an_alias_bomb_costs_nothing():
    text = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
    )
    started = time.process_time()
    assert len(values(text)) == 30
    assert time.process_time() - started < 1


def test_an_empty_document_is_nothing():
    assert parse_yaml("") is None
    assert parse_yaml("# only a comment\n") is None


def test_kinds_have_names_for_people():
    assert [type_name(node) for node in (Scalar("a", "text", 1), Scalar("", "null", 1), Listing([], 1), Mapping([], 1))] == [
        "a single value", "nothing", "a list", "a mapping"]  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.text(st.sampled_from("abc:-[]{}&*!|>'\"#%@` \n\t\x00é?,"), max_size=60))
def test_any_text_is_a_tree_or_a_problem(text):
    with contextlib.suppress(YamlProblem):
        parse_yaml(text)


@pytest.mark.parametrize(
    "hostile", ["[" * 20_000, "a: " * 20_000, "- " * 20_000, "{" * 20_000, " " * 60_000, "a:\n" * 10_000]
)
def test_hostile_text_takes_no_longer_than_its_length(hostile):
    started = time.process_time()
    with contextlib.suppress(YamlProblem):
        parse_yaml(hostile)
    assert time.process_time() - started < 1
