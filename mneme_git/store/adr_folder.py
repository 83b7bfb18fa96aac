"""The files of one folder, as git stores them, for the ADR importer."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from mneme_git.errors import InvalidInput, MnemeError, NotFound
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.branch_files import shown
from mneme_git.store.objects import BLOB_MODE, LINK_MODE, blob, object_id
from mneme_git.text.canonical import sha256_hex

_LINK = "is a symbolic link, which is not followed"
_FILE_MODES = frozenset({BLOB_MODE, 0o100755, 0o100664})


def adr_sources(backend: GitBackend, folder: str, revision: str | None = None) -> tuple[AdrSource, ...]:
    """Return every file directly in ``folder``, by path, from the work tree or from a revision.

    A file that a sparse checkout leaves out is taken from the index. Folders are passed over; what
    is neither a file nor a folder is a row with a problem.

    Raises:
        NotFound: there is no such folder, or no such revision.
        InvalidInput: ``folder`` is not the name of a folder inside the repository, or cannot be read.
    """
    where = _normal(folder)
    if revision is not None or backend.work_tree is None:
        return _committed(backend, where, revision or "HEAD")
    there = _listed(backend.work_tree, where)
    sparse = [entry for entry in _direct(backend.index_entries(where), where) if entry.skip_worktree]
    left_out = [entry for entry in sparse if there is None or entry.path not in there]
    if there is None and not left_out:
        raise NotFound("folder", folder, hint="give the path of a folder, relative to the repository")
    rows = [*_read(backend, there or {}), *(_stored(backend, entry) for entry in left_out)]
    return tuple(sorted(rows, key=lambda row: row.path))


def _normal(folder: str) -> str:
    path = PurePosixPath(folder.replace(os.sep, "/"))
    if path.is_absolute() or ".." in path.parts or ".git" in path.parts:
        raise InvalidInput(
            f"'{folder}' is not a folder inside the repository",
            hint="give its path relative to the repository",
        )
    return "" if str(path) == "." else str(path)


def _listed(root: Path, folder: str) -> dict[str, str] | None:
    """Return the files of a folder with what is wrong with each, or None if there is no folder."""
    here = root / folder
    try:
        if not here.is_dir() or not here.resolve().is_relative_to(root.resolve()):
            return None
        modes = {entry: entry.lstat().st_mode for entry in here.iterdir()}
    except OSError as error:
        raise InvalidInput(
            f"folder '{folder}' cannot be read: {error.strerror}", hint="see to its permissions"
        ) from error
    return {
        f"{folder}/{entry.name}" if folder else entry.name: _problem(entry, mode)
        for entry, mode in modes.items()
        if not stat.S_ISDIR(mode)
    }


def _problem(entry: Path, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return _LINK
    if not stat.S_ISREG(mode):
        return "is no regular file"
    if shown(entry.name) != entry.name:
        return "has a name that is not UTF-8"
    return "" if os.access(entry, os.R_OK) else "cannot be read: permission denied"


def _read(backend: GitBackend, files: dict[str, str]) -> Iterable[AdrSource]:
    root = backend.work_tree
    assert root is not None
    good = sorted(path for path, problem in files.items() if not problem)
    data = clean_or_problem(backend, good)
    for path, problem in files.items():
        found = problem or data[path]
        try:
            raw = b"" if isinstance(found, str) else (root / path).read_bytes()
        except OSError as error:
            found = f"cannot be read: {error.strerror}"
        if isinstance(found, str):
            yield AdrSource(path=shown(path), problem=found)
        else:
            yield _source(backend, path, found, raw=raw)


def clean_or_problem(backend: GitBackend, paths: Iterable[str]) -> dict[str, bytes | str]:
    """Return the clean bytes of each path, or what is wrong with it."""
    paths = tuple(paths)
    try:
        return dict(backend.clean_files(paths)) if paths else {}
    except MnemeError:
        return {path: _clean_one(backend, path) for path in paths}


def _clean_one(backend: GitBackend, path: str) -> bytes | str:
    try:
        return backend.clean_bytes(path)
    except MnemeError as error:
        return error.message


def _committed(backend: GitBackend, folder: str, revision: str) -> tuple[AdrSource, ...]:
    commit = backend.resolve(revision)
    if commit is None:
        raise NotFound("revision", revision, hint="name a commit, a branch or a tag of this repository")
    entries = list(_direct(backend.tree_files(commit, folder), folder))
    if not entries:
        raise NotFound("folder", f"{revision}:{folder}", hint="give the path of a folder of that commit")
    return tuple(_stored(backend, entry) for entry in sorted(entries, key=lambda entry: entry.path))


def _direct(entries: Iterable[IndexEntry], folder: str) -> Iterable[IndexEntry]:
    for entry in entries:
        parent, _, _ = entry.path.rpartition("/")
        if parent == folder and entry.stage == 0:
            yield entry


def _stored(backend: GitBackend, entry: IndexEntry) -> AdrSource:
    if entry.mode not in _FILE_MODES:
        problem = _LINK if entry.mode == LINK_MODE else "is no regular file"
        return AdrSource(path=shown(entry.path), problem=problem)
    try:
        data = backend.read(ObjectId(entry.oid)).data
    except MnemeError as error:
        return AdrSource(path=shown(entry.path), problem=error.message)
    return _source(backend, entry.path, data, raw=data)


def _source(backend: GitBackend, path: str, data: bytes, *, raw: bytes) -> AdrSource:
    return AdrSource(
        path=path,
        data=data,
        blob=object_id(blob(data), backend.object_format),
        object_format=backend.object_format,
        raw_sha256=sha256_hex(raw),
    )
