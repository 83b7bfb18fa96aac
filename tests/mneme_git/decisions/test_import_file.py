"""The preview of an import into a memory file: the words and rules of that format."""

from mneme_git.decisions.import_file import Target, preview_file
from mneme_git.model.snapshot import Snapshot
from tests.support.adrs import imported, nygard, rules, source, strict

EMPTY = Target(snapshot=Snapshot(), items=frozenset(), has_index=True)


def shown(files, target=EMPTY):
    return preview_file([source(name, text) for name, text in files.items()], "docs/adr", target)


def test_it_is_the_text_that_the_format_fixes():
    found = shown(
        {
            "ADR-001-a.md": strict(1, body="x" + rules("mongodb")),
            "ADR-002-b.md": strict(2, status="proposed", scope="s"),
        }
    )
    assert found.text == (
        "ADR import preview\n" + "=" * 60 + "\n\nActive set (1 ADRs):\n  [ADR-001] status=active\n"
        "      rule: FORBID_LITERAL mongodb\n\nNon-active ADRs (1):\n  [ADR-002] status=inactive\n"
    )
    assert not found.has_findings


def test_only_front_matter_counts():
    [problem] = shown({"ADR-001-a.md": nygard("A")}).problems
    assert problem.message == "missing YAML frontmatter (expected file to start with '---')"


def test_the_statuses_are_those_of_the_format_alone():
    assert [p.code for p in shown({"ADR-001-a.md": strict(1, status="draft")}).problems] == ["BAD_STATUS"]


def test_ids_stand_in_the_order_of_their_text():
    found = shown({"ADR-2-a.md": strict("ADR-2", scope="a"), "ADR-10-b.md": strict("ADR-10", scope="b")})
    assert found.text.index("[ADR-10]") < found.text.index("[ADR-2]")


def test_adrs_without_a_scope_compete_for_the_global_one():
    found = shown({"ADR-001-a.md": strict(1), "ADR-002-b.md": strict(2)})
    assert "Active-active contradiction at scope '' between: ADR-001, ADR-002." in found.text
    assert found.has_findings


def test_every_id_that_exists_is_a_conflict_changed_or_not():
    files = {"ADR-001-a.md": strict(1, body="x" + rules("a"))}
    store = imported(files)
    found = shown(files, Target(snapshot=store, items=frozenset(), has_index=True))
    assert f"current predecessor: {store.decisions[0].active_version_id}" in found.text
    assert (
        "current predecessor"
        not in shown(files, Target(snapshot=store, items=frozenset(), has_index=False)).text
    )
    assert (
        "exists in target memory under items[]"
        in shown(files, Target(snapshot=store, items={"ADR-001"}, has_index=True)).text
    )


def test_a_bad_directive_counts_only_in_an_adr_that_is_in_force():
    bad = "x\n## Constraints\n\n- FOO: x\n"
    assert shown({"ADR-001-a.md": strict(1, status="proposed", body=bad)}).problems == ()
    assert [p.code for p in shown({"ADR-001-a.md": strict(1, body=bad)}).problems] == ["UNKNOWN_DIRECTIVE"]


def test_all_problems_of_the_folder_are_told_at_once():
    files = {
        "ADR-001-a.md": strict(1, priority="high"),
        "ADR-002-b.md": "x",
        "ADR-003-c.md": strict(3),
        "ADR-003-d.md": strict(3),
        "ADR-004-e.md": strict(4, supersedes="[ADR-099]"),
    }
    assert [p.code for p in shown(files).problems] == [
        "BAD_PRIORITY",
        "FRONT_MATTER",
        "DUPLICATE_ID",
        "DUPLICATE_ID",
        "UNKNOWN_ADR",
    ]
