"""The bytes of objects and packs: laws, and vectors that can never drift."""

import hashlib
import subprocess
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.errors import CorruptRecord
from mneme_git.store.backend import GitObject, Signature, TreeEntry
from mneme_git.store.objects import (
    BLOB_MODE,
    LINK_MODE,
    SUBMODULE_MODE,
    TREE_MODE,
    NewCommit,
    blob,
    decode_commit,
    decode_loose,
    decode_tree,
    encode_commit,
    encode_loose,
    encode_pack,
    encode_tree,
    is_object_id,
    object_id,
    zero_id,
)

FORMATS = {"sha1": 40, "sha256": 64}
MODES = st.sampled_from([BLOB_MODE, 0o100755, LINK_MODE, TREE_MODE, SUBMODULE_MODE])
BAD = {"", ".", ".."}
NAMES = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8
).filter(lambda name: name not in BAD and name.lower() != ".git")


def entries(width):
    ids = st.text("0123456789abcdef", min_size=width, max_size=width)
    rows = st.builds(TreeEntry, NAMES, MODES, ids)
    return st.lists(rows, max_size=12, unique_by=lambda row: row.name)


def test_ids_are_those_of_git():
    assert object_id(blob(b""), "sha1") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert object_id(GitObject("tree", b""), "sha1") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    assert object_id(blob(b"hello\n"), "sha1") == "ce013625030ba8dba906f756967f9e9ca394464a"
    empty = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    assert object_id(blob(b""), "sha256") == empty
    assert zero_id("sha1") == "0" * 40
    assert zero_id("sha256") == "0" * 64


@pytest.mark.parametrize(
    ("text", "good"), [("a" * 40, True), ("A" * 40, False), ("a" * 39, False), ("g" * 40, False)]
)
def test_a_full_id_is_told_from_other_text(text, good):
    assert is_object_id(text, "sha1") is good


@pytest.mark.parametrize("object_format", FORMATS)
@settings(deadline=None)
@given(data=st.data())
def test_a_tree_comes_back_whatever_order_it_was_given_in(object_format, data):
    rows = data.draw(entries(FORMATS[object_format]))
    made = encode_tree(rows)
    assert encode_tree(data.draw(st.permutations(rows))) == made
    read = decode_tree(made.data, object_format)
    assert sorted(read, key=repr) == sorted(rows, key=repr)
    assert encode_tree(read) == made


def test_a_folder_is_sorted_as_if_its_name_ended_with_a_slash():
    rows = [
        TreeEntry(name, mode, "1" * 40)
        for name, mode in (("a", TREE_MODE), ("a.b", BLOB_MODE), ("a0", BLOB_MODE))
    ]
    assert [row.name for row in decode_tree(encode_tree(rows).data, "sha1")] == ["a.b", "a", "a0"]


def test_names_that_are_no_utf8_come_back_as_they_were():
    raw = b"100644 \xff\xfe\0" + bytes(20)
    (row,) = decode_tree(raw, "sha1")
    assert encode_tree([row]).data == raw


@pytest.mark.parametrize("name", ["", ".", "..", ".git", ".GIT", "a/b", "a\0b"])
def test_names_that_git_would_refuse_are_refused(name):
    with pytest.raises(ValueError, match="not names of one tree"):
        encode_tree([TreeEntry(name, BLOB_MODE, "1" * 40)])


def test_one_name_twice_is_refused_even_as_file_and_folder():
    with pytest.raises(ValueError, match="not names of one tree"):
        encode_tree([TreeEntry("a", BLOB_MODE, "1" * 40), TreeEntry("a", TREE_MODE, "1" * 40)])


@pytest.mark.parametrize("cut", range(1, 30, 3))
def test_a_torn_tree_is_refused(cut):
    whole = encode_tree([TreeEntry("name", BLOB_MODE, "1" * 40)]).data
    with pytest.raises(CorruptRecord):
        decode_tree(whole[:-cut], "sha1")


def test_a_commit_comes_back():
    ada = Signature("Ada", "ada@example.org")
    bob = Signature("Bob ö", "")
    commit = NewCommit(
        tree="1" * 40,
        parents=("2" * 40, "3" * 40),
        author=ada,
        committer=bob,
        time=1700000000,
        message="subject\n\nbody\n\n\n",
    )
    read = decode_commit("4" * 40, encode_commit(commit).data)
    assert (read.tree, read.parents, read.author) == (commit.tree, commit.parents, ada)
    assert (read.author_time, read.committer_time, read.message) == (
        1700000000,
        1700000000,
        "subject\n\nbody\n",
    )


def test_signatures_and_merge_tags_in_a_commit_are_passed_over():
    raw = (
        b"tree " + b"1" * 40 + b"\nauthor A <a> 5 +0100\ncommitter B <b> 6 -0130\n"
        b"gpgsig -----BEGIN-----\n author X <x> 9 +0000\n parent " + b"7" * 40 + b"\n -----END-----\n\nm\n"
    )
    read = decode_commit("4" * 40, raw)
    assert (read.author.name, read.author_time, read.committer_time, read.parents) == ("A", 5, 6, ())


@pytest.mark.parametrize(
    "raw", [b"", b"nonsense", b"tree x\n\nmessage", b"tree \xff\nauthor a\ncommitter b\n\n"]
)
def test_what_is_no_commit_is_refused(raw):
    with pytest.raises(CorruptRecord):
        decode_commit("4" * 40, raw)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=400), max_size=20))
def test_a_pack_ends_with_the_hash_of_what_precedes_it(datas):
    pack = encode_pack([blob(data) for data in datas], "sha1")
    assert pack[:12] == b"PACK" + (2).to_bytes(4, "big") + len(datas).to_bytes(4, "big")
    assert hashlib.sha1(pack[:-20]).digest() == pack[-20:]


@pytest.mark.parametrize("size", [0, 1, 15, 16, 2047, 2048, 300_000])
@pytest.mark.parametrize("object_format", FORMATS)
def test_git_reads_a_pack_of_objects_of_every_length(tmp_path, size, object_format):
    item = blob(b"x" * size)
    subprocess.run(["git", "init", "-q", f"--object-format={object_format}", str(tmp_path)], check=True)
    pack = encode_pack([item], object_format)
    subprocess.run(
        ["git", "index-pack", "--stdin"], input=pack, cwd=tmp_path, check=True, capture_output=True
    )
    told = subprocess.run(
        ["git", "cat-file", "-s", object_id(item, object_format)],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert int(told.stdout) == size


@settings(deadline=None)
@given(st.sampled_from(["blob", "tree", "commit", "tag"]), st.binary(max_size=300), st.data())
def test_a_loose_file_comes_back_whole_or_is_refused(kind, content, data):
    item = GitObject(kind, content)
    file = encode_loose(item)
    assert decode_loose(file) == item
    with pytest.raises(CorruptRecord):
        decode_loose(file[: data.draw(st.integers(0, len(file) - 1))])


@pytest.mark.parametrize(
    "inside", [b"blob 3\0ab", b"blob x\0ab", b"bolb 2\0ab", b"blob\0", b"", b"blob 2 2\0ab"]
)
def test_a_loose_file_that_holds_no_object_is_refused(inside):
    with pytest.raises(CorruptRecord):
        decode_loose(zlib.compress(inside))
