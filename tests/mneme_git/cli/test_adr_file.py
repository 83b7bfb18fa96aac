import json

import pytest

from tests.support.adrs import rules, strict

NAME = ".mneme/project_memory.json"
IMPORT = ("adr", "import", "docs/adr", "--memory", NAME)


@pytest.fixture
def project(repo):
    repo.mneme("init", "--path", NAME)
    repo.write("docs/adr/ADR-001-a.md", strict(1, body=rules("redis")))
    return repo


def test_a_preview_is_shown_and_then_what_was_written(project):
    ran = project.mneme(*IMPORT, "--apply")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "ADR import preview\n" + "=" * 60 + "\n\nActive set (1 ADRs):\n  [ADR-001] status=active\n"
        f"      rule: FORBID_LITERAL redis\n\nWrote 1 decisions to {NAME}\n"
    )
    assert project.mneme("list_decisions", "--memory", NAME).out.startswith("[ADR-001] Use SQLite\n")


def test_a_refusal_comes_after_the_preview_and_writes_nothing(project):
    project.mneme(*IMPORT, "--apply")
    before = project.read(NAME)
    ran = project.mneme(*IMPORT, "--apply")
    assert ran.code == 2
    assert ran.out.startswith("ADR import preview\n")
    assert ran.err.startswith("ERROR: ADR import refused: id 'ADR-001' already exists")
    assert project.read(NAME) == before


def test_scopes_that_were_left_out_are_named(project):
    for number in (2, 3):
        project.write(f"docs/adr/ADR-00{number}-x.md", strict(number, scope="x"))
    ran = project.mneme(*IMPORT, "--apply", "--approve-conflicts")
    assert ran.out.endswith(f"Wrote 1 decisions to {NAME}\nSkipped conflicting scope 'x': ADR-002, ADR-003\n")


def test_programs_see_the_plan_or_why_there_is_none_before_they_apply(project):
    answer = json.loads(project.mneme(*IMPORT, "--json").out)
    assert (answer["code"], answer["refusals"]) == ("OK", [])
    ran = project.mneme(*IMPORT, "--apply", "--plan", answer["plan"], "--json")
    assert (ran.code, json.loads(ran.out)["code"]) == (0, "APPLIED")
    answer = json.loads(project.mneme(*IMPORT, "--json").out)
    assert (answer["code"], answer["plan"]) == ("DIAGNOSTICS", "")
    assert "already exists in canonical decision authority" in answer["refusals"][0]["message"]


def test_an_option_that_makes_no_sense_is_told_before_anything_is_read(project):
    ran = project.mneme(*IMPORT, "--release-protection", "x")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "ERROR: --preserve-protection and --release-protection are valid only with --apply --update-existing\n"
    )


def test_a_bad_directive_of_an_adr_that_is_not_in_force_is_told_when_it_would_be_written(project):
    project.write("docs/adr/ADR-002-b.md", strict(2, status="proposed", body="## Constraints\n\n- FOO: x\n"))
    assert project.mneme(*IMPORT).code == 0
    ran = project.mneme(*IMPORT, "--apply")
    assert ran.code == 2
    assert "docs/adr/ADR-002-b.md:" in ran.err
    assert "unknown constraint directive 'FOO'" in ran.err


def test_the_git_store_takes_the_same_requests(repo):
    repo.mneme("init", "--yes")
    repo.write("docs/adr/ADR-001-a.md", strict(1))
    assert repo.mneme("adr", "import", "docs/adr", "--apply").code == 0
    repo.write("docs/adr/ADR-001-a.md", strict(1, "Two"))
    stale = "ADR-001=dver-" + "0" * 32
    ran = repo.mneme(
        "adr", "import", "docs/adr", "--apply", "--update-existing", "--expected-predecessor", stale
    )
    assert ran.code == 2
    assert "is not a persisted version of 'ADR-001'" in ran.err
