import pytest
from msgspec.structs import replace

from mneme_git.decisions.proposals import find_entry, plan_reject, plan_submit, with_shared
from mneme_git.errors import AmbiguousId, AuthorityRefused, InvalidInput, Refused
from mneme_git.model.paths import verdict_path
from mneme_git.model.plan import PutProposal, PutVerdict, Read
from mneme_git.model.proposal import Origin, Provenance, Verdict, id_of
from mneme_git.model.proposal_entry import entry_of
from mneme_git.model.snapshot import Fault
from tests.support.make import make_entry, make_proposal

SHARED = Provenance(
    producer_name="shared",
    producer_type="batch",
    source_reference="list.md",
    external_source_id="x-1",
    source_version="v1",
    repository_locator="repo",
    origin_classification=Origin.HUMAN_AUTHORED,
)
WHEN = {"by": "Ada <ada@example.org>", "at": "2025-02-01T00:00:00Z"}


def test_a_new_candidate_is_planned_and_rests_on_its_absence():
    proposal = make_proposal()
    submission = plan_submit([], [proposal])
    assert submission.plan.operations == (PutProposal(proposal),)
    assert submission.plan.reads == (Read("proposal", id_of(proposal), "absent"),)
    assert (submission.plan.verb, submission.plan.subject) == ("propose", id_of(proposal))
    assert [(answer.created, answer.entry) for answer in submission.results] == [(True, entry_of(proposal))]


def test_the_same_submission_again_gives_the_stored_one_with_its_first_time_and_status():
    stored = make_entry("rejected")
    again = replace(stored.proposal, proposed_at="2026-01-01T00:00:00Z")
    submission = plan_submit([stored], [again])
    assert submission.plan.operations == ()
    assert [(answer.created, answer.entry) for answer in submission.results] == [(False, stored)]


def test_one_candidate_twice_in_a_batch_is_stored_once():
    submission = plan_submit([], [make_proposal(), make_proposal(), make_proposal("Other")])
    assert [answer.created for answer in submission.results] == [True, False, True]
    assert len(submission.plan.operations) == 2
    assert submission.plan.subject == "2 proposals"


@pytest.mark.parametrize(
    "field", ["producer_name", "source_reference", "source_version", "repository_locator"]
)
def test_another_source_makes_another_proposal(field):
    stored = make_entry()
    moved = replace(stored.proposal, provenance=replace(stored.proposal.provenance, **{field: "other"}))
    assert plan_submit([stored], [moved]).results[0].created


def test_another_origin_alone_makes_no_other_proposal():
    stored = make_entry()
    source = replace(stored.proposal.provenance, origin_classification=Origin.AI_GENERATED)
    answer = plan_submit([stored], [replace(stored.proposal, provenance=source)]).results[0]
    assert (answer.created, answer.entry) == (False, stored)


def test_a_batch_with_one_candidate_that_is_refused_plans_nothing():
    with pytest.raises(InvalidInput) as raised:
        plan_submit([], [make_proposal(), make_proposal("B", provenance=None)])
    assert raised.value.message == (
        "proposal requires provenance: supply candidate.provenance or shared_provenance"
    )


def test_an_empty_batch_is_answered_with_nothing():
    submission = plan_submit([], [])
    assert (submission.plan.operations, submission.results) == ((), ())


def test_shared_provenance_stands_in_for_none():
    assert with_shared(make_proposal(provenance=None), SHARED).provenance == SHARED


def test_own_fields_win_over_shared_ones_and_empty_ones_are_filled():
    own = Provenance(producer_name="own", producer_type="agent", source_reference="a.md", source_version="v9")
    merged = with_shared(make_proposal(provenance=own), SHARED).provenance
    assert merged == Provenance(
        producer_name="own",
        producer_type="agent",
        source_reference="a.md",
        external_source_id="x-1",
        source_version="v9",
        repository_locator="repo",
        origin_classification=Origin.IMPORTED_UNKNOWN,
    )


def test_rejecting_plans_a_verdict_that_rests_on_the_proposal_being_open():
    entry = make_entry()
    rejection = plan_reject([entry], entry.proposal_id, **WHEN, reason="one store is enough")
    verdict = Verdict(proposal_id=entry.proposal_id, verdict="rejected", reason="one store is enough", **WHEN)
    assert rejection.plan.operations == (PutProposal(entry.proposal), PutVerdict(verdict))
    assert rejection.plan.reads == (Read("proposal", entry.proposal_id, "proposed"),)


def test_rejecting_twice_plans_nothing():
    entry = make_entry("rejected")
    assert plan_reject([entry], entry.proposal_id, **WHEN).plan.operations == ()


def test_an_accepted_proposal_cannot_be_rejected():
    entry = make_entry("accepted", "d1")
    with pytest.raises(AuthorityRefused) as raised:
        plan_reject([entry], entry.proposal_id, **WHEN)
    assert raised.value.message == (
        f"proposal '{entry.proposal_id}' is accepted; rejecting an accepted proposal fails closed "
        "(terminal in D2C1)"
    )


def test_an_unknown_proposal_cannot_be_rejected():
    with pytest.raises(AuthorityRefused, match="proposal 'dprop-unknown' not found"):
        plan_reject([make_entry()], "dprop-unknown", **WHEN)


def test_a_forged_proposal_can_be_rejected_without_putting_its_content_again():
    forged = replace(make_entry(), proposal_id="dprop-forged")
    rejection = plan_reject([forged], "dprop-forged", **WHEN)
    assert [type(operation) for operation in rejection.plan.operations] == [PutVerdict]


def verdict_fault(entry, code="VERDICT_CONFLICT"):
    return Fault(code=code, path=verdict_path(entry.proposal_id), message="unlike verdicts", hint="settle it")


@pytest.mark.parametrize("code", ["VERDICT_CONFLICT", "DAMAGED_VERDICT"])
def test_a_verdict_that_cannot_be_read_must_be_settled_first(code):
    entry = make_entry()
    with pytest.raises(Refused, match="unlike verdicts; nothing was written") as raised:
        plan_reject([entry], entry.proposal_id, **WHEN, faults=[verdict_fault(entry, code)])
    assert raised.value.hint == "settle it"


def test_a_fault_of_another_verdict_or_of_one_that_was_read_all_the_same_stands_in_no_way():
    entry, other = make_entry(), make_entry(title="Other")
    assert plan_reject([entry], entry.proposal_id, **WHEN, faults=[verdict_fault(other)]).plan.operations
    judged = make_entry("rejected")
    plan_reject([judged], judged.proposal_id, **WHEN, faults=[verdict_fault(judged)])


def test_an_id_may_be_shortened_when_it_stays_unique():
    entry = make_entry()
    assert find_entry([entry], entry.proposal_id[:12]) == entry
    assert find_entry([entry], "dprop-") is None
    assert find_entry([entry], "") is None


def test_a_shortened_id_that_fits_two_names_both():
    one, other = make_entry(), replace(make_entry(), proposal_id=make_entry().proposal_id[:-1] + "x")
    with pytest.raises(AmbiguousId):
        find_entry([one, other], one.proposal_id[:12])
    assert find_entry([one, other], one.proposal_id) == one
