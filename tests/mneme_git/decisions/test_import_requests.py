import pytest

from mneme_git.decisions.import_requests import Requests, parse_requests
from mneme_git.errors import InvalidInput

VERSION = "dver-" + "0" * 32
OTHER = "dver-" + "1" * 32
CHANGE = {"apply": True, "update_existing": True}


def parsed(*, any_id=False, **asked):
    return parse_requests(Requests(**asked), any_id=any_id)


def test_what_is_asked_for_goes_into_the_options():
    options = parsed(**CHANGE, pins=(f"ADR-2={OTHER}", f"ADR-1={VERSION}"), preserve=("r1",), release=("r2",))
    assert options.pins == (("ADR-1", VERSION), ("ADR-2", OTHER))
    assert (options.preserve, options.release, options.update_existing) == (("r1",), ("r2",), True)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (
            {**CHANGE, "pins": ("ADR-1",)},
            "--expected-predecessor 'ADR-1' must be ADR-ID=dver-<32 hex> (for example ADR-012=dver-0123...)",
        ),
        (
            {**CHANGE, "pins": (f"use-x={VERSION}",)},
            f"--expected-predecessor 'use-x={VERSION}' must be ADR-ID=",
        ),
        (
            {**CHANGE, "pins": (f"ADR-1={VERSION}", f"ADR-1={OTHER}")},
            "--expected-predecessor names ADR-1 more than once",
        ),
        (
            {"apply": True, "pins": (f"ADR-1={VERSION}",)},
            "--expected-predecessor is valid only with --apply --update-existing",
        ),
        (
            {**CHANGE, "preserve": ("b", "b", "a", "a")},
            "--preserve-protection names ['a', 'b'] more than once",
        ),
        ({**CHANGE, "release": ("a", "a")}, "--release-protection names ['a'] more than once"),
        (
            {**CHANGE, "preserve": ("a",), "release": ("a",)},
            "['a'] named by both --preserve-protection and --release-protection",
        ),
        (
            {"update_existing": True, "release": ("a",)},
            "--preserve-protection and --release-protection are valid only with --apply --update-existing",
        ),
    ],
)
def test_a_wrong_request_is_told_in_the_words_of_the_format(asked, text):
    with pytest.raises(InvalidInput) as raised:
        parsed(**asked)
    assert raised.value.message.startswith(text)


def test_a_git_store_pins_decisions_of_any_name():
    assert parsed(any_id=True, **CHANGE, pins=(f"a=b={VERSION}",)).pins == (("a=b", VERSION),)
