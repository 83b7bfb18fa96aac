"""The format and the configuration of a branch, merges of two included."""

import pytest

from mneme_git.model.codec import encode_state
from mneme_git.model.paths import CONFIG, FORMAT
from tests.support.branch import codes
from tests.support.files import HOME, S1, V1, only_fault, snapshot_of, version_file


def test_a_newer_format_is_warned_of_and_read():
    snapshot = snapshot_of((FORMAT, b"2\n"), (HOME, encode_state(S1)), version_file(V1))
    assert snapshot.decisions == (S1,)
    fault = only_fault(snapshot)
    assert (fault.code, fault.blocks) == ("NEWER_WRITER", False)


@pytest.mark.parametrize("text", [b"", b"one", b"-1", b"1.0", b"0\n", b"000", b"1\nmore\n"])
def test_a_format_that_is_no_number_is_named(text):
    assert codes(snapshot_of((FORMAT, text))) == ["FORMAT_UNREADABLE"]


@pytest.mark.parametrize("text", [b"9" * 5000, b"1" + b"0" * 9, b"0" * 5000 + b"2"])
def test_a_very_long_format_number_is_a_newer_one(text):
    assert codes(snapshot_of((FORMAT, text))) == ["NEWER_WRITER"]


@pytest.mark.parametrize("text", [b"1", b" 1 \r\n", b"01\n\n"])
def test_a_known_format_number_needs_no_exact_layout(text):
    assert codes(snapshot_of((FORMAT, text))) == []


def test_of_two_formats_in_a_merge_the_greater_counts():
    stages = [(FORMAT, 2, b"1\n"), (FORMAT, 3, b"2\n")]
    assert "NEWER_WRITER" in codes(snapshot_of(stages=stages))
    torn = b"<<<<<<< HEAD\n2\n=======\n1\n>>>>>>> other\n"
    assert codes(snapshot_of((FORMAT, torn))) == ["NEWER_WRITER"]


def test_a_conflict_of_two_configurations_is_named():
    stages = [(CONFIG, 2, b"[mneme]\n\tprojectId = a\n"), (CONFIG, 3, b"[mneme]\n")]
    assert codes(snapshot_of(stages=stages)) == ["CONFIG_CONFLICT"]
    torn = b"<<<<<<< HEAD\n[mneme]\n=======\n[mneme]\n>>>>>>> other\n"
    assert codes(snapshot_of((CONFIG, torn))) == ["CONFIG_CONFLICT"]
