import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.model.codec import (
    encode_memory,
    encode_proposal,
    encode_state,
    encode_verdict,
    encode_version,
    name_of_bytes,
)
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.memory import Memory, MemoryKind
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
from mneme_git.model.proposal import Proposal, Verdict
from mneme_git.model.proposal import id_of as proposal_id_of
from mneme_git.store.assemble import assemble
from mneme_git.store.branch_files import BranchFile, BranchFiles, Stage
from mneme_git.store.copies import Copies
from mneme_git.store.journal import state_name, version_name
from mneme_git.store.soundness import kind_of
from tests.support.branch import codes
from tests.support.make import make_rule, make_state, make_version

V1 = make_version("use-x", "Use X")
V2 = make_version("use-x", "Use X2", predecessor=id_of(V1))
S1 = make_state(V1)
S2 = make_state(V1, V2, rules=(make_rule(V2),))
HOME = decision_path("use-x")
OTHER = make_version("ADR-9", "Nine")
NINE = make_state(OTHER)
MEMORY = Memory(kind=MemoryKind.GOTCHA, body="mind\r\nthe gap", created_at="2024-01-01T00:00:00Z")
PROPOSAL = Proposal(title="T", statement="S", proposed_at="2024-01-01T00:00:00Z")


class Known(Copies):
    """Copies that a test lays out by hand."""

    def __init__(self, *, index=(), head=(), journal=()):
        self._index, self._head, self._journal = dict(index), dict(head), dict(journal)

    def index(self, path):
        return self._index.get(path)

    def committed(self, path):
        return self._head.get(path)

    def journal(self, name):
        return self._journal.get(name)


def files_of(*pairs, stages=(), copies=None, gone=()):
    return BranchFiles(
        files=tuple(BranchFile(path, kind_of(path), data) for path, data in sorted(pairs)),
        stages=tuple(Stage(path=path, number=number, data=data) for path, number, data in stages),
        gone=gone,
        copies=copies or Known(),
    )


def version_file(version):
    return version_path(id_of(version)), encode_version(version)


def snapshot_of(*pairs, **more):
    return assemble(files_of(*pairs, **more))


def only_fault(snapshot):
    (fault,) = snapshot.faults
    return fault


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


@pytest.mark.parametrize(
    ("place", "words"),
    [("index", "git's index"), ("journal", "the journal")],
)
def test_a_hand_edit_is_set_aside_and_the_good_copy_is_served(place, words):
    edited = encode_state(S1).replace(b'"active"', b'"inactive"')
    good = encode_state(S1)
    digest = json.loads(good)["digest"]
    copies = Known(index={HOME: good}) if place == "index" else Known(journal={state_name(digest): good})
    snapshot = snapshot_of((HOME, edited), version_file(V1), copies=copies)
    assert snapshot.state("use-x") == S1
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.decision_id) == ("DAMAGED_DECISION", HOME, "use-x")
    assert fault.blocks
    assert "digest" in fault.message
    assert words in fault.message


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        encode_state(S1).replace(b"{\n", b'{\n  "decision_id": "other",\n', 1),
        encode_state(S1).replace(b'  "lifecycle_status": "active",\n', b""),
        encode_state(S1).replace(b"active", b"sleeping"),
        encode_state(S1).replace(b'"use-x"', b'"\\ud800"'),
    ],
)
def test_damage_without_a_good_copy_makes_enforcement_incomplete(damage):
    snapshot = snapshot_of((HOME, damage), version_file(V1))
    assert snapshot.state("use-x") is None
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("DAMAGED_DECISION", HOME, True)


def test_a_repeated_key_is_damage_even_under_a_fitting_digest():
    from mneme_git.text.canonical import sha256_hex

    plain = encode_state(S1).split(b"\n", 2)[2]
    doubled = b"{\n" + plain.replace(b'  "lifecycle', b'  "decision_id": "use-x",\n  "lifecycle', 1)
    forged = b'{\n  "digest": "' + sha256_hex(doubled).encode() + b'",\n' + doubled[2:]
    snapshot = snapshot_of((HOME, forged), version_file(V1))
    assert snapshot.state("use-x") is None
    assert "twice" in only_fault(snapshot).message


def test_damage_leaves_everything_else_in_force():
    snapshot = snapshot_of((HOME, b"{"), (decision_path("ADR-9"), encode_state(NINE)), version_file(OTHER))
    assert snapshot.decisions == (NINE,)


def test_the_id_inside_is_the_truth():
    path = decision_path("ADR-9")
    snapshot = snapshot_of((path, encode_state(S1)), version_file(V1))
    assert snapshot.decisions == (S1,)
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("MISPLACED_DECISION", path, False)
    assert HOME in fault.hint


def test_overwriting_a_decision_with_another_one_does_not_switch_it_off():
    path = decision_path("ADR-9")
    snapshot = snapshot_of(
        (path, encode_state(S1)),
        version_file(V1),
        version_file(OTHER),
        copies=Known(index={path: encode_state(NINE)}),
    )
    assert snapshot.decisions == (NINE, S1)
    assert "'ADR-9'" in only_fault(snapshot).message


def test_of_two_files_of_one_decision_the_one_under_its_own_name_counts():
    stray = ".mneme/decisions/copy.json"
    snapshot = snapshot_of(
        (HOME, encode_state(S2)), (stray, encode_state(S1)), version_file(V1), version_file(V2)
    )
    assert snapshot.decisions == (S2,)
    assert snapshot.contested == ()
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.decision_id) == ("DUPLICATE_DECISION", stray, "use-x")


def test_two_files_of_one_decision_that_differ_and_are_both_misplaced_contest_it():
    snapshot = snapshot_of(
        (".mneme/decisions/a.json", encode_state(S1)),
        (".mneme/decisions/b.json", encode_state(S2)),
        version_file(V1),
        version_file(V2),
    )
    contest = snapshot.contest("use-x")
    assert [side.label for side in contest.sides] == ["a.json", "b.json"]
    assert contest.paths == (".mneme/decisions/a.json", ".mneme/decisions/b.json")


def test_records_in_the_wrong_folder_are_read_where_they_stand():
    moved = f".mneme/versions/{'0' if id_of(V1)[5] != '0' else '1'}/{id_of(V1)}.json"
    snapshot = snapshot_of((".mneme/old/use-x.json", encode_state(S1)), (moved, encode_version(V1)))
    assert snapshot.state("use-x") == S1
    assert snapshot.versions == {id_of(V1): V1}
    assert codes(snapshot) == ["WRONG_FOLDER"]


@pytest.mark.parametrize(
    ("decision_id", "folder"),
    [
        ("dver-" + "a" * 32, "decisions"),
        ("dver-" + "a" * 32, "old"),
        ("dver-" + "a" * 31, "decisions"),
        ("a" * 32, "decisions"),  # elsewhere it would be the name of a memory
    ],
)
def test_an_id_that_looks_like_another_record_s_name_is_a_decision_all_the_same(decision_id, folder):
    version = make_version(decision_id, "Use X")
    state = make_state(version)
    path = decision_path(decision_id).replace("decisions", folder)
    snapshot = snapshot_of((path, encode_state(state)), version_file(version))
    assert snapshot.decisions == (state,)
    assert codes(snapshot) == ([] if folder == "decisions" else ["WRONG_FOLDER"])


def test_the_sides_of_a_decision_that_looks_like_a_version_are_contested():
    decision_id = "dver-" + "b" * 32
    one, two = make_version(decision_id, "Use X"), make_version(decision_id, "Use Y")
    home = decision_path(decision_id)
    stages = [(home, 2, encode_state(make_state(one))), (home, 3, encode_state(make_state(two)))]
    snapshot = snapshot_of(version_file(one), version_file(two), stages=stages)
    assert [contest.decision_id for contest in snapshot.contested] == [decision_id]


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


def test_a_copy_in_another_folder_does_not_contest_a_decision():
    snapshot = snapshot_of(
        (HOME, encode_state(S2)),
        (".mneme/old/use-x.json", encode_state(S1)),
        version_file(V1),
        version_file(V2),
    )
    assert snapshot.decisions == (S2,)
    assert codes(snapshot) == ["DUPLICATE_DECISION"]


def test_files_that_mneme_does_not_know_are_named_but_memory_files_are_not():
    snapshot = snapshot_of(
        (".mneme/notes.txt", b""), (".mneme/old/data.json", b"{}"), (".mneme/project_memory.json", b"{}")
    )
    assert [fault.path for fault in snapshot.faults] == [".mneme/notes.txt", ".mneme/old/data.json"]
    assert codes(snapshot) == ["UNKNOWN_FILE"]


def test_many_files_of_one_fault_are_told_in_one_line():
    snapshot = snapshot_of(*((f".mneme/junk/{number}.txt", b"") for number in range(20)))
    assert "17 more" in only_fault(snapshot).message


@pytest.mark.parametrize(
    ("copies", "words"),
    [
        (Known(index={version_path(id_of(V1)): encode_version(V1)}), "git's index"),
        (Known(head={version_path(id_of(V1)): encode_version(V1)}), "HEAD"),
        (Known(journal={version_name(id_of(V1)): encode_version(V1)}), "the journal"),
    ],
)
def test_a_missing_version_is_read_from_where_there_is_one(copies, words):
    snapshot = snapshot_of((HOME, encode_state(S1)), copies=copies)
    assert snapshot.versions == {id_of(V1): V1}
    fault = only_fault(snapshot)
    assert (fault.code, fault.blocks) == ("MISSING_VERSION", False)
    assert words in fault.message


def test_a_version_that_is_nowhere_makes_enforcement_incomplete():
    snapshot = snapshot_of((HOME, encode_state(S2)), version_file(V2))
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("MISSING_VERSION", version_path(id_of(V1)), True)


def test_a_copy_that_is_bad_too_is_not_served():
    copies = Known(index={version_path(id_of(V1)): encode_version(V2)})
    assert snapshot_of((HOME, encode_state(S1)), copies=copies).versions == {}


def test_a_version_file_with_another_ones_content_is_set_aside_and_its_content_is_not_lost():
    path = version_path(id_of(V1))
    copies = Known(head={path: encode_version(V1)})
    snapshot = snapshot_of((HOME, encode_state(S2)), (path, encode_version(V2)), copies=copies)
    assert snapshot.versions == {id_of(V1): V1, id_of(V2): V2}
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("DAMAGED_VERSION", path, True)


def test_files_gone_from_the_work_tree_are_named():
    snapshot = snapshot_of((HOME, encode_state(S1)), version_file(V1), gone=(HOME,))
    assert snapshot.decisions == (S1,)
    assert only_fault(snapshot).code == "GONE_FROM_WORK_TREE"


def test_a_newer_format_is_warned_of_and_read():
    snapshot = snapshot_of((FORMAT, b"2\n"), (HOME, encode_state(S1)), version_file(V1))
    assert snapshot.decisions == (S1,)
    fault = only_fault(snapshot)
    assert (fault.code, fault.blocks) == ("NEWER_WRITER", False)


@pytest.mark.parametrize("text", [b"", b"one", b"-1", b"1.0", b"0\n", b"000", b"1\nmore\n"])
def test_a_format_that_is_no_number_is_named(text):
    assert codes(snapshot_of((FORMAT, text))) == ["FORMAT_UNREADABLE"]


@pytest.mark.parametrize("text", [b"9" * 5000, b"1" + b"0" * 9, b"0" * 5000 + b"2"])
def test_a_very_long_format_number_is_a_newer_one(text):
    assert codes(snapshot_of((FORMAT, text))) == ["NEWER_WRITER"]


@pytest.mark.parametrize("text", [b"1", b" 1 \r\n", b"01\n\n"])
def test_a_known_format_number_needs_no_exact_layout(text):
    assert codes(snapshot_of((FORMAT, text))) == []


def test_of_two_formats_in_a_merge_the_greater_counts():
    stages = [(FORMAT, 2, b"1\n"), (FORMAT, 3, b"2\n")]
    assert "NEWER_WRITER" in codes(snapshot_of(stages=stages))
    torn = b"<<<<<<< HEAD\n2\n=======\n1\n>>>>>>> other\n"
    assert codes(snapshot_of((FORMAT, torn))) == ["NEWER_WRITER"]


def test_a_conflict_of_two_configurations_is_named():
    stages = [(CONFIG, 2, b"[mneme]\n\tprojectId = a\n"), (CONFIG, 3, b"[mneme]\n")]
    assert codes(snapshot_of(stages=stages)) == ["CONFIG_CONFLICT"]
    torn = b"<<<<<<< HEAD\n[mneme]\n=======\n[mneme]\n>>>>>>> other\n"
    assert codes(snapshot_of((CONFIG, torn))) == ["CONFIG_CONFLICT"]


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


def test_stages_make_a_decision_contested_whatever_the_work_tree_holds():
    stages = [(HOME, 1, encode_state(S1)), (HOME, 2, encode_state(S2))]
    theirs = make_state(V1, status=Lifecycle.DEPRECATED)
    stages.append((HOME, 3, encode_state(theirs)))
    snapshot = snapshot_of(version_file(V1), version_file(V2), stages=stages)
    (contest,) = snapshot.contested
    assert [(side.label, side.state) for side in contest.sides] == [("ours", S2), ("theirs", theirs)]
    assert contest.sides[0].data == encode_state(S2)
    assert contest.continued_by == "ours"
    assert snapshot.decisions == ()


def test_stages_are_grouped_by_the_id_inside():
    nine = decision_path("ADR-9")
    stages = [(nine, 1, encode_state(S1)), (nine, 2, encode_state(NINE)), (nine, 3, encode_state(S2))]
    snapshot = snapshot_of(version_file(V1), version_file(V2), version_file(OTHER), stages=stages)
    edited, added = snapshot.contest("use-x"), snapshot.contest("ADR-9")
    assert [(side.label, side.state) for side in edited.sides] == [("ours", None), ("theirs", S2)]
    assert edited.continued_by == ""
    assert [(side.label, side.state) for side in added.sides] == [("ours", NINE), ("theirs", None)]
    assert added.continued_by == "ours"
    assert edited.paths == added.paths == (nine,)


def test_versions_of_either_side_are_there_and_their_open_paths_are_listed():
    path, data = version_file(V2)
    snapshot = snapshot_of((HOME, encode_state(S2)), version_file(V1), stages=[(path, 3, data)])
    assert id_of(V2) in snapshot.versions
    assert snapshot.unmerged == (path,)


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
