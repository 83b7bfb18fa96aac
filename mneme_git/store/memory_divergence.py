"""A memory file that lies beside a git store and holds something that git never saw."""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from mneme_git.errors import CorruptRecord, MnemeError
from mneme_git.model.paths import CARRIED, ROOT
from mneme_git.model.snapshot import Fault
from mneme_git.store.foreign_file import is_odd
from mneme_git.store.work_files import read_file
from mneme_git.text.canonical import sha256_hex

_USUAL = f"{ROOT}/project_memory.json"


class Seal(Struct, frozen=True, kw_only=True):
    """Which file, and which bytes of it, git last agreed with; the beginning of ``carried.json``."""

    file: str
    sha256: str


def read_seal(data: bytes) -> Seal:
    """Return which file ``carried.json`` holds, without building it. Raises CorruptRecord."""
    try:
        return msgspec.json.decode(data, type=Seal)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CorruptRecord(f"'{CARRIED}' cannot be read: {error}", hint="restore it from git") from error


def divergence(root: Path) -> tuple[Fault, ...]:
    """Return a fault for each memory file that is not the one last migrated or exported.

    Looked at are the usual one and the one that was migrated, if they are in the work tree.
    """
    usual = os.path.exists(root / _USUAL)  # noqa: PTH110 - Path.exists raises in a closed folder
    try:
        data = read_file(root, CARRIED)
        seal = read_seal(data) if data is not None else None
    except MnemeError as error:
        return (_fault(CARRIED, error.message, error.hint),)
    sealed = {seal.file: seal.sha256} if seal is not None else {}
    paths = {_USUAL, *sealed} if usual else set(sealed)
    return tuple(_diverged(path) for path in sorted(paths) if _differs(root, path, sealed.get(path, "")))


def differs(root: Path, path: str) -> bool:
    """Tell whether the file at ``path`` holds something else than git last agreed with.

    Raises:
        CorruptRecord: the store's copy of a memory file is damaged.
    """
    data = read_file(root, CARRIED)
    seal = read_seal(data) if data is not None else None
    return _differs(root, path, seal.sha256 if seal is not None and seal.file == path else "")


def _differs(root: Path, path: str, sha256: str) -> bool:
    if path.startswith(("../", "/")):
        return False
    if is_odd(root / path):
        return True
    try:
        return sha256_hex((root / path).read_bytes()) != sha256
    except FileNotFoundError:
        return False  # whoever moved to git may delete it
    except OSError:
        return True


def _diverged(path: str) -> Fault:
    return _fault(
        path,
        f"'{path}' is not the memory file that git last agreed with; what is new in it is not read",
        f"`mneme decision-index migrate --to-git --memory {path}` shows it, and takes it over with --apply",
    )


def _fault(path: str, message: str, hint: str) -> Fault:
    return Fault(code="MEMORY_FILE_DIVERGED", path=path, message=message, hint=hint)
