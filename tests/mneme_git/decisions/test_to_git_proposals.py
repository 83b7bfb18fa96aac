import pytest
from msgspec.structs import replace

from mneme_git.decisions.to_git_proposals import plan_proposals
from mneme_git.model.decision import LineageEntry, ProposalEvidence, id_of
from mneme_git.model.plan import ABSENT, PutProposal, PutVerdict, Read
from tests.support.make import make_entry, make_state, make_version

ACCEPTED = make_entry("accepted", "d1")
PROPOSED = make_entry()
REJECTED = make_entry("rejected")


def accepted_state(entry, at):
    version = make_version("d1")
    evidence = ProposalEvidence(
        proposal_id=entry.proposal_id, producer_key="k", content_fingerprint="f", origin_classification="o",
        proposed_at="p", source_reference="r", accepted_decision_id="d1", observed_at=at,
    )  # fmt: skip
    return replace(
        make_state(version), versions=(LineageEntry(version_id=id_of(version), evidence=(evidence,)),)
    )


def test_a_proposal_and_the_verdict_on_it_go_along_with_the_time_that_is_known():
    move = plan_proposals([ACCEPTED], [], {"d1": accepted_state(ACCEPTED, "2025-01-01T00:00:00Z")})
    proposal, verdict = move.operations
    assert isinstance(proposal, PutProposal)
    assert isinstance(verdict, PutVerdict)
    assert (verdict.verdict.verdict, verdict.verdict.decision_id) == ("accepted", "d1")
    assert (verdict.verdict.by, verdict.verdict.at) == ("unknown", "2025-01-01T00:00:00Z")
    assert move.reads == (Read("proposal", ACCEPTED.proposal_id, ABSENT),)
    assert (move.new, move.settled) == (1, 1)


def test_a_time_that_is_not_known_is_empty():
    [_, verdict] = plan_proposals([REJECTED], [], {}).operations
    assert (verdict.verdict.decision_id, verdict.verdict.at) == (None, "")


@pytest.mark.parametrize(
    ("file", "git", "kinds"),
    [
        (PROPOSED, PROPOSED, []),
        (PROPOSED, ACCEPTED, []),
        (ACCEPTED, ACCEPTED, []),
        (REJECTED, PROPOSED, [PutVerdict]),
        (ACCEPTED, PROPOSED, [PutVerdict]),
    ],
)
def test_a_verdict_of_git_stands_and_a_missing_one_is_taken(file, git, kinds):
    move = plan_proposals([file], [git], {})
    assert [type(operation) for operation in move.operations] == kinds
    assert move.problems == ()
    if kinds:
        assert move.reads == (Read("proposal", file.proposal_id, "proposed"),)


def test_unlike_verdicts_and_forged_entries_are_problems():
    [unlike] = plan_proposals([ACCEPTED], [REJECTED], {}).problems
    assert unlike == f"proposal '{ACCEPTED.proposal_id}' is accepted in the file and rejected in git"
    [other] = plan_proposals([ACCEPTED], [make_entry("accepted", "d2")], {}).problems
    assert "is accepted in the file and accepted in git" in other
    forged = replace(PROPOSED, content_fingerprint="0" * 64)
    [problem] = plan_proposals([forged], [], {}).problems
    assert "is not what its content says" in problem
