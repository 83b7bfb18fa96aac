from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_read import read_file
from mneme_git.decisions.adr_renumber import plan_renumber
from mneme_git.errors import InvalidInput, Refused
from mneme_git.model.adr_source import AdrSource

FOLDER = "docs/adr"


def nygard(title, after="", status="Accepted"):
    return f"# {title}\n\n## Status\n\n{status}\n\n## Context\n\n{after}\n"


def front(digits, extra="", body=""):
    return (
        f"---\nid: ADR-{digits}\ntitle: Use {digits}\nstatus: accepted\npriority: normal\ndate: 2024-01-01\n"
        f"{extra}---\n\n# ADR-{digits}: Use {digits}\n\n## Context\n\n{body}\n"
    )


def planned(target, number, files, taken=()):
    data = {f"{FOLDER}/{name}": text.encode() for name, text in files.items()}
    outcomes = [read_file(AdrSource(path=path, data=text)) for path, text in data.items()]
    adrs = [outcome.adr for outcome in outcomes if outcome.adr is not None]
    adr = next(adr for adr in adrs if adr.path == f"{FOLDER}/{target}")
    return plan_renumber(adr, number, data, adrs, taken)


def after(plan, name):
    return next(edit.after.decode() for edit in plan.edits if edit.path == f"{FOLDER}/{name}")


def test_the_file_its_title_and_every_link_of_the_folder_follow():
    plan = planned(
        "0005-help.md",
        7,
        {
            "0005-help.md": nygard("5. Help", "See [above](#status) and [itself](./0005-help.md#context)."),
            "0001-x.md": nygard("1. X", "a\r\n", "Superseded by [5. Help](0005-help.md)"),
            "0002-y.md": nygard(
                "2. Y", "[ADR-0005](../adr/0005-help.md#status) <0005-help.md> [h]: 0005-help.md"
            ),
            "README.md": "* [ADR-5: Help](0005-help.md)\n* [[0005-help]]\n* [other](0005-help-2.md)\n",
            "0003-z.md": nygard("3. Z", "nothing"),
        },
    )
    assert (plan.new_path, plan.was_shared) == (f"{FOLDER}/0007-help.md", False)
    assert plan.after.decode() == nygard(
        "7. Help", "See [above](#status) and [itself](./0007-help.md#context)."
    )
    assert "Superseded by [7. Help](0007-help.md)" in after(plan, "0001-x.md")
    assert after(plan, "0001-x.md").endswith("a\r\n\n")
    assert "[ADR-0007](../adr/0007-help.md#status) <0007-help.md> [h]: 0007-help.md" in after(
        plan, "0002-y.md"
    )
    assert (
        after(plan, "README.md")
        == "* [ADR-7: Help](0007-help.md)\n* [[0007-help]]\n* [other](0005-help-2.md)\n"
    )
    assert [edit.path.rsplit("/", 1)[1] for edit in plan.edits] == [
        "0007-help.md", "0001-x.md", "0002-y.md", "README.md", "0005-help.md",
    ]  # fmt: skip
    assert (plan.edits[0].before, plan.edits[0].after) == (None, plan.after)
    assert plan.edits[-1].after is None
    assert plan.left == ()


def test_what_only_looks_like_the_file_is_left_alone():
    text = (
        "https://h/docs/adr/0005-help.md other/0005-help.md x0005-help.md 0005-help-more.md\n"
        "```\n[5](0005-help.md)\n```\n"
    )
    plan = planned("0005-help.md", 7, {"0005-help.md": nygard("5. Help"), "index.md": text})
    assert len(plan.edits) == 2


def test_the_front_matter_format_changes_its_id_and_the_lists_that_name_it():
    plan = planned(
        "ADR-005-a.md",
        12,
        {
            "ADR-005-a.md": front("005"),
            "ADR-006-b.md": front(
                "006", "supersedes: [ADR-004, ADR-005]\n", "Builds on ADR-005 and ADR-0051."
            ),
        },
    )
    assert plan.after.decode() == front("005").replace("ADR-005", "ADR-012")
    assert "supersedes: [ADR-004, ADR-012]" in after(plan, "ADR-006-b.md")
    assert [(place.path.rsplit("/", 1)[1], place.text) for place in plan.left] == [
        ("ADR-006-b.md", "Builds on ADR-005 and ADR-0051.")
    ]


def test_where_two_files_have_the_number_only_links_are_certain():
    files = {
        "0005-a.md": nygard("5. A"),
        "0005-b.md": nygard("5. B", "I am ADR-5."),
        "0006-c.md": nygard(
            "6. C", "[ADR-5](0005-a.md), [ADR-5](0005-b.md), ADR-5", "Superseded by ADR-0005"
        ),
    }
    plan = planned("0005-b.md", 7, files)
    assert plan.was_shared
    made = after(plan, "0006-c.md")
    assert "[ADR-5](0005-a.md), [ADR-7](0007-b.md), ADR-5" in made
    assert "Superseded by ADR-0005" in made
    assert [place.text for place in plan.left] == [
        "Superseded by ADR-0005",
        "[ADR-5](0005-a.md), [ADR-7](0007-b.md), ADR-5",
    ]


def test_a_bare_number_in_a_relation_follows_where_it_is_certain():
    files = {"0005-a.md": nygard("5. A"), "0006-c.md": nygard("6. C", "", "Superseded by ADR-0005")}
    assert "Superseded by ADR-0007" in after(planned("0005-a.md", 7, files), "0006-c.md")


def test_a_key_that_holds_the_number_in_every_file_follows():
    def madr(number, title):
        return f"---\nparent: D\nnav_order: {number}\n---\n# {title}\n\n## Decision Outcome\n\nX\n"

    plan = planned("0001-b.md", 3, {"0000-a.md": madr(0, "A"), "0001-b.md": madr(1, "B")})
    assert plan.after.decode() == madr(3, "B")
    assert (plan.new_path, len(plan.edits)) == (f"{FOLDER}/0003-b.md", 2)


def test_a_number_that_is_not_free_or_not_there_is_refused():
    files = {"0005-a.md": nygard("5. A"), "0006-b.md": nygard("6. B")}
    for number, taken in ((5, ()), (6, (5, 6)), (9, (9,))):
        with pytest.raises(InvalidInput, match="not free"):
            planned("0005-a.md", number, files, taken)
    with pytest.raises(InvalidInput, match="has no number"):
        planned("use-a.md", 1, {"use-a.md": nygard("A")})


def test_a_file_that_would_not_read_the_same_is_refused():
    files = {"ADR-005-a.md": front("005").replace("id: ADR-005", "? id\n: ADR-005")}
    with pytest.raises(Refused, match="not edited here"):
        planned("ADR-005-a.md", 7, files)


@settings(deadline=None)
@given(
    st.sampled_from(["", "ADR-", "adr-"]),
    st.integers(1, 6),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(["\n", "\r\n"]),
)
def test_there_and_back_again_gives_every_byte_back(prefix, width, old, new, end):
    if old == new:
        return
    digits = str(old).zfill(width)
    name, other = f"{prefix}{digits}-a.md", f"{prefix}{str(150).zfill(width)}-b.md"
    files = {
        name: nygard(f"{old}. A", f"[x]({name})").replace("\n", end),
        other: nygard("150. B", f"[{old}. A]({name})").replace("\n", end),
    }
    there = planned(name, new, files)
    moved = there.new_path.rsplit("/", 1)[1]
    back = planned(moved, old, {moved: there.after.decode(), other: after(there, other)})
    if len(str(new)) <= width:  # else the name keeps the wider number
        assert back.new_path == f"{FOLDER}/{name}"
        assert back.after.decode() == files[name]
        assert after(back, other) == files[other]
