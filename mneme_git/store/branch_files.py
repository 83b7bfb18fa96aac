"""The files of a branch as they lie there: raw bytes, where they came from, what is missing.

For the work tree this costs one look at git's index and one walk over ``.mneme``; nothing is
judged here but whether a path is a plain file. What the bytes say is for ``assemble`` to find out.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from mneme_git.errors import MissingObject, NotFound
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import FORMAT, KEEP, ROOT
from mneme_git.model.snapshot import Fault
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.copies import Copies, GitCopies
from mneme_git.store.soundness import kind_of
from mneme_git.store.work_files import TEMPORARY_SUFFIX

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CHUNK = 1 << 16
_UNREAD = frozenset({"carried", "keep", "attributes", "signature", "foreign"})
_RECORDS = frozenset({"decision", "version", "proposal", "verdict", "memory"})
_IS_FILE = (0o100644, 0o100755, 0o100664)
_MOVE = "move it away, or replace it by a plain file"


class BranchFile(Struct, frozen=True):
    """One file below ``.mneme/``; ``data`` is empty for kinds that are not read, such as ``.keep``."""

    path: str
    kind: str
    data: bytes
    origin: Literal["work tree", "index", "commit"] = "work tree"


class Stage(Struct, frozen=True, kw_only=True):
    """One version of a path in an unresolved merge: 1 the base, 2 ours, 3 theirs."""

    path: str
    number: int
    data: bytes


class BranchFiles(Struct, frozen=True, kw_only=True):
    """Everything below ``.mneme/`` in one state of a branch, in the order of the paths.

    A path with ``stages`` is not among ``files``: an unresolved merge owns it. ``gone`` are the paths
    that the index has and the work tree lacks (without those that a sparse checkout leaves out);
    their files are read from the index. ``copies`` is where else a record may be found.
    """

    files: tuple[BranchFile, ...] = ()
    stages: tuple[Stage, ...] = ()
    gone: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    origin: str = ""
    copies: Copies


def read_branch(backend: GitBackend, revision: str | None = None) -> BranchFiles:
    """Read the files of the work tree, or of the tree of ``revision``.

    A bare repository has no work tree: HEAD's tree is read instead.

    Raises:
        NotFound: ``revision`` names no commit.
    """
    if revision is None and backend.work_tree is not None:
        return _from_work_tree(backend, backend.work_tree)
    commit = backend.resolve(revision or "HEAD")
    if commit is not None:
        return _from_commit(backend, commit, revision or "HEAD")
    if revision is not None:
        raise NotFound("revision", revision, hint="name a commit, a branch or a tag of this repository")
    return BranchFiles(origin="an empty repository", copies=GitCopies(backend, {}, None))


def origin_of(revision: str | None) -> str:
    """Return in words where a state was read from: the work tree, or a commit."""
    return "the work tree" if revision is None else f"the commit that '{revision}' names"


def staged_removals(backend: GitBackend) -> tuple[str, ...]:
    """Return the record files that HEAD has and the index lacks, sorted.

    A record that a person removed with git counts as removed; this is how it is noticed until the
    removal is committed.
    """
    return tuple(path for path in backend.staged_removals(ROOT) if kind_of(path) in _RECORDS)


def shown(path: str) -> str:
    """Return ``path`` as text that every encoding can carry; bytes that are no UTF-8 in hex."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _from_work_tree(backend: GitBackend, root: Path) -> BranchFiles:
    entries = backend.index_entries(ROOT)
    settled = {entry.path: entry for entry in entries if entry.stage == 0}
    stages = [entry for entry in entries if entry.stage != 0]
    unmerged = {entry.path for entry in stages}
    faults: list[Fault] = []
    found = {file.path: file for file in _walk(root, faults) if file.path not in unmerged}
    lost = [entry for path, entry in settled.items() if path not in found]
    for entry in lost:
        _add_blob(backend, entry, "index", found, faults)
    return BranchFiles(
        files=tuple(found[path] for path in sorted(found)),
        stages=tuple(_read_stages(backend, stages, faults)),
        gone=tuple(sorted(entry.path for entry in lost if not entry.skip_worktree)),
        faults=(*faults, *_without_format(found, unmerged, faults)),
        origin=origin_of(None),
        copies=GitCopies(backend, {path: entry.oid for path, entry in settled.items()}, None),
    )


def _from_commit(backend: GitBackend, commit: ObjectId, name: str) -> BranchFiles:
    found: dict[str, BranchFile] = {}
    faults: list[Fault] = []
    for entry in backend.tree_files(commit, ROOT):
        _add_blob(backend, entry, "commit", found, faults)
    return BranchFiles(
        files=tuple(found[path] for path in sorted(found)),
        faults=(*faults, *_without_format(found, (), faults)),
        origin=origin_of(name),
        copies=GitCopies(backend, {}, commit),
    )


def _without_format(
    found: Mapping[str, BranchFile], unmerged: Collection[str], faults: Iterable[Fault]
) -> Iterator[Fault]:
    """Yield a fault where records are and nothing stands at the place of the format file."""
    if FORMAT in found or FORMAT in unmerged or any(fault.path in {FORMAT, ROOT} for fault in faults):
        return
    if any(file.kind in _RECORDS for file in found.values()):
        yield Fault(
            code="FORMAT_MISSING",
            path=FORMAT,
            message=f"'{FORMAT}' is gone, but records are there; they are read as ever",
            hint="bring it back from git, or run `mneme init`, which makes what is missing",
        )


def _add_blob(
    backend: GitBackend,
    entry: IndexEntry,
    origin: Literal["index", "commit"],
    found: dict[str, BranchFile],
    faults: list[Fault],
) -> None:
    kind = kind_of(entry.path)
    if entry.mode not in _IS_FILE:
        faults.append(_not_a_file(entry.path, "a link or a submodule"))
        return
    data = b"" if kind in _UNREAD else _blob(backend, entry, faults)
    if data is not None:
        found[entry.path] = BranchFile(entry.path, kind, data, origin)


def _read_stages(backend: GitBackend, entries: Iterable[IndexEntry], faults: list[Fault]) -> Iterator[Stage]:
    for entry in entries:
        data = _blob(backend, entry, faults)
        if data is not None:
            yield Stage(path=entry.path, number=entry.stage, data=data)


def _blob(backend: GitBackend, entry: IndexEntry, faults: list[Fault]) -> bytes | None:
    try:
        return backend.read(entry.oid).data
    except MissingObject as error:
        faults.append(
            Fault(
                code="UNREADABLE_FILE",
                path=shown(entry.path),
                message=f"'{shown(entry.path)}' is not in this clone: {error.message}",
                hint="fetch it: git has only a part of this repository's objects here",
            )
        )
        return None


def _walk(root: Path, faults: list[Fault]) -> Iterator[BranchFile]:
    top = os.path.join(root, ROOT)  # noqa: PTH118 - thousands of paths: text is several times faster
    try:
        mode = os.lstat(top).st_mode
    except OSError:
        return
    if not stat.S_ISDIR(mode):
        faults.append(_not_a_file(ROOT, "no folder", hint="replace it by a folder"))
        return
    folders = [(top, f"{ROOT}/")]
    while folders:
        folder, prefix = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            faults.append(_unreadable(prefix.rstrip("/"), error))
            continue
        for entry in entries:
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if kind_of(path) != "foreign":
                    faults.append(_not_a_file(path, "a folder"))
                folders.append((entry.path, f"{path}/"))
            elif not entry.is_file(follow_symlinks=False):
                faults.append(_not_a_file(path, "a link or a device"))
            elif not path.endswith(TEMPORARY_SUFFIX):
                yield from _file(entry.path, path, faults)


def _file(place: str, path: str, faults: list[Fault]) -> Iterator[BranchFile]:
    kind = kind_of(path)
    if kind in _UNREAD:
        yield BranchFile(path, kind, b"")
        return
    try:
        yield BranchFile(path, kind, _bytes(place))
    except FileNotFoundError:
        return  # removed while we looked: as if we had come later
    except OSError as error:
        faults.append(_unreadable(path, error))


def _bytes(place: str) -> bytes:
    handle = os.open(place, _OPEN)
    try:
        data = os.read(handle, _CHUNK)
        while part := os.read(handle, _CHUNK):  # only an empty answer is the end
            data += part
        return data
    finally:
        os.close(handle)


def _not_a_file(path: str, what: str, *, hint: str = _MOVE) -> Fault:
    return Fault(
        code="NOT_A_FILE",
        path=shown(path),
        message=f"'{shown(path)}' is {what}; it is not followed",
        hint=hint,
        blocks=_hides_decisions(path),
    )


def _unreadable(path: str, error: OSError) -> Fault:
    return Fault(
        code="UNREADABLE_FILE",
        path=shown(path),
        message=f"'{shown(path)}' cannot be read: {error.strerror}",
        hint="see to its permissions",
        blocks=_hides_decisions(path),
    )


def _hides_decisions(path: str) -> bool:
    """Tell whether decisions or versions may be behind a path that could not be read."""
    if path == ROOT or kind_of(path) in {"decision", "version"}:
        return True
    return path.startswith((f"{ROOT}/decisions", f"{ROOT}/versions")) and not path.endswith(KEEP)
