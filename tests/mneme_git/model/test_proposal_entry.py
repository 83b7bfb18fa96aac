import pytest
from msgspec.structs import replace

from mneme_git.model.codec import encode_proposal, name_of_bytes
from mneme_git.model.proposal import Verdict, id_of
from mneme_git.model.proposal_entry import entries_of, entry_of, forgery, status_of
from tests.support.make import make_entry, make_proposal


def named(*proposals):
    return {name_of_bytes(encode_proposal(proposal)): proposal for proposal in proposals}


def test_entries_stand_in_the_order_of_their_times():
    late, early = make_proposal("B", proposed_at="2025-02-01T00:00:00Z"), make_proposal("A")
    assert [entry.proposal for entry in entries_of(named(late, early), {})] == [early, late]


def test_files_with_one_id_are_one_proposal_and_the_earliest_stands():
    early = make_proposal(proposed_at="2025-01-01T00:00:00Z")
    late = replace(early, proposed_at="2025-03-01T00:00:00Z")
    assert id_of(early) == id_of(late)
    for proposals in (named(early, late), named(late, early)):
        assert [entry.proposal for entry in entries_of(proposals, {})] == [early]


def test_of_files_with_one_id_and_one_time_the_smaller_name_stands():
    one = make_proposal()
    other = replace(one, provenance=replace(one.provenance, origin_classification="x"))
    assert [entry.proposal for entry in entries_of({"b": one, "a": other}, {})] == [other]


def test_a_verdict_is_the_status_of_its_proposal():
    proposal, other = make_proposal(), make_proposal("Other")
    accepted = Verdict(
        proposal_id=id_of(proposal), verdict="accepted", decision_id="d1", by="Ada", at="2025-02-01T00:00:00Z"
    )
    found = {
        entry.proposal_id: entry for entry in entries_of(named(proposal, other), {id_of(proposal): accepted})
    }
    assert (found[id_of(proposal)].status, found[id_of(proposal)].accepted_decision_id) == ("accepted", "d1")
    assert (found[id_of(other)].status, found[id_of(other)].accepted_decision_id) == ("proposed", None)


def test_the_status_of_an_unknown_proposal_is_what_the_caller_says():
    entry = make_entry("rejected")
    assert status_of([entry], entry.proposal_id, absent="none") == "rejected"
    assert status_of([entry], "dprop-other", absent="none") == "none"


def test_an_entry_made_from_its_content_is_no_forgery():
    assert forgery(make_entry()) == ""


@pytest.mark.parametrize("field", ["proposal_id", "producer_key", "content_fingerprint"])
def test_a_changed_hash_is_a_forgery_and_the_right_one_is_named(field):
    good = make_entry()
    assert forgery(replace(good, **{field: "0" * 64})) == f"its {field} should be '{getattr(good, field)}'"


def test_changed_content_under_the_old_hashes_is_a_forgery():
    good = make_entry()
    changed = replace(good.proposal, statement="Cache in Postgres")
    true = entry_of(changed).content_fingerprint
    assert forgery(replace(good, proposal=changed)) == f"its content_fingerprint should be '{true}'"
