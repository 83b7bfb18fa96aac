import json

import pytest

from tests.support.memory import indexed, literal, plain, row

NAME = ".mneme/project_memory.json"
PREVIEW = f"""Decision Index migration preview: {NAME}
  Native decisions:                2
  Active after migration:          2
  Non-active leaving Layer 1:      1
    d2 (deprecated)
  Legacy items becoming decisions: 1
    i1
  Migrated rule bindings:          1 (binding authority: legacy_unknown)

  After migration:
    decision_index becomes the authoritative decision record
    decisions[] becomes a derived compatibility snapshot
    new rule/anti_pattern items no longer synthesize decisions

"""


@pytest.fixture
def memory(repo):
    items = [{"id": "i1", "type": "rule", "title": "T", "content": "no x"}]
    repo.write(
        NAME, json.dumps(plain(row("d1", rules=[literal("x")]), row("d2", status="deprecated"), items=items))
    )
    return repo


def test_a_preview_writes_nothing_and_an_apply_writes_what_it_showed(memory):
    before = memory.read(NAME)
    ran = memory.mneme("decision-index", "migrate")
    assert (ran.code, ran.err) == (0, "")
    assert (
        ran.out
        == PREVIEW
        + "Preview only; nothing was written. Re-run with --apply to write exactly this migration.\n"
    )
    assert memory.read(NAME) == before
    ran = memory.mneme("decision-index", "migrate", "--apply")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == PREVIEW + f"Migrated {NAME}: decision_index is now authoritative.\n"
    written = memory.read(NAME)
    ran = memory.mneme("decision-index", "migrate", "--apply")
    assert ran.out == (
        f"Decision Index migration: {NAME}\n"
        "  Already migrated: decision_index is authoritative and valid; nothing to do.\n"
    )
    assert memory.read(NAME) == written


def test_a_refusal_is_for_people_and_its_ways_out_for_programs(repo):
    repo.write(NAME, json.dumps(plain(row("ec-1", "Use Kafka", source={"type": "fax"}))))
    before = repo.read(NAME)
    ran = repo.mneme("decision-index", "migrate", "--apply")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "ERROR: migration refused: migration must be lossless; refused before writing:\n"
        "  - decision 'ec-1' source type 'fax' has no canonical provenance representation in D1 "
        "(only 'adr' sources migrate)\n"
    )
    ran = repo.mneme("decision-index", "migrate", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["code"]) == (2, "MIGRATION_REFUSED")
    assert [each["name"] for each in answer["skeletons"]] == ["ADR-001-use-kafka.md"]
    assert repo.read(NAME) == before


def test_programs_get_the_facts(memory):
    answer = json.loads(memory.mneme("decision-index", "migrate", "--json").out)
    assert (answer["code"], answer["facts"]["retired"]) == ("PREVIEW", [["d2", "deprecated"]])
    assert (
        json.loads(memory.mneme("decision-index", "migrate", "--json", "--apply").out)["code"] == "MIGRATED"
    )
    assert json.loads(memory.mneme("decision-index", "migrate", "--json").out)["code"] == "ALREADY_MIGRATED"


def test_a_file_that_is_not_there_and_an_index_that_is_not_valid_are_errors(repo):
    ran = repo.mneme("decision-index", "migrate")
    assert (ran.code, ran.err) == (2, f"ERROR: memory file {NAME} does not exist\n")
    document = indexed()
    document["decisions"].pop()
    repo.write(NAME, json.dumps(document))
    ran = repo.mneme("decision-index", "migrate", "--apply")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(
        f"ERROR: the canonical Decision Index in {NAME} is invalid; migration is not a repair path: "
    )


def test_the_group_alone_is_a_usage_error(repo):
    ran = repo.mneme("decision-index")
    assert (ran.code, ran.out) == (2, "")


def test_a_file_moves_into_git_and_comes_out_again(memory):
    before = memory.read(NAME)
    ran = memory.mneme("decision-index", "migrate", "--to-git")
    assert (ran.code, ran.err) == (0, "")
    assert "  Decisions new in git:             3\n" in ran.out
    assert ran.out.endswith("Preview only; nothing was written. Re-run with --apply to do it.\n")
    assert (
        json.loads(memory.mneme("decision-index", "migrate", "--to-git", "--apply", "--json").out)["code"]
        == "MOVED"
    )
    assert memory.mneme("list_decisions").out.startswith("[d1] A decision\n    rule: FORBID_LITERAL x\n")
    assert memory.mneme("decision-index", "migrate", "--to-git").out.endswith(
        "Nothing to do: git has all of it.\n"
    )
    ran = memory.mneme("decision-index", "export", "-")
    assert (ran.code, ran.out.encode()) == (0, before)
    ran = memory.mneme("decision-index", "export", "copy.json")
    assert ran.out == (
        "Wrote 3 decisions to copy.json\n"
        "It is the file that was moved into git, byte for byte: nothing has changed since.\n"
    )
    assert memory.read("copy.json") == before


def test_a_file_that_changed_beside_git_is_a_warning_with_the_way_to_take_it_over(memory):
    memory.mneme("decision-index", "migrate", "--to-git", "--apply")
    memory.mneme("add_decision", "--memory", NAME, "--id", "d9", "--decision", "New")
    ran = memory.mneme("list_decisions")
    assert "WARN  MEMORY_FILE_DIVERGED" in ran.err
    assert "[d9]" not in ran.out
    ran = memory.mneme("decision-index", "export")
    assert ran.code == 2
    assert "holds what git never saw; nothing was written" in ran.err
    assert memory.mneme("decision-index", "migrate", "--to-git", "--apply").code == 0
    ran = memory.mneme("list_decisions")
    assert (ran.err, "[d9] New" in ran.out) == ("", True)


def test_a_row_that_cannot_move_into_git_comes_with_an_adr_to_begin_with(repo):
    repo.write(NAME, json.dumps(plain(row("ec-1", "Use Kafka", source={"type": "fax"}))))
    ran = repo.mneme("decision-index", "migrate", "--to-git", "--apply")
    assert (ran.code, ran.out) == (2, "")
    assert "docs/adr/ADR-001-use-kafka.md" in ran.err
    assert 'title: "Use Kafka"' in ran.err
    assert not (repo.path / ".mneme/format").exists()
