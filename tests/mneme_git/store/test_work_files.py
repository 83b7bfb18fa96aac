import os
import stat

import pytest

from mneme_git.errors import StoreFault
from mneme_git.model.paths import CONFIG, FORMAT, ROOT
from mneme_git.store.discover import open_backend
from mneme_git.store.work_files import (
    TEMPORARY_SUFFIX,
    create_layout,
    held,
    layout_files,
    read_file,
    remove_files,
    remove_temporary,
    write_files,
)

PATH = f"{ROOT}/decisions/use-x.json"


def names(root):
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_files_are_written_with_their_folders_and_read_back(tmp_path):
    files = {PATH: b"one\r\n", f"{ROOT}/versions/a/v.json": b""}
    write_files(tmp_path, files)
    assert {path: read_file(tmp_path, path) for path in files} == files
    assert names(tmp_path) == sorted(files)


def test_many_files_are_written_as_few_are(tmp_path):
    files = {f"{ROOT}/versions/{n % 16:x}/{n}.json": b"%d" % n for n in range(100)}
    write_files(tmp_path, files)
    assert names(tmp_path) == sorted(files)


def test_a_file_keeps_its_mode_when_its_content_changes(tmp_path):
    write_files(tmp_path, {PATH: b"old"})
    (tmp_path / PATH).chmod(0o640)
    write_files(tmp_path, {PATH: b"new"})
    assert stat.S_IMODE((tmp_path / PATH).stat().st_mode) == 0o640
    assert read_file(tmp_path, PATH) == b"new"


def test_a_new_file_has_the_mode_that_the_user_gives_files(tmp_path):
    old = os.umask(0o027)
    try:
        write_files(tmp_path, {PATH: b"new"})
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / PATH).stat().st_mode) == 0o640


def test_a_file_that_is_not_there_reads_as_none_and_removes_in_peace(tmp_path):
    assert read_file(tmp_path, PATH) is None
    assert held(tmp_path, PATH) == "absent"
    remove_files(tmp_path, [PATH])
    write_files(tmp_path, {PATH: b"x"})
    remove_files(tmp_path, [PATH])
    assert names(tmp_path) == []


@pytest.mark.parametrize("linked", [ROOT, f"{ROOT}/decisions"])
def test_a_folder_that_is_a_link_is_refused_and_nothing_outside_is_touched(tmp_path, linked):
    root, outside = tmp_path / "root", tmp_path / "outside"
    (outside / "decisions").mkdir(parents=True)
    (outside / "use-x.json").write_bytes(b"secret")
    (outside / "decisions" / "use-x.json").write_bytes(b"secret")
    (root / linked).parent.mkdir(parents=True, exist_ok=True)
    (root / linked).symlink_to(outside)
    for act in (
        lambda: write_files(root, {PATH: b"new"}),
        lambda: remove_files(root, [PATH]),
        lambda: read_file(root, PATH),
        lambda: remove_temporary(root, [PATH]),
    ):
        with pytest.raises(StoreFault, match="symbolic link"):
            act()
    assert (outside / "use-x.json").read_bytes() == b"secret"
    assert (outside / "decisions" / "use-x.json").read_bytes() == b"secret"


def test_a_file_that_is_a_link_is_not_read_and_its_target_not_written(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.write_bytes(b"secret")
    (root / PATH).parent.mkdir(parents=True)
    (root / PATH).symlink_to(outside)
    with pytest.raises(StoreFault, match="symbolic link"):
        read_file(root, PATH)
    write_files(root, {PATH: b"new"})
    assert outside.read_bytes() == b"secret"
    assert read_file(root, PATH) == b"new"


def test_what_is_no_regular_file_is_refused_and_holds_nobody_up(tmp_path):
    place = tmp_path / PATH
    place.parent.mkdir(parents=True)
    os.mkfifo(place)
    with pytest.raises(StoreFault, match="no regular file"):
        read_file(tmp_path, PATH)
    place.unlink()
    place.mkdir()
    with pytest.raises(StoreFault, match="no regular file"):
        read_file(tmp_path, PATH)


def test_a_planted_temporary_link_is_replaced_not_followed(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.write_bytes(b"secret")
    (root / PATH).parent.mkdir(parents=True)
    (root / f"{ROOT}/decisions/.use-x.json{TEMPORARY_SUFFIX}").symlink_to(outside)
    write_files(root, {PATH: b"new"})
    assert outside.read_bytes() == b"secret"
    assert names(root) == [PATH]


def test_what_a_dead_writer_left_is_removed(tmp_path):
    leftover = tmp_path / f"{ROOT}/decisions/.use-x.json{TEMPORARY_SUFFIX}"
    leftover.parent.mkdir(parents=True)
    leftover.write_bytes(b"half")
    remove_temporary(tmp_path, [PATH])
    assert names(tmp_path) == []


@pytest.mark.parametrize("path", ["README.md", ".mneme", ".mneme/../x", ".mneme//x", "/etc/passwd"])
def test_a_path_outside_of_the_store_is_refused(tmp_path, path):
    with pytest.raises(StoreFault, match="not below"):
        write_files(tmp_path, {path: b""})


def test_a_failure_leaves_the_old_file_and_no_temporary_one(tmp_path):
    write_files(tmp_path, {PATH: b"old"})
    (tmp_path / ROOT / "decisions" / "other.json").mkdir()
    with pytest.raises(StoreFault):
        write_files(tmp_path, {f"{ROOT}/decisions/other.json": b"", PATH: b"new"})
    assert names(tmp_path) == [PATH]
    assert read_file(tmp_path, PATH) == b"old"


def test_the_layout_is_made_once_and_never_changes_a_file_that_is_there(repo):
    backend = open_backend(repo.path, prefer="program")
    repo.write(CONFIG, "[mneme]\n\tprojectId = ffffffffffffffff\n")
    wanted = layout_files("0123456789abcdef")
    made = create_layout(backend, wanted)
    assert set(made) == wanted.keys() - {CONFIG}
    assert repo.read(CONFIG) == b"[mneme]\n\tprojectId = ffffffffffffffff\n"
    assert repo.read(FORMAT) == b"1\n"
    assert create_layout(backend, wanted) == ()


def test_git_reads_the_project_id_that_the_layout_states(repo):
    create_layout(open_backend(repo.path, prefer="program"), layout_files("0123456789abcdef"))
    assert repo.git("config", "--file", CONFIG, "mneme.projectId") == "0123456789abcdef"
