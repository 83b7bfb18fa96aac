"""History, what is kept by something, and the id of the tree as it lies in the work tree."""

import subprocess

import pytest

from mneme_git.errors import NotFound, Refused
from mneme_git.store.backend import Absent, Signature
from tests.contract.making import commit_of

AT = "GIT_COMMITTER_DATE"


def commit(repo, message, *, at, **files):
    for name, text in files.items():
        repo.write(f"{name}.txt", text)
    repo.git("add", "-A")
    stamp = f"{1700000000 + at} +0000"
    repo.git("commit", "-q", "--allow-empty", "-m", message, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp)
    return repo.git("rev-parse", "HEAD")


def subjects(rows):
    return [row.message.partition("\n")[0] for row in rows]


def test_history_tells_who_when_and_what_newest_first(repo, backend):
    commit(repo, "zwei\n\nkörper", at=200, a="1")
    top = commit(repo, "drei", at=300, b="1")
    rows = list(backend.history(["HEAD"]))
    assert subjects(rows) == ["drei", "zwei", "start"]
    assert rows[0].oid == top
    assert rows[0].tree == repo.git("rev-parse", "HEAD^{tree}")
    assert rows[0].parents == (rows[1].oid,)
    assert (rows[0].author, rows[0].author_time) == (Signature("Ada", "ada@example.org"), 1700000300)
    assert rows[0].committer_time == 1700000300
    assert rows[1].message == "zwei\n\nkörper\n"
    assert subjects(backend.history(["HEAD"], limit=2)) == ["drei", "zwei"]
    assert list(backend.history(["HEAD"], limit=0)) == []
    assert list(backend.history([])) == []
    with pytest.raises(NotFound):
        list(backend.history(["HEAD", "nope"]))


def test_only_commits_that_touch_the_paths_are_told_deletions_too(repo, backend):
    commit(repo, "make a", at=1, a="1")
    commit(repo, "make b", at=2, b="1")
    commit(repo, "change a", at=3, a="2")
    (repo.path / "a.txt").unlink()
    commit(repo, "remove a", at=4)
    commit(repo, "a again, as b was", at=5, a="1")
    assert subjects(backend.history(["HEAD"], paths=["a.txt"])) == [
        "a again, as b was",
        "remove a",
        "change a",
        "make a",
    ]
    assert subjects(backend.history(["HEAD"], paths=["a.txt"], limit=1)) == ["a again, as b was"]
    assert subjects(backend.history(["HEAD"], paths=["b.txt", "README.md"])) == ["make b", "start"]
    assert list(backend.history(["HEAD"], paths=["nothing"])) == []


def test_a_path_is_a_name_and_no_pattern(repo, backend):
    commit(repo, "a", at=1, a="1")
    assert list(backend.history(["HEAD"], paths=["*.txt"])) == []


def test_a_merge_counts_only_where_it_differs_from_every_parent(repo, backend):
    commit(repo, "base", at=1, a="1\n2\n3\n4\n5\n")
    repo.git("checkout", "-q", "-b", "side")
    commit(repo, "on side", at=2, a="1\n2\n3\n4\nside\n")
    repo.git("checkout", "-q", "main")
    commit(repo, "elsewhere", at=3, other="x")
    repo.git("merge", "-q", "--no-ff", "-m", "takes side's", "side")
    assert subjects(backend.history(["HEAD"], paths=["a.txt"])) == ["on side", "base"]
    repo.git("checkout", "-q", "-b", "second", "HEAD")
    commit(repo, "second", at=4, a="second\n2\n3\n4\nside\n")
    repo.git("checkout", "-q", "main")
    commit(repo, "first", at=5, a="1\n2\nfirst\n4\nside\n")
    repo.git("merge", "-q", "-m", "blends both", "second")
    assert subjects(backend.history(["HEAD"], paths=["a.txt"])) == [
        "blends both",
        "first",
        "second",
        "on side",
        "base",
    ]


def test_a_side_that_a_merge_threw_away_is_still_history(repo, backend):
    commit(repo, "base", at=1, a="1")
    repo.git("checkout", "-q", "-b", "side")
    commit(repo, "lost work", at=2, a="2")
    repo.git("checkout", "-q", "main")
    commit(repo, "mine", at=3, b="1")
    repo.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    assert "lost work" in subjects(backend.history(["HEAD"], paths=["a.txt"]))


def test_children_come_before_parents_even_when_clocks_are_wrong(repo, backend):
    commit(repo, "one", at=900, a="1")
    commit(repo, "two, from a slow clock", at=-90000, a="2")
    commit(repo, "three", at=500, a="3")
    assert subjects(backend.history(["HEAD"], paths=["a.txt"])) == ["three", "two, from a slow clock", "one"]


def test_old_encodings_and_odd_people_are_read(repo, backend):
    repo.write("message", "gr\xfc\xdfe\n".encode("latin-1"))
    repo.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", "message")
    raw = f"tree {repo.git('rev-parse', 'HEAD^{tree}')}\nauthor nobody\ncommitter x <y> z\n\nold\n"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
        cwd=repo.path,
        input=raw.encode(),
        capture_output=True,
        check=True,
    )
    rows = list(backend.history(["HEAD", made.stdout.decode().strip()]))
    assert "grüße\n" in [row.message for row in rows]
    odd = next(row for row in rows if row.message == "old\n")
    assert (odd.author, odd.author_time, odd.committer_time) == (Signature("nobody", ""), 0, 0)


def test_a_shallow_clone_tells_what_it_has(repo, opened, tmp_path):
    for number in range(4):
        commit(repo, f"c{number}", at=number, a=str(number))
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.path}", str(tmp_path / "shallow"))
    backend = opened(tmp_path / "shallow")
    assert subjects(backend.history(["HEAD"], paths=["a.txt"])) == ["c3", "c2"]
    assert backend.tree_files(backend.head().oid, "")[0].path == "README.md"


def kept(backend, prefix=".mneme"):
    return backend.reachable_blobs(prefix)


def blob_of(repo, text):
    return repo.git("hash-object", "--no-filters", str(repo.write("scratch", text)))


def test_blobs_that_a_ref_reflog_stash_or_index_has_are_kept(repo, backend):
    texts = {name: f"{name}\n" for name in ("commit", "branch", "tag", "reset", "stash", "index", "removed")}
    ids = {name: blob_of(repo, text) for name, text in texts.items()}
    (repo.path / "scratch").unlink()
    assert kept(backend) == frozenset()

    def add(name, path):
        repo.write(path, texts[name])
        repo.git("add", "--", path)

    add("removed", ".mneme/removed")
    repo.git("commit", "-q", "-m", "1")
    repo.git("rm", "-q", ".mneme/removed")
    add("commit", ".mneme/deep/commit")
    repo.git("commit", "-q", "-m", "2")
    repo.git("checkout", "-q", "--detach")
    for name in ("branch", "tag", "reset"):
        add(name, f".mneme/{name}")
        repo.git("commit", "-q", "-m", name)
        if name != "reset":
            repo.git(name, f"of-{name}")
        repo.git("reset", "-q", "--hard", "main")
    add("stash", ".mneme/stash")
    repo.git("stash", "-q")
    add("index", ".mneme/index")
    found = kept(backend)
    for name, oid in ids.items():
        assert oid in found, name
    assert repo.git("rev-parse", ":README.md") not in found
    assert repo.git("rev-parse", ":README.md") in kept(backend, "")
    assert ids["index"] in kept(backend, ".mneme/index")
    assert ids["commit"] not in kept(backend, ".mneme/index")


def test_the_journal_keeps_nothing_even_where_refs_of_all_kinds_are_logged(repo, backend, opened):
    repo.git("config", "core.logAllRefUpdates", "always")
    (oid,) = [row.oid for row in opened(repo.path).tree(commit_of(backend, {".mneme": b"only there"}))]
    again = opened(repo.path)
    entry = commit_of(backend, {".mneme": b"only there"})
    again.compare_and_swap("refs/mneme/journal", Absent(), entry, message="x")
    repo.git("update-ref", "--create-reflog", "refs/mneme/other", entry)
    assert repo.git("reflog", "refs/mneme/other")
    assert oid not in kept(again)
    repo.write(".mneme/x", "reset away\n")
    repo.commit_all()
    gone = repo.git("rev-parse", "HEAD:.mneme/x")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert gone in kept(again), "other reflogs still count"


def test_what_a_merge_brings_in_and_an_autostash_are_kept(repo, backend):
    repo.write(".mneme/f", "base\n")
    repo.commit_all()
    repo.git("checkout", "-q", "-b", "side")
    repo.write(".mneme/f", "side\n")
    repo.write(".mneme/more", "comes along\n")
    repo.commit_all()
    more = repo.git("rev-parse", "HEAD:.mneme/more")
    repo.git("checkout", "-q", "main")
    repo.write(".mneme/f", "main\n")
    repo.commit_all()
    repo.try_git("merge", "side")
    repo.git("rm", "-q", "--cached", ".mneme/more")
    repo.git("branch", "-q", "-D", "side")
    forget_reflogs(repo)
    assert more in kept(backend)
    repo.git("reset", "-q", "--hard")
    forget_reflogs(repo)
    (repo.path / ".git/ORIG_HEAD").unlink(missing_ok=True)
    assert more not in kept(backend), "now nothing has it"


def forget_reflogs(repo):
    repo.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")


def test_heads_and_indexes_of_other_work_trees_count(repo, opened, tmp_path):
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "other"))
    other = type(repo)(tmp_path / "other")
    other.write(".mneme/committed", "detached\n")
    other.commit_all()
    other.write(".mneme/staged", "staged\n")
    other.git("add", "-A")
    ids = {other.git("rev-parse", "HEAD:.mneme/committed"), other.git("rev-parse", ":.mneme/staged")}
    forget_reflogs(repo)
    for path in (repo.path, other.path):
        assert ids <= kept(opened(path))


def test_a_side_thrown_away_in_a_merge_keeps_its_blobs(repo, backend):
    repo.git("checkout", "-q", "-b", "side")
    repo.write(".mneme/f", "side only\n")
    repo.commit_all()
    oid = repo.git("rev-parse", "HEAD:.mneme/f")
    repo.git("checkout", "-q", "main")
    repo.commit_all("mine")
    repo.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    repo.git("branch", "-q", "-D", "side")
    forget_reflogs(repo)
    assert oid in kept(backend)


def test_the_dirty_tree_is_what_add_all_and_write_tree_would_make(repo, backend, tmp_path):
    repo.write(".gitignore", "ignored\n")
    repo.write("keep", "1\n")
    repo.write("gone", "1\n")
    repo.write(".mneme/a", "1\n")
    repo.commit_all()
    assert backend.dirty_tree_id(exclude=()) == repo.git("rev-parse", "HEAD^{tree}")
    (repo.path / "gone").unlink()
    repo.write("keep", "2\n")
    repo.write("ignored", "x")
    repo.write("new/é\nx", "x")
    repo.write("staged", "x")
    repo.git("add", "staged")
    repo.write(".mneme/b", "pending\n")
    before = (repo.git("count-objects", "-v"), repo.read(".git/index"))
    found = (
        backend.dirty_tree_id(exclude=()),
        backend.dirty_tree_id(),
        backend.dirty_tree_id(exclude=("new",)),
    )
    assert (repo.git("count-objects", "-v"), repo.read(".git/index")) == before
    index = {"GIT_INDEX_FILE": str(tmp_path / "index")}
    repo.git("add", "-A", **index)
    whole = repo.git("write-tree", **index)
    repo.git("rm", "-r", "-q", "--cached", ".mneme", **index)
    without = repo.git("write-tree", **index)
    assert found[:2] == (whole, without)
    assert len(set(found)) == 3


def test_records_of_ours_do_not_change_the_dirty_tree(repo, backend):
    before = backend.dirty_tree_id()
    repo.write(".mneme/decisions/a.json", "1")
    assert backend.dirty_tree_id() == before
    repo.git("add", "-A")
    assert backend.dirty_tree_id() == before
    repo.write("code.py", "x = 1\n")
    assert backend.dirty_tree_id() != before


def test_the_dirty_tree_has_an_id_amid_a_conflict_and_beside_odd_files(repo, backend):
    repo.write("f", "base\n")
    repo.commit_all()
    repo.git("checkout", "-q", "-b", "side")
    repo.write("f", "side\n")
    repo.commit_all()
    repo.git("checkout", "-q", "main")
    repo.write("f", "main\n")
    repo.commit_all()
    repo.try_git("merge", "side")
    (repo.path / "nested").mkdir()
    repo.git("init", "-q", "nested")
    first = backend.dirty_tree_id()
    repo.write("f", "settled\n")
    assert backend.dirty_tree_id() != first
    assert repo.git("ls-files", "-u") != ""


def test_a_bare_repository_is_read_and_has_no_work_tree(repo, opened, tmp_path):
    repo.write(".mneme/a", "1\n")
    head = repo.commit_all()
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    backend = opened(tmp_path / "bare.git")
    assert backend.work_tree is None
    assert backend.head().oid == head
    assert [row.path for row in backend.tree_files(head, ".mneme")] == [".mneme/a"]
    assert backend.index_entries("") == backend.unmerged("") == ()
    assert backend.ignored("x") == ""
    assert "bare" in backend.stage(["x"])
    assert len(kept(backend)) >= 1
    for ask in (backend.dirty_tree_id, lambda: backend.clean_bytes("x")):
        with pytest.raises(Refused):
            ask()
