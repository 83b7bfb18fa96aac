import pytest

from mneme_git.decisions.freshness import AdrFacts, LedgerRow, diagnostics, graph_status


def adr(number, status="accepted", *, scope="s", priority="normal", date="2026-01-01", **more):
    name = f"ADR-{number:03}"
    fields = {"scope": scope, "priority": priority, "date": date, **more}
    return AdrFacts(path=f"docs/adr/{name}.md", id=name, status=status, **fields)


def found(adrs, rows=(), *codes):
    told = diagnostics(adrs, rows, "m.json")
    return [(one.code, one.adr_id, one.path) for one in told if not codes or one.code in codes]


def rows(*numbers, **more):
    return [LedgerRow(id=f"ADR-{number:03}", **more) for number in numbers]


def test_a_folder_that_agrees_with_the_file_is_silent():
    assert found([adr(1), adr(2, scope="t")], rows(1, 2)) == []


def test_a_file_that_cannot_be_read_is_named_with_the_reason():
    bad = AdrFacts(
        path="adr/ADR-007-x.md", id="ADR-007", problem="adr/ADR-007-x.md: missing YAML frontmatter"
    )
    (one,) = diagnostics([bad], [], "m.json")
    assert one.message == (
        "ADR-007-x.md could not be parsed as an ADR: adr/ADR-007-x.md: missing YAML frontmatter. "
        "Fix the frontmatter or rename the file out of the ADR-*.md pattern."
    )
    assert (one.code, one.path) == ("ADR_UNPARSEABLE", "adr/ADR-007-x.md")


def test_only_an_active_adr_must_have_been_imported():
    assert found([adr(1), adr(2, "proposed"), adr(3, "deprecated")]) == [
        ("ADR_UNIMPORTED", "ADR-001", "docs/adr/ADR-001.md")
    ]


@pytest.mark.parametrize(
    ("sha256", "status", "changed"),
    [("00", "accepted", True), ("aa", "accepted", False), ("", "accepted", False), ("00", "proposed", False)],
)
def test_an_active_adr_has_changed_if_its_bytes_are_not_those_of_the_row(sha256, status, changed):
    row = rows(1, path="adr/ADR-001.md", sha256=sha256, exists=True)
    told = found([adr(1, status, sha256="aa")], row, "ADR_CHANGED")
    assert told == ([("ADR_CHANGED", "ADR-001", "adr/ADR-001.md")] if changed else [])


def test_a_source_that_is_gone_is_told_in_the_order_of_the_file():
    gone = [*rows(2, path="b.md"), *rows(1, path="a.md"), *rows(3)]
    assert found([], gone) == [("ADR_MISSING", "ADR-002", "b.md"), ("ADR_MISSING", "ADR-001", "a.md")]


def test_a_link_to_nothing_is_told_once_for_each_adr():
    assert found([adr(1, supersedes=("ADR-008", "ADR-009"))], rows(1)) == [
        ("DANGLING_SUPERSEDES", "ADR-001", "docs/adr/ADR-001.md")
    ]


def test_a_superseded_adr_needs_an_accepted_successor():
    alone = found([adr(1, "superseded")], rows(), "ORPHAN_SUPERSEDED")
    proposed = found(
        [adr(1, "superseded"), adr(2, "proposed", supersedes=("ADR-001",))], (), "ORPHAN_SUPERSEDED"
    )
    accepted = found([adr(1, "superseded"), adr(2, supersedes=("ADR-001",))], (), "ORPHAN_SUPERSEDED")
    assert [len(told) for told in (alone, proposed, accepted)] == [1, 1, 0]


def test_equal_priority_and_date_in_one_scope_is_a_contradiction():
    tied = [adr(2), adr(1), adr(3, date="2025-01-01")]
    (one,) = diagnostics(tied, rows(1, 2, 3), "m.json")
    assert (one.code, one.adr_id, one.path) == ("ACTIVE_CONTRADICTION", "ADR-001,ADR-002", None)
    assert "at scope 's' between: ADR-001, ADR-002." in one.message


@pytest.mark.parametrize(
    ("first", "second", "loser"),
    [
        ({"priority": "foundational"}, {"date": "2026-09-01"}, "ADR-002"),
        ({"date": "2026-02-01"}, {"date": "2026-03-01"}, "ADR-001"),
        ({"priority": "exception"}, {}, "ADR-001"),
        ({"scope": ""}, {"scope": "", "date": "2025-01-01"}, "ADR-002"),
    ],
)
def test_priority_then_date_decide_who_loses_a_scope(first, second, loser):
    told = found([adr(1, **first), adr(2, **second)], rows(1, 2))
    assert [(code, name) for code, name, _ in told] == [("SILENT_PRECEDENCE_ELIMINATION", loser)]


def test_an_explicit_link_leaves_nothing_to_precedence():
    assert found([adr(1, supersedes=("ADR-002",)), adr(2)], rows(1, 2)) == []


@pytest.mark.parametrize("odd", [{"priority": "high"}, {"date": ""}, {"scope": "None"}])
def test_what_cannot_be_ranked_takes_no_part(odd):
    both = {"scope": "None"} if "scope" in odd else {}
    assert found([adr(1, **odd), adr(2, **both)], rows(1, 2)) == []


def test_a_decision_whose_adr_is_no_longer_active_is_told():
    row = rows(1, path="adr/ADR-001.md", exists=True)
    (one,) = diagnostics([adr(1, "deprecated")], row, "m.json")
    assert (one.code, one.path) == ("LEDGER_STATUS_MISMATCH", "adr/ADR-001.md")
    assert "current derived status is 'deprecated', not active." in one.message


def test_only_accepted_adrs_supersede_others():
    graph = graph_status(
        [adr(1), adr(2), adr(3, "proposed", supersedes=("ADR-001",)), adr(4, supersedes=("ADR-002",))]
    )
    assert graph == {"ADR-001": "active", "ADR-002": "superseded", "ADR-003": "inactive", "ADR-004": "active"}


def test_the_codes_have_a_fixed_order():
    adrs = [
        AdrFacts(path="docs/adr/ADR-000.md", id="ADR-000", problem="bad"),
        adr(1),
        adr(2, date="2026-02-01", supersedes=("ADR-099",)),
        adr(3, scope="t"),
        adr(4, scope="t"),
        adr(5, "superseded"),
        adr(6, scope="u", sha256="aa"),
        adr(7, "deprecated"),
    ]
    known = [
        *rows(1, 2, 3),
        *rows(6, path="6.md", sha256="00", exists=True),
        *rows(7, path="7.md", exists=True),
        *rows(8, path="8.md"),
    ]
    assert [code for code, _, _ in found(adrs, known)] == [
        "ADR_UNPARSEABLE",
        "ADR_UNIMPORTED",
        "ADR_CHANGED",
        "ADR_MISSING",
        "DANGLING_SUPERSEDES",
        "ORPHAN_SUPERSEDED",
        "ACTIVE_CONTRADICTION",
        "SILENT_PRECEDENCE_ELIMINATION",
        "LEDGER_STATUS_MISMATCH",
    ]
