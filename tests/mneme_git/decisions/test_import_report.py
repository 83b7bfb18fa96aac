import pytest

from mneme_git.decisions.import_json import as_object, outcome
from mneme_git.decisions.import_plan import plan_import
from mneme_git.decisions.import_report import applied, next_command, preview
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.plan import Receipt
from mneme_git.model.snapshot import Snapshot
from tests.support.adrs import folder, imported, nygard, rules, strict

PLAIN = ImportOptions()

EXPECTED = """ADR import preview
============================================================

Active set (2 ADRs):
  [0001] A
      new: docs/adr/0001-a.md
  [ADR-002] Use SQLite
      new: docs/adr/ADR-002-b.md
      rule: FORBID_LITERAL redis
      rule: FORBID_LITERAL x
        include_paths: a/**, b
        exclude_paths: a/c
      constraint: no yak

Non-active ADRs (3):
  [ADR-003] Use SQLite
      status: inactive, gives way to ADR-002
      new: docs/adr/ADR-003-c.md
  [ADR-004] Use SQLite
      status: superseded by ADR-002
      new: docs/adr/ADR-004-d.md
  [ADR-006] Use SQLite
      status: deprecated
      new version: docs/adr/ADR-006-f.md (the text has changed; active -> deprecated)

Retrieval-only ADR warnings:
  - 0001 yields 0 mechanically enforceable rules; it will be imported for retrieval only. Add an enforceable directive such as FORBID_LITERAL under ## Constraints to make enforcement explicit.

Conflicts vs existing memory:
  - ADR-006 already exists in canonical decision authority and would change (the text has changed; active -> deprecated). Pass --update-existing to record it. current predecessor: {old}

  To record these changes, re-run with --update-existing.

Precedence losers:
  - ADR-003 gives way to ADR-002 in scope 's' (higher priority, then later date) and is not in force. Add an explicit supersedes link, or retire one of the two.

Gone ADR files (their decisions stay as they are):
  - ADR-007 (active): docs/adr/ADR-007-g.md

Skipped files:
  - docs/adr/README.md: README

Problems:
  - docs/adr/ADR-005-e.md:4: invalid status 'maybe' (expected one of ('proposed', 'accepted', 'deprecated', 'superseded'))

Plan: {plan}
"""

SCOPED = "- FORBID_LITERAL:\n    value: x\n    include_paths: [a/**, b]\n    exclude_paths: [a/c]\n- FORBID_DEPENDENCY: yak\n"


def everything():
    store = imported({"ADR-006-f.md": strict(6), "ADR-007-g.md": strict(7)})
    files = {
        "0001-a.md": nygard("A"),
        "ADR-002-b.md": strict(
            2, scope="s", priority="foundational", supersedes="[ADR-004]", body="x" + rules("redis") + SCOPED
        ),
        "ADR-003-c.md": strict(3, scope="s"),
        "ADR-004-d.md": strict(4),
        "ADR-005-e.md": strict(5, status="maybe"),
        "ADR-006-f.md": strict(6, status="deprecated"),
        "README.md": "x",
    }
    return store, plan_import(folder(files), store)


def test_the_preview_tells_everything_in_the_words_of_the_format():
    store, plan = everything()
    old = store.state("ADR-006").active_version_id
    assert preview(plan, PLAIN) == EXPECTED.format(old=old, plan=plan.plan_id)


def test_what_to_do_next_names_the_plan_and_every_flag_that_it_needs():
    _, plan = everything()
    said = next_command(plan, PLAIN, "docs/adr")
    assert said.endswith(
        f"mneme adr import docs/adr --apply --plan {plan.plan_id} --update-existing --partial"
    )


def test_many_files_that_say_the_same_are_one_line():
    plan = plan_import(
        folder({f"{n:04}-x.md": f"# T{n}\n\n## Decision\n\nSo.\n" for n in range(1, 6)}), Snapshot()
    )
    text = preview(plan, PLAIN)
    assert (
        "  - 5 ADRs (those with no rule and no `no X` below them) yield 0 mechanically enforceable rules"
        in text
    )
    assert "  - no status is stated; read as accepted (5 files): docs/adr/0001-x.md:1, " in text


@pytest.mark.parametrize(
    ("files", "options", "apply", "expected"),
    [
        ({"ADR-001-a.md": strict(1, body="x" + rules("a"))}, PLAIN, False, ("OK", 0)),
        ({"ADR-001-a.md": strict(1)}, PLAIN, False, ("DIAGNOSTICS", 1)),
        ({"ADR-001-a.md": "broken"}, PLAIN, False, ("PROBLEMS", 2)),
        ({"ADR-001-a.md": "broken"}, ImportOptions(partial=True), False, ("DIAGNOSTICS", 1)),
        ({"ADR-001-a.md": strict(1)}, PLAIN, True, ("APPLIED", 0)),
        ({"ADR-001-a.md": "broken"}, PLAIN, True, ("REFUSED", 2)),
        ({}, PLAIN, True, ("UNCHANGED", 0)),
        ({}, PLAIN, False, ("OK", 0)),
    ],
)
def test_exit_statuses_say_whether_there_is_something_to_look_at_or_to_mend(files, options, apply, expected):
    assert outcome(plan_import(folder(files), Snapshot(), options), options, apply=apply) == expected


def test_a_folder_that_is_recorded_as_it_stands_has_nothing_to_look_at():
    files = {
        "0001-a.md": "# T\n\n## Decision\n\nSo.\n",
        "ADR-002-b.md": strict(2, scope="s"),
        "ADR-003-c.md": strict(3, scope="s", priority="foundational"),
        "README.md": "x",
    }
    plan = plan_import(folder(files), imported(files))
    assert outcome(plan, PLAIN, apply=False) == ("OK", 0)
    assert next_command(plan, PLAIN, "docs/adr") == "Nothing to write."


def test_what_was_written_is_counted():
    _, plan = everything()
    assert (
        applied(plan, True, where=".mneme")
        == "Wrote 5 decisions to .mneme and staged (4 new, 1 with a new version)."
    )
    tie = plan_import(
        folder({"ADR-001-a.md": strict(1, scope="s"), "ADR-002-b.md": strict(2, scope="s")}), Snapshot()
    )
    assert (
        applied(tie, False, where=".mneme").splitlines()[1]
        == "Skipped conflicting scope 's': ADR-001, ADR-002"
    )


def test_the_object_for_programs_holds_the_same():
    _, plan = everything()
    told = as_object(plan, code="DIAGNOSTICS")
    assert told["plan"] == plan.plan_id
    assert told["applied"] is False
    assert told["counts"] == {"new": 4, "changed": 1, "state": 0, "unchanged": 0}
    assert [row["id"] for row in told["adrs"]] == ["0001", "ADR-002", "ADR-003", "ADR-004", "ADR-006"]
    assert told["adrs"][1]["rules"][1] == {
        "type": "FORBID_LITERAL",
        "value": "x",
        "include_paths": ["a/**", "b"],
        "exclude_paths": ["a/c"],
        "line": told["adrs"][1]["rules"][1]["line"],
    }
    assert told["problems"] == [
        {
            "path": "docs/adr/ADR-005-e.md",
            "line": 4,
            "code": "BAD_STATUS",
            "message": told["problems"][0]["message"],
            "hint": "",
        }
    ]
    assert told["losers"] == [{"id": "ADR-003", "to": "ADR-002"}]
    assert told["gone"] == [{"id": "ADR-007", "path": "docs/adr/ADR-007-g.md", "status": "active"}]
    assert [each["code"] for each in told["refusals"]] == ["PROBLEMS", "EXISTS"]
    assert as_object(plan, code="APPLIED", receipt=Receipt(journal="abc", staged=True))["journal"] == "abc"
