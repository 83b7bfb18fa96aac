import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mneme_git.decisions.adr_read import known_other, number_in, read_file
from mneme_git.model.adr_source import AdrSource
from tests.support.adrs import faults, folder, nygard, read, rules, source, strict

MADR = """---
status: {status}
date: 2024-01-01
decision-makers: alice
tags: [build, ci]
unknown: {{a: [b]}}
---
# Use Gradle

## Context and Problem Statement

Why?

## Decision Outcome

Chosen option: "Gradle", because it works.
"""

LOG4BRAINS = """# Use Lunr for search

- Status: accepted
- Deciders: Bob
- Date: 2020-11-03
- Tags: search, ui

Technical Story: none

## Context and Problem Statement

Why?

## Links

- Supersedes [20200926-old](20200926-old.md)
- Refines [20200927-other](20200927-other.md)
"""


def status(text, name="0001-title.md"):
    return read(text, name).status.lifecycle.value


def superseders(text):
    return [m.text for m in read(text).superseded_by]


def test_a_nygard_adr_is_read():
    adr = read(nygard("1. Record architecture decisions") + rules("redis"))
    assert (adr.title, adr.number, adr.date, adr.dialect) == (
        "Record architecture decisions",
        "0001",
        "2020-01-01",
        "headings",
    )
    assert adr.body.startswith("Date: 2020-01-01\n\n## Status")
    assert adr.body.endswith("- FORBID_LITERAL: redis\n")
    assert [rule.value for rule in adr.rules] == ["redis"]
    assert (adr.status.lifecycle.value, adr.status.line) == ("active", 7)


def test_a_madr_adr_with_front_matter_is_read():
    adr = read(MADR.format(status="accepted"))
    assert (adr.title, adr.tags, adr.date, adr.status.line) == (
        "Use Gradle",
        ("build", "ci"),
        "2024-01-01",
        2,
    )
    assert adr.body.startswith("## Context and Problem Statement")


def test_a_log4brains_adr_is_read_with_its_links():
    adr = read(LOG4BRAINS, "20201103-use-lunr.md")
    assert (adr.number, adr.tags) == ("", ("search", "ui"))
    assert [(m.text, m.target, m.line) for m in adr.supersedes] == [("20200926-old", "20200926-old.md", 16)]


def test_an_adr_of_the_format_is_read():
    adr = read(
        strict(7, "Use SQLite", scope="storage.index", supersedes="[ADR-001, ADR-002]"), "ADR-007-x.md"
    )
    assert (adr.stated_id, adr.scope, adr.priority, adr.day) == ("ADR-007", "storage.index", "normal", 739252)
    assert [m.text for m in adr.supersedes] == ["ADR-001", "ADR-002"]
    assert adr.body == "Body.\n"
    assert adr.dialect == "front-matter"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("* Status: accepted", "active"),
        ("- Status: superseded by [x](0002-x.md)", "superseded"),
        ("**Status**: Superseded by\nADR-042", "superseded"),
        ("**Status:** Accepted  \n**Date:** 2026-05-01", "active"),
        ("Status: Draft\n\nmore", "inactive"),
        ("| Status | Deprecated |\n|---|---|\n| Date | 2020 |", "deprecated"),
        ("> Status: rejected", "inactive"),
        ("## Status\n\n* Status: proposed", "inactive"),
        ("Status\n------\n\nAccepted", "active"),
        ("## Status:\n\nDeprecated", "deprecated"),
        ("### Status\nAccepted", "active"),
    ],
)
def test_every_spelling_of_a_status_is_read(head, expected):
    assert status(f"# Title\n\n{head}\n\n## Context\n\nWhy.\n") == expected


def test_what_wraps_to_the_next_line_belongs_to_the_status():
    assert superseders("# T\n\n**Status**: Superseded by\nADR-042\n\n## Context\n") == ["ADR-042"]
    assert superseders("# T\n\n- Status: superseded by\n  [x](0002-x.md)\n- Date: 2020\n\n## Context\n") == [
        "x"
    ]
    assert superseders("# T\n\nStatus: Accepted\nDate: superseded by ADR-3\n\n## Context\n") == []


def test_a_status_in_quotes_in_the_front_matter_is_read_with_its_link():
    adr = read(MADR.format(status='"superseded by [ADR-0005](0005-x.md)"'))
    assert adr.status.lifecycle.value == "superseded"
    assert [(m.text, m.target, m.line) for m in adr.superseded_by] == [("ADR-0005", "0005-x.md", 2)]


def test_relations_are_read_where_each_dialect_writes_them():
    assert superseders("# T\n\nStatus: superseded\n\nSuperseded by: [x](2.md)\n\n## Context\n") == ["x"]
    assert superseders("# T\n\n> **Superseded by [ADR-016](16.md).**\n\n## Status\n\nSuperseded\n") == [
        "ADR-016"
    ]
    assert superseders("---\nsuperseded-by: [ADR-2, 3]\nstatus: superseded\n---\n# T\n\n## Decision\n") == [
        "ADR-2",
        "3",
    ]
    links = "---\nstatus: accepted\nlinks:\n  - target: 4\n    kind: superseded-by\n---\n# T\n\n## Decision\n"
    assert superseders(links) == ["4"]
    assert superseders(
        nygard("T", more="\n## More Information\n\n* Superseded by [ADR-9](9.md),\n  see there\n")
    ) == ["ADR-9"]


def test_a_relation_in_the_prose_of_another_section_is_none():
    assert superseders(nygard("T", more="\nThis was superseded by ADR-3 in another project.\n")) == []


def test_an_adr_without_a_status_counts_as_accepted_and_that_is_remarked():
    outcome = read_file(source("0001-x.md", "# T\n\n## Decision Outcome\n\nSo.\n"))
    assert outcome.adr.status.lifecycle.value == "active"
    assert [remark.code for remark in outcome.remarks] == ["STATUS_NOT_STATED"]


def test_two_statuses_that_disagree_are_remarked():
    outcome = read_file(source("0001-x.md", "---\nstatus: accepted\n---\n# T\n\n## Status\n\nRejected\n"))
    assert outcome.adr.status.lifecycle.value == "active"
    assert [(r.code, r.line) for r in outcome.remarks] == [("STATUS_DISAGREES", 8)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (nygard("T", "[proposed | rejected | accepted | deprecated | … ]"), (7, "TEMPLATE_STATUS")),
        ("# T\n\n* Status: [proposed | accepted] <!-- optional -->\n\n## Context\n", (3, "TEMPLATE_STATUS")),
        (nygard("T", "perhaps"), (7, "BAD_STATUS")),
        (nygard("T", ""), (5, "NO_STATUS")),
        ("---\nstatus: [a, b]\n---\n# T\n\n## Context\n", (2, "BAD_STATUS")),
        (nygard("[short title of solved problem]"), (1, "TEMPLATE_TITLE")),
        (nygard("{short title}"), (1, "TEMPLATE_TITLE")),
        ("\n## Status\n\nAccepted\n", (1, "NO_TITLE")),
        ("# Meeting notes\n\nWe met.\n", (1, "NOT_AN_ADR")),
        ("just text", (1, "NOT_AN_ADR")),
        ("", (1, "EMPTY")),
        ("\n \n", (1, "EMPTY")),
        (b"# T\n\xff\n", (2, "NOT_UTF8")),
        ("# T\n\n## Status\n".encode("utf-16"), (1, "NOT_UTF8")),
        ("---\nstatus: accepted\n# T\n", (1, "FRONT_MATTER")),
        ("---\na: 1\nb: [\n---\n# T\n", (3, "FRONT_MATTER")),
        ("---\n- a\n---\n# T\n", (2, "FRONT_MATTER")),
        ("---\nstatus: accepted\nstatus: rejected\n---\n# T\n", (3, "REPEATED_KEY")),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_problem_with_its_line(text, expected):
    assert faults(text) == [expected]


def test_an_adr_of_the_format_names_every_problem_of_its_front_matter_with_its_line():
    text = strict("X", "", status="Accepted", priority="high", date="2025-99-99", scope="A.b")
    assert faults(text, "ADR-001-x.md") == [
        (2, "BAD_ID"), (3, "MISSING_FIELD"), (4, "BAD_STATUS"), (5, "BAD_PRIORITY"), (6, "BAD_DATE"), (7, "BAD_SCOPE"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"title": "null"}, "MISSING_FIELD"),
        ({"title": "[a, b]"}, "BAD_FIELD"),
        ({"date": "2025-13-01"}, "BAD_DATE"),
        ({"date": "2025-01-01 10:00:00"}, "BAD_DATE"),
        ({"date": "-"}, "MISSING_FIELD"),
        ({"status": "perhaps"}, "BAD_STATUS"),
        ({"scope": ".a"}, "BAD_SCOPE"),
        ({"scope": "a-b"}, "BAD_SCOPE"),
        ({"scope": "[a]"}, "BAD_SCOPE"),
        ({"supersedes": "ADR-001"}, "BAD_SUPERSEDES"),
        ({"supersedes": "[ADR-001, ADR-001]"}, "BAD_SUPERSEDES"),
        ({"supersedes": "[[ADR-001]]"}, "BAD_SUPERSEDES"),
        ({"id": "adr-7"}, "BAD_ID"),
    ],
)
def test_a_field_of_the_format_that_is_wrong_is_a_problem(fields, code):
    assert [found for _, found in faults(strict(7, **fields), "ADR-007-x.md")] == [code]


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "null"},
        {"scope": "''"},
        {"supersedes": "null"},
        {"date": "2025-W05-5"},
        {"status": "draft"},
        {"status": "rejected"},
        {"constraints": "[no x]"},
    ],
)
def test_a_field_of_the_format_may_be_empty_or_unknown(fields):
    assert read(strict(7, **fields), "ADR-007-x.md").stated_id == "ADR-007"


def test_a_title_stays_as_it_is_written():
    assert read(strict(7, "yes")).title == "yes"
    assert read(strict(7, "1.10")).title == "1.10"


def test_an_adr_file_without_front_matter_or_headings_is_reported_as_the_format_says():
    assert faults("---\n---\nBody\n", "ADR-001-x.md") == [(1, "MISSING_FIELD")] * 5


def test_directives_are_read_in_every_dialect():
    for text in (nygard("T"), MADR.format(status="accepted"), LOG4BRAINS, strict(7)):
        assert [rule.value for rule in read(text + rules("redis")).rules] == ["redis"]


def test_a_malformed_directive_is_a_problem_in_every_dialect():
    for text in (nygard("T"), MADR.format(status="accepted"), LOG4BRAINS, strict(7)):
        broken = text + "\n## Constraints\n\n- FOO: x\n"
        assert faults(broken) == [(broken.count("\n"), "UNKNOWN_DIRECTIVE")]


def test_line_endings_and_a_byte_order_mark_change_nothing_that_is_read_and_no_byte():
    for text in (nygard("T") + rules("a"), MADR.format(status="accepted"), strict(7)):
        plain = read(text)
        for data in (
            text.replace("\n", "\r\n").encode(),
            text.replace("\n", "\r").encode(),
            b"\xef\xbb\xbf" + text.encode(),
        ):
            other = read(data)
            assert other.data == data
            assert other.sha256 == hashlib.sha256(data).hexdigest()
            same = replace(
                other, data=plain.data, sha256=plain.sha256, raw_sha256=plain.raw_sha256, blob=plain.blob
            )
            assert same == plain


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("1. Use it", "Use it"),
        ("ADR-001: Use it", "Use it"),
        ("ADR 1 - Use it", "Use it"),
        ("[ADR-0001] Use it", "Use it"),
        ("ADR-12 Use it", "Use it"),
        ("404 pages", "404 pages"),
        ("2025-01-01 release", "2025-01-01 release"),
        ('Use `TCP/IP` & "quotes"', 'Use `TCP/IP` & "quotes"'),
        ("🎉", "🎉"),
        ("-dash", "-dash"),
        ("../../x", "../../x"),
        ("Use it <!-- really -->", "Use it"),
        ("1.", "1."),
    ],
)
def test_a_title_is_kept_as_it_is_but_for_its_number(heading, title):
    assert read(nygard(heading)).title == title


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("0001-x.md", "0001"), ("1-x.md", "1"), ("0001.md", "0001"), ("0001_x.md", "0001"), ("ADR-001-x.md", "ADR-001"),
        ("adr-12-x.md", "ADR-12"), ("ADR0003.md", "ADR-0003"), ("20200926-x.md", ""), ("x.md", ""), ("adr-x.md", ""),
        ("12345678-x.md", "12345678"), ("0x1-a.md", ""), ("1a.md", ""),
    ],
)  # fmt: skip
def test_the_number_of_a_file_is_as_written(name, number):
    assert number_in(name) == number


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("README.md", "README"), ("README.ko.md", "README"), ("AGENTS.md", "instructions for coding agents"), ("index.md", "index"), ("template.md", "template"), ("adr-template.md", "template"),
        ("0000-adr-template.md", "template"), ("template-madr.md", "template"), ("x.png", "not Markdown"),
        (".adr-dir", "not Markdown"), ("0001-x.txt", "not Markdown"), ("Makefile", "not Markdown"),
        ("0007-use-minijinja-for-templates.md", ""), ("template-engine.md", ""), ("0001-index.md", ""), ("0001-x.MD", ""),
    ],
)  # fmt: skip
def test_a_file_that_is_known_to_be_no_adr_is_skipped_with_the_reason(name, reason):
    assert known_other(name) == reason


def test_a_file_that_could_not_be_taken_is_a_problem():
    outcome = read_file(
        AdrSource(path="docs/adr/0001-x.md", problem="is a symbolic link, which is not followed")
    )
    assert [(p.line, p.code) for p in outcome.problems] == [(0, "UNREADABLE")]


def test_every_file_of_a_folder_is_an_adr_or_skipped_or_a_problem():
    files = {
        "0001-a.md": nygard("A"),
        "README.md": "# x",
        "notes.md": "# Notes\n",
        "0002-b.md": nygard("B", "perhaps"),
        "a.png": b"\x89",
        "ADR-003-c.md": strict(3),
    }
    found = folder(files)
    named = [a.path for a in found.adrs] + [p.path for p in found.problems] + [s.path for s in found.skipped]
    assert sorted(named) == sorted(f"docs/adr/{name}" for name in files)


def test_a_very_large_adr_is_remarked():
    outcome = read_file(source("0001-x.md", nygard("T") + "x" * 1_100_000))
    assert [remark.code for remark in outcome.remarks] == ["LARGE_FILE"]


pieces = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from([b"---\n", b"# T\n", b"## Status\n", b"Accepted\n", b"id: ADR-1\n", b"- FORBID_LITERAL: x\n",
                         b"## Constraints\n", b"status: accepted\n", b"```\n", b"<!--", b"\r\n", b"\xef\xbb\xbf", b"supersedes: [ADR-2]\n"]),
    ),
    max_size=14,
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(pieces, st.sampled_from(["0001-x.md", "ADR-001-x.md", "x.md"]))
def test_any_bytes_are_an_adr_or_a_problem_and_always_the_same(parts, name):
    given_source = source(name, b"".join(parts))
    first, second = read_file(given_source), read_file(given_source)
    assert first == second
    assert (first.adr is None) == bool(first.problems)
    assert all(p.path == given_source.path and p.message and p.code for p in first.problems)


def test_an_adr_that_a_merge_left_torn_is_a_problem_with_its_line():
    torn = nygard("1. Use X") + "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"
    line = torn.split("\n").index("<<<<<<< HEAD") + 1
    for text in (torn, torn.replace("\n", "\r\n")):
        found = read_file(source("0001-x.md", text))
        assert found.adr is None
        assert [(p.code, p.line) for p in found.problems] == [("CONFLICT_MARKERS", line)]


def test_marks_in_another_order_or_indented_are_text():
    for marks in (">>>>>>> a\n=======\n<<<<<<< b\n", "    <<<<<<< a\n    =======\n    >>>>>>> b\n"):
        assert read_file(source("0001-x.md", nygard("1. Use X") + marks)).adr is not None
