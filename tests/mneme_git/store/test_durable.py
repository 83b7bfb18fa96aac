import os
import stat

import pytest

from mneme_git.store import durable
from mneme_git.store.discover import open_backend
from mneme_git.store.loose_files import write_new
from mneme_git.store.objects import blob, object_id
from tests.support.gitrepo import GitRepo
from tests.support.writing import clean_fsck


def test_every_path_is_synced_once_however_many_there_are(tmp_path, monkeypatch):
    files = [tmp_path / f"{n}" for n in range(100)]
    for file in files:
        file.write_bytes(b"x")
    synced = []
    monkeypatch.setattr(durable.os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    durable.sync_all([*files, *files, tmp_path])
    assert sorted(synced) == sorted(path.stat().st_ino for path in [*files, tmp_path])


def test_a_disk_that_fails_is_an_error_and_the_other_files_are_tried(tmp_path):
    good = tmp_path / "good"
    good.write_bytes(b"x")
    with pytest.raises(FileNotFoundError):
        durable.sync_all([tmp_path / "missing", good])
    durable.sync_all([])


def test_loose_objects_are_those_that_git_would_write(repo):
    items = [blob(b"one"), blob(b""), blob(b"x" * 100_000)]
    objects = {object_id(item, "sha1"): item for item in items}
    write_new(repo.path / ".git" / "objects", objects)
    for oid, item in objects.items():
        assert repo.git("cat-file", "blob", oid) == item.data.decode()
        assert stat.S_IMODE((repo.path / ".git" / "objects" / oid[:2] / oid[2:]).stat().st_mode) == 0o444
    assert not list((repo.path / ".git" / "objects").glob("tmp_obj_*"))
    clean_fsck(repo)


def test_a_failure_leaves_no_temporary_object(tmp_path):
    (tmp_path / object_id(blob(b"x"), "sha1")[:2]).write_bytes(b"in the way of the folder")
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        write_new(tmp_path, {object_id(blob(b"x"), "sha1"): blob(b"x")})
    assert not list(tmp_path.glob("tmp_obj_*"))


def test_the_objects_of_a_shared_repository_can_be_used_by_the_group(tmp_path):
    repo = GitRepo.create(tmp_path / "repo", "--shared=group")
    old = os.umask(0o077)
    try:
        (oid,) = open_backend(repo.path).write([blob(b"shared")])
    finally:
        os.umask(old)
    fan = repo.path / ".git" / "objects" / oid[:2]
    assert stat.S_IMODE(fan.stat().st_mode) == stat.S_IMODE(fan.parent.stat().st_mode)
    assert stat.S_IMODE((fan / oid[2:]).stat().st_mode) == 0o444
