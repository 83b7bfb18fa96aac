import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_status import mentions, read_relations, read_status


def lifecycle(text):
    found = read_status(text, 1).lifecycle
    return found.value if found is not None else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Accepted", "active"),
        ("accepted", "active"),
        ("**Accepted**", "active"),
        ("✅ Accepted", "active"),
        ("Accepted — 2026-05-01 · Updated — 2026-05-03", "active"),
        ("Accepted (2024-01-01), but see below", "active"),
        ("Accepted\n\nAmended by [9. Help](0009-help.md)", "active"),
        ("* Status: accepted", "active"),
        ("[Accepted](#)", "active"),
        ("~~Proposed~~ Accepted", "active"),
        ("Accepted, partially superseded by [5](0005-x.md)", "active"),
        ("Accepted. It may be superseded by ADR-9 one day", "active"),
        ("Accepted; replaced by nothing so far", "active"),
        ("proposed", "inactive"),
        ("Draft", "inactive"),
        ("Rejected by the board", "inactive"),
        ("on hold", "inactive"),
        ("Deprecated", "deprecated"),
        ("Superseded", "superseded"),
        ("Superseded by ADR-042", "superseded"),
        ("Superseded by\nADR-042", "superseded"),
        ("superseded by [ADR-0005](0005-x.md)", "superseded"),
        ("Superceded by [3. Foo](0003-foo.md)", "superseded"),
        ("Accepted\n\nSuperseded by [4. Bar](0004-bar.md)", "superseded"),
        ("", None),
        ("perhaps", None),
        ("Not accepted", None),
        ("Superseded in part by ADR-5", None),
        ("2024-01-01", None),
    ],
)
def test_a_status_means(text, expected):
    assert lifecycle(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[proposed | rejected | accepted | deprecated | … | superseded by [ADR-0005](0005-example.md)]",
        "{proposed | rejected | accepted}",
        "proposed | accepted",
        "[rejected | deprecated | … ]",
        "<status>",
        "{status}",
    ],
)
def test_a_status_that_still_offers_a_choice_is_that_of_a_template(text):
    assert read_status(text, 1).is_template


def test_a_choice_in_brackets_that_was_made_is_no_template():
    assert lifecycle("[Accepted]") == "active"


def test_a_word_of_no_format_that_is_understood_is_marked():
    assert read_status("On hold", 1).is_unusual
    assert not read_status("Draft", 1).is_unusual


def named(text):
    found = read_relations(text, 3)
    return [m.text for m in found.supersedes], [m.text for m in found.superseded_by]


@pytest.mark.parametrize(
    ("text", "older", "newer"),
    [
        ("Supersedes [1. Foo](0001-foo.md)", ["1. Foo"], []),
        ("Supercedes ADR-1 and ADR-2, ADR 3", ["ADR-1", "ADR-2", "ADR 3"], []),
        ("superseded by [[0005-x]]", [], ["0005-x"]),
        ("Superseded-by: 20200926-use-it", [], ["20200926-use-it"]),
        ("Superseded by `0005-x.md`", [], ["0005-x.md"]),
        ("**Superseded by** [ADR-7](7.md). Supersedes #3", ["3"], ["ADR-7"]),
        ("This supersedes nothing", ["nothing"][:0], []),
        ("Partly superseded by ADR-3", [], []),
        ("Supersedes: ADR-0022 — **serving mode only** (the rest stands)", [], []),
        ("Supersedes: ADR-0085 decision #3 (metadata)", [], []),
        ("Supersedes [ADR-0096](0096.md) (basis only; the price stands)", [], []),
        ("Superseded by [ADR-0013](13.md) (2026-05-24). It was the only way.", [], ["ADR-0013"]),
        ("will be superseded by ADR-3", [], []),
        ("does not mean that it supersedes", [], []),
    ],
)
def test_relations_are_read_in_both_directions(text, older, newer):
    found_older, found_newer = named(text)
    assert ([text.lstrip("#") for text in found_older], found_newer) == (older, newer)


def test_a_link_keeps_its_target_and_line():
    [mention] = mentions(' [ADR-0005](0005-x.md#why "title") and so on', 7)
    assert (mention.text, mention.target, mention.line) == ("ADR-0005", "0005-x.md#why", 7)


@settings(deadline=None, max_examples=300)
@given(st.text(st.sampled_from("superseded by[]()<>|*_`~ADR-0123456789,; \n#"), max_size=150))
def test_any_text_is_a_status_or_none(text):
    read_status(text, 1)


@pytest.mark.parametrize(
    "hostile",
    ["[" * 20_000, "superseded by " * 4_000, "superseded by [a](b)" * 3_000, "superseded" + " " * 60_000, "~~" * 30_000,
     "*" * 60_000, "a|" * 30_000, "superseded by " + "1," * 30_000, "superseded by a-" + "a-" * 30_000, "_" * 60_000],
)  # fmt: skip
def test_hostile_text_takes_no_longer_than_its_length(hostile):
    started = time.process_time()
    read_status(hostile, 1)
    assert time.process_time() - started < 2
