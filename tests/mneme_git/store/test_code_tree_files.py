"""What is a file for the index, and what its content is."""

import os
import socket
from pathlib import Path

from mneme_git.store.code_tree import RevisionSource
from mneme_git.store.discover import locate
from tests.support.code_tree import seen, source_of, tree_by_git
from tests.support.gitrepo import GitRepo


def test_git_says_what_is_a_file(repo, tmp_path):
    for path in ("keep.py", "sub/.ignored/x.py", "sub/log.txt", "own.py", "everywhere.py", "forced.log"):
        repo.write(path, "x\n")
    repo.write(".gitignore", "*.log\n")
    repo.write("sub/.gitignore", "log.txt\n.ignored\n")
    repo.write(".git/info/exclude", "own.py\n")
    everywhere = tmp_path / "everywhere"
    everywhere.write_text("everywhere.py\n")
    repo.git("config", "core.excludesFile", str(everywhere))
    repo.git("add", "-f", "forced.log")
    GitRepo.create(repo.path / "nested")
    contents, skipped = seen(repo)
    assert sorted(contents) == [".gitignore", "README.md", "forced.log", "keep.py", "sub/.gitignore"]
    assert skipped == {}


def test_only_untracked_files_of_dependency_folders_are_skipped(repo):
    for path in ("vendor/kept.go", "node_modules/kept.js"):
        repo.write(path, "kept\n")
    repo.commit_all()
    for path in ("vendor/new.go", "a/node_modules/b/c.js", "venv/x.py", "target/y.rs", "vendor.py"):
        repo.write(path, "new\n")
    repo.write("vendor/kept.go", "changed\n")
    contents, skipped = seen(repo)
    assert contents["vendor/kept.go"] == b"changed\n"
    assert {"node_modules/kept.js", "vendor.py"} <= contents.keys()
    assert skipped == {
        "vendor/new.go": "untracked, in vendor",
        "a/node_modules/b/c.js": "untracked, in node_modules",
        "venv/x.py": "untracked, in venv",
        "target/y.rs": "untracked, in target",
    }


def test_the_names_of_dependencies_count_and_their_contents_do_not(repo):
    repo.write("node_modules/x.js", "1\n")
    source = source_of(repo)
    before = source.tree_id()
    repo.write("node_modules/x.js", "2\n")
    assert source.tree_id() == before
    repo.write("node_modules/y.js", "2\n")
    assert source.tree_id() != before


def test_what_is_no_regular_file_is_skipped_with_a_reason(repo):
    repo.write("was.py", "x\n")
    repo.write("pipe.py", "x\n")
    repo.commit_all()
    (repo.path / "link.py").symlink_to("README.md")
    (repo.path / "out").symlink_to("/etc")
    (repo.path / "was.py").unlink()
    os.mkfifo(repo.path / "was.py")
    (repo.path / "pipe.py").unlink()
    listener = socket.socket(socket.AF_UNIX)
    folder = Path.cwd()
    os.chdir(repo.path)
    try:
        listener.bind("pipe.py")
    finally:
        os.chdir(folder)
        listener.close()
    contents, skipped = seen(repo)
    assert sorted(contents) == ["README.md"]
    assert skipped == {
        "link.py": "symbolic link",
        "out": "symbolic link",
        "was.py": "not a regular file",
        "pipe.py": "not a regular file",
    }


def test_our_own_folder_is_never_listed(repo):
    repo.write(".mneme/x.json", "{}")
    source = source_of(repo)
    before = source.tree_id()
    repo.commit_all()
    repo.write(".mneme/y.json", "{}")
    assert source.tree_id() == before
    assert list(source.listing().files) == ["README.md"]


def test_mnemeignore_hides_tracked_and_untracked_files_in_git_s_own_syntax(repo):
    for path in ("gen/a.py", "gen/keep.py", "b.min.js", "deep/x/c.py", "deep/c.py", "new.min.js"):
        repo.write(path, f"{path}\n")
    repo.write(".mnemeignore", "*.min.js\n/gen/*\n!gen/keep.py\n")
    repo.write("deep/.mnemeignore", "x/\n")
    repo.git("add", "gen", "b.min.js", "deep")
    repo.git("commit", "-q", "-m", "c")
    source = source_of(repo)
    files = set(source.listing().files)
    assert files == {".mnemeignore", "README.md", "deep/.mnemeignore", "deep/c.py", "gen/keep.py"}
    before = source.tree_id()
    repo.write("gen/a.py", "hidden, so it does not matter\n")
    assert source.tree_id() == before
    repo.write(".mnemeignore", "deep\n")
    assert "gen/a.py" in source.listing().files
    assert "deep/c.py" not in source.listing().files


def test_a_revision_has_the_rules_that_it_had(repo):
    repo.write("a.py", "a\n")
    repo.write("b.py", "b\n")
    repo.write(".mnemeignore", "a.py\n")
    old = repo.commit_all()
    repo.write(".mnemeignore", "b.py\n")
    location = locate(repo.path, os.environ)
    assert set(RevisionSource(location, old).listing().files) == {".mnemeignore", "README.md", "b.py"}
    assert set(source_of(repo).listing().files) == {".mnemeignore", "README.md", "a.py"}


def test_rules_that_git_ignores_count_and_their_change_is_seen(repo):
    repo.write("a.py", "a\n")
    repo.write(".git/info/exclude", ".mnemeignore\n")
    source = source_of(repo)
    before = source.tree_id()
    repo.write(".mnemeignore", "a.py\n")
    assert set(source.listing().files) == {"README.md"}
    assert source.tree_id() != before


# -- contents -------------------------------------------------------------------------------------


def test_contents_are_those_that_git_would_store(repo):
    repo.write(".gitattributes", "*.py text eol=crlf\n*.up filter=up\n")
    repo.git("config", "filter.up.clean", "tr a-z A-Z")
    repo.write("old.py", "a\r\nb\r\n")
    repo.commit_all()
    repo.write("new.py", "c\r\nd\r\n")
    repo.write("x.up", "loud\n")
    contents, _ = seen(repo)
    assert contents["old.py"] == b"a\nb\n"
    assert contents["new.py"] == b"c\nd\n"
    assert contents["x.up"] == b"LOUD\n"


def test_a_filter_that_fails_leaves_the_file_as_it_is(repo):
    repo.write(".gitattributes", "*.up filter=up\n")
    repo.git("config", "filter.up.clean", "false")
    repo.git("config", "filter.up.required", "true")
    repo.write("x.up", "quiet\n")
    assert seen(repo)[0]["x.up"] == b"quiet\n"


def test_new_attributes_give_new_contents(repo):
    repo.write("a.py", "a\r\n")
    os.utime(repo.path / "a.py", ns=(10**18, 10**18))
    source = source_of(repo)
    assert seen(repo, source)[0]["a.py"] == b"a\r\n"
    repo.write(".gitattributes", "* text\n")
    assert seen(repo, source)[0]["a.py"] == b"a\n"
    assert source.tree_id() == tree_by_git(repo)


def test_a_file_that_changed_after_the_listing_reads_as_nothing(repo):
    repo.write("u.py", "old\n")
    source = source_of(repo)
    row = source.listing().files["u.py"]
    repo.write("u.py", "new\n")
    assert list(source.read([row])) == [b""]


def test_another_branch_costs_only_what_differs(repo):
    repo.write("a.py", "a\n")
    repo.commit_all()
    repo.git("switch", "-q", "-c", "other")
    repo.git("rm", "-q", "a.py")
    repo.write("b.py", "b\n")
    repo.commit_all()
    source = source_of(repo)
    assert set(source.listing().files) == {"README.md", "b.py"}
    repo.git("switch", "-q", "main")
    listing = source.listing()
    assert set(listing.files) == {"README.md", "a.py"}
    assert listing.commit == repo.git("rev-parse", "main")
    assert not listing.is_dirty


def test_a_name_that_is_no_text_is_told_as_text_and_read_by_its_bytes(repo):
    for name in (b"odd\xff.py", b"both\xff.py", b"both\\xff.py"):
        (repo.path / os.fsdecode(name)).write_bytes(name)
    repo.git("add", os.fsdecode(b"odd\xff.py"))
    source = source_of(repo)
    contents, _ = seen(repo, source)
    assert contents["odd\\xff.py"] == b"odd\xff.py"
    assert contents["both\\xff.py"] == b"both\\xff.py"
    assert len(contents) == 3
    assert source.tree_id() == tree_by_git(repo)


def test_what_a_partial_clone_has_not_fetched_has_a_reason_until_it_is_there(repo, tmp_path):
    repo.write("near/a.py", "a\n")
    repo.write("far/b.py", "b\n")
    repo.commit_all()
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = GitRepo(tmp_path / "clone")
    clone_of = ("clone", "-q", "--filter=blob:none", "--sparse", f"file://{repo.path}", str(clone.path))
    repo.git(*clone_of)
    clone.git("sparse-checkout", "set", "near")
    source = source_of(clone)
    contents, skipped = seen(clone, source)
    assert contents["near/a.py"] == b"a\n"
    assert skipped == {"far/b.py": "not in this partial clone"}
    before = source.tree_id()
    clone.git("sparse-checkout", "disable")
    assert source.tree_id() != before
    contents, skipped = seen(clone, source)
    assert contents["far/b.py"] == b"b\n"
    assert skipped == {}
    assert source.tree_id() == tree_by_git(clone)
