"""A memory file into git, changed on either side, and out again."""

import hashlib
import json
from pathlib import Path

import pytest

from mneme_git.app.export import plan_export, write_export
from mneme_git.app.to_git import move_to_git
from mneme_git.app.workspace import Workspace, environment
from mneme_git.decisions.record import Draft, plan_add
from mneme_git.errors import InvalidResult, Refused
from mneme_git.model.decision import AdrEvidence, active_evidence
from mneme_git.model.migration import MigrationRefused
from mneme_git.model.plan import Plan, PutProposal
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_write import encode_document
from mneme_git.store.proposal_document import changed_document, empty_document, write_document
from tests.support.adrs import rules, strict
from tests.support.make import make_entry
from tests.support.memory import (
    META,
    SCHEMA,
    adr_evidence,
    decision,
    indexed,
    literal,
    plain,
    row,
    snapshot_row,
    version,
)
from tests.support.writing import open_store

NAME = ".mneme/project_memory.json"


class Both:
    """A repository with a memory file and, once it was moved, a git store."""

    def __init__(self, repo) -> None:
        self.repo = repo
        self.workspace = Workspace(cwd=repo.path, env=environment({}), now=lambda: 1_700_000_000)

    def write(self, document, name=NAME) -> bytes:
        data = document if isinstance(document, bytes) else encode_document(document)
        self.repo.write(name, data)
        return data

    def move(self, name=NAME, *, apply=True):
        return move_to_git(self.workspace, MemoryFile(self.repo.path / name, as_given=name), apply=apply)

    def outcomes(self, name=NAME):
        return {fate.decision_id: fate.outcome for fate in self.move(name, apply=False).summary.fates}

    def git(self):
        return open_store(self.repo.path, prefer="program")

    def add(self, decision_id, statement="New"):
        store = self.git()
        store.commit(plan_add(store.load(), Draft(decision_id=decision_id, statement=statement)), stage=True)

    def add_to_file(self, decision_id, statement="New", name=NAME):
        store = MemoryFile(self.repo.path / name, as_given=name)
        store.commit(
            plan_add(store.load(), Draft(decision_id=decision_id, statement=statement), at="t"), stage=True
        )

    def export(self, target=None, *, force=False, **more):
        made = plan_export(self.workspace, target, **more)
        return made, write_export(self.workspace, made, force=force)

    def exported(self, target=None, **more) -> bytes:
        return plan_export(self.workspace, target, **more).data


@pytest.fixture
def both(repo):
    return Both(repo)


def full(sha256="2" * 64):
    """Unknown keys everywhere, odd key orders, records that the format only tolerates."""
    document = {
        "x-first": [1.5, None],
        "meta": {"z": 1, **META},
        "items": [{"id": "i"}],
        **indexed(),
        "activation": {"state": "x"},
    }
    document["decision_index"]["note"] = {"kept": True}
    for rows in ("decisions", "versions", "rules"):
        for number, record in enumerate(document["decision_index"][rows]):
            record["x-note"] = number
    document["decision_index"]["versions"][1]["source_evidence"] = [{"source_type": "fax"}]
    del document["decision_index"]["rules"][0]["binding_authority"]
    document["decisions"][1] = {"note": "mine", **document["decisions"][1]}
    return document


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


def test_moving_again_changes_nothing(both):
    both.write(full())
    both.move()
    again = both.move()
    assert (again.summary.changes, again.receipt) == (False, None)


def test_a_preview_writes_nothing(both):
    both.write(full())
    assert both.move(apply=False).summary.init
    assert sorted(path.name for path in (both.repo.path / ".mneme").iterdir()) == ["project_memory.json"]


def test_an_adr_that_is_as_it_was_imported_is_known_by_its_blob(both):
    text = strict(102)
    both.repo.write("docs/adr/ADR-102-b.md", text)
    document = {
        "meta": META,
        "decisions": [],
        "decision_index": {"schema": SCHEMA, "decisions": [], "versions": [], "rules": []},
    }
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    made = version(
        "ADR-102",
        "Use SQLite",
        rationale="Body.\n",
        scope=("",),
        occurrence=("ADR-102", sha256, "adr-import"),
        evidence=adr_evidence("../docs/adr/ADR-102-b.md", sha256),
    )
    document["decisions"] = [snapshot_row(made)]
    document["decision_index"] |= {"decisions": [decision(made)], "versions": [made]}
    both.write(document)
    assert both.move().summary.adrs == 1
    [evidence] = active_evidence(both.git().load().state("ADR-102"))
    blob = both.repo.git("hash-object", "docs/adr/ADR-102-b.md")
    assert evidence == AdrEvidence(
        source_locator="docs/adr/ADR-102-b.md", sha256=sha256, blob=blob, object_format="sha1"
    )
    assert both.repo.mneme("adr", "import", "docs/adr").out.count("Unchanged: 1") == 1


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


def test_what_is_new_in_the_file_is_told_and_taken_over(both):
    both.write(full())
    both.move()
    both.add_to_file("d7")
    both.add("d8")
    [fault] = both.git().load().faults
    assert (fault.code, fault.path) == ("MEMORY_FILE_DIVERGED", NAME)
    assert both.outcomes() == {"ADR-101": "same", "ADR-102": "same", "d1": "same", "d7": "new", "d8": "kept"}
    both.move()
    assert both.git().load().faults == ()
    assert {state.decision_id for state in both.git().load().decisions} == {
        "ADR-101",
        "ADR-102",
        "d1",
        "d7",
        "d8",
    }
    _, done = both.export()
    assert done.written
    assert {state.decision_id for state in MemoryFile(both.repo.path / NAME).load().decisions} >= {"d7", "d8"}
    assert both.git().load().faults == ()


def test_a_decision_that_both_changed_is_refused_and_nothing_of_the_rest_is_taken(both):
    both.write(full())
    both.move()
    both.add_to_file("d7")
    both.add_to_file("d9", "As the file says")
    both.add("d9", "As git says")
    before = both.repo.git("status", "--porcelain")
    with pytest.raises(Refused, match=f"{NAME} and git each changed 'd9'; nothing was written"):
        both.move()
    assert both.repo.git("status", "--porcelain") == before
    assert both.git().load().state("d7") is None


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


def test_an_export_beside_the_repository_s_own_file_changes_nothing_in_git(both):
    both.write(full())
    both.move()
    both.repo.commit_all()
    both.add("d8")
    both.repo.commit_all()
    _, done = both.export("copy.json")
    assert (done.written, done.receipt.paths) == (True, ())
    assert both.repo.git("status", "--porcelain") == "?? copy.json"


@pytest.mark.parametrize("what", ["order", "occurrence", "surrogate"])
def test_what_has_no_place_in_git_refuses_the_whole_file(both, what):
    document = indexed()
    versions = document["decision_index"]["versions"]
    if what == "order":
        versions[1], versions[2] = versions[2], versions[1]
        reason = "does not come before it in the lineage"
    elif what == "occurrence":
        made = version("d2", "X", occurrence=(7,))
        reason = "holds more than texts"
    else:
        made = version("d2", "lone \ud800")
        reason = "cannot be stored as UTF-8"
    if what != "order":
        document["decision_index"]["versions"].append(made)
        document["decision_index"]["decisions"].append(decision(made))
        document["decisions"].append(snapshot_row(made))
    both.write(document)
    with pytest.raises(MigrationRefused, match=reason):
        both.move()
    assert not (both.repo.path / ".mneme/format").exists()


def test_a_section_less_row_that_has_no_place_refuses_too(both):
    both.write(plain(row("d1", source={"type": "fax"})))
    with pytest.raises(MigrationRefused) as raised:
        both.move()
    assert raised.value.rows == (0,)


def test_a_store_that_cannot_be_trusted_is_neither_written_nor_exported(both):
    both.write(full())
    both.move()
    both.repo.commit_all()
    path = both.repo.path / ".mneme/decisions/d1.json"
    path.write_text(path.read_text().replace('"active"', '"deprecated"', 1))
    both.repo.git("rm", "-q", "--cached", ".mneme/decisions/d1.json")
    both.add_to_file("d7")
    if not any(fault.blocks for fault in both.git().load().faults):
        pytest.skip("the damage was mended from elsewhere")
    with pytest.raises(Refused, match="cannot be trusted"):
        both.move()
    with pytest.raises(Refused, match="cannot be trusted"):
        both.exported()


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


def with_proposals(both, status="proposed"):
    both.write(full())
    entry = make_entry(status)
    document = changed_document(
        empty_document(), Plan(verb="x", subject="x", operations=(PutProposal(entry.proposal),))
    )
    document.json["proposals"][0]["status"] = status
    both.repo.write(".mneme/decision_proposals.json", write_document(document))
    return entry


def test_the_proposals_beside_the_file_go_along(both):
    entry = with_proposals(both, "rejected")
    moved = both.move()
    assert (moved.summary.proposals, moved.summary.verdicts) == (1, 1)
    snapshot = both.git().load()
    assert [each.title for each in snapshot.proposals.values()] == [entry.proposal.title]
    assert snapshot.verdicts[entry.proposal_id].verdict == "rejected"
    assert snapshot.faults == ()
    again = both.move()
    assert (again.summary.proposals, again.summary.changes) == (0, False)
    assert f"[rejected] {entry.proposal_id}  Cache" in both.repo.mneme("decision", "proposals").out


def test_a_proposal_that_is_forged_keeps_everything_where_it_is(both):
    with_proposals(both)
    path = ".mneme/decision_proposals.json"
    both.repo.write(path, both.repo.read(path).replace(b'"Cache in Redis"', b'"Cache in Kafka"'))
    with pytest.raises(MigrationRefused, match="is not what its content says"):
        both.move()
    assert not (both.repo.path / ".mneme/format").exists()


def test_a_second_file_is_refused_and_one_that_was_moved_is_not(both):
    both.write(full())
    both.move()
    both.repo.commit_all()
    second = full() | {"meta": {"name": "other", "description": "other"}}
    both.write(second, "second.json")
    with pytest.raises(Refused, match=f"carries the memory file '{NAME}' already"):
        both.move("second.json")
    both.repo.git("mv", NAME, "renamed.json")
    both.add_to_file("d7", name="renamed.json")
    assert both.move("renamed.json").summary.changes
    assert both.git().load().state("d7") is not None
    assert both.git().load().faults == ()
