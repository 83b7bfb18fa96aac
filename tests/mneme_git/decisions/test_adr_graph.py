import time

from mneme_git.decisions.adr_graph import build_graph
from mneme_git.decisions.adr_ids import identify
from mneme_git.decisions.adr_read import read_folder
from tests.support.adrs import folder, nygard, source, strict


def graph(files, states=None, recorded=()):
    read = folder(files)
    unread = [problem.path for problem in read.problems]
    return build_graph(identify(read, recorded, frozenset()).adrs, states or {}, recorded, unread)


def statuses(found):
    return {key: (links.lifecycle.value, links.superseded_by) for key, links in found.links.items()}


def test_an_accepted_adr_supersedes_another_whatever_that_one_says():
    found = graph({"ADR-001-a.md": strict(1), "ADR-002-b.md": strict(2, supersedes="[ADR-001]")})
    assert statuses(found) == {"ADR-001": ("superseded", "ADR-002"), "ADR-002": ("active", "")}


def test_one_that_is_only_proposed_supersedes_nothing_yet():
    found = graph(
        {"ADR-001-a.md": strict(1), "ADR-002-b.md": strict(2, status="proposed", supersedes="[ADR-001]")}
    )
    assert statuses(found)["ADR-001"] == ("active", "")
    assert found.links["ADR-002"].supersedes == ("ADR-001",)


def test_a_relation_counts_whichever_file_states_it():
    old, new = nygard("Old", "Superseded by [2. New](0002-new.md)"), nygard("New")
    found = graph({"0001-old.md": old, "0002-new.md": new})
    assert found.links["0002"].supersedes == ("0001",)
    assert statuses(found)["0001"] == ("superseded", "0002")
    both = graph(
        {"0001-old.md": old, "0002-new.md": nygard("New", "Accepted\n\nSupercedes [1. Old](0001-old.md)")}
    )
    assert both.links == found.links


def test_other_adrs_are_found_by_link_number_id_or_name():
    for named in (
        "[x](0001-old.md)",
        "[x](./0001-old.md#why)",
        "[x](../adr/0001-old.md)",
        "ADR-1",
        "0001",
        "#1",
        "1. Old",
        "0001-old",
        "[[0001-old]]",
        "adr 0001",
    ):
        found = graph(
            {"0001-old.md": nygard("Old"), "0002-new.md": nygard("New", f"Accepted\n\nSupersedes {named}")}
        )
        assert found.links["0002"].supersedes == ("0001",), named


def test_an_unknown_target_is_a_problem_in_the_format_and_a_remark_elsewhere():
    found = graph({"ADR-001-a.md": strict(1, supersedes="[ADR-009]")})
    assert [(p.line, p.code) for p in found.problems] == [(7, "UNKNOWN_ADR")]
    found = graph({"0001-a.md": nygard("A", "Superseded by the company standard and [x](0009-x.md)")})
    assert found.problems == ()
    assert statuses(found) == {"0001": ("superseded", "")}
    found = graph({"0001-a.md": nygard("A", "Superseded by [x](0009-x.md)")})
    assert [(r.line, r.code) for r in found.remarks] == [(7, "UNKNOWN_ADR")]


def test_a_target_whose_file_is_broken_is_not_reported_twice():
    found = graph({"ADR-001-a.md": "broken", "ADR-002-b.md": strict(2, supersedes="[ADR-001]")})
    assert (found.problems, found.remarks) == ((), ())


def test_a_number_that_several_adrs_have_is_a_problem_where_it_is_named():
    files = {
        "0005-a.md": nygard("A"),
        "0005-b.md": nygard("B"),
        "0006-c.md": nygard("C", "Accepted\n\nSupersedes ADR-5"),
    }
    [problem] = graph(files).problems
    assert (problem.path, problem.line, problem.code) == ("docs/adr/0006-c.md", 7, "AMBIGUOUS_ADR")
    assert "0005-a, 0005-b" in problem.message
    files["0006-c.md"] = nygard("C", "Accepted\n\nSupersedes [5](0005-b.md)")
    assert graph(files).links["0006"].supersedes == ("0005-b",)


def test_a_circle_is_a_problem_of_the_files_that_state_it():
    found = graph(
        {
            "ADR-001-a.md": strict(1, supersedes="[ADR-002]"),
            "ADR-002-b.md": strict(2, supersedes="[ADR-001]"),
            "ADR-003-c.md": strict(3, supersedes="[ADR-001]"),
        }
    )
    assert [(p.path, p.line) for p in found.problems] == [
        ("docs/adr/ADR-001-a.md", 7),
        ("docs/adr/ADR-002-b.md", 7),
    ]
    assert found.problems[0].message == "circular supersession detected: ADR-001 -> ADR-002 -> ADR-001"


def test_an_adr_that_supersedes_itself_goes_round():
    [problem] = graph({"ADR-001-a.md": strict(1, supersedes="[ADR-001]")}).problems
    assert problem.message == "circular supersession detected: ADR-001 -> ADR-001"


def test_every_circle_is_told_in_one_run():
    files = {f"ADR-{n}-x.md": strict(f"ADR-{n}", supersedes=f"[ADR-{n ^ 1}]") for n in range(2, 8)}
    assert len({p.message for p in graph(files).problems}) == 3


def test_a_chain_of_thousands_is_read_in_no_time():
    count = 2_000
    sources = [
        source(f"ADR-{n}-x.md", strict(f"ADR-{n}", supersedes=f"[ADR-{n - 1}]" if n else "-"))
        for n in range(count)
    ]
    adrs = identify(read_folder(sources, "docs/adr"), (), frozenset()).adrs
    started = time.process_time()
    found = build_graph(adrs, {}, (), ())
    assert time.process_time() - started < 2
    assert sum(links.lifecycle.value == "active" for links in found.links.values()) == 1
