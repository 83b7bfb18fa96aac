import os
from pathlib import Path

import pytest

from mneme_git.errors import InvalidInput, NotFound
from mneme_git.store.objects import blob, object_id
from mneme_git.text.canonical import sha256_hex
from tests.support.writing import open_store


@pytest.fixture(params=["pygit2", "program"])
def store(request, repo):
    return open_store(repo.path, prefer=request.param)


def test_every_file_directly_in_the_folder_is_given_with_the_bytes_that_git_stores(repo, store):
    repo.write(".gitattributes", "*.md text eol=crlf\n")
    repo.write("docs/adr/0002-b.md", "two\r\n")
    repo.write("docs/adr/0001-a.md", b"\xef\xbb\xbfone\r\n")
    repo.write("docs/adr/notes.txt", "any file")
    repo.write("docs/adr/deeper/0003-c.md", "not here")
    first, second, third = store.adr_files("docs/adr")
    assert [row.path for row in (first, second, third)] == [
        "docs/adr/0001-a.md",
        "docs/adr/0002-b.md",
        "docs/adr/notes.txt",
    ]
    assert first.data == b"\xef\xbb\xbfone\n"
    assert first.raw_sha256 == sha256_hex(b"\xef\xbb\xbfone\r\n")
    assert (first.blob, first.object_format) == (object_id(blob(first.data), "sha1"), "sha1")
    assert first.blob == repo.git("hash-object", "docs/adr/0001-a.md")
    assert third.problem == ""
    assert store.adr_files("./docs/adr/") == (first, second, third)


def test_what_cannot_be_taken_is_a_row_with_a_reason(repo, store):
    repo.write("docs/adr/0001-a.md", "one\n")
    repo.write("secret.md", "outside")
    (repo.path / "docs/adr/0002-link.md").symlink_to("0001-a.md")
    (repo.path / "docs/adr/0003-out.md").symlink_to("../../../elsewhere.md")
    os.mkfifo(repo.path / "docs/adr/0004-pipe.md")
    (repo.path / "docs" / "adr").joinpath(os.fsdecode(b"0005-\xff.md")).write_bytes(b"x")
    rows = {row.path: row.problem for row in store.adr_files("docs/adr")}
    assert rows == {
        "docs/adr/0001-a.md": "",
        "docs/adr/0002-link.md": "is a symbolic link, which is not followed",
        "docs/adr/0003-out.md": "is a symbolic link, which is not followed",
        "docs/adr/0004-pipe.md": "is no regular file",
        "docs/adr/0005-\\xff.md": "has a name that is not UTF-8",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_a_row_with_a_reason(repo, store):
    repo.write("docs/adr/0001-a.md", "one\n").chmod(0)
    (row,) = store.adr_files("docs/adr")
    assert "permission denied" in row.problem.lower()


@pytest.mark.parametrize("folder", ["docs/none", "README.md", "docs/out"])
def test_what_is_no_folder_of_the_repository_is_not_found(repo, store, folder):
    (repo.path / "docs").mkdir()
    (repo.path / "docs" / "out").symlink_to(repo.path.parent)
    with pytest.raises(NotFound):
        store.adr_files(folder)


@pytest.mark.parametrize("folder", ["../x", "/etc", ".git", "docs/../../x"])
def test_a_folder_outside_of_the_repository_is_refused(store, folder):
    with pytest.raises(InvalidInput):
        store.adr_files(folder)


def test_files_that_a_sparse_checkout_leaves_out_are_taken_from_the_index(repo, store):
    repo.write("docs/adr/0001-a.md", "one\n")
    repo.write("src/x.py", "")
    repo.commit_all()
    repo.git("sparse-checkout", "set", "--cone", "src")
    assert not (repo.path / "docs").exists()
    (row,) = store.adr_files("docs/adr")
    assert (row.path, row.data, row.problem) == ("docs/adr/0001-a.md", b"one\n", "")


def test_the_root_of_the_repository_is_a_folder_too(repo, store):
    assert [row.path for row in store.adr_files(".")] == ["README.md"]


def test_a_folder_of_a_past_commit_is_read_from_that_commit(repo, store):
    repo.write("docs/adr/0001-a.md", "one\n")
    (repo.path / "docs/adr/0002-link.md").symlink_to("0001-a.md")
    repo.commit_all()
    repo.write("docs/adr/0001-a.md", "two\n")
    past = open_store(repo.path, revision="HEAD")
    first, second = past.adr_files("docs/adr")
    assert (first.data, second.problem != "") == (b"one\n", True)
    with pytest.raises(NotFound):
        open_store(repo.path, revision="HEAD~1").adr_files("docs/adr")
    with pytest.raises(NotFound):
        open_store(repo.path, revision="nothing").adr_files("docs/adr")


@pytest.mark.parametrize("method", ["iterdir", "is_dir"])
def test_a_folder_that_may_not_be_read_is_refused_with_the_reason(repo, store, monkeypatch, method):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    repo.write("docs/adr/0001-a.md", "one\n")
    monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(InvalidInput, match="'docs/adr' cannot be read: Permission denied"):
        store.adr_files("docs/adr")
