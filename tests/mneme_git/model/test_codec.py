"""The bytes of every record: frozen examples, round trips, and what must not pass as good."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.errors import CorruptRecord, InvalidInput
from mneme_git.model import codec, paths
from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    Authority,
    DecisionState,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    Relationship,
    RuleBinding,
    RuntimeEvidence,
    Version,
    id_of,
)
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.model.proposal import Origin, Proposal, Provenance, Verdict
from mneme_git.text.canonical import file_json, with_digest
from tests.support import examples

GOLDEN = Path(__file__).parents[2] / "golden" / "format"
FROZEN = {
    "version-first.json": (codec.encode_version, examples.FIRST),
    "version-second.json": (codec.encode_version, examples.SECOND),
    "version-by-hand.json": (codec.encode_version, examples.BY_HAND),
    "decision.json": (codec.encode_state, examples.STATE),
    "decision-by-hand.json": (codec.encode_state, examples.BY_HAND_STATE),
    "proposal.json": (codec.encode_proposal, examples.PROPOSAL),
    "verdict.json": (codec.encode_verdict, examples.VERDICT),
    "memory.json": (codec.encode_memory, examples.MEMORY),
}
SAMPLES = {
    "version": examples.FIRST,
    "state": examples.STATE,
    "proposal": examples.PROPOSAL,
    "verdict": examples.VERDICT,
    "memory": examples.MEMORY,
}


@pytest.mark.parametrize("name", sorted(FROZEN))
def test_the_bytes_of_a_record_never_drift(name):
    encode, record = FROZEN[name]
    assert encode(record) == (GOLDEN / name).read_bytes()


def test_the_paths_of_the_frozen_records_never_drift():
    made = {
        "first": paths.version_path(id_of(examples.FIRST)),
        "second": paths.version_path(id_of(examples.SECOND)),
        "state": paths.decision_path(examples.STATE.decision_id),
        "proposal": paths.proposal_path(codec.name_of_bytes(codec.encode_proposal(examples.PROPOSAL))),
        "verdict": paths.verdict_path(examples.VERDICT.proposal_id),
        "memory": paths.memory_path(codec.name_of_bytes(codec.encode_memory(examples.MEMORY))),
    }
    assert "".join(f"{key} {path}\n" for key, path in made.items()) == (GOLDEN / "paths.txt").read_text()


text = st.text(st.characters(exclude_categories=["Cs"]))
texts = st.lists(text, max_size=3).map(tuple)
version_ids = st.from_regex(r"dver-[0-9a-f]{32}", fullmatch=True)
versions = st.builds(
    Version,
    decision_id=text,
    statement=text,
    rationale=text,
    scope=texts,
    constraints=texts,
    anti_patterns=texts,
    occurrence=texts,
    predecessor=st.none() | version_ids,
)
evidence = st.one_of(
    st.builds(AdrEvidence, source_locator=text, sha256=text, blob=text, object_format=text),
    st.just(RuntimeEvidence()),
    st.builds(
        ProposalEvidence,
        **dict.fromkeys(ProposalEvidence.__struct_fields__, text),
    ),
)
selectors = st.none() | texts
rules = st.builds(
    RuleBinding,
    version_id=version_ids,
    sequence=st.integers(0, 2**40),
    type=text,
    value=text,
    applicability=st.builds(Applicability, include_paths=selectors, exclude_paths=selectors),
    authority=st.sampled_from(Authority),
)
states = st.builds(
    DecisionState,
    decision_id=text,
    lifecycle_status=st.sampled_from(Lifecycle),
    active_version_id=version_ids,
    relationships=st.lists(st.builds(Relationship, target_decision_id=text), max_size=2).map(tuple),
    rules=st.lists(rules, max_size=3).map(tuple),
    versions=st.lists(
        st.builds(
            LineageEntry,
            version_id=version_ids,
            predecessor=st.none() | version_ids,
            evidence=st.lists(evidence, max_size=2).map(tuple),
        ),
        max_size=3,
    ).map(tuple),
)
proposals = st.builds(
    Proposal,
    title=text,
    statement=text,
    rationale=text,
    provenance=st.none()
    | st.builds(
        Provenance,
        producer_name=text,
        producer_type=text,
        source_reference=text,
        origin_classification=st.sampled_from(Origin),
    ),
    scope_hints=texts,
    architecture_context=st.dictionaries(text, text, max_size=3),
    related_decision_ids=texts,
    proposed_at=text,
)
verdicts = st.builds(
    Verdict,
    proposal_id=text,
    verdict=st.sampled_from(["accepted", "rejected"]),
    decision_id=st.none() | text,
    reason=text,
    by=text,
    at=text,
)
memories = st.builds(
    Memory,
    kind=st.sampled_from(MemoryKind),
    scope=st.sampled_from(MemoryScope),
    body=text,
    task=text,
    files=st.lists(st.builds(FileAnchor, path=text, blob=text), max_size=2).map(tuple),
    identifiers=st.lists(st.builds(SymbolAnchor, name=text, text_sha256=text), max_size=2).map(tuple),
    tags=texts,
    source=text,
    supersedes=texts,
    created_at=text,
    author=text,
    branch=text,
)
KINDS = {
    "version": (versions, codec.encode_version, codec.decode_version),
    "state": (states, codec.encode_state, codec.decode_state),
    "proposal": (proposals, codec.encode_proposal, codec.decode_proposal),
    "verdict": (verdicts, codec.encode_verdict, codec.decode_verdict),
    "memory": (memories, codec.encode_memory, codec.decode_memory),
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_decode_undoes_encode_and_equal_records_are_equal_bytes(kind):
    records, encode, decode = KINDS[kind]

    @settings(deadline=None, max_examples=60)
    @given(records)
    def law(record):
        data = encode(record)
        back, good = decode(data)
        assert good
        assert back == record
        assert encode(back) == data
        assert data.endswith(b"}\n")
        assert not data.endswith(b"\n\n")
        data.decode("utf-8")

    law()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_any_bytes_either_decode_or_are_called_corrupt(kind):
    _, encode, decode = KINDS[kind]
    sample = encode(SAMPLES[kind])

    @settings(deadline=None, max_examples=100)
    @given(st.one_of(
        st.binary(max_size=200),
        st.tuples(st.integers(0, len(sample) - 1), st.binary(min_size=1, max_size=2)).map(
            lambda cut: sample[: cut[0]] + cut[1] + sample[cut[0] + 1 :]
        ),
    ))  # fmt: skip
    def law(data):
        try:
            record, good = decode(data)
        except CorruptRecord:
            return
        if good:
            assert encode(record) == data

    law()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_repeated_key_is_damage_in_every_kind(kind):
    _, encode, decode = KINDS[kind]
    data = encode(SAMPLES[kind])
    found = re.search(rb'\n  ("[a-z_]+"): ("[^"]*"|null)', data)
    assert found is not None
    with pytest.raises(CorruptRecord, match="occurs twice"):
        decode(data[: found.start()] + found[0] + b"," + data[found.start() :])


def test_a_repeated_key_with_a_valid_value_is_damage():
    data = codec.encode_version(examples.FIRST).replace(
        b'  "predecessor": null,\n', b'  "predecessor": null,\n  "predecessor": null,\n'
    )
    with pytest.raises(CorruptRecord, match="'predecessor' occurs twice"):
        codec.decode_version(data)


def test_a_hand_edit_of_a_decision_file_does_not_agree_with_its_digest():
    data = codec.encode_state(examples.STATE).replace(b'"active"', b'"deprecated"')
    state, good = codec.decode_state(data)
    assert not good
    assert state.lifecycle_status is Lifecycle.DEPRECATED


def test_crlf_copies_are_read_but_are_not_canonical():
    data = codec.encode_version(examples.FIRST).replace(b"\n", b"\r\n")
    version, canonical = codec.decode_version(data)
    assert version == examples.FIRST
    assert not canonical


def test_the_digest_is_over_the_bytes_without_its_own_line():
    data = codec.encode_state(examples.STATE)
    first, rest = data.split(b"\n", 2)[1], data.split(b"\n", 2)[2]
    assert first == b'  "digest": "' + codec.state_digest(examples.STATE).encode() + b'",'
    assert b"{\n" + rest == file_json(examples.STATE)
    assert with_digest(examples.STATE) == data


def test_a_lone_surrogate_is_refused_with_a_reason():
    bad = Version(decision_id="x", statement="a\ud800", occurrence=("cli-add", "x"))
    with pytest.raises(InvalidInput, match="not valid Unicode"):
        codec.encode_version(bad)


def test_an_unknown_field_is_not_dropped_in_silence():
    data = codec.encode_version(examples.FIRST).replace(b'"scope"', b'"scopes"')
    with pytest.raises(CorruptRecord):
        codec.decode_version(data)


def test_deep_nesting_is_called_corrupt():
    with pytest.raises(CorruptRecord):
        codec.decode_version(b"[" * 100_000 + b"]" * 100_000)


def test_the_library_sorts_keys_by_code_point():
    value = {"\U0001f600": 1, "\ufb01": 2, "a": 3, "Z": 4}
    assert list(msgspec.json.decode(file_json(value))) == sorted(value)
