import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.errors import CorruptRecord
from mneme_git.store.carried import Carried, decode_carried, encode_carried
from mneme_git.store.memory_divergence import divergence, read_seal
from mneme_git.store.memory_index import verify_index
from mneme_git.store.memory_snapshot import indexed_snapshot
from mneme_git.store.memory_write import encode_document
from mneme_git.text.canonical import sha256_hex
from tests.support.memory import decision, indexed, snapshot_row, version

FILE = ".mneme/project_memory.json"
LONG = "Because " * 40


def with_long_texts():
    made = version("d1", "Use JSON", rationale=LONG, constraints=("no " + "x" * 120,))
    return {
        "meta": {"name": "a", "description": "b"},
        "decisions": [snapshot_row(made)],
        "decision_index": {
            "schema": "mneme.decision-index/v1", "decisions": [decision(made)], "versions": [made], "rules": [],
        },
    }  # fmt: skip


def carry(data, versions=None, named=None):
    return encode_carried(Carried(file=FILE, data=data), named or {}, versions or {})


def versions_of(document):
    return indexed_snapshot(verify_index(document["decision_index"]), "").versions


def test_the_file_comes_back_byte_for_byte():
    data = encode_document(indexed())
    versions = versions_of(indexed())
    assert decode_carried(carry(data, versions), versions) == Carried(file=FILE, data=data)


def test_long_texts_are_not_said_again_and_come_from_the_versions():
    document = with_long_texts()
    data, versions = encode_document(document), versions_of(document)
    [version_id] = versions
    encoded = carry(data, versions, {"d1": version_id})
    assert LONG.encode() not in encoded
    assert encoded.count(f"{version_id} rationale".encode()) == 2
    assert decode_carried(encoded, versions).data == data
    with pytest.raises(CorruptRecord, match=f"leans on version '{version_id}', which is not there"):
        decode_carried(encoded, {})


@pytest.mark.parametrize(
    "data",
    [
        b'{"meta":{"name":"a","description":"b"},"decisions":[]}',
        b'{\r\n  "a": 1\r\n}\r\n',
        b'{\n  "a": 1.50\n}\n',
        b'{\n  "a": "\xc3\xa9"\n}\n',
        b'{\n  "a": 1,\n  "a": 2\n}\n',
        b'{\n  "a": {\n    "mneme:version": "dver-0 rationale"\n  }\n}\n',
        b'{\n  "a": 1\n}',
    ],
)
def test_a_file_of_another_layout_comes_back_too(data):
    assert decode_carried(carry(data), {}).data == data


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.text().filter(lambda key: key not in {"decisions", "decision_index"}), values))
def test_any_document_comes_back(document):
    for data in (encode_document(document), json.dumps(document, ensure_ascii=False, indent=1).encode()):
        assert decode_carried(carry(data), {}).data == data


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"[]",
        lambda data: data.replace(b"Use JSON", b"Use YAML"),
        lambda data: data.replace(b'"document": [', b'"document": ["{",'),
        lambda data: data.replace(b'"sha256"', b'"sha"'),
    ],
)
def test_damage_is_seen(damage):
    data = encode_document(with_long_texts())
    encoded = carry(data, versions_of(with_long_texts()))
    with pytest.raises(CorruptRecord, match=r"carried.json"):
        decode_carried(damage(encoded), versions_of(with_long_texts()))


def test_the_seal_says_which_bytes_of_which_file():
    data = encode_document(indexed())
    seal = read_seal(carry(data))
    assert (seal.file, seal.sha256) == (FILE, sha256_hex(data))


def put(root, name, data):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_a_file_that_git_never_saw_is_a_fault_and_one_that_it_agreed_with_is_not(tmp_path):
    data = encode_document(indexed())
    assert divergence(tmp_path) == ()
    put(tmp_path, FILE, data)
    [fault] = divergence(tmp_path)
    assert (fault.code, fault.path, fault.blocks) == ("MEMORY_FILE_DIVERGED", FILE, False)
    put(tmp_path, ".mneme/carried.json", carry(data))
    assert divergence(tmp_path) == ()
    put(tmp_path, FILE, data + b"\n")
    assert [fault.path for fault in divergence(tmp_path)] == [FILE]
    (tmp_path / FILE).unlink()
    assert divergence(tmp_path) == ()


def test_a_file_of_another_name_that_was_moved_is_looked_at_too(tmp_path):
    data = encode_document(indexed())
    put(tmp_path, ".mneme/carried.json", encode_carried(Carried(file="docs/m.json", data=data), {}, {}))
    put(tmp_path, "docs/m.json", b"{}")
    assert [fault.path for fault in divergence(tmp_path)] == ["docs/m.json"]
    put(tmp_path, ".mneme/carried.json", b"damaged")
    [fault] = divergence(tmp_path)
    assert "cannot be read" in fault.message
