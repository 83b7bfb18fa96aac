from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_author import EMPTY_FOLDER, Draft, manner_of, new_text
from mneme_git.decisions.adr_read import read_file
from mneme_git.errors import InvalidInput
from mneme_git.model.adr_source import AdrSource

NYGARD = "# 9. Help\n\nDate: 2018-06-26\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nx\n\n## Consequences\n\nx\n"
MADR2 = "# Use X\n\n* Status: accepted\n* Deciders: Ada\n* Date: 2020-01-02\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\nx\n\n### Positive\n"
MADR4 = '---\nparent: Decisions\nnav_order: {}\nstatus: "accepted"\ndate: 2020-01-02\n---\n# Use {}\n\n## Context and Problem Statement\n\nx\n\n## Considered Options\n\n* a\n'
FORMAT = "---\nid: ADR-007\ntitle: Use X\nstatus: accepted\npriority: normal\ndate: 2024-01-01\nscope: a.b\n---\n\n# ADR-007: Use X\n\n**Status:** Accepted\n\n## Context\n\nx\n\n## Decision\n\nx\n\n## Constraints\n\n- FORBID_LITERAL: x\n"


def read(text, path="adr/0009-x.md"):
    data = text if isinstance(text, bytes) else text.encode()
    return read_file(AdrSource(path=path, data=data)).adr


def made(*texts, path="adr/0010-y.md", **draft):
    adrs = [read(text, f"adr/{at:04}-x.md") for at, text in enumerate(texts)]
    wanted = Draft(**{"title": "Use Y", "digits": "0010", "day": "2026-01-02", **draft})
    return new_text(manner_of(adrs), wanted, path=path).decode()


def test_a_nygard_folder_gets_its_own():
    assert made(NYGARD) == (
        "# 10. Use Y\n\nDate: 2026-01-02\n\n## Status\n\nProposed\n\n## Context\n\n## Decision\n\n## Consequences\n"
    )


def test_a_folder_with_bullets_gets_its_own():
    assert made(MADR2, status="Accepted") == (
        "# Use Y\n\n* Status: accepted\n* Date: 2026-01-02\n\n"
        "## Context and Problem Statement\n\n## Decision Outcome\n"
    )


def test_a_folder_with_a_front_matter_keeps_what_all_its_files_have_alike():
    assert made(MADR4.format(0, "A"), MADR4.format(1, "B")) == (
        "---\nparent: Decisions\nnav_order: 10\nstatus: proposed\ndate: 2026-01-02\n---\n\n"
        "# Use Y\n\n## Context and Problem Statement\n\n## Considered Options\n"
    )


def test_the_front_matter_format_gets_its_fields_and_the_width_of_its_ids():
    assert made(FORMAT, path="adr/ADR-010-y.md", digits="10", scope="a.b") == (
        '---\nid: ADR-010\ntitle: "Use Y"\nstatus: proposed\npriority: normal\ndate: 2026-01-02\nscope: a.b\n---\n\n'
        "# ADR-010: Use Y\n\n## Context\n\n## Decision\n\n## Constraints\n"
    )


def test_an_empty_folder_gets_files_that_can_carry_rules():
    text = new_text(
        EMPTY_FOLDER, Draft(title="X", digits="0001", day="2026-01-02"), path="docs/adr/ADR-0001-x.md"
    )
    adr = read(text, "docs/adr/ADR-0001-x.md")
    assert (adr.stated_id, adr.dialect) == ("ADR-0001", "front-matter")
    assert text.decode().endswith("## Constraints\n")


def test_the_last_file_that_can_be_read_counts():
    assert made(MADR2, NYGARD).startswith("# 10. Use Y\n")
    assert made(NYGARD, MADR2).startswith("# Use Y\n")


def test_line_ends_are_those_of_the_folder():
    text = made(NYGARD.replace("\n", "\r\n"))
    assert "\n" not in text.replace("\r\n", "")


def test_a_status_that_no_file_states_is_stated_where_it_can_be_read():
    bare = "# Use X\n\n## Decision Outcome\n\nx\n"
    assert made(bare) == "# Use Y\n\n- Status: proposed\n\n## Decision Outcome\n"
    with_front = "---\nparent: D\n---\n# Use X\n\n## Decision Outcome\n\nx\n"
    assert made(with_front).startswith("---\nstatus: proposed\n---\n")


@pytest.mark.parametrize(
    ("draft", "texts", "word"),
    [
        ({"status": "superseded"}, [NYGARD], "no status"),
        ({"status": "rejected"}, [FORMAT], "no status"),
        ({"scope": "a"}, [NYGARD], "no scope"),
        ({"title": ""}, [NYGARD], "cannot be a title"),
        ({"title": "a\nb"}, [NYGARD], "cannot be a title"),
        ({"title": " a"}, [NYGARD], "cannot be a title"),
        ({"title": "{short title}"}, [NYGARD], "cannot be the title"),
        ({"title": "3. Third"}, [MADR2], "would be read as"),
        ({"title": "a <!-- b -->"}, [NYGARD], "would be read as"),
        ({"scope": "A B"}, [FORMAT], "cannot be the title here"),
    ],
)
def test_what_would_not_be_read_back_is_refused(draft, texts, word):
    path = "adr/ADR-010-y.md" if texts == [FORMAT] else "adr/0010-y.md"
    with pytest.raises(InvalidInput, match=word):
        made(*texts, path=path, **draft)


@settings(deadline=None, max_examples=60)
@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20),
    st.sampled_from([NYGARD, MADR2, MADR4.format(0, "A"), FORMAT]),
)
def test_a_title_is_read_back_word_for_word_or_refused(title, text):
    path = "adr/ADR-010-y.md" if text == FORMAT else "adr/0010-y.md"
    try:
        written = made(text, path=path, title=title)
    except InvalidInput:
        return
    assert read(written, path).title == title
