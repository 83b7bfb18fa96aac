"""Replacing a file that other programs read and write too: whole, durable, and never by surprise.

Our own writers take turns through a lock file beside it, which is gone when the turn ends. Other
programs know nothing of it; so the bytes that a change was made from are compared once more just
before the new file takes the name.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mneme_git.errors import GuardMismatch, ReadOnlyStore, StoreFault
from mneme_git.model.plan import ABSENT
from mneme_git.store.lock import WAIT_SECONDS, file_lock
from mneme_git.store.work_files import TEMPORARY_SUFFIX
from mneme_git.text.canonical import sha256_hex

_HINT = "see to the permissions of the file and its folder, and to the disk's space"


def is_odd(path: Path) -> bool:
    """Tell whether a device, pipe or socket stands there: reading may never end, replacing destroys it."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False  # whoever opens it is told why
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def read_foreign(path: Path) -> bytes | None:
    """Return the bytes of the file, or None if there is none.

    Raises:
        StoreFault: something else stands there, or it cannot be read.
    """
    _require_file(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFault(f"'{path}' cannot be read: {error.strerror}", hint=_HINT) from error


@contextmanager
def turn(path: Path, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the turn to change the file; its folder is made if it is not there.

    What a writer that died left beside the file is removed.

    Raises:
        StoreBusy: another process of ours held the turn for all of ``wait_seconds``.
        ReadOnlyStore: the folder cannot be written.
        StoreFault: what stands there is no file.
    """
    _require_file(path)
    target = _target(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReadOnlyStore(f"cannot make '{target.parent}': {error.strerror}", hint=_HINT) from error
    with file_lock(target.with_name(f".{target.name}.lock"), wait_seconds=wait_seconds):
        for beside in list(target.parent.iterdir()):
            if beside.name.startswith(f".{target.name}.") and beside.name.endswith(TEMPORARY_SUFFIX):
                beside.unlink(missing_ok=True)
        yield


def replace_foreign(path: Path, data: bytes, *, expected: bytes | None) -> None:
    """Replace the file by ``data`` if it still holds ``expected``; call it within ``turn``.

    A file that exists keeps its mode, its owner and its being a symbolic link. A new one gets the
    mode that the user's umask gives.

    Raises:
        GuardMismatch: it holds something else; nothing was changed.
        StoreFault: the disk refuses; nothing was changed.
    """
    target = _target(path)
    made = target.with_name(f".{target.name}.{secrets.token_hex(8)}{TEMPORARY_SUFFIX}")
    try:
        _write_new(made, data, like=target)
        found = read_foreign(target)
        if found != expected:
            raise GuardMismatch([(f"'{path}'", _digest(expected), _digest(found))])
        made.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise StoreFault(f"'{path}' cannot be written: {error.strerror}", hint=_HINT) from error
    finally:
        made.unlink(missing_ok=True)


def _require_file(path: Path) -> None:
    if is_odd(path):
        raise StoreFault(f"'{path}' is not a regular file", hint="name a file; nothing was read or written")


def _target(path: Path) -> Path:
    """Return the file itself where ``path`` is a symbolic link to it."""
    return path.resolve() if path.is_symlink() else path


def _digest(data: bytes | None) -> str:
    return ABSENT if data is None else sha256_hex(data)


def _write_new(path: Path, data: bytes, *, like: Path) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o666)
    with os.fdopen(handle, "wb") as file:
        _take_after(handle, like)
        file.write(data)
        file.flush()
        os.fsync(handle)


def _take_after(handle: int, like: Path) -> None:
    """Give the open file the mode and, where we may, the owner of the file it will replace."""
    if not hasattr(os, "fchmod"):
        return
    try:
        known = like.stat()
    except FileNotFoundError:
        return
    mine = os.fstat(handle)
    if (known.st_uid, known.st_gid) != (mine.st_uid, mine.st_gid):
        with suppress(PermissionError):  # only root gives files away; the mode still lets others read
            os.fchown(handle, known.st_uid, known.st_gid)
    os.fchmod(handle, stat.S_IMODE(known.st_mode))


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
