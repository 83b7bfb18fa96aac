import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mneme_git.errors import CorruptRecord, GuardMismatch
from mneme_git.model.plan import Plan, PutProposal, PutVerdict, Read
from mneme_git.model.proposal import Verdict, id_of
from mneme_git.model.proposal_entry import entry_of, forgery
from mneme_git.model.proposal_record import entry_row
from mneme_git.store.proposal_document import (
    changed_document,
    empty_document,
    parse_document,
    write_document,
)
from mneme_git.store.proposal_file import HeldProposals, ProposalFile
from tests.support.make import make_entry, make_proposal

SCHEMA = "mneme.decision-proposals/v1"


def submit(*proposals):
    reads = tuple(Read("proposal", id_of(proposal), "absent") for proposal in proposals)
    return Plan(verb="propose", subject="x", operations=tuple(map(PutProposal, proposals)), reads=reads)


def judge(entry, verdict, decision_id=None):
    made = Verdict(
        proposal_id=entry.proposal_id, verdict=verdict, decision_id=decision_id, by="Ada", at="now"
    )
    read = Read("proposal", entry.proposal_id, "proposed")
    return Plan(
        verb="x", subject="x", operations=(PutProposal(entry.proposal), PutVerdict(made)), reads=(read,)
    )


@pytest.fixture(params=["file", "held"])
def book(request, tmp_path):
    return ProposalFile(tmp_path / "p.json") if request.param == "file" else HeldProposals()


def test_nothing_is_there_at_first(book):
    assert book.entries() == ()


def test_proposals_are_kept_in_the_order_in_which_they_came(book):
    later, earlier = make_proposal("B", proposed_at="2025-02-02T00:00:00Z"), make_proposal("A")
    book.commit(submit(later))
    book.commit(submit(earlier))
    assert book.entries() == (entry_of(later), entry_of(earlier))


@pytest.mark.parametrize(("verdict", "decision_id"), [("accepted", "d1"), ("rejected", None)])
def test_a_verdict_changes_status_and_decision_id_and_nothing_else(book, verdict, decision_id):
    first, second = make_proposal("A"), make_proposal("B")
    book.commit(submit(first, second))
    book.commit(judge(entry_of(first), verdict, decision_id))
    judged = replace(entry_of(first), status=verdict, accepted_decision_id=decision_id)
    assert book.entries() == (judged, entry_of(second))


def test_a_plan_that_rests_on_what_is_no_longer_so_is_refused(book):
    proposal = make_proposal()
    book.commit(submit(proposal))
    with pytest.raises(GuardMismatch):
        book.commit(submit(proposal))
    book.commit(judge(entry_of(proposal), "rejected"))
    with pytest.raises(GuardMismatch) as raised:
        book.commit(judge(entry_of(proposal), "accepted", "d1"))
    assert raised.value.differences == ((f"proposal {id_of(proposal)}", "proposed", "rejected"),)
    assert [entry.status for entry in book.entries()] == ["rejected"]


def test_the_file_has_the_bytes_of_the_format(tmp_path):
    path = tmp_path / ".mneme" / "decision_proposals.json"
    proposal = make_proposal("Größe", "日本語 😀 \u2028\x7f", architecture_context={"z": "1", "a": "2"})
    ProposalFile(path).commit(submit(proposal))
    entry = entry_of(proposal)
    assert (
        path.read_text(encoding="utf-8")
        == f"""{{
  "schema": "{SCHEMA}",
  "proposals": [
    {{
      "proposal_id": "{entry.proposal_id}",
      "status": "proposed",
      "candidate": {{
        "title": "Größe",
        "statement": "日本語 😀 \u2028\x7f",
        "rationale": "",
        "provenance": {{
          "producer_name": "arch-bot",
          "producer_type": "agent",
          "source_reference": "docs/plan.md#3",
          "external_source_id": "",
          "source_version": "",
          "repository_locator": "",
          "origin_classification": "imported_unknown"
        }},
        "scope_hints": [],
        "architecture_context": {{
          "z": "1",
          "a": "2"
        }},
        "related_decision_ids": []
      }},
      "producer_key": "{entry.producer_key}",
      "content_fingerprint": "{entry.content_fingerprint}",
      "proposed_at": "2025-01-31T12:00:00Z",
      "accepted_decision_id": null
    }}
  ]
}}
"""
    )


def test_a_plan_without_operations_makes_no_file(tmp_path):
    path = tmp_path / ".mneme" / "p.json"
    ProposalFile(path).commit(Plan(verb="propose", subject="0 proposals"))
    assert not path.parent.exists()


def test_unknown_keys_and_forged_hashes_and_odd_order_survive_a_write(tmp_path):
    path = tmp_path / "p.json"
    row = entry_row(make_entry())
    odd = {"note": {"kept": [1, 2.5]}, **row, "proposal_id": "dprop-forged"}
    odd["candidate"] = {"extra": None, **row["candidate"]}
    del odd["accepted_decision_id"]
    path.write_text(json.dumps({"about": "us", "proposals": [odd], "schema": SCHEMA}))
    book = ProposalFile(path)
    assert forgery(book.entries()[0])
    book.commit(submit(make_proposal("New")))
    written = json.loads(path.read_text())
    assert list(written) == ["about", "proposals", "schema"]
    assert json.dumps(written["proposals"][0]) == json.dumps(odd)
    verdict = Verdict(proposal_id="dprop-forged", verdict="rejected", by="Ada", at="now")
    book.commit(Plan(verb="reject", subject="x", operations=(PutVerdict(verdict),)))
    judged = json.loads(path.read_text())["proposals"][0]
    assert judged == odd | {"status": "rejected", "accepted_decision_id": None}
    assert next(iter(judged)) == "note"


def test_a_lone_surrogate_stays_the_escape_that_it_was(tmp_path):
    path = tmp_path / "p.json"
    row = entry_row(make_entry())
    row["candidate"]["rationale"] = "bad \ud800 é"
    path.write_text(json.dumps({"schema": SCHEMA, "proposals": [row]}))
    ProposalFile(path).commit(submit(make_proposal("New")))
    assert b'"bad \\ud800 \xc3\xa9"' in path.read_bytes()
    assert ProposalFile(path).entries()[0].proposal.rationale == "bad \ud800 é"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "Expecting value: line 1 column 1 (char 0)"),
        (b"{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        (b"\xef\xbb\xbf{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"),
        (b"[]", f"p.json is not a {SCHEMA} decision-proposals document"),
        (b"{}", f"p.json is not a {SCHEMA} decision-proposals document"),
        (
            b'{"schema": "mneme.decision-proposals/v2"}',
            f"p.json is not a {SCHEMA} decision-proposals document",
        ),
        (b'{"schema": "mneme.decision-proposals/v1"}', "p.json proposals must be a list"),
        (b'{"schema": "mneme.decision-proposals/v1", "proposals": [3]}', "proposal record must be an object"),
        (b"[" * 100_000, "the JSON is nested too deeply"),
    ],
)
def test_a_file_of_another_form_is_refused_by_reading_and_writing(tmp_path, data, text):
    path = tmp_path / "p.json"
    path.write_bytes(data)
    book = ProposalFile(path, as_given="p.json")
    for use in (book.entries, lambda: book.commit(submit(make_proposal()))):
        with pytest.raises(CorruptRecord) as raised:
            use()
        assert raised.value.message == f"proposal store p.json is unreadable or corrupt: {text}"
    assert path.read_bytes() == data


def test_an_id_that_occurs_twice_is_refused(tmp_path):
    path = tmp_path / "p.json"
    row = entry_row(make_entry())
    path.write_text(json.dumps({"schema": SCHEMA, "proposals": [row, row]}))
    with pytest.raises(CorruptRecord, match="contains duplicate proposal id"):
        ProposalFile(path).entries()


def test_writers_at_once_lose_nothing(tmp_path):
    book, barrier = ProposalFile(tmp_path / "p.json"), threading.Barrier(6)

    def write(number):
        barrier.wait()
        for round_ in range(4):
            book.commit(submit(make_proposal(f"{number}-{round_}")))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    titles = {entry.proposal.title for entry in book.entries()}
    assert titles == {f"{number}-{round_}" for number in range(6) for round_ in range(4)}


def test_a_writer_that_takes_no_turns_is_not_overwritten(tmp_path, monkeypatch):
    """Another program knows nothing of our lock: it writes between our reading and our replacing."""
    from mneme_git.store import proposal_file

    path = tmp_path / "p.json"
    book, theirs = ProposalFile(path), [make_proposal("Theirs 1"), make_proposal("Theirs 2")]
    replaced = proposal_file.replace_foreign

    def interrupted(target, data, *, expected):
        if theirs:
            document = parse_document(path.read_bytes(), "p") if path.exists() else empty_document()
            path.write_bytes(write_document(changed_document(document, submit(theirs.pop()))))
        replaced(target, data, expected=expected)

    monkeypatch.setattr(proposal_file, "replace_foreign", interrupted)
    book.commit(submit(make_proposal("Ours")))
    assert {entry.proposal.title for entry in book.entries()} == {"Ours", "Theirs 1", "Theirs 2"}


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
full = texts.filter(bool)
proposals = st.builds(
    make_proposal,
    title=full,
    statement=full,
    rationale=texts,
    source=full,
    scope_hints=st.lists(full, max_size=2).map(tuple),
    related_decision_ids=st.lists(full, max_size=2).map(tuple),
    architecture_context=st.dictionaries(texts, texts, max_size=2),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(proposals, max_size=3, unique_by=id_of))
def test_a_written_document_reads_as_itself(made):
    document = changed_document(empty_document(), submit(*made))
    again = parse_document(write_document(document), "p")
    assert again.entries == tuple(map(entry_of, made))
    assert write_document(again) == write_document(document)
    assert [forgery(entry) for entry in again.entries] == [""] * len(made)
