from hypothesis import given
from hypothesis import strategies as st

from mneme_git.text.order import natural_key


def test_numbers_count_as_numbers():
    names = ["ADR-10", "ADR-2", "0001", "ADR-02", "a", "ADR-2a", "", "B"]
    assert sorted(names, key=natural_key) == ["", "0001", "ADR-02", "ADR-2", "ADR-2a", "ADR-10", "B", "a"]


@given(st.lists(st.text()))
def test_it_is_a_total_order_that_does_not_depend_on_the_input_order(names):
    assert sorted(names, key=natural_key) == sorted(names[1:] + names[:1], key=natural_key)


@given(st.text(), st.text())
def test_only_equal_names_have_equal_keys(one, other):
    assert (natural_key(one) == natural_key(other)) == (one == other)
