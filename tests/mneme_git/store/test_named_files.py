"""Memories, proposals and verdicts, and the markers beside them."""

from mneme_git.model.codec import encode_memory, encode_proposal, encode_verdict, name_of_bytes
from mneme_git.model.paths import marker_path, memory_path, proposal_path, verdict_path
from mneme_git.model.proposal import Verdict
from mneme_git.model.proposal import id_of as proposal_id_of
from tests.support.branch import codes
from tests.support.files import MEMORY, PROPOSAL, Known, only_fault, snapshot_of


def test_memories_and_markers_are_read_and_a_damaged_memory_is_a_notice():
    data = encode_memory(MEMORY)
    name = name_of_bytes(data)
    snapshot = snapshot_of((memory_path(name), data), (marker_path(name, "pinned"), b""))
    assert snapshot.memories == {name: MEMORY}
    assert snapshot.pinned == {name}
    assert snapshot.faults == ()
    bad = snapshot_of((memory_path(name), data.replace(b"gap", b"cat")))
    assert bad.memories == {}
    assert (only_fault(bad).code, only_fault(bad).blocks) == ("DAMAGED_MEMORY", False)


def test_a_damaged_memory_is_served_from_a_good_copy():
    data = encode_memory(MEMORY)
    path = memory_path(name_of_bytes(data))
    snapshot = snapshot_of((path, b"x"), copies=Known(head={path: data}))
    assert snapshot.memories == {name_of_bytes(data): MEMORY}


def test_a_memory_with_both_markers_is_live_and_named():
    data = encode_memory(MEMORY)
    name = name_of_bytes(data)
    snapshot = snapshot_of(
        (memory_path(name), data), (marker_path(name, "pinned"), b""), (marker_path(name, "forgotten"), b"")
    )
    assert snapshot.forgotten == frozenset()
    assert codes(snapshot) == ["PINNED_AND_FORGOTTEN"]


def test_a_purged_memory_is_forgotten_too():
    snapshot = snapshot_of((marker_path("a" * 32, "forgotten"), b"purged\n"))
    assert snapshot.forgotten == snapshot.purged == {"a" * 32}


def test_proposals_and_verdicts_are_read():
    data, proposal_id = encode_proposal(PROPOSAL), proposal_id_of(PROPOSAL)
    verdict = Verdict(proposal_id=proposal_id, verdict="accepted", by="Ada", at="2024-01-01T00:00:00Z")
    snapshot = snapshot_of(
        (proposal_path(name_of_bytes(data)), data), (verdict_path(proposal_id), encode_verdict(verdict))
    )
    assert snapshot.proposals == {name_of_bytes(data): PROPOSAL}
    assert snapshot.verdicts == {proposal_id: verdict}
    assert snapshot.faults == ()


def test_unlike_verdicts_in_a_merge_count_neither_way():
    proposal_id = proposal_id_of(PROPOSAL)
    yes = Verdict(proposal_id=proposal_id, verdict="accepted", by="Ada", at="2024-01-01T00:00:00Z")
    no = Verdict(proposal_id=proposal_id, verdict="rejected", by="Bob", at="2024-01-01T00:00:00Z")
    path = verdict_path(proposal_id)
    stages = [(path, 2, encode_verdict(yes)), (path, 3, encode_verdict(no))]
    snapshot = snapshot_of(stages=stages)
    assert snapshot.verdicts == {}
    assert "accepted by Ada and rejected by Bob" in only_fault(snapshot).message
