"""A memory file moves into git, wholly or not at all, and again when either side changed."""

import hashlib

import pytest

from mneme_git.errors import Refused
from mneme_git.model.decision import AdrEvidence, active_evidence
from mneme_git.model.migration import MigrationRefused
from mneme_git.model.plan import Plan, PutProposal
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.proposal_document import changed_document, empty_document, write_document
from tests.support.adrs import strict
from tests.support.crossing import NAME, full
from tests.support.make import make_entry
from tests.support.memory import (
    META,
    SCHEMA,
    adr_evidence,
    decision,
    indexed,
    plain,
    row,
    snapshot_row,
    version,
)


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
