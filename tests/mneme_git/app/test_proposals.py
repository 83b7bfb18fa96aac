"""Accepting and rejecting what was proposed, on both stores."""

import json
import multiprocessing

import pytest

from mneme_git.app.open import open_git
from mneme_git.app.proposals import accept, find, reject
from mneme_git.decisions.index_queries import SearchFilters
from mneme_git.errors import AuthorityRefused, ProposalNotFound, Refused
from mneme_git.model.decision import ProposalEvidence
from tests.support.index import CACHE_DECISION, CACHE_ID, CANDIDATE, MEMORY, PROPOSALS


def test_accepting_makes_a_decision_that_the_next_look_shows(place):
    place.propose()
    done = accept(place.workspace(), place.desk(), CACHE_ID)
    assert (done.acceptance.outcome, done.acceptance.materialized) == ("accepted", True)
    found = place.tools().get(CACHE_DECISION)["canonical_decision"]
    assert (found["statement"], found["rationale"], found["context_scope"]) == (
        "Cache in Redis",
        "fast",
        ["cache", "perf"],
    )
    assert found["decided_at"] == "2025-02-01T12:00:00Z"
    assert found["source_evidence"][0]["observed_at"] == "2025-02-01T12:00:00Z"
    assert place.tools().get(CACHE_ID)["proposal"]["accepted_decision_id"] == CACHE_DECISION


def test_accepting_twice_writes_once(place):
    place.propose()
    accept(place.workspace(), place.desk(), CACHE_ID, decision_id="d1")
    before = place.repo.git("status", "--porcelain", "-uall")
    again = accept(place.workspace(), place.desk(), CACHE_ID)
    assert (again.acceptance.outcome, again.acceptance.materialized, again.receipts) == (
        "already_accepted",
        False,
        (),
    )
    assert place.repo.git("status", "--porcelain", "-uall") == before
    with pytest.raises(AuthorityRefused, match="already accepted with decision id 'd1'"):
        accept(place.workspace(), place.desk(), CACHE_ID, decision_id="other")


def test_a_rejection_is_final_and_so_is_an_acceptance(place):
    place.propose()
    assert reject(place.workspace(), place.desk(), CACHE_ID).receipt is not None
    assert reject(place.workspace(), place.desk(), CACHE_ID).receipt is None
    with pytest.raises(AuthorityRefused, match="rejected proposals cannot be accepted"):
        accept(place.workspace(), place.desk(), CACHE_ID)
    other = place.propose(title="Other")
    accept(place.workspace(), place.desk(), other, decision_id="d1")
    with pytest.raises(AuthorityRefused, match="rejecting an accepted proposal fails closed"):
        reject(place.workspace(), place.desk(), other)


def test_an_id_that_a_decision_has_is_refused_and_the_proposal_stays_open(place):
    place.propose()
    other = place.propose(title="Other")
    accept(place.workspace(), place.desk(), other, decision_id="d1")
    with pytest.raises(AuthorityRefused, match="dangerous reverse half-state"):
        accept(place.workspace(), place.desk(), CACHE_ID, decision_id="d1")
    assert find(place.desk(), CACHE_ID).status == "proposed"


def test_an_unknown_proposal_is_not_found(place):
    place.propose()
    with pytest.raises(ProposalNotFound, match="proposal 'x' not found"):
        find(place.desk(), "x")
    for act in (accept, reject):
        with pytest.raises(AuthorityRefused, match="proposal 'x' not found"):
            act(place.workspace(), place.desk(), "x")


def _accept_one(folder, number, barrier):
    from mneme_git.app.desk import open_desk
    from mneme_git.app.workspace import Workspace, environment

    workspace = Workspace(cwd=folder, env=environment({}), now=lambda: number)
    names = [entry.proposal_id for entry in open_desk(workspace).book.entries()]
    barrier.wait()
    accept(workspace, open_desk(workspace), sorted(names)[number], decision_id=f"d{number}")


def test_ten_people_who_accept_at_once_lose_nothing(place):
    for number in range(10):
        place.propose(title=f"P{number}")
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(10)
    people = [
        context.Process(target=_accept_one, args=(place.folder, number, barrier)) for number in range(10)
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert [person.exitcode for person in people] == [0] * 10
    assert {state.decision_id for state in place.desk().decisions.load().decisions} == {
        f"d{number}" for number in range(10)
    }
    assert {entry.status for entry in place.desk().book.entries()} == {"accepted"}


def test_in_git_an_acceptance_is_one_write_with_everything_staged(in_git):
    in_git.repo.commit_all("mneme")
    in_git.propose()
    done = accept(in_git.workspace(), in_git.desk(), CACHE_ID, decision_id="use-cache")
    assert len(done.receipts) == 1
    listed = in_git.repo.git("status", "--porcelain", "-uall").splitlines()
    assert {line[:3] for line in listed} == {"A  "}
    kinds = sorted(line[3:].split("/")[1] for line in listed)
    assert kinds == ["decisions", "proposals", "proposals", "versions"]


def test_in_git_a_verdict_names_the_person_the_time_and_the_reason(in_git):
    in_git.repo.git("config", "user.name", "Ada")
    in_git.repo.git("config", "user.email", "ada@example.org")
    in_git.propose()
    reject(in_git.workspace(), in_git.desk(), CACHE_ID, reason="one store is enough")
    verdict = in_git.desk().decisions.load().verdicts[CACHE_ID]
    assert (verdict.by, verdict.at, verdict.reason) == (
        "Ada <ada@example.org>",
        "2025-02-01T12:00:00Z",
        "one store is enough",
    )


def test_in_git_the_state_names_the_proposal_as_evidence(in_git):
    in_git.propose()
    accept(in_git.workspace(), in_git.desk(), CACHE_ID, decision_id="use-cache")
    state = in_git.desk().decisions.load().state("use-cache")
    evidence = state.versions[0].evidence[0]
    assert isinstance(evidence, ProposalEvidence)
    assert (evidence.proposal_id, evidence.accepted_decision_id) == (CACHE_ID, "use-cache")
    assert in_git.repo.mneme("verify").code == 0


def test_in_git_unlike_verdicts_of_two_branches_conflict_and_wait_for_a_person(in_git):
    repo = in_git.repo
    in_git.propose()
    base = repo.commit_all("propose")
    reject(in_git.workspace(), in_git.desk(), CACHE_ID)
    repo.commit_all("reject")
    repo.git("switch", "-q", "-c", "other", base)
    accept(in_git.workspace(), in_git.desk(), CACHE_ID, decision_id="d1")
    repo.commit_all("accept")
    assert repo.try_git("merge", "main").code != 0
    for act in (accept, reject):
        with pytest.raises(Refused, match="nothing was written"):
            act(in_git.workspace(), in_git.desk(), CACHE_ID)
    path = f".mneme/proposals/{CACHE_ID[6]}/{CACHE_ID}.verdict.json"
    repo.git("checkout", "--ours", "--", path)
    repo.git("add", path)
    repo.git("commit", "-q", "-m", "merged")
    assert find(in_git.desk(), CACHE_ID).status == "accepted"


def test_in_git_a_decision_that_a_revert_took_away_can_be_made_again(in_git):
    repo = in_git.repo
    in_git.propose()
    accept(in_git.workspace(), in_git.desk(), CACHE_ID, decision_id="d1")
    repo.commit_all("accept")
    repo.git("rm", "-q", "-r", ".mneme/decisions/d1.json")
    repo.git("commit", "-q", "-m", "take the decision away")
    done = accept(in_git.workspace(), in_git.desk(), CACHE_ID)
    assert (done.acceptance.outcome, done.acceptance.materialized) == ("recovered", True)
    assert open_git(in_git.workspace()).load().state("d1") is not None


def test_in_git_proposals_may_still_come_from_a_file(in_git):
    from mneme_git.app.desk import open_desk, open_tool_desk
    from mneme_git.app.index_tools import IndexTools

    workspace = in_git.workspace()
    IndexTools(workspace, open_tool_desk(workspace, proposals="p.json")).propose([CANDIDATE])
    done = accept(workspace, open_desk(workspace, proposals="p.json"), CACHE_ID, decision_id="d1")
    assert len(done.receipts) == 2
    assert json.loads((in_git.folder / "p.json").read_text())["proposals"][0]["status"] == "accepted"
    assert in_git.desk().decisions.load().state("d1") is not None


def test_in_a_file_a_crash_between_the_two_writes_is_completed_by_accepting_again(in_file, monkeypatch):
    from mneme_git.store.memory_file import MemoryFile

    in_file.propose()
    with monkeypatch.context() as patch:
        patch.setattr(MemoryFile, "commit", lambda *_args, **_named: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            accept(in_file.workspace(), in_file.desk(), CACHE_ID)
    assert find(in_file.desk(), CACHE_ID).status == "accepted"
    assert in_file.memory()["decisions"] == []
    done = accept(in_file.workspace(), in_file.desk(), CACHE_ID)
    assert (done.acceptance.outcome, done.acceptance.materialized) == ("recovered", True)
    assert [row["id"] for row in in_file.memory()["decisions"]] == [CACHE_DECISION]


def test_in_a_file_rejecting_needs_no_memory(in_file):
    in_file.propose()
    (in_file.folder / MEMORY).unlink()
    reject(in_file.workspace(), in_file.desk(), CACHE_ID)
    assert find(in_file.desk(), CACHE_ID).status == "rejected"
    with pytest.raises(AuthorityRefused, match="rejected"):
        accept(in_file.workspace(), in_file.desk(), CACHE_ID)


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (None, AuthorityRefused, f"memory file {MEMORY} does not exist"),
        (
            "{",
            AuthorityRefused,
            (
                f"memory file {MEMORY} is not loadable project memory: Expecting property name enclosed in double "
                "quotes: line 1 column 2 (char 1)"
            ),
        ),
        (
            '{"meta": {"name": "", "description": ""}, "decisions": []}',
            Refused,
            (
                f"project memory {MEMORY} has no authoritative decision_index section.\n"
                f"  Preview the migration:  mneme decision-index migrate --memory {MEMORY}\n"
                f"  After reviewing it, apply: mneme decision-index migrate --memory {MEMORY} --apply"
            ),
        ),
    ],
)
def test_in_a_file_memory_that_cannot_be_used_leaves_the_proposal_open(in_file, data, error, text):
    in_file.propose()
    (in_file.folder / MEMORY).unlink()
    if data is not None:
        in_file.repo.write(MEMORY, data)
    with pytest.raises(error) as raised:
        accept(in_file.workspace(), in_file.desk(), CACHE_ID)
    assert raised.value.message == text
    assert find(in_file.desk(), CACHE_ID).status == "proposed"


def test_in_a_file_a_proposal_without_provenance_is_refused_before_anything_changes(in_file):
    entry = json.loads(json.dumps({"schema": "mneme.decision-proposals/v1", "proposals": [bare_row()]}))
    in_file.repo.write(PROPOSALS, json.dumps(entry))
    before = in_file.repo.read(PROPOSALS)
    with pytest.raises(AuthorityRefused, match="has no source provenance"):
        accept(in_file.workspace(), in_file.desk(), bare_row()["proposal_id"])
    assert in_file.repo.read(PROPOSALS) == before
    assert [row["title"] for row in in_file.tools().search("", SearchFilters())["proposals"]] == ["T"]


def bare_row():
    from mneme_git.model.proposal_record import entry_row
    from tests.support.make import make_entry

    return entry_row(make_entry(title="T", provenance=None))


def test_in_a_file_a_forged_proposal_is_shown_but_never_accepted(in_file):
    in_file.propose()
    stored = json.loads(in_file.repo.read(PROPOSALS))
    stored["proposals"][0]["candidate"]["statement"] = "Cache in Oracle"
    in_file.repo.write(PROPOSALS, json.dumps(stored))
    assert find(in_file.desk(), CACHE_ID).proposal.statement == "Cache in Oracle"
    before = in_file.repo.read(PROPOSALS)
    with pytest.raises(AuthorityRefused, match="is not what its content says"):
        accept(in_file.workspace(), in_file.desk(), CACHE_ID)
    assert in_file.repo.read(PROPOSALS) == before


def test_in_a_file_a_migrated_decision_is_tied_to_its_proposal_again(in_file):
    in_file.propose()
    accept(in_file.workspace(), in_file.desk(), CACHE_ID, decision_id="d1")
    whole = in_file.memory()
    from mneme_git.model import identity

    cut = json.loads(json.dumps(whole))
    row = cut["decision_index"]["versions"][0]
    row["occurrence_source_identity"] = ["legacy-decisions", "d1"]
    row["source_evidence"] = [{"source_type": "runtime", "source_locator": ""}]
    row["version_id"] = identity.version_id("d1", row["content_digest"], ["legacy-decisions", "d1"], None)
    cut["decision_index"]["decisions"][0]["active_version_id"] = row["version_id"]
    in_file.repo.write(MEMORY, json.dumps(cut))
    done = accept(in_file.workspace(), in_file.desk(), CACHE_ID)
    assert done.acceptance.outcome == "already_accepted"
    whole["decision_index"]["versions"][0]["source_evidence"][0]["observed_at"] = ""
    assert in_file.memory() == whole
