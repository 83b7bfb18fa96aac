"""New loose objects, made durable together instead of one after the other.

A journal write has eight of them. libgit2 and git wait for the disk once or twice for each; on a disk
that takes milliseconds to answer this is most of what a write costs.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject
from mneme_git.store.durable import sync_all
from mneme_git.store.objects import encode_loose

# git looks for leftovers of this name and removes them when they are old.
_TEMPORARY = "tmp_obj_"
_READABLE = 0o444


def write_new(objects_dir: Path, objects: Mapping[ObjectId, GitObject]) -> None:
    """Store objects, durable on return; none of them appears under its name before all are whole.

    Modes follow that of the object folder, as ``core.sharedRepository`` made it.

    Raises:
        OSError: the disk refused; what is stored by then stays, and harms nobody.
    """
    mark = secrets.token_hex(6)
    temporary = {oid: objects_dir / f"{_TEMPORARY}{mark}{oid[:12]}" for oid in objects}
    mode = stat.S_IMODE(objects_dir.stat().st_mode)
    try:
        for oid, item in objects.items():
            _write(temporary[oid], item, mode)
        sync_all(temporary.values())
        fans = {oid[:2] for oid in objects}
        for fan in fans:
            _make_folder(objects_dir / fan, mode)
        for oid, made in temporary.items():
            made.replace(objects_dir / oid[:2] / oid[2:])
    except OSError:
        for made in temporary.values():
            made.unlink(missing_ok=True)
        raise
    sync_all([objects_dir, *(objects_dir / fan for fan in sorted(fans))])


def _write(target: Path, item: GitObject, mode: int) -> None:
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _READABLE)
    with os.fdopen(handle, "wb") as file:
        file.write(encode_loose(item))
    target.chmod(mode & _READABLE)


def _make_folder(folder: Path, mode: int) -> None:
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        folder.chmod(mode)
