import pytest

from mneme_git.text.conflict_marks import conflict_at

TORN = b"a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"


def test_the_place_of_the_first_mark_is_told_whatever_the_line_ends():
    assert conflict_at(TORN) == 2
    assert conflict_at(TORN.replace(b"\n", b"\r\n")) == 3


@pytest.mark.parametrize(
    "data",
    [b"", b"a title\n=======\n", TORN.replace(b"=======", b"======"), TORN.replace(b"\n", b"\n  ")],
)
def test_a_part_of_the_marks_or_indented_marks_are_no_conflict(data):
    assert conflict_at(data) is None
