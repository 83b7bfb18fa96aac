"""Objects: what one writes the other and git itself read."""

import subprocess

import pytest

from mneme_git.errors import CorruptRecord, MissingObject, StoreFault
from mneme_git.store.backend import GitObject, Signature, TreeEntry
from mneme_git.store.object_files import MANY
from mneme_git.store.objects import (
    BLOB_MODE,
    TREE_MODE,
    NewCommit,
    blob,
    encode_commit,
    encode_tree,
    object_id,
    zero_id,
)
from tests.contract.making import ADA, clean_fsck, commit_of, loose_count, set_age


@pytest.mark.parametrize("data", [b"", b"text\n", b"\0\xff\r\n" * 1000, b"tree 1\0"])
def test_what_is_written_is_what_git_reads(repo, backend, data):
    (oid,) = backend.write([blob(data)])
    shown = subprocess.run(["git", "cat-file", "blob", oid], cwd=repo.path, capture_output=True, check=True)
    assert shown.stdout == data
    assert backend.read(oid) == GitObject("blob", data)
    assert repo.git("cat-file", "-t", oid) == "blob"


def test_a_commit_with_a_nested_tree_passes_fsck_strict(repo, backend):
    (leaf,) = backend.write([blob(b"x\n")])
    (inner,) = backend.write([encode_tree([TreeEntry("a.json", BLOB_MODE, leaf)])])
    rows = [
        TreeEntry("ab", TREE_MODE, inner),
        TreeEntry("ab.json", BLOB_MODE, leaf),  # git sorts the folder ab behind this one
        TreeEntry("é", BLOB_MODE, leaf),
        TreeEntry("a name\nin two lines", BLOB_MODE, leaf),
    ]
    (tree,) = backend.write([encode_tree(rows)])
    commit = NewCommit(
        tree=tree,
        parents=(),
        author=Signature("Ä <x>\nda", "a@b"),
        committer=ADA,
        time=1700000000,
        message="mneme: import\n\nplan: 1\n",
    )
    (oid,) = backend.write([encode_commit(commit)])
    repo.git("update-ref", "refs/heads/made", oid)
    clean_fsck(repo)
    assert repo.git("log", "-1", "--format=%an|%cn|%s|%at", oid) == "Ä xda|Ada|mneme: import|1700000000"
    names = ["a name\nin two lines", "ab.json", "ab", "é"]
    assert repo.git("ls-tree", "-z", "--name-only", oid).split("\0")[:-1] == names
    assert [row.name for row in backend.tree(oid)] == names


def test_ids_come_back_in_the_order_of_the_objects_with_repeats(backend, kind):
    items = [blob(b"one"), blob(b"two"), blob(b"one")]
    assert backend.write(items) == tuple(object_id(item, kind[1]) for item in items)
    assert backend.write([]) == ()


def test_many_new_objects_become_one_pack(repo, backend):
    items = [blob(b"%d" % number) for number in range(MANY + 50)]
    before = loose_count(repo)
    oids = backend.write(items)
    assert loose_count(repo) == before
    assert len(list((repo.path / ".git/objects/pack").glob("*.pack"))) == 1
    assert [item.data for item in backend.read_many(oids)] == [item.data for item in items]
    clean_fsck(repo)


def test_what_is_there_is_not_written_again(repo, backend):
    items = [blob(b"%d" % number) for number in range(MANY + 50)]
    backend.write(items)
    backend.write(items)
    backend.write(items[:3])
    assert len(list((repo.path / ".git/objects/pack").glob("*.pack"))) == 1
    before = loose_count(repo)
    backend.write([blob(b"new")])
    backend.write([blob(b"new")])
    assert loose_count(repo) == before + 1


def test_what_is_there_is_kept_from_a_prune_that_is_under_way(repo, backend):
    (oid,) = backend.write([blob(b"old and unreachable")])
    file = repo.path / ".git/objects" / oid[:2] / oid[2:]
    set_age(file, days=30)
    backend.write([blob(b"old and unreachable")])
    repo.git("prune", "--expire=2.weeks.ago")
    assert backend.has(oid)


def test_objects_written_by_git_are_seen_at_once(repo, backend):
    assert not backend.has(zero_id(backend.object_format))
    done = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=repo.path,
        input=b"by git",
        capture_output=True,
        check=True,
    )
    oid = done.stdout.decode().strip()
    assert backend.has(oid)
    repo.git("update-ref", "refs/heads/keep", commit_of(backend, {"a": b"by git"}))
    repo.git("gc", "-q", "--prune=now")
    assert backend.read(oid).data == b"by git"
    (later,) = backend.write([blob(b"after gc")])
    assert backend.read(later).data == b"after gc"


def test_a_missing_object_is_an_error_of_ours(backend):
    absent = object_id(blob(b"never written"), backend.object_format)
    for ask in (backend.read, lambda oid: backend.read_many([oid]), backend.tree):
        with pytest.raises(MissingObject) as raised:
            ask(absent)
        assert absent in raised.value.message
        assert raised.value.hint
    assert backend.read_many([]) == ()


def test_reading_goes_on_after_a_miss(backend):
    (oid,) = backend.write([blob(b"there")])
    with pytest.raises(MissingObject):
        backend.read_many([oid, zero_id(backend.object_format), oid])
    assert backend.read(oid).data == b"there"


def test_the_tree_of_a_commit_a_tag_and_a_tree_is_the_same(repo, backend):
    repo.git("tag", "-a", "-m", "t", "v1")
    head = repo.git("rev-parse", "HEAD")
    tag = repo.git("rev-parse", "v1")
    assert tag != head
    tree = repo.git("rev-parse", "HEAD^{tree}")
    assert backend.tree(head) == backend.tree(tag) == backend.tree(tree)
    assert [(row.name, row.mode) for row in backend.tree(head)] == [("README.md", BLOB_MODE)]
    with pytest.raises(CorruptRecord):
        backend.tree(repo.git("rev-parse", "HEAD:README.md"))


def test_files_of_a_commit_are_listed_as_git_lists_them(repo, backend):
    names = [".mneme/a b.json", ".mneme/é/x", ".mneme/d/e/f", ".mneme/line\nbreak", ".mnemex/no", "z"]
    for name in names:
        repo.write(name, name)
    (repo.path / ".mneme/link").symlink_to("a b.json")
    head = repo.commit_all()
    for prefix in ("", ".mneme", ".mneme/", ".mneme/d/e", ".mneme/é/x", "nothing/here", "z/below"):
        at = ["--", prefix] if prefix else []
        listed = repo.git("ls-tree", "-r", "-z", "--full-tree", head, *at)
        expected = []
        for row in listed.split("\0")[:-1]:
            told, _, path = row.partition("\t")
            mode, _, oid = told.split(" ")
            expected.append((path, int(mode, 8), oid))
        found = [(row.path, row.mode, row.oid) for row in backend.tree_files(head, prefix)]
        assert found == expected, prefix
    assert backend.tree_files(head, "z/below") == ()


def test_many_folders_are_read_in_the_right_order(repo, backend):
    for number in range(300):
        repo.write(f"f{number}/a", str(number))
    head = repo.commit_all()
    found = backend.tree_files(head, "")
    assert len(found) == 301
    assert {row.path: backend.read(row.oid).data for row in found if row.path != "README.md"} == {
        f"f{number}/a": str(number).encode() for number in range(300)
    }


@pytest.mark.parametrize("left", [0, 5, 10, 20])
def test_a_damaged_object_is_an_error_of_ours_and_others_are_still_read(repo, backend, left):
    good, bad = backend.write([blob(b"good"), blob(b"bad" * 100)])
    file = repo.path / ".git/objects" / bad[:2] / bad[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(StoreFault) as raised:
        backend.read(bad)
    assert bad in raised.value.message
    assert raised.value.hint
    assert backend.read(good).data == b"good"


def test_an_object_that_a_power_cut_emptied_is_written_anew(repo, kind, opened):
    data = b"acknowledged"
    oid = object_id(blob(data), kind.object_format)
    repo.write(f".git/objects/{oid[:2]}/{oid[2:]}", b"")
    backend = opened(repo.path)
    assert backend.write([blob(data)]) == (oid,)
    assert backend.read(oid).data == data
    clean_fsck(repo)


def test_new_files_of_a_shared_repository_have_the_modes_of_its_folder(repo, kind, opened):
    repo.git("config", "core.sharedRepository", "group")
    folder = repo.path / ".git/objects"
    folder.chmod(0o2770)
    (oid,) = opened(repo.path).write([blob(b"shared")])
    file = folder / oid[:2] / oid[2:]
    assert file.parent.stat().st_mode & 0o7777 == 0o2770
    assert file.stat().st_mode & 0o7777 == 0o440
