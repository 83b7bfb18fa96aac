import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.errors import CorruptRecord
from mneme_git.store.backend import GitObject, TreeEntry
from mneme_git.store.journal_tree import Grove, files_of, find, generation, insert, needed, union_trees
from mneme_git.store.objects import SUBMODULE_MODE, TREE_MODE, encode_tree, object_id


class Objects:
    """An object store in memory that counts what is read."""

    def __init__(self):
        self.held = {}
        self.read_ids = []

    def read(self, oid):
        self.read_ids.append(oid)
        return self.held[oid]

    def keep(self, grove, root):
        for item in needed(grove, root):
            self.held[object_id(item, "sha1")] = item
        return root


def build(objects, files):
    """Store a journal tree of paths to bytes."""
    grove = Grove(objects.read, "sha1")
    return objects.keep(grove, insert(grove, None, {path: grove.blob(data) for path, data in files.items()}))


def join(objects, ours, theirs):
    grove = Grove(objects.read, "sha1")
    return objects.keep(grove, union_trees(grove, ours, theirs))


def contents(objects, root):
    return {path: objects.held[oid].data for path, oid in files_of(Grove(objects.read, "sha1"), root).items()}


names = st.builds(
    lambda folder, shard, name: f"{folder}/{shard}/{name}",
    st.sampled_from(["versions", "states", "files"]),
    st.sampled_from(["00", "a1", "ff"]),
    st.sampled_from(["one.json", "two.json", "three"]),
)
# Names are made from content, so one name always has one content.
journals = st.sets(names).map(lambda paths: {path: path.encode() for path in paths})
# What must not happen, happening: one name with several contents.
clashing = st.dictionaries(names, st.sampled_from([b"a", b"b", b"c"]))
numbers = st.sampled_from([b"1\n", b"2\n"])


@given(journals, journals)
@settings(deadline=None, max_examples=40)
def test_a_union_has_every_record_of_both(left, right):
    objects = Objects()
    root = join(objects, build(objects, left), build(objects, right))
    assert contents(objects, root) == left | right


@given(clashing, clashing, clashing, numbers, numbers, numbers)
@settings(deadline=None, max_examples=40)
def test_a_union_depends_neither_on_order_nor_on_grouping_and_loses_no_content(a, b, c, g, h, i):
    objects = Objects()
    one, two, three = (
        build(objects, files | {"generation": number}) for files, number in ((a, g), (b, h), (c, i))
    )
    first = join(objects, join(objects, one, two), three)
    second = join(objects, join(objects, three, one), two)
    assert first == second
    assert join(objects, first, first) == first
    assert join(objects, first, two) == first
    kept = contents(objects, first)
    assert {*a.values(), *b.values(), *c.values()} <= set(kept.values())
    assert kept["generation"] == max(g, h, i)


@given(journals, journals, st.sets(names))
@settings(deadline=None, max_examples=40)
def test_what_was_erased_does_not_come_back_and_the_rest_does(left, right, erased):
    objects = Objects()
    kept = {path: data for path, data in left.items() if path not in erased}
    tombs = {f"erased/{path}": b"" for path in erased}
    newer = build(objects, kept | tombs | {"generation": b"2\n"})
    older = build(objects, right | {"generation": b"1\n"})
    joined = contents(objects, join(objects, newer, older))
    assert joined == contents(objects, join(objects, older, newer))
    expected = {path: data for path, data in (kept | right).items() if path not in erased}
    assert joined == expected | tombs | {"generation": b"2\n"}


def test_inserting_reads_only_the_folders_on_the_way():
    objects = Objects()
    files = {f"{kind}/{n:02x}/{n}": b"%d" % n for kind in ("versions", "states") for n in range(256)}
    root = build(objects, files)
    objects.read_ids.clear()
    grove = Grove(objects.read, "sha1")
    added = insert(grove, root, {"versions/07/new": grove.blob(b"new")})
    assert len(objects.read_ids) == 3  # the root, `versions` and `versions/07`
    assert len(needed(grove, added)) == 4  # these three anew, and the blob
    objects.keep(grove, added)
    assert contents(objects, added) == files | {"versions/07/new": b"new"}


def test_inserting_what_is_there_changes_nothing_and_makes_nothing():
    objects = Objects()
    root = build(objects, {"states/ab/x": b"x", "states/ab/y": b"y"})
    grove = Grove(objects.read, "sha1")
    assert insert(grove, root, {"states/ab/x": grove.blob(b"x")}) == root
    assert needed(grove, root) == ()


def test_joining_equal_journals_reads_next_to_nothing():
    objects = Objects()
    root = build(objects, {f"states/{n:02x}/{n}": b"" for n in range(256)})
    objects.read_ids.clear()
    assert join(objects, root, root) == root
    assert len(objects.read_ids) <= 2


def test_the_tree_that_git_would_make_is_the_tree_that_is_made(repo):
    from mneme_git.store.discover import open_backend

    backend = open_backend(repo.path)
    files = {"generation": b"1\n", "a.b/00/x": b"1", "a/00/y": b"2", "a0/00/z": b"3"}
    grove = Grove(backend.read, backend.object_format)
    root = insert(grove, None, {path: grove.blob(data) for path, data in files.items()})
    backend.write(needed(grove, root))
    for path, data in files.items():
        repo.write(path, data)
    repo.git("rm", "-q", "--cached", "README.md")
    repo.git("add", *files)
    assert repo.git("write-tree") == root


def test_find_gives_files_and_not_folders():
    objects = Objects()
    root = build(objects, {"states/ab/x": b"x"})
    grove = Grove(objects.read, "sha1")
    assert grove.content(find(grove, root, "states/ab/x")) == b"x"
    for path in ("states", "states/ab", "states/ab/y", "states/ab/x/z", "other/ab/x"):
        assert find(grove, root, path) is None
    assert find(grove, None, "states") is None


def test_names_that_no_journal_has_are_left_out_of_a_union():
    objects = Objects()
    blob = GitObject("blob", b"x")
    objects.held[object_id(blob, "sha1")] = blob
    odd = b"".join(
        b"%o %s\0" % (mode, name) + bytes.fromhex(object_id(blob, "sha1"))
        for mode, name in ((SUBMODULE_MODE, b"sub"), (0o100644, b".git"), (0o100644, b"good"))
    )
    shard = GitObject("tree", odd)
    objects.held[object_id(shard, "sha1")] = shard
    root = encode_tree([TreeEntry("states", TREE_MODE, object_id(shard, "sha1"))])
    objects.held[object_id(root, "sha1")] = root
    ours = build(objects, {"states/more": b"y"})
    assert contents(objects, join(objects, ours, object_id(root, "sha1"))) == {
        "states/good": b"x",
        "states/more": b"y",
    }


def test_a_generation_that_is_no_number_is_damage():
    objects = Objects()
    root = build(objects, {"generation": b"many"})
    with pytest.raises(CorruptRecord):
        generation(Grove(objects.read, "sha1"), root)
