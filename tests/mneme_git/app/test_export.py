"""A git store comes out as a memory file: word for word what did not change since it moved in."""

import json
from pathlib import Path

import pytest

from mneme_git.app.export import plan_export
from mneme_git.errors import InvalidResult, Refused
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_write import encode_document
from tests.support.adrs import rules, strict
from tests.support.crossing import NAME, full
from tests.support.memory import decision, indexed, literal, plain, row, version


def test_everything_a_file_holds_is_in_git_and_comes_back_byte_for_byte(both):
    data = both.write(full())
    moved = both.move()
    assert moved.receipt.staged
    assert [fate.outcome for fate in moved.summary.fates] == ["new"] * 3
    assert moved.summary.carried == ("x-first", "meta", "items", "activation")
    snapshot = both.git().load()
    assert snapshot.faults == ()
    before = MemoryFile(both.repo.path / NAME).load()
    assert set(snapshot.versions) == set(before.versions)
    assert {s.decision_id: s.lifecycle_status for s in snapshot.decisions} == {
        s.decision_id: s.lifecycle_status for s in before.decisions
    }
    (both.repo.path / NAME).unlink()
    made, done = both.export()
    assert (made.same, done.written) == (True, True)
    assert both.repo.read(NAME) == data


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(indexed()).encode(),
        json.dumps(plain(row("d1", rules=[literal("x")]), row("d2", status="deprecated"))).encode(),
        encode_document(
            plain(row("d1"), items=[{"id": "i", "type": "rule", "title": "t", "content": "no x"}])
        ),
        json.dumps(indexed(), indent=4, ensure_ascii=False).replace("Use JSON", "Use JSON").encode(),
    ],
    ids=["compact", "section-less compact", "section-less", "other indent"],
)
def test_a_file_of_any_layout_comes_back_byte_for_byte_anywhere(both, data):
    both.write(data)
    both.move()
    both.repo.commit_all()
    assert both.exported() == data
    assert both.exported("out/copy.json") == data


def test_what_git_adds_is_exported_behind_what_was_there(both):
    document = full()
    both.write(document)
    both.move()
    both.add("d9")
    written = json.loads(both.exported())
    made = version("d9", "New") | {"created_at": ""}
    assert written["decision_index"]["versions"][-1] == made
    assert written["decision_index"]["decisions"][-1] == decision(made) | {"updated_at": ""}
    written["decisions"].pop()
    for rows in ("decisions", "versions"):
        written["decision_index"][rows].pop()
    assert encode_document(written) == encode_document(document)


def test_what_git_changes_is_exported_without_a_time_and_the_rest_word_for_word(both):
    document = full()
    both.write(document)
    both.move()
    state = both.git().load().state("d1")
    assert both.repo.mneme("decision", "deprecate", "d1").code == 0
    written = json.loads(both.exported())
    assert both.git().load().state("d1") != state
    changed = written["decision_index"]["decisions"][2]
    assert (changed["decision_id"], changed["lifecycle_status"], changed["updated_at"]) == (
        "d1",
        "deprecated",
        "",
    )
    assert changed["x-note"] == 2
    assert [each["id"] for each in written["decisions"]] == ["ADR-102"]
    assert written["decision_index"]["versions"] == document["decision_index"]["versions"]
    assert written["decision_index"]["rules"] == document["decision_index"]["rules"]


def test_a_store_that_never_was_a_file_is_exported_whole(both):
    both.repo.mneme("init", "--yes")
    both.repo.write("docs/adr/ADR-001-a.md", strict(1, body="Body.\n" + rules("redis")))
    both.repo.write("docs/adr/ADR-9-b.md", strict(5, scope="x"))
    both.repo.mneme("adr", "import", "docs/adr", "--apply")
    made, done = both.export()
    assert done.receipt.staged
    store = MemoryFile(both.repo.path / NAME)
    adr, other = sorted(store.enforced(), key=lambda each: each.source == "")
    assert adr.source == str(both.repo.path / "docs/adr/ADR-001-a.md")
    assert other.source == ""  # the format would not know that file by its name
    kept = [v.get("mneme_source_locator") for v in json.loads(made.data)["decision_index"]["versions"]]
    assert "docs/adr/ADR-9-b.md" in kept
    assert set(both.outcomes().values()) == {"same"}
    assert both.git().load().faults == ()


def test_the_paths_of_adrs_follow_a_file_to_another_folder(both):
    both.write(full())
    both.move()
    made = plan_export(both.workspace, "deep/er/m.json")
    assert (made.same, made.strays) == (True, True)
    written = json.loads(both.exported("deep/er/m.json", relocate=True))
    assert written["decisions"][0]["source"]["path"] == "../../docs/adr/ADR-102-b.md"
    assert written["decision_index"]["decisions"][1]["updated_at"] == "2025-01-01T00:00:00Z"
    both.add("d9")
    written = json.loads(both.exported("deep/er/m.json"))
    assert written["decisions"][0]["source"]["path"] == "../../docs/adr/ADR-102-b.md"


def test_a_decision_that_git_no_longer_has_is_not_exported(both):
    both.write(full())
    both.move()
    both.repo.commit_all()
    both.repo.git("rm", "-q", ".mneme/decisions/d1.json")
    both.repo.commit_all("gone")
    written = json.loads(both.exported())
    assert [each["decision_id"] for each in written["decision_index"]["decisions"]] == ["ADR-101", "ADR-102"]
    assert [each["id"] for each in written["decisions"]] == ["ADR-102"]


def test_an_export_over_a_file_that_git_never_saw_needs_force_and_keeps_it(both):
    both.write(full())
    both.move()
    both.add("d8")
    both.add_to_file("d7")
    theirs = both.repo.read(NAME)
    with pytest.raises(Refused, match="holds what git never saw; nothing was written"):
        both.export()
    assert both.repo.read(NAME) == theirs
    _, done = both.export(force=True)
    assert any("is kept in the journal" in text for text in done.notices)
    assert both.git().load().faults == ()


def test_an_export_never_replaces_a_stranger_s_file_outside_the_repository(both, tmp_path):
    both.write(full())
    both.move()
    both.add("d8")
    stranger = tmp_path / "notes.txt"
    stranger.write_text("mine\n")
    with pytest.raises(Refused, match="holds what git never saw; nothing was written"):
        both.export(str(stranger))
    assert stranger.read_text() == "mine\n"
    _, done = both.export(str(stranger), force=True)
    assert any("is kept in" in text for text in done.notices)


def test_an_export_beside_the_repository_s_own_file_changes_nothing_in_git(both):
    both.write(full())
    both.move()
    both.repo.commit_all()
    both.add("d8")
    both.repo.commit_all()
    _, done = both.export("copy.json")
    assert (done.written, done.receipt.paths) == (True, ())
    assert both.repo.git("status", "--porcelain") == "?? copy.json"


def test_a_result_that_the_format_would_not_load_is_not_written(both):
    both.write(indexed())
    both.move()
    carried = both.repo.path / ".mneme/carried.json"
    from mneme_git.app import export as module

    original = module.export_into

    def spoiled(document, changed, gone):
        original(document, changed, gone)
        document["decisions"].clear()

    both.add("d9")
    module.export_into = spoiled
    try:
        with pytest.raises(InvalidResult):
            both.exported()
    finally:
        module.export_into = original
    assert Path(carried).exists()


def test_there_must_be_a_store_to_export(both):
    with pytest.raises(Refused, match="no git store to export"):
        both.exported()
