from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_edit import plan_supersede, relative_path
from mneme_git.decisions.adr_read import read_file
from mneme_git.errors import Refused
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.decision import Lifecycle


def adr(path, text):
    data = text if isinstance(text, bytes) else text.encode()
    outcome = read_file(AdrSource(path=path, data=data))
    assert outcome.adr is not None, outcome
    return outcome.adr


def nygard(title, status="Accepted", after=""):
    return f"# {title}\n\nDate: 2016-02-12\n\n## Status\n\n{status}\n\n## Context\n\nWords.\n{after}"


OLD_NYGARD = adr("doc/adr/0001-use-x.md", nygard("1. Use X"))
NEW_NYGARD = adr("doc/adr/0002-use-y.md", nygard("2. Use Y"))
NEW_MADR = adr("adr/0005-use-y.md", "---\nstatus: accepted\n---\n# Use Y\n\n## Decision Outcome\n\nY\n")
NEW_LINE = adr("adr/20240101-use-y.md", "# Use Y\n\n- Status: accepted\n\n## Decision Outcome\n\nY\n")


def front(number, status="accepted", extra="", body="\n## Context\n\nWords.\n"):
    return (
        f"---\nid: ADR-{number}\ntitle: Use {number}\nstatus: {status}\npriority: normal\ndate: 2024-01-01\n"
        f"{extra}---\n{body}"
    )


NEW_FORMAT = adr("adr/ADR-002-y.md", front("002"))


def changed(edits):
    """Return per file the lines that went and the lines that came."""
    found = {}
    for edit in edits:
        old, new = edit.before.decode().split("\n"), edit.after.decode().split("\n")
        found[edit.path] = ([x for x in old if x not in new], [x for x in new if x not in old])
    return found


def old_lines(old_text, new=NEW_MADR, path="adr/0001-use-x.md"):
    return changed(plan_supersede(adr(path, old_text), new))[path]


def test_nygard_files_get_one_line_each():
    assert changed(plan_supersede(OLD_NYGARD, NEW_NYGARD)) == {
        "doc/adr/0001-use-x.md": (["Accepted"], ["Superseded by [2. Use Y](0002-use-y.md)"]),
        "doc/adr/0002-use-y.md": ([], ["Supersedes [1. Use X](0001-use-x.md)"]),
    }
    assert plan_supersede(OLD_NYGARD, NEW_NYGARD)[1].after.decode() == nygard(
        "2. Use Y", "Accepted\n\nSupersedes [1. Use X](0001-use-x.md)"
    )


def test_the_front_matter_format_gets_its_own_words_and_a_list():
    old = adr("adr/ADR-001-x.md", front("001", body="\n**Status:** Accepted  \n**Date:** x\n\n## Context\n"))
    assert changed(plan_supersede(old, NEW_FORMAT)) == {
        "adr/ADR-001-x.md": (
            ["status: accepted", "**Status:** Accepted  "],
            ["status: superseded", "**Status:** Superseded by [ADR-002](ADR-002-y.md)  "],
        ),
        "adr/ADR-002-y.md": ([], ["supersedes: [ADR-001]"]),
    }


@pytest.mark.parametrize(
    ("text", "gone", "come"),
    [
        ("---\nstatus: accepted\n---\n# X\n\n## Context\n", "status: accepted", "status: superseded by {}"),
        ('---\nstatus: "accepted"\n---\n# X\n\n## Context\n', 'status: "accepted"', 'status: "superseded by {}"'),
        ("---\nparent: D\n---\n# X\n\n## Decision Outcome\n", None, "status: superseded by {}"),
        ("# X\n\n* Status: accepted\n* Date: x\n\n## Context\n", "* Status: accepted", "* Status: superseded by {}"),
        (
            "# X\n\n- Status: accepted <!-- optional -->\n\n## Context\n",
            "- Status: accepted <!-- optional -->",
            "- Status: superseded by {} <!-- optional -->",
        ),
        ("# X\n\n| Status | Accepted |\n\n## Context\n", "| Status | Accepted |", "| Status | Superseded by {} |"),
        ("# X\n\n> **Status**: *accepted*\n\n## Context\n", "> **Status**: *accepted*", "> **Status**: *superseded by {}*"),
        ("# X\n\n**Status: Accepted**\n\n## Context\n", "**Status: Accepted**", "**Status: Superseded by {}**"),
        ("Xy\n==\n\nStatus\n------\n\n* Accepted\n\nContext\n-------\n", "* Accepted", "* Superseded by {}"),
        ("# X\n\n## Status\n\n✅ Accepted since 2020\n\n## Context\n", "✅ Accepted since 2020", "Superseded by {}"),
        ("# X\n\n## Status\n\nProposed\n\n## Context\n", "Proposed", "Superseded by {}"),
    ],
)  # fmt: skip
def test_a_status_is_changed_where_and_as_it_is_written(text, gone, come):
    went, came = old_lines(text)
    assert went == ([gone] if gone else [])
    assert came == [come.format("[ADR-0005](0005-use-y.md)")]


def test_a_status_without_a_place_gets_a_line_below_the_title():
    edit = plan_supersede(adr("adr/0001-x.md", "# X\n\n## Decision Outcome\n\nX\n"), NEW_MADR)[0]
    assert edit.after.decode() == (
        "# X\n\n- Status: superseded by [ADR-0005](0005-use-y.md)\n\n## Decision Outcome\n\nX\n"
    )


def test_an_empty_status_section_cannot_be_read_and_so_not_edited():
    assert read_file(AdrSource(path="adr/0001-x.md", data=b"# X\n\n## Status\n\n## Context\n")).adr is None


def test_a_status_line_that_runs_on_is_replaced_as_a_whole():
    went, came = old_lines(
        "# X\n\n* Status: accepted in the meeting\n  of all teams\n* Date: x\n\n## Context\n"
    )
    assert went == ["* Status: accepted in the meeting", "  of all teams"]
    assert came == ["* Status: superseded by [ADR-0005](0005-use-y.md)"]


def test_a_relation_on_the_status_line_is_kept():
    went, came = old_lines(
        nygard("3. X", "Accepted, supersedes [1. A](0001-a.md)"), NEW_NYGARD, "doc/adr/0003-x.md"
    )
    assert came == ["Superseded by [2. Use Y](0002-use-y.md), supersedes [1. A](0001-a.md)"]
    assert len(went) == 1


def test_other_lines_of_the_status_section_stay():
    text = nygard("3. X", "Accepted\n\nAmends [1. A](0001-a.md)")
    went, came = old_lines(text, NEW_NYGARD, "doc/adr/0003-x.md")
    assert (went, len(came)) == (["Accepted"], 1)


def test_windows_line_ends_and_a_byte_order_mark_stay():
    old = adr("doc/adr/0001-use-x.md", b"\xef\xbb\xbf" + nygard("1. Use X").replace("\n", "\r\n").encode())
    edit = plan_supersede(old, NEW_NYGARD)[0]
    assert edit.after == edit.before.replace(b"Accepted\r\n", b"Superseded by [2. Use Y](0002-use-y.md)\r\n")


def test_the_new_file_gets_its_relation_where_it_keeps_links():
    with_links = adr(
        "adr/0006-z.md", "# Z\n\n* Status: accepted\n\n## Decision Outcome\n\nZ\n\n## Links\n\n* see x\n\n"
    )
    old = adr("adr/0001-use-x.md", "# Use X\n\n* Status: accepted\n\n## Decision Outcome\n\nX\n")
    edit = plan_supersede(old, with_links)[1]
    assert edit.after.decode().endswith("## Links\n\n* see x\n* Supersedes [ADR-0001](0001-use-x.md)\n\n")
    bare = plan_supersede(old, NEW_MADR)[1].after.decode()
    assert bare.endswith("Y\n\n## More Information\n\n- Supersedes [ADR-0001](0001-use-x.md)\n")
    line = plan_supersede(old, NEW_LINE)[1].after.decode()
    assert line.endswith("Y\n\n## Links\n\n- Supersedes [ADR-0001](0001-use-x.md)\n")


def test_files_without_numbers_are_linked_by_their_names():
    old = adr("adr/20230101-use-x.md", "# Use X\n\n- Status: accepted\n\n## Decision Outcome\n\nX\n")
    assert changed(plan_supersede(old, NEW_LINE))["adr/20230101-use-x.md"][1] == [
        "- Status: superseded by [20240101-use-y](20240101-use-y.md)"
    ]


def test_a_link_to_another_folder_is_relative():
    old = adr("docs/api/adr/0001-use-x.md", nygard("1. Use X"))
    came = changed(plan_supersede(old, NEW_NYGARD))["docs/api/adr/0001-use-x.md"][1]
    assert came == ["Superseded by [2. Use Y](../../../doc/adr/0002-use-y.md)"]
    assert relative_path("a/b.md", "a/c.md") == "b.md"
    assert relative_path("b.md", "a/c.md") == "../b.md"
    assert relative_path("a/x/b.md", "a/c.md") == "x/b.md"


def test_a_title_that_would_break_a_link_is_named_by_its_file():
    new = adr("doc/adr/0002-use-y.md", nygard("2. Use `Y` [now]"))
    came = changed(plan_supersede(OLD_NYGARD, new))["doc/adr/0001-use-x.md"][1]
    assert came == ["Superseded by [0002-use-y](0002-use-y.md)"]


def test_saying_it_twice_changes_nothing():
    first = plan_supersede(OLD_NYGARD, NEW_NYGARD)
    old, new = (adr(edit.path, edit.after) for edit in first)
    assert plan_supersede(old, new) == ()


def test_what_cannot_be_is_refused():
    superseded = adr("doc/adr/0003-z.md", nygard("3. Z", "Superseded by [9. Q](0009-q.md)"))
    circle = adr("doc/adr/0004-c.md", nygard("4. C", "Accepted\n\nSupersedes [2. Use Y](0002-use-y.md)"))
    for old, new, word in (
        (OLD_NYGARD, OLD_NYGARD, "itself"),
        (OLD_NYGARD, superseded, "succeeds nothing"),
        (superseded, NEW_NYGARD, "superseded already"),
        (circle, NEW_NYGARD, "circle"),
    ):
        with pytest.raises(Refused, match=word):
            plan_supersede(old, new)


def test_a_successor_that_is_written_in_an_unusual_way_is_refused_and_not_broken():
    old = adr("adr/ADR-001-x.md", front("001"))
    new = adr("adr/ADR-002-y.md", front("002", extra="supersedes: [ADR-000,\n  ADR-100]\n"))
    with pytest.raises(Refused, match="over several lines"):
        plan_supersede(old, new)


STATUSES = st.sampled_from(
    ["Accepted", "accepted", "**Accepted**", "_proposed_", "Accepted on 2020-01-01", "On hold"]
)
PLACES = st.sampled_from(
    [
        "# T\n\n## Status\n\n{}\n\n## Context\n\nx\n",
        "# T\n\n## Status\n\n* {}\n\n## Context\n",
        "# T\n\n* Status: {}\n\n## Context\n\nx",
        "# T\n\n**Status:** {}  \n**Date:** 2020\n\n## Context\n",
        "# T\n\n| Status | {} |\n| Date | 2020 |\n\n## Context\n",
    ]
)


@settings(deadline=None)
@given(STATUSES, PLACES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_whatever_the_place_one_line_changes_and_the_file_reads_as_superseded(status, place, end, has_bom):
    data = (b"\xef\xbb\xbf" if has_bom else b"") + place.format(status).replace("\n", end).encode()
    old = adr("adr/0001-use-x.md", data)
    edit = plan_supersede(old, NEW_MADR)[0]
    before, after = edit.before.split(end.encode()), edit.after.split(end.encode())
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    assert adr("adr/0001-use-x.md", edit.after).status.lifecycle is Lifecycle.SUPERSEDED
