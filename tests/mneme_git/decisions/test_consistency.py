from msgspec.structs import replace

from mneme_git.decisions.consistency import consistency, doubtful_adrs, unseen_adrs
from mneme_git.decisions.in_force import in_force
from mneme_git.decisions.standing import standing_of
from mneme_git.decisions.state_faults import state_faults
from mneme_git.decisions.successors import Standing, in_question
from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    id_of,
)
from mneme_git.model.proposal import Verdict
from mneme_git.model.snapshot import Contested, Side
from tests.support.make import make_rule, make_snapshot, make_state, make_version

GONE = Lifecycle.SUPERSEDED
OFF = Lifecycle.INACTIVE
A, B, C = (make_version(name, f"Do {name}") for name in ("a", "b", "c"))


def adr_version(decision_id, scope=("",)):
    return make_version(
        decision_id, decision_id, scope=scope, occurrence=(decision_id, "0" * 64, "adr-import")
    )


def adr(decision_id, *, scope=("",), name="", **but):
    version = adr_version(decision_id, scope)
    return make_state(version, source=f"docs/adr/{name or decision_id + '-title.md'}", **but), version


def snapshot_of(*pairs, **but):
    return make_snapshot(*(state for state, _ in pairs), versions=tuple(v for _, v in pairs), **but)


def codes(found):
    return [(fault.code, fault.decision_id) for fault in found.faults]


def enforced(snapshot, found):
    return [row.id for row in in_force(snapshot, root="/r", also=found.also)]


def test_a_store_in_order_has_no_fault():
    snapshot = make_snapshot(
        make_state(A, supersedes=("b",)), make_state(B, status=GONE), make_state(C), versions=(A, B, C)
    )
    assert consistency(snapshot, {}).faults == ()
    assert state_faults(snapshot) == ()


def test_an_active_decision_that_an_active_one_supersedes_is_told_and_both_are_enforced():
    snapshot = make_snapshot(make_state(A, supersedes=("b",)), make_state(B), versions=(A, B))
    found = consistency(snapshot, {})
    assert codes(found) == [("ACTIVE_SUPERSEDED", "a")]
    assert enforced(snapshot, found) == ["a", "b"]


def test_a_circle_of_supersession_is_told_once_and_all_of_it_is_enforced():
    snapshot = make_snapshot(
        make_state(A, supersedes=("b",), status=GONE),
        make_state(B, supersedes=("c",), status=GONE),
        make_state(C, supersedes=("a",), status=GONE),
        versions=(A, B, C),
    )
    found = consistency(snapshot, {})
    assert codes(found) == [("SUPERSESSION_CYCLE", "a")]
    assert all(f"'{name}'" in found.faults[0].message for name in "abc")
    assert enforced(snapshot, found) == ["a", "b", "c"]


def test_a_circle_with_an_active_member_enforces_just_that_member():
    snapshot = make_snapshot(
        make_state(A, supersedes=("b",)), make_state(B, supersedes=("a",), status=GONE), versions=(A, B)
    )
    found = consistency(snapshot, {})
    assert codes(found) == [("SUPERSESSION_CYCLE", "a")]
    assert enforced(snapshot, found) == ["a"]


def test_a_superseded_decision_without_its_successor_is_enforced_and_told():
    snapshot = make_snapshot(make_state(B, status=GONE), versions=(B,))
    found = consistency(snapshot, {})
    assert codes(found) == [("SUCCESSOR_MISSING", "b")]
    assert enforced(snapshot, found) == ["b"]


def test_an_adr_that_says_itself_that_it_is_superseded_lacks_nothing():
    snapshot = snapshot_of(adr("ADR-1", status=GONE))
    assert [state.decision_id for state in in_question(snapshot)] == ["ADR-1"]
    own_word = {"ADR-1": Standing(lifecycle=GONE)}
    assert consistency(snapshot, own_word).faults == ()
    accepted = {"ADR-1": Standing(lifecycle=Lifecycle.ACTIVE)}
    assert codes(consistency(snapshot, accepted)) == [("SUCCESSOR_MISSING", "ADR-1")]
    assert consistency(snapshot, {}).faults == (), "what could not be read is not judged"


def test_a_decision_that_was_migrated_as_superseded_lacks_nothing():
    old = make_version("old", "Old", occurrence=("legacy-decisions", "old"))
    assert consistency(make_snapshot(make_state(old, status=GONE), versions=(old,)), {}).faults == ()


SCOPED = {"scope": ("auth",)}


def standing(strength=(1, 5), **but):
    return Standing(lifecycle=Lifecycle.ACTIVE, scope="auth", strength=strength, **but)


def test_two_active_decisions_of_one_scope_are_told_and_both_are_enforced():
    snapshot = snapshot_of(adr("ADR-1", **SCOPED), adr("ADR-2", **SCOPED), adr("ADR-3", scope=("db",)))
    assert [state.decision_id for state in in_question(snapshot)] == ["ADR-1", "ADR-2"]
    found = consistency(snapshot, {"ADR-1": standing(), "ADR-2": standing((2, 0))})
    assert codes(found) == [("PRECEDENCE_CONFLICT", "ADR-1")]
    assert enforced(snapshot, found) == ["ADR-1", "ADR-2", "ADR-3"]


def test_one_tag_in_common_is_no_scope():
    snapshot = snapshot_of(adr("ADR-1", **SCOPED), adr("ADR-2", **SCOPED))
    tags = Standing(lifecycle=Lifecycle.ACTIVE)
    assert consistency(snapshot, {"ADR-1": tags, "ADR-2": tags}).faults == ()


def test_a_loser_by_precedence_whose_winner_is_gone_is_enforced():
    snapshot = snapshot_of(adr("ADR-1", status=OFF, **SCOPED))
    found = consistency(snapshot, {"ADR-1": standing()})
    assert codes(found) == [("SUCCESSOR_MISSING", "ADR-1")]
    assert enforced(snapshot, found) == ["ADR-1"]


def test_a_loser_whose_winner_is_there_lacks_nothing():
    snapshot = snapshot_of(adr("ADR-1", status=OFF, **SCOPED), adr("ADR-2", **SCOPED))
    found = consistency(snapshot, {"ADR-1": standing(), "ADR-2": standing((2, 0))})
    assert (found.faults, enforced(snapshot, found)) == ((), ["ADR-2"])


def test_a_tie_leaves_its_scope_undecided_as_the_import_did():
    snapshot = snapshot_of(adr("ADR-1", status=OFF, **SCOPED), adr("ADR-2", status=OFF, **SCOPED))
    assert consistency(snapshot, {"ADR-1": standing(), "ADR-2": standing()}).faults == ()
    assert consistency(snapshot, {"ADR-1": standing(), "ADR-2": standing((0, 1))}).also == {"ADR-1"}


def test_a_proposed_adr_never_was_in_force():
    snapshot = snapshot_of(adr("ADR-1", status=OFF, **SCOPED))
    proposed = Standing(lifecycle=OFF, scope="auth")
    assert consistency(snapshot, {"ADR-1": proposed}).faults == ()


def two_sides(first, second, decision_id="ADR-1"):
    sides = (Side(label="ours", state=first), Side(label="theirs", state=second))
    return Contested(decision_id=decision_id, sides=sides, why="a merge")


def test_one_decision_from_two_adr_files_that_are_both_there_is_told():
    first, v1 = adr("ADR-1", name="ADR-1-one.md")
    second, v2 = adr("ADR-1", name="ADR-1-two.md")
    snapshot = make_snapshot(versions=(v1, v2), contested=(two_sides(first, second),))
    paths = ("docs/adr/ADR-1-one.md", "docs/adr/ADR-1-two.md")
    assert doubtful_adrs(snapshot) == paths
    found = consistency(snapshot, {}, present=frozenset(paths))
    assert codes(found) == [("ONE_ID_TWO_ADRS", "ADR-1")]
    assert all(path in found.faults[0].message for path in paths)
    assert consistency(snapshot, {}, present=frozenset(paths[:1])).faults == (), "it was renamed"


def test_files_that_took_the_same_number_are_told():
    snapshot = snapshot_of(adr("0007", name="0007-one.md"), adr("0007-two", name="0007-two.md"))
    found = consistency(snapshot, {})
    assert codes(found) == [("NUMBER_COLLISION", "0007")]
    assert "0007-two.md" in found.faults[0].message
    by_name = snapshot_of(adr("0007-one", name="0007-one.md"), adr("0007-two", name="0007-two.md"))
    assert consistency(by_name, {}).faults == ()


def test_a_decision_in_force_whose_proposal_was_rejected_is_told():
    row = ProposalEvidence(
        proposal_id="dprop-1",
        producer_key="k",
        content_fingerprint="f",
        origin_classification="human_authored",
        proposed_at="t",
        source_reference="r",
        accepted_decision_id="a",
    )
    state = replace(make_state(A), versions=(LineageEntry(version_id=id_of(A), evidence=(row,)),))
    verdict = Verdict(proposal_id="dprop-1", verdict="rejected", by="Bob", at="t")
    snapshot = make_snapshot(state, versions=(A,), verdicts={"dprop-1": verdict})
    found = consistency(snapshot, {})
    assert codes(found) == [("PROPOSAL_REJECTED", "a")]
    assert "Bob" in found.faults[0].message
    assert enforced(snapshot, found) == ["a"]


def test_an_adr_merged_to_text_that_no_side_imported_is_told():
    def cites(blob):
        row = AdrEvidence(source_locator="docs/adr/1.md", sha256="s" + blob, blob=blob)
        return replace(make_state(A), versions=(LineageEntry(version_id=id_of(A), evidence=(row,)),))

    snapshot = make_snapshot(versions=(A,), contested=(two_sides(cites("b1"), cites("b2"), "a"),))
    (fault,) = unseen_adrs(snapshot, {"docs/adr/1.md": frozenset({"b3", "sb3"})})
    assert (fault.code, fault.path, fault.decision_id) == ("ADR_MERGED_UNSEEN", "docs/adr/1.md", "a")
    assert unseen_adrs(snapshot, {"docs/adr/1.md": frozenset({"b2", "sb2"})}) == ()
    assert unseen_adrs(snapshot, {}) == ()
    assert fault.hint == "read it, then run `mneme decision resolve a --import` to take it as merged"
    torn = frozenset({"docs/adr/1.md"})
    (fault,) = unseen_adrs(snapshot, {"docs/adr/1.md": frozenset({"b3", "sb3"})}, torn=torn)
    assert "conflict markers" in fault.message
    assert fault.hint.startswith("settle the conflict in the file first")


def test_a_standing_is_what_the_adr_says_of_itself():
    front = b"---\nid: ADR-1\ntitle: T\nstatus: accepted\npriority: foundational\ndate: 2024-01-02\nscope: auth\n---\n"
    found = standing_of("docs/adr/ADR-1-t.md", front + b"\n## Decision\n\nT.\n")
    assert (found.lifecycle, found.scope) == (Lifecycle.ACTIVE, "auth")
    later = standing_of("docs/adr/ADR-1-t.md", front.replace(b"01-02", b"01-03"))
    assert later.strength > found.strength
    nygard = b"# 1. Use X\n\n## Status\n\nSuperseded\n\n## Context\n\nc\n\n## Decision\n\nd\n"
    assert standing_of("docs/adr/0001-use-x.md", nygard) == Standing(lifecycle=GONE)
    assert standing_of("docs/adr/0001-use-x.md", b"\xff\xfe") is None


V2 = make_version("a", "Do a, again", predecessor=id_of(A))


def broken(state, *versions):
    faults = state_faults(make_snapshot(state, versions=versions or (A, V2)))
    assert {fault.decision_id for fault in faults} == {state.decision_id}
    return [(fault.code, fault.blocks) for fault in faults]


def test_lineages_that_contradict_themselves_are_told():
    good = make_state(A, V2)
    entry = LineageEntry(version_id=id_of(A))
    assert broken(replace(good, active_version_id="dver-none")) == [("BROKEN_LINEAGE", True)]
    assert broken(replace(good, versions=good.versions[::-1])) == [("BROKEN_LINEAGE", False)]
    assert broken(replace(good, versions=(entry, entry, good.versions[1]))) == [("BROKEN_LINEAGE", False)]
    unlinked = LineageEntry(version_id=id_of(V2), predecessor=None)
    assert broken(replace(good, versions=(entry, unlinked))) == [("BROKEN_LINEAGE", False)]
    foreign = replace(make_state(B), decision_id="a")
    assert broken(foreign, B) == [("BROKEN_LINEAGE", True)]


def test_rules_that_are_none_are_told():
    def ruled(*rules):
        return broken(make_state(A, V2, rules=rules))

    assert ruled(make_rule(B)) == [("BAD_RULE", True)]
    assert ruled(make_rule(V2), make_rule(V2, "other")) == [("BAD_RULE", False)]
    assert ruled(make_rule(V2, type="FORBID_IMPORT")) == [("BAD_RULE", True)]
    assert ruled(make_rule(A, type="FORBID_IMPORT")) == [("BAD_RULE", False)]
    assert ruled(make_rule(V2, " ")) == [("BAD_RULE", True)]
    assert ruled(make_rule(V2, include=("../x",))) == [("BAD_RULE", True)]
    only_exclude = replace(make_rule(V2), applicability=Applicability(exclude_paths=("a",)))
    assert ruled(only_exclude) == [("BAD_RULE", True)]


def test_ids_that_only_proposals_may_have_are_told():
    bad = make_version("dprop-1", "P")
    assert broken(make_state(bad), bad) == [("RESERVED_ID", False)]
