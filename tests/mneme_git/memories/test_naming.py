import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.errors import AmbiguousId, InvalidInput, NotFound
from mneme_git.memories.naming import Names

ONE = "12345678" + "a" * 24
TWO = "12345678" + "a" * 4 + "b" * 20
OTHER = "deadbeef" * 4
NAMES = Names([ONE, TWO, OTHER])
HEX = st.text("0123456789abcdef", min_size=32, max_size=32)


def test_a_short_name_has_eight_digits_or_as_many_as_tell_it_apart():
    assert NAMES.short(OTHER) == "deadbeef"
    assert NAMES.short(ONE) == "12345678aaaaa"
    assert NAMES.short(TWO) == "12345678aaaab"


@given(st.lists(HEX, min_size=1, unique=True), st.data())
def test_a_short_name_finds_its_memory_and_nothing_shorter_than_it_would(known, data):
    names, name = Names(known), data.draw(st.sampled_from(known))
    short = names.short(name)
    assert names.resolve(short, {}.get) == name
    assert len(short) == 8 or len(names.beginning(short[:-1])) > 1


@given(st.lists(st.text("01", min_size=32, max_size=32), min_size=1, unique=True))
def test_short_names_differ(known):
    names = Names(known)
    assert len({names.short(name) for name in known}) == len(known)


@pytest.mark.parametrize("given", ["dead", "DEADBEEF", f" {OTHER}\n", OTHER.upper()])
def test_a_prefix_of_four_digits_or_more_is_enough_in_any_case(given):
    assert NAMES.resolve(given, {}.get) == OTHER


def test_a_prefix_of_several_names_is_refused_with_all_of_them():
    with pytest.raises(AmbiguousId) as caught:
        NAMES.resolve("1234", {}.get)
    assert caught.value.message == "'1234' fits several memories: 12345678aaaaa, 12345678aaaab"


def test_a_number_is_an_alias():
    assert NAMES.resolve(7, {7: OTHER}.get) == OTHER
    assert NAMES.resolve("7", {7: OTHER}.get) == OTHER


def test_a_text_of_digits_is_an_alias_first_and_a_prefix_then():
    assert NAMES.resolve("12345678", {12345678: OTHER}.get) == OTHER
    assert Names([ONE, OTHER]).resolve("12345678", {}.get) == ONE
    assert Names([ONE, OTHER]).resolve("1234", {1: OTHER}.get) == ONE


@pytest.mark.parametrize("given", [0, -3, 10**30, "0", "99", "99999999", "abcd", "f" * 32])
def test_what_nothing_is_called_is_not_found(given):
    with pytest.raises(NotFound, match="no memory matches"):
        NAMES.resolve(given, {1: ONE}.get)


@pytest.mark.parametrize(
    "given", ["", "abc", "dead beef", "f" * 33, "../etc", "\udc80", "٣٣٣٣", "-1", "0x1234"]
)
def test_what_is_no_id_is_refused(given):
    with pytest.raises(InvalidInput, match="is no id of a memory") as caught:
        NAMES.resolve(given, {}.get)
    caught.value.message.encode()
