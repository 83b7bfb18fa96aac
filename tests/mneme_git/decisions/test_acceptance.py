import pytest
from msgspec.structs import replace

from mneme_git.decisions.acceptance import accept_request, plan_accept, verify_acceptance
from mneme_git.decisions.proposals import plan_reject
from mneme_git.errors import AuthorityRefused, Refused
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import (
    Applicability,
    Authority,
    DecisionState,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    RuleBinding,
    RuntimeEvidence,
    Version,
    id_of,
)
from mneme_git.model.identity import default_decision_id
from mneme_git.model.paths import verdict_path
from mneme_git.model.plan import PutProposal, PutState, PutVerdict, PutVersion, Read
from mneme_git.model.proposal import Verdict
from mneme_git.model.snapshot import Contested, Fault, Snapshot
from tests.support.make import make_entry, make_snapshot, make_state, make_version

ADA, NOON = "Ada <ada@example.org>", "2025-02-01T12:00:00Z"
RICH = {"rationale": "fast", "scope_hints": ("cache", "perf")}


def accept(entry, wanted=None, snapshot=None, created_at=None):
    request = accept_request([entry], entry.proposal_id, wanted)
    return plan_accept(snapshot or Snapshot(), request, by=ADA, at=NOON, created_at=created_at)


def carried_out(acceptance):
    """Return what a store holds when the decision part of ``acceptance`` was carried out."""
    version, state = (operation for operation in acceptance.decision.operations)
    return make_snapshot(state.state, versions=(version.version,))


def accepted(wanted="d1", **but):
    """Return an accepted entry and the snapshot with its decision."""
    entry = make_entry(**RICH | but)
    snapshot = carried_out(accept(entry, wanted))
    return replace(entry, status="accepted", accepted_decision_id=wanted), snapshot


def changed(snapshot, *, state=None, version=None):
    """Return the snapshot with its one decision, or the version of it, changed."""
    old_state = snapshot.decisions[0]
    old = snapshot.versions[old_state.active_version_id]
    new = replace(old, **(version or {}))
    rows = tuple(replace(entry, version_id=id_of(new)) for entry in old_state.versions)
    moved = replace(old_state, active_version_id=id_of(new), versions=rows)
    return make_snapshot(replace(moved, **(state or {})), versions=(new,))


def refusal(call, *args, **named):
    with pytest.raises(AuthorityRefused) as raised:
        call(*args, **named)
    return raised.value.message


def test_accepting_makes_an_active_decision_of_what_was_proposed():
    entry = make_entry(**RICH)
    made = accept(entry, "use-cache")
    version = Version(
        decision_id="use-cache",
        statement="Cache in Redis",
        rationale="fast",
        scope=("cache", "perf"),
        occurrence=(entry.proposal_id, entry.producer_key, entry.content_fingerprint),
    )
    evidence = ProposalEvidence(
        proposal_id=entry.proposal_id,
        producer_key=entry.producer_key,
        content_fingerprint=entry.content_fingerprint,
        origin_classification="imported_unknown",
        proposed_at=entry.proposal.proposed_at,
        source_reference="docs/plan.md#3",
        accepted_decision_id="use-cache",
        observed_at=NOON,
    )
    state = DecisionState(
        decision_id="use-cache",
        lifecycle_status=Lifecycle.ACTIVE,
        active_version_id=id_of(version),
        versions=(LineageEntry(version_id=id_of(version), evidence=(evidence,)),),
    )
    assert made.decision.operations == (PutVersion(version, NOON), PutState(state, NOON))
    assert made.decision.reads == (Read("decision", "use-cache", "absent"),)
    assert (made.outcome, made.materialized) == ("accepted", True)


def test_accepting_gives_a_verdict_with_person_and_time_that_rests_on_the_open_proposal():
    entry = make_entry()
    made = accept(entry, "d1")
    verdict = Verdict(proposal_id=entry.proposal_id, verdict="accepted", decision_id="d1", by=ADA, at=NOON)
    assert made.verdict.operations == (PutProposal(entry.proposal), PutVerdict(verdict))
    assert made.verdict.reads == (Read("proposal", entry.proposal_id, "proposed"),)


def test_without_a_wanted_id_the_decision_gets_the_one_its_content_gives():
    entry = make_entry()
    given = default_decision_id(entry.proposal_id, entry.producer_key, entry.content_fingerprint)
    assert accept(entry).request.decision_id == given


def test_an_unknown_proposal_is_refused():
    assert refusal(accept_request, [make_entry()], "x") == "proposal 'x' not found"


def test_a_rejected_proposal_is_refused_before_the_wanted_id_is_looked_at():
    entry = make_entry("rejected")
    assert refusal(accept, entry, "") == (
        f"proposal '{entry.proposal_id}' is rejected; rejected proposals cannot be accepted (terminal in D2C1)"
    )


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("", "an explicit decision_id must be a non-empty string"),
        (
            "dprop-x",
            (
                "explicit decision_id 'dprop-x' occupies the reserved proposal-id namespace (dprop-*); a "
                "canonical decision id must never inhabit the proposal-id namespace"
            ),
        ),
        (
            "odd",
            (
                "explicit decision_id 'odd' collides with the proposal-id namespace; a canonical decision id "
                "must never equal a proposal id"
            ),
        ),
    ],
)
def test_an_id_that_no_decision_may_have_is_refused(wanted, text):
    entry, odd = make_entry(), replace(make_entry("rejected"), proposal_id="odd")
    assert refusal(accept_request, [entry, odd], entry.proposal_id, wanted) == text


def test_an_accepted_proposal_keeps_its_decision_id():
    entry, snapshot = accepted("d1")
    assert refusal(accept, entry, "other", snapshot) == (
        f"proposal '{entry.proposal_id}' is already accepted with decision id 'd1'; retries cannot replace the "
        "stored accepted_decision_id with 'other'"
    )
    assert accept(entry, "d1", snapshot).outcome == "already_accepted"


def test_an_open_proposal_is_never_taken_for_accepted_because_its_decision_is_there():
    version = make_version("d1")
    entry, snapshot = make_entry(), make_snapshot(make_state(version), versions=(version,))
    assert refusal(accept, entry, "d1", snapshot) == (
        "decision id 'd1' already exists in the canonical Decision Index while proposal "
        f"'{entry.proposal_id}' is still proposed; acceptance is never inferred from an existing decision "
        "(dangerous reverse half-state; fail closed)"
    )


def test_accepting_again_changes_nothing():
    entry, snapshot = accepted()
    again = accept(entry, None, snapshot)
    assert (again.outcome, again.materialized) == ("already_accepted", False)
    assert (again.verdict.operations, again.decision.operations) == ((), ())


def test_a_decision_that_was_lost_is_made_again_without_a_second_verdict():
    entry, _ = accepted("d1")
    again = accept(entry)
    assert (again.outcome, again.materialized, again.request.decision_id) == ("recovered", True, "d1")
    assert again.verdict.operations == ()
    assert len(again.decision.operations) == 2


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [
        ("statement", "x", "decision"),
        ("rationale", "x", "rationale"),
        ("scope", ("x",), "scope"),
        ("constraints", ("no x",), "constraints"),
        ("anti_patterns", ("x",), "anti_patterns"),
    ],
)
def test_a_decision_that_says_something_else_is_not_the_accepted_one(field, value, name):
    entry, snapshot = accepted()
    assert refusal(accept, entry, None, changed(snapshot, version={field: value})) == (
        f"decision id 'd1' already exists but is not this accepted decision (field '{name}' differs from the "
        "accepted decision's)"
    )


def test_an_empty_creation_time_in_a_memory_file_is_told():
    entry, snapshot = accepted()
    assert refusal(accept, entry, None, snapshot, created_at="") == (
        "decision id 'd1' already exists but is not this accepted decision (field 'created_at' must be a "
        "non-empty string)"
    )
    assert accept(entry, None, snapshot, created_at=NOON).outcome == "already_accepted"


@pytest.mark.parametrize("status", [Lifecycle.SUPERSEDED, Lifecycle.DEPRECATED, Lifecycle.INACTIVE])
def test_a_decision_that_is_no_longer_active_is_not_the_accepted_one(status):
    entry, snapshot = accepted()
    assert refusal(accept, entry, None, changed(snapshot, state={"lifecycle_status": status})) == (
        "canonical decision 'd1' has no derived compatibility snapshot row"
    )


def test_a_decision_of_another_origin_is_not_the_accepted_one():
    entry, snapshot = accepted()
    other = changed(snapshot, version={"occurrence": ("cli-add", "d1")})
    assert refusal(accept, entry, None, other) == (
        "canonical decision id 'd1' already exists but is not this accepted proposal (canonical field "
        "'occurrence_source_identity' differs from accepted proposal)"
    )


def evidence_changed(snapshot, rows):
    state = snapshot.decisions[0]
    entry = replace(state.versions[0], evidence=rows)
    return make_snapshot(replace(state, versions=(entry,)), versions=tuple(snapshot.versions.values()))


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("proposal_id", "proposal_id"),
        ("producer_key", "producer_key"),
        ("content_fingerprint", "content_fingerprint"),
        ("origin_classification", "origin_classification"),
        ("proposed_at", "proposed_at"),
        ("source_reference", "source_reference"),
        ("source_version", "source_revision"),
    ],
)
def test_evidence_that_names_another_proposal_is_told(field, name):
    entry, snapshot = accepted()
    row = replace(snapshot.decisions[0].versions[0].evidence[0], **{field: "zz"})
    assert refusal(accept, entry, None, evidence_changed(snapshot, (row,))) == (
        "canonical decision id 'd1' already exists but is not this accepted proposal (canonical source "
        f"evidence field '{name}' differs)"
    )


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((), "canonical proposal provenance snapshot is missing or ambiguous"),
        (
            (RuntimeEvidence(), RuntimeEvidence()),
            "canonical proposal provenance snapshot is missing or ambiguous",
        ),
        ((RuntimeEvidence(),), "canonical source evidence field 'source_type' differs"),
    ],
)
def test_evidence_of_another_kind_is_told(rows, reason):
    entry, snapshot = accepted()
    assert refusal(accept, entry, None, evidence_changed(snapshot, rows)).endswith(f"({reason})")


def test_the_time_of_acceptance_and_later_rules_and_tests_do_not_count():
    entry, snapshot = accepted()
    state = snapshot.decisions[0]
    row = replace(state.versions[0].evidence[0], observed_at="")
    rule = RuleBinding(
        version_id=state.active_version_id,
        sequence=0,
        type="FORBID_LITERAL",
        value="redis",
        applicability=Applicability(),
        authority=Authority.PROTECTION,
    )
    protected = evidence_changed(snapshot, (row,)).decisions[0]
    again = make_snapshot(replace(protected, rules=(rule,)), versions=tuple(snapshot.versions.values()))
    assert accept(entry, None, again).outcome == "already_accepted"


def test_a_decision_that_a_migration_cut_off_is_tied_to_its_proposal_again():
    entry, snapshot = accepted("d1")
    whole = snapshot.decisions[0]
    cut = changed(snapshot, version={"occurrence": ("legacy-decisions", "d1")})
    state = replace(
        cut.decisions[0],
        versions=(replace(cut.decisions[0].versions[0], evidence=(RuntimeEvidence(),)),),
        rules=(
            RuleBinding(
                version_id=cut.decisions[0].active_version_id,
                sequence=0,
                type="FORBID_LITERAL",
                value="redis",
                authority=Authority.LEGACY_UNKNOWN,
            ),
        ),
    )
    cut = make_snapshot(state, versions=tuple(cut.versions.values()))
    again = accept(entry, None, cut, created_at="2024-05-05T00:00:00Z")
    version, mended = again.decision.operations
    assert (again.outcome, again.materialized) == ("already_accepted", False)
    assert version == PutVersion(snapshot.versions[whole.active_version_id], "2024-05-05T00:00:00Z")
    assert mended.state.active_version_id == whole.active_version_id
    assert [rule.version_id for rule in mended.state.rules] == [whole.active_version_id]
    assert mended.state.versions[0].evidence[0].observed_at == ""
    assert again.decision.reads == (Read("decision", "d1", state_digest(state)),)
    assert accept(entry, None, carried_out(again)).decision.operations == ()


def test_a_proposal_without_provenance_is_refused_before_anything_is_planned():
    entry = make_entry(provenance=None)
    assert refusal(accept, entry) == f"proposal '{entry.proposal_id}' has no source provenance"


@pytest.mark.parametrize("status", ["proposed", "accepted"])
@pytest.mark.parametrize("field", ["proposal_id", "producer_key", "content_fingerprint"])
def test_a_forged_proposal_is_refused(field, status):
    entry = replace(make_entry(status, "d1" if status == "accepted" else None), **{field: "dprop-forged"})
    assert "is not what its content says" in refusal(accept, entry, "d1")


def test_a_contested_decision_must_be_resolved_first():
    entry, snapshot = accepted("d1")
    contested = Snapshot(contested=(Contested(decision_id="d1", sides=(), why="two branches"),))
    with pytest.raises(Refused) as raised:
        accept(entry, None, contested)
    assert raised.value.hint == "run `mneme decision resolve d1` first"
    assert snapshot.decisions


def test_a_verdict_that_cannot_be_read_must_be_settled_first():
    entry = make_entry()
    fault = Fault(code="VERDICT_CONFLICT", path=verdict_path(entry.proposal_id), message="unlike verdicts")
    with pytest.raises(Refused, match="unlike verdicts"):
        accept(entry, "d1", Snapshot(faults=(fault,)))


def test_a_lost_active_version_is_no_reason_to_make_another_decision():
    entry, snapshot = accepted()
    with pytest.raises(Refused, match="active version of decision 'd1' is missing"):
        accept(entry, None, make_snapshot(*snapshot.decisions))


def test_after_the_write_both_records_are_looked_at():
    entry, snapshot = accepted("d1")
    request = accept_request([entry], entry.proposal_id)
    verify_acceptance(snapshot, [entry], request)
    opened = replace(entry, status="proposed", accepted_decision_id=None)
    assert "is not accepted as 'd1'" in refusal(verify_acceptance, snapshot, [opened], request)
    assert "is not there" in refusal(verify_acceptance, Snapshot(), [entry], request)
    other = changed(snapshot, version={"statement": "other"})
    assert "field 'decision' differs" in refusal(verify_acceptance, other, [entry], request)


def test_no_road_leads_back_from_a_verdict():
    rejected, (taken, snapshot) = make_entry("rejected"), accepted()
    assert refusal(accept, rejected, "d1")
    assert refusal(plan_reject, [taken], taken.proposal_id, by=ADA, at=NOON)
    assert accept(taken, None, snapshot).verdict.operations == ()
