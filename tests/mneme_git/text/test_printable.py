from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.printable import one_line, printable, text_of


def test_what_a_terminal_obeys_is_escaped_and_line_ends_stay():
    assert printable("a\x1b[2J\x01\r\x9b\u202eb\n\tc") == "a\\x1b[2J\\x01\\r\\x9b\\u202eb\n\tc"


def test_a_one_line_text_keeps_to_its_line():
    assert one_line("a\nb\tc\u2028") == "a\\nb\\tc\\u2028"


def test_a_text_has_as_many_lines_as_it_was_made_of():
    assert text_of(["a\nb", "c\x1b"]) == "a\\nb\nc\\x1b"


@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S"))))
@settings(deadline=None)
def test_ordinary_text_stays_as_it_is(text):
    assert printable(text) == one_line(text) == text


def test_commands_print_no_control_of_a_record(repo):
    assert repo.mneme_process("init", "--yes").code == 0
    told = repo.mneme_process("add_decision", "--id", "a\n[b] c", "--decision", "x\x1b[2J\n[d] e\u202e")
    assert told.out == "Added decision [a\\n[b] c]\n"
    assert repo.mneme_process("list_decisions").out == "[a\\n[b] c] x\\x1b[2J\\n[d] e\\u202e\n"
    assert "\x1b" not in repo.mneme_process("decision", "show", "a").out
