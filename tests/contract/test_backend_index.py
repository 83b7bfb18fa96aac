"""The index and staging: only what was asked, never by force, and always told why not."""

import os

import pytest

from mneme_git.store.objects import BLOB_MODE

NAMES = ["plain", "with space", "é/ü", "line\nbreak", ":(top)x", "*", "-q", '"q"', "tab\there", "#c"]


def status(repo):
    listed = repo.try_git("status", "--porcelain", "-z", "-uall", "--no-renames").out
    return sorted(row for row in listed.split("\0") if row)


def test_entries_are_those_of_git_in_order_and_below_the_prefix(repo, backend):
    for name in ("b/z", "b/a", "b.txt", "é", "b/line\nbreak"):
        repo.write(name, name)
    repo.git("add", "-A")
    listed = [row.path for row in backend.index_entries("")]
    assert listed == sorted(["README.md", "b/z", "b/a", "b.txt", "é", "b/line\nbreak"], key=str.encode)
    assert [row.path for row in backend.index_entries("b")] == ["b/a", "b/line\nbreak", "b/z"]
    (one,) = backend.index_entries("b.txt")
    assert (one.mode, one.stage, one.skip_worktree) == (BLOB_MODE, 0, False)
    assert one.oid == repo.git("rev-parse", ":b.txt")
    assert backend.index_entries("nothing") == ()
    assert backend.unmerged("") == ()


def test_a_prefix_is_a_name_and_no_pattern(repo, backend):
    for name in ("*", "abc", ":x"):
        repo.write(name, name)
    repo.git("add", "-A")
    assert [row.path for row in backend.index_entries("*")] == ["*"]
    assert [row.path for row in backend.index_entries(":x")] == [":x"]


def test_the_stages_of_a_conflict_are_listed(repo, backend):
    repo.write("f", "base\n")
    repo.write("other", "x\n")
    repo.commit_all()
    repo.git("checkout", "-q", "-b", "side")
    repo.write("f", "side\n")
    repo.commit_all()
    repo.git("checkout", "-q", "main")
    repo.write("f", "main\n")
    repo.commit_all()
    assert repo.try_git("merge", "side").code == 1
    rows = backend.index_entries("f")
    assert [row.stage for row in rows] == [1, 2, 3]
    assert [backend.read(row.oid).data for row in rows] == [b"base\n", b"main\n", b"side\n"]
    assert backend.unmerged("") == backend.unmerged("f") == rows
    assert backend.unmerged("other") == ()
    repo.write("f", "settled\n")
    assert backend.stage(["f"]) == ""
    assert [row.stage for row in backend.index_entries("f")] == [0]


def test_staging_takes_additions_changes_and_removals_of_just_these_paths(repo, backend):
    repo.write("gone", "1")
    repo.write("changed", "1")
    repo.write("left", "1")
    repo.commit_all()
    (repo.path / "gone").unlink()
    (repo.path / "left").unlink()
    repo.write("changed", "2")
    repo.write("new", "1")
    repo.write("untouched", "1")
    assert backend.stage(["gone", "changed", "new", "never/was"]) == ""
    assert status(repo) == [" D left", "?? untouched", "A  new", "D  gone", "M  changed"]
    assert backend.stage([]) == ""


def test_names_that_git_could_take_for_something_else_are_staged_as_names(repo, backend):
    for name in NAMES:
        repo.write(name, "1")
    repo.write("bystander", "1")
    assert backend.stage(NAMES) == ""
    assert status(repo) == sorted(["?? bystander", *(f"A  {name}" for name in NAMES)])
    for name in NAMES:
        (repo.path / name).unlink()
    assert backend.stage(NAMES) == ""
    assert status(repo) == ["?? bystander"]


def test_a_locked_index_is_left_alone_and_told(repo, backend):
    repo.write("new", "1")
    lock = repo.write(".git/index.lock", "")
    told = backend.stage(["new"])
    assert "index.lock" in told
    assert lock.exists()
    assert backend.index_entries("new") == ()
    (repo.path / "README.md").unlink()
    assert "index.lock" in backend.stage(["README.md"])


def test_an_ignored_path_is_not_forced_and_its_rule_is_told(repo, backend):
    repo.write(".gitignore", "# c\n.mneme\n!kept\n")
    repo.write(".mneme/a.json", "1")
    repo.write("fine", "1")
    assert backend.ignored(".mneme") == ".gitignore:2:.mneme"
    assert backend.ignored(".mneme/a.json") == ".gitignore:2:.mneme"
    for free in ("fine", "kept", ":(top)x", "README.md", "absent/file"):
        assert backend.ignored(free) == "", free
    told = backend.stage(["fine", ".mneme/a.json"])
    assert told == "'.mneme/a.json' is ignored by .gitignore:2:.mneme"
    assert backend.index_entries(".mneme") == ()
    repo.git("add", "-f", ".mneme/a.json")
    repo.write(".mneme/a.json", "2")
    assert backend.stage([".mneme/a.json"]) == "", "a tracked file is not ignored"


def test_staged_removals_are_what_head_has_and_the_index_lacks(repo, opened, kind, tmp_path):
    empty = tmp_path / "empty"
    repo.git("init", "-q", f"--object-format={kind.object_format}", str(empty))
    assert opened(empty).staged_removals("") == ()
    for name in (".mneme/é", ".mneme/b", ".mneme/kept", "other"):
        repo.write(name, name)
    repo.commit_all()
    backend = opened(repo.path)
    (repo.path / ".mneme/kept").unlink()
    repo.git("rm", "-q", "--cached", ".mneme/é", ".mneme/b", "other")
    repo.write("renamed", ".mneme/b")
    repo.git("add", "renamed")
    assert backend.staged_removals(".mneme") == (".mneme/b", ".mneme/é")
    assert backend.staged_removals("") == (".mneme/b", ".mneme/é", "other")
    assert backend.staged_removals(".mneme/b") == (".mneme/b",)
    assert backend.staged_removals("*") == ()


def test_paths_outside_a_sparse_checkout_are_seen_and_staged(repo, backend):
    repo.write("in/a", "1")
    repo.write("out/b", "1")
    repo.write("out/c", "1")
    repo.commit_all()
    repo.git("sparse-checkout", "set", "--cone", "in")
    assert not (repo.path / "out").exists()
    assert {row.path: row.skip_worktree for row in backend.index_entries("")} == {
        "README.md": False,
        "in/a": False,
        "out/b": True,
        "out/c": True,
    }
    repo.write("out/b", "2")
    repo.write("out/new", "1")
    assert backend.stage(["out/b", "out/new", "out/c"]) == ""
    assert repo.git("show", ":out/b") == "2"
    assert repo.git("show", ":out/new") == "1"
    assert backend.index_entries("out/c") == ()


def test_a_sparse_index_is_listed_whole(repo, backend):
    for name in ("in/a", "out/deep/b"):
        repo.write(name, "1")
    repo.commit_all()
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
    assert [row.path for row in backend.index_entries("out")] == ["out/deep/b"]


def test_nothing_is_staged_through_a_link_out_of_the_repository(repo, backend, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_text("1")
    (repo.path / "link").symlink_to(outside)
    assert "symbolic link" in backend.stage(["link/f"])
    assert backend.index_entries("link/f") == ()


def test_reading_the_index_does_not_write_it(repo, backend):
    index = repo.path / ".git/index"
    os.utime(repo.path / "README.md", (1, 1))  # git status would like to note that
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    backend.index_entries("")
    backend.dirty_tree_id()
    backend.clean_bytes("README.md")
    backend.reachable_blobs("")
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


@pytest.mark.parametrize("form", ["absolute", "relative"])
def test_the_index_that_a_hook_was_given_is_the_one_used(repo, opened, monkeypatch, form):
    other = repo.path / ".git/index-given"
    repo.write("new", "1")
    repo.git("add", "new", GIT_INDEX_FILE=str(other))
    given = str(other) if form == "absolute" else ".git/index-given"
    monkeypatch.setenv("GIT_INDEX_FILE", given)
    monkeypatch.chdir(repo.path)
    repo.write("mine", "1")
    backend = opened(repo.path)
    assert [row.path for row in backend.index_entries("")] == ["new"]
    assert backend.stage(["mine"]) == ""
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert repo.git("ls-files", GIT_INDEX_FILE=str(other)).split() == ["mine", "new"]
    assert repo.git("ls-files") == "README.md"


def test_what_head_has_and_the_index_lacks_is_listed_below_the_prefix(repo, backend):
    for name in ("in/gone.txt", "in/kept.txt", "out/gone.txt", "in/moved.txt"):
        repo.write(name, name)
    repo.commit_all()
    repo.git("rm", "-q", "in/gone.txt", "out/gone.txt")
    repo.git("mv", "in/moved.txt", "in/there.txt")
    (repo.path / "in/kept.txt").unlink()
    assert backend.staged_removals("in") == ("in/gone.txt", "in/moved.txt")
    assert backend.staged_removals("") == ("in/gone.txt", "in/moved.txt", "out/gone.txt")
    repo.git("update-ref", "-d", "HEAD")
    assert backend.staged_removals("in") == ()


def test_nothing_is_staged_into_the_passing_index_of_a_commit_of_some_files(repo, opened, monkeypatch):
    passing = repo.path / ".git/next-index-77.lock"
    repo.write("new", "1")
    repo.git("add", "new", GIT_INDEX_FILE=str(passing))
    monkeypatch.setenv("GIT_INDEX_FILE", str(passing))
    repo.write("mine", "1")
    backend = opened(repo.path)
    assert "a commit of some files only" in backend.stage(["mine", "new"])
    assert [row.path for row in backend.index_entries("")] == ["new"]
