"""Files below ``.mneme/`` in the work tree: read, written and removed without following a link out.

A file appears under its name complete and durable or not at all. Nothing here asks git anything.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from mneme_git.errors import StoreFault
from mneme_git.model.paths import (
    ATTRIBUTES,
    ATTRIBUTES_TEXT,
    CONFIG,
    FORMAT,
    FORMAT_TEXT,
    ROOT,
    keep_paths,
)
from mneme_git.model.plan import ABSENT
from mneme_git.store.backend import GitBackend
from mneme_git.store.durable import sync_all
from mneme_git.store.lock import write_lock
from mneme_git.text.canonical import sha256_hex

TEMPORARY_SUFFIX = ".mneme-tmp"
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_FOLLOW  # a pipe in the place must not hold us up


def layout_files(project_id: str) -> dict[str, bytes]:
    """Return the files that a repository with a store has from the start, by path.

    ``project_id`` is 16 hex digits that tell this project from others.
    """
    files = {
        FORMAT: FORMAT_TEXT,
        CONFIG: f"[mneme]\n\tprojectId = {project_id}\n".encode(),
        ATTRIBUTES: ATTRIBUTES_TEXT,
    }
    return files | dict.fromkeys(keep_paths(), b"")


def create_layout(backend: GitBackend, wanted: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write the files of ``wanted`` that do not exist and return their paths, sorted.

    Raises:
        StoreFault: a folder on the way is a symbolic link, or the disk refuses.
        ReadOnlyStore: the repository cannot be written.
    """
    root = _root(backend)
    with write_lock(backend):
        made = {path: data for path, data in wanted.items() if held(root, path) == ABSENT}
        write_files(root, made)
    return tuple(sorted(made))


def read_file(root: Path, path: str) -> bytes | None:
    """Return the bytes of a file, or None if there is none.

    Raises:
        StoreFault: it, or a folder on the way, is a symbolic link or nothing that can be read.
    """
    return read_files(root, (path,))[path]


def read_files(root: Path, paths: Iterable[str]) -> dict[str, bytes | None]:
    """Return what ``read_file`` returns for each path; each folder is looked at once."""
    found: dict[str, bytes | None] = {}
    plain: dict[str, bool] = {}
    for path in paths:
        folder = "/".join(_parts(path)[:-1])
        with _faults(root, path):
            if folder not in plain:
                plain[folder] = _is_plain_folder(root, path)
            found[path] = _read(root, path) if plain[folder] else None
    return found


def held(root: Path, path: str) -> str:
    """Return the sha256 of the file at ``path``, or ``absent``. Raises StoreFault as ``read_file``."""
    return held_files(root, (path,))[path]


def held_files(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Return what ``held`` returns for each path."""
    found = read_files(root, paths)
    return {path: ABSENT if data is None else sha256_hex(data) for path, data in found.items()}


def write_files(root: Path, files: Mapping[str, bytes]) -> None:
    """Write each file through a temporary one beside it, durable on return, in the given order.

    A file that exists keeps its mode. Files that came into place before a failure stay.

    Raises:
        StoreFault: a folder on the way is a symbolic link, or the disk refuses.
    """
    folders = [_make_folder(root, path) for path in _one_of_each_folder(files)]
    targets = {path: root / path for path in files}
    temporary = {path: _temporary(target) for path, target in targets.items()}
    try:
        for path, data in files.items():
            with _faults(root, path):
                _write_new(temporary[path], data, _mode(targets[path]))
        with _faults(root, ROOT):
            sync_all(temporary.values())
        for path, made in temporary.items():
            with _faults(root, path):
                _into_place(made, targets[path])
    except StoreFault:
        for made in temporary.values():
            with suppress(OSError):
                made.unlink()
        raise
    with _faults(root, ROOT):
        sync_all(folders)


def remove_files(root: Path, paths: Iterable[str]) -> None:
    """Remove files; one that is not there counts as removed.

    Raises:
        StoreFault: a folder on the way is a symbolic link, or the disk refuses.
    """
    folders: dict[Path, None] = {}
    for path in paths:
        with _faults(root, path):
            if _is_plain_folder(root, path):
                (root / path).unlink(missing_ok=True)
                folders[(root / path).parent] = None
    with _faults(root, ROOT):
        sync_all(folders)


def remove_temporary(root: Path, paths: Iterable[str]) -> None:
    """Remove what a writer of ``paths`` that died may have left beside them."""
    for path in paths:
        with _faults(root, path):
            if _is_plain_folder(root, path):
                _temporary(root / path).unlink(missing_ok=True)


def _root(backend: GitBackend) -> Path:
    if backend.work_tree is None:
        raise StoreFault("a bare repository has no files to write", hint="work in a clone of it")
    return backend.work_tree


def _temporary(target: Path) -> Path:
    # One name per file: the writers of a repository take turns, and the next one finds the leftover.
    return target.with_name(f".{target.name}{TEMPORARY_SUFFIX}")


def _is_plain_folder(root: Path, path: str) -> bool:
    """Tell whether the folder of ``path`` exists; every part of it must be a folder, not a link."""
    here = root
    for part in _parts(path)[:-1]:
        here = here / part
        try:
            mode = here.lstat().st_mode
        except FileNotFoundError:
            return False
        _require_folder(root, here, mode)
    return True


def _one_of_each_folder(paths: Iterable[str]) -> list[str]:
    return list({path.rpartition("/")[0]: path for path in paths}.values())


def _read(root: Path, path: str) -> bytes | None:
    try:
        handle = os.open(f"{root}/{path}", _READ)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise StoreFault(f"'{path}' is no regular file", hint="move it away and run the command again")
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _make_folder(root: Path, path: str) -> Path:
    here = root
    with _faults(root, path):
        for part in _parts(path)[:-1]:
            parent, here = here, here / part
            try:
                here.mkdir()
                sync_all([parent])
            except FileExistsError:
                _require_folder(root, here, here.lstat().st_mode)
    return here


def _require_folder(root: Path, folder: Path, mode: int) -> None:
    if not stat.S_ISDIR(mode):
        what = "a symbolic link" if stat.S_ISLNK(mode) else "no folder"
        name = folder.relative_to(root).as_posix()
        raise StoreFault(f"'{name}' is {what}", hint="replace it by a folder with the same files")


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    if parts[0] != ROOT or len(parts) < 2 or any(part in {"", ".", ".."} for part in parts):
        raise StoreFault(f"'{path}' is not below {ROOT}", hint="only files below it are written")
    return parts


def _mode(target: Path) -> int | None:
    try:
        found = target.lstat().st_mode
    except FileNotFoundError:
        return None
    return stat.S_IMODE(found) if stat.S_ISREG(found) else None


def _write_new(target: Path, data: bytes, mode: int | None) -> None:
    target.unlink(missing_ok=True)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        if os.name == "nt":
            file.flush()
            os.fsync(handle)
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)


def _into_place(made: Path, target: Path) -> None:
    made.replace(target)


@contextmanager
def _faults(root: Path, path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _fault(root, path, error) from error


def _fault(root: Path, path: str, error: OSError) -> StoreFault:
    if os.path.islink(root / path):  # noqa: PTH114 - is_symlink raises in a closed folder
        return StoreFault(f"'{path}' is a symbolic link", hint="replace it by the file it points to")
    return StoreFault(
        f"'{path}': {error.strerror}", hint="see to the file's permissions and the disk's space"
    )
