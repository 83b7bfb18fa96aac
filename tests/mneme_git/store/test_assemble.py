"""The files of a branch become one snapshot, and no bytes in them make reading fail."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.model.codec import encode_memory, encode_state, encode_verdict, encode_version
from mneme_git.model.decision import id_of
from mneme_git.model.paths import (
    CONFIG,
    FORMAT,
    decision_path,
    marker_path,
    memory_path,
    proposal_path,
    verdict_path,
    version_path,
)
from mneme_git.model.proposal import Verdict
from mneme_git.model.proposal import id_of as proposal_id_of
from mneme_git.store.assemble import assemble
from tests.support.branch import codes
from tests.support.files import (
    HOME,
    MEMORY,
    NINE,
    PROPOSAL,
    S1,
    S2,
    V1,
    V2,
    Known,
    files_of,
    only_fault,
    snapshot_of,
    version_file,
)
from tests.support.make import make_state, make_version


def test_good_files_give_decisions_in_natural_order_and_no_fault():
    ten, two = make_version("ADR-10"), make_version("ADR-2")
    states = [make_state(ten), make_state(two), S1]
    snapshot = snapshot_of(
        *((decision_path(state.decision_id), encode_state(state)) for state in states),
        *(version_file(version) for version in (ten, two, V1)),
    )
    assert [state.decision_id for state in snapshot.decisions] == ["ADR-2", "ADR-10", "use-x"]
    assert set(snapshot.versions) == {id_of(ten), id_of(two), id_of(V1)}
    assert snapshot.faults == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: json.dumps(json.loads(data)).encode(),
        lambda data: data.rstrip(b"\n"),
    ],
    ids=["crlf", "byte order mark", "other layout", "no last line feed"],
)
def test_bytes_that_a_tool_reformatted_are_read_in_place_and_named(change):
    snapshot = snapshot_of(
        (HOME, change(encode_state(S1))), (version_path(id_of(V1)), change(encode_version(V1)))
    )
    assert snapshot.state("use-x") == S1
    assert snapshot.versions[id_of(V1)] == V1
    assert [(fault.code, fault.blocks) for fault in snapshot.faults] == [("REFORMATTED", False)] * 2


def test_records_in_the_wrong_folder_are_read_where_they_stand():
    moved = f".mneme/versions/{'0' if id_of(V1)[5] != '0' else '1'}/{id_of(V1)}.json"
    snapshot = snapshot_of((".mneme/old/use-x.json", encode_state(S1)), (moved, encode_version(V1)))
    assert snapshot.state("use-x") == S1
    assert snapshot.versions == {id_of(V1): V1}
    assert codes(snapshot) == ["WRONG_FOLDER"]


def test_versions_and_verdicts_among_the_decisions_are_read_where_they_stand():
    proposal_id = proposal_id_of(PROPOSAL)
    verdict = Verdict(proposal_id=proposal_id, verdict="accepted", by="Ada", at="2024-01-01T00:00:00Z")
    snapshot = snapshot_of(
        (HOME, encode_state(S1)),
        (f".mneme/decisions/{id_of(V1)}.json", encode_version(V1)),
        (f".mneme/decisions/{proposal_id}.verdict.json", encode_verdict(verdict)),
    )
    assert (snapshot.decisions, snapshot.versions) == ((S1,), {id_of(V1): V1})
    assert snapshot.verdicts == {proposal_id: verdict}
    assert codes(snapshot) == ["WRONG_FOLDER"]


def test_files_that_mneme_does_not_know_are_named_but_memory_files_are_not():
    snapshot = snapshot_of(
        (".mneme/notes.txt", b""), (".mneme/old/data.json", b"{}"), (".mneme/project_memory.json", b"{}")
    )
    assert [fault.path for fault in snapshot.faults] == [".mneme/notes.txt", ".mneme/old/data.json"]
    assert codes(snapshot) == ["UNKNOWN_FILE"]


def test_many_files_of_one_fault_are_told_in_one_line():
    snapshot = snapshot_of(*((f".mneme/junk/{number}.txt", b"") for number in range(20)))
    assert "17 more" in only_fault(snapshot).message


def test_files_gone_from_the_work_tree_are_named():
    snapshot = snapshot_of((HOME, encode_state(S1)), version_file(V1), gone=(HOME,))
    assert snapshot.decisions == (S1,)
    assert only_fault(snapshot).code == "GONE_FROM_WORK_TREE"


_PATHS = st.sampled_from(
    [
        HOME,
        decision_path("ADR-9"),
        ".mneme/decisions/odd name.json",
        ".mneme/old/x.json",
        version_path(id_of(V1)),
        f".mneme/decisions/{id_of(V2)}.json",
        memory_path("a" * 32),
        proposal_path("b" * 32),
        f".mneme/{'c' * 32}.json",
        verdict_path("dprop-" + "d" * 32),
        marker_path("a" * 32, "forgotten"),
        FORMAT,
        CONFIG,
    ]
)


_GOOD = [encode_state(S1), encode_state(S2), encode_state(NINE), encode_version(V1), encode_memory(MEMORY)]


@st.composite
def _damaged(draw):
    data = bytearray(draw(st.sampled_from(_GOOD)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 20))] = draw(st.binary(max_size=10))
    return bytes(data)


_BYTES = st.binary(max_size=300) | _damaged() | st.sampled_from(_GOOD)


@given(
    st.dictionaries(_PATHS, _BYTES, max_size=6),
    st.lists(st.tuples(_PATHS, st.integers(1, 3), _BYTES), max_size=6),
    st.dictionaries(_PATHS, _BYTES, max_size=3),
)
@settings(deadline=None, max_examples=300)
def test_no_bytes_in_any_file_make_reading_fail(files, stages, index):
    snapshot = assemble(files_of(*files.items(), stages=stages, copies=Known(index=index)))
    assert set(snapshot.decisions) <= {S1, S2, NINE}  # nothing is served that nobody made
    for version_id, version in snapshot.versions.items():
        assert id_of(version) == version_id
