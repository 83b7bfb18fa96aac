from mneme_git.decisions.adr_graph import build_graph
from mneme_git.decisions.adr_ids import identify
from mneme_git.decisions.precedence import active_order, decide
from tests.support.adrs import folder, nygard, strict


def decided(*texts, with_global=False):
    files = {f"{n:04}-x.md": text for n, text in enumerate(texts, 1)}
    adrs = identify(folder(files), (), frozenset()).adrs
    return decide(adrs, build_graph(adrs, {}, (), ()).links, with_global=with_global)


def scoped(number, **fields):
    return strict(number, **{"scope": "storage", **fields})


def test_the_higher_priority_wins_over_the_later_date():
    found = decided(
        scoped(1, priority="foundational"), scoped(2, date="2026-01-01"), scoped(3, priority="exception")
    )
    assert found.loses_to == {"ADR-002": "ADR-001", "ADR-003": "ADR-001"}


def test_the_later_day_wins_in_whatever_form_the_dates_are_written():
    assert decided(scoped(1, date="20250101"), scoped(2, date="2025-06-01")).loses_to == {
        "ADR-001": "ADR-002"
    }
    assert decided(scoped(1, date="2025-W52-1"), scoped(2, date="2025-06-01")).loses_to == {
        "ADR-002": "ADR-001"
    }


def test_a_tie_leaves_the_scope_undecided_lower_ones_included():
    [tie] = decided(scoped(1), scoped(2), scoped(3, priority="exception")).ties
    assert (tie.scope, tie.top, tie.group) == (
        "storage",
        ("ADR-001", "ADR-002"),
        ("ADR-001", "ADR-002", "ADR-003"),
    )


def test_scopes_are_compared_as_they_are_and_never_merged():
    found = decided(scoped(1), scoped(2, scope="storage.index"))
    assert (found.loses_to, found.ties) == ({}, ())


def test_what_is_superseded_or_not_accepted_takes_no_part():
    found = decided(
        scoped(1, priority="foundational", status="proposed"), scoped(2), scoped(3, status="deprecated")
    )
    assert (found.loses_to, found.ties) == ({}, ())
    found = decided(scoped(1, priority="foundational"), scoped(2, supersedes="[ADR-001]"))
    assert (found.loses_to, found.ties) == ({}, ())


def test_without_a_stated_scope_nothing_takes_part_unless_the_rule_of_the_format_is_asked_for():
    texts = (strict(1), strict(2, scope="''"), nygard("T"))
    assert decided(*texts).ties == ()
    assert [tie.top for tie in decided(*texts, with_global=True).ties] == [("ADR-001", "ADR-002")]


def test_the_narrower_scope_comes_first_then_the_higher_priority():
    adrs = identify(
        folder(
            {
                "ADR-001-a.md": strict(1),
                "ADR-002-b.md": scoped(2),
                "ADR-003-c.md": scoped(3, scope="a.b"),
                "ADR-004-d.md": scoped(4, priority="foundational"),
            }
        ),
        (),
        frozenset(),
    ).adrs
    assert [adr.id for adr in sorted(adrs, key=active_order)] == ["ADR-003", "ADR-004", "ADR-002", "ADR-001"]
