import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.errors import InvalidInput
from mneme_git.memories import limits
from mneme_git.model.memory import MemoryKind, MemoryScope


@pytest.mark.parametrize(
    "body",
    ["", " ", "\n\r\n\t", "\u00a0\u3000\u2028", "\u200b\u200d\ufeff", "\u00ad\u2060 \u180e", "\u3164\u2800"],
)
def test_a_body_in_which_nothing_is_to_be_seen_is_refused(body):
    with pytest.raises(InvalidInput, match="body must not be empty"):
        limits.check_body(body)


@pytest.mark.parametrize("body", ["\0", "x", " \n.\n ", "👩‍👩‍👧", "\u200bא", "\x1b[0m", "é", "\ufffd", "0"])
def test_a_body_in_which_something_is_to_be_seen_is_taken(body):
    limits.check_body(body)


@given(st.text(min_size=1).filter(str.strip))
def test_only_what_unicode_shows_as_nothing_is_blank(text):
    visible = [one for one in text if limits.is_blank(one) is False]
    assert limits.is_blank(text) == (not visible)


def test_a_body_is_counted_in_code_points():
    limits.check_body("👩" * 16_000)
    with pytest.raises(InvalidInput, match="body has 16001 characters, the most is 16000"):
        limits.check_body("👩" * 16_001)


@pytest.mark.parametrize("text", ["a\ud800", "\udfffx", "ok \udc80 bytes"])
def test_half_a_pair_is_refused_with_its_place(text):
    with pytest.raises(InvalidInput, match=r"not valid Unicode: half a pair, \\ud[0-9a-f]{3}, at character"):
        limits.check_body(text)


def test_lists_are_limited_in_length_and_in_each_item():
    limits.check_list("tags", ["x" * 256] * 64)
    with pytest.raises(InvalidInput, match="tags has 65 items, the most is 64"):
        limits.check_list("tags", ["x"] * 65)
    with pytest.raises(InvalidInput, match="tags, item 2, has 257 characters, the most is 256"):
        limits.check_list("tags", ["x", "x" * 257])
    with pytest.raises(InvalidInput, match="files, item 1, is not valid Unicode"):
        limits.check_list("files", ["\udc80.py"])


def test_words_are_told_where_one_is_wrong():
    assert limits.kind_of("todo") is MemoryKind.TODO
    assert limits.scope_of("global") is MemoryScope.GLOBAL
    with pytest.raises(InvalidInput) as kind:
        limits.kind_of("Todo\udc80")
    assert kind.value.hint == "kind must be one of: decision, gotcha, learning, todo"
    with pytest.raises(InvalidInput) as scope:
        limits.scope_of("weird")
    assert scope.value.hint == "scope must be one of: project, global"
    kind.value.message.encode()


def test_a_long_blank_text_is_seen_at_once():
    assert limits.is_blank(" \u200b" * 500_000)
    assert not limits.is_blank(" \u200b" * 500_000 + "x")
