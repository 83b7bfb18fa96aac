import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_facts import adr_facts
from mneme_git.text.canonical import sha256_hex


def test_the_front_matter_is_read_as_text():
    data = (
        b"---\nid: ADR-007\ntitle: x\nstatus: accepted\npriority: normal\ndate: 2026-01-01\n"
        b"scope: a.b\nsupersedes:\n  - ADR-001\n  - 'ADR-002'\n---\n\nBody\n"
    )
    found = adr_facts("docs/adr/ADR-007-x.md", data)
    assert (found.id, found.status, found.scope, found.priority, found.date, found.supersedes) == (
        "ADR-007",
        "accepted",
        "a.b",
        "normal",
        "2026-01-01",
        ("ADR-001", "ADR-002"),
    )
    assert (found.problem, found.sha256, found.name) == ("", sha256_hex(data), "ADR-007-x.md")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"# no front matter\n", "missing YAML frontmatter (expected file to start with '---')"),
        (b"", "missing YAML frontmatter (expected file to start with '---')"),
        (b"---\nid: ADR-1\n", "unterminated YAML frontmatter (no closing '---' found)"),
        (b"---\n- a\n---\n", "malformed YAML frontmatter (expected a mapping, got list)"),
        (b"---\njust text\n---\n", "malformed YAML frontmatter (expected a mapping, got str)"),
        (b"---\nsupersedes: ADR-1\n---\n", "'supersedes' must be a YAML list, got str"),
        (b"---\nsupersedes: {a: b}\n---\n", "'supersedes' must be a YAML list, got dict"),
        (b"---\ntitle: [x\n---\n", "malformed YAML frontmatter: "),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"\xef\xbb\xbf---\nid: ADR-1\n---\n", "the file begins with a byte order mark"),
    ],
)
def test_what_cannot_be_read_is_a_problem_with_the_path(data, problem):
    found = adr_facts("docs/adr/ADR-012-x.md", data)
    assert found.problem.startswith(f"docs/adr/ADR-012-x.md: {problem}")
    assert found.id == "ADR-012"


def test_an_odd_name_gives_its_stem_as_id():
    assert adr_facts("docs/adr/ADR-draft.md", b"x").id == "ADR-draft"


def test_lenient_values_are_no_problem():
    found = adr_facts("a.md", b"---\nid:\nstatus: [a]\nscope: ~\nsupersedes:\n---\n")
    assert (found.id, found.status, found.scope, found.supersedes, found.problem) == (
        "None",
        "",
        "None",
        (),
        "",
    )


def test_the_last_of_equal_keys_counts():
    assert adr_facts("a.md", b"---\nid: A\nid: B\n---\n").id == "B"


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(st.binary(max_size=80), st.text(max_size=80).map(lambda text: f"---\n{text}\n---\n".encode()))
)
def test_no_bytes_raise(data):
    found = adr_facts("a.md", data)
    assert found.path == "a.md"
