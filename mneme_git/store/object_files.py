"""Adding objects to the object store, durably: a few as loose files of our own making, many as a pack."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from mneme_git.errors import MnemeError, ReadOnlyStore, StoreFault
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitObject
from mneme_git.store.location import Location
from mneme_git.store.loose_files import write_new
from mneme_git.store.objects import encode_pack
from mneme_git.store.process import accepted
from mneme_git.store.refs import sync_folders

# From this many new objects on, one pack costs less to write and to keep than a file for each.
MANY = 200
_PACK_SETTINGS = ("core.fsync=objects,derived-metadata",)  # an older git syncs packs in any case
_LOOSE_SETTINGS = ("core.fsync=objects", "core.fsyncObjectFiles=true")


def write_loose(objects_dir: Path, objects: Mapping[ObjectId, GitObject]) -> None:
    """Store each object in a file of its own, as git does, without the price of a process.

    A file that is there is only marked as new, so that a ``git prune`` that has begun leaves it.
    Objects in packs are not looked for: the copy keeps them from the same fate, and the next gc
    drops it. An empty file (a power cut can leave one where git does not sync) is replaced.

    Raises:
        ReadOnlyStore: the object store cannot be written.
        StoreFault: the disk refuses.
    """
    try:
        write_new(
            objects_dir, {oid: item for oid, item in objects.items() if not _freshened(objects_dir, oid)}
        )
    except OSError as error:
        raise cannot_write(f"'{objects_dir}'", error) from error


def freshen(location: Location, objects: Sequence[GitObject]) -> None:
    """Have git mark objects that it has, packed or not, as in use, so that no gc takes them.

    Raises:
        ReadOnlyStore: git may not write there.
        GitFailed: git refused them.
    """
    if objects:
        pack = encode_pack(objects, location.object_format)
        ran = location.git.run("unpack-objects", "-q", stdin=pack, settings=_LOOSE_SETTINGS)
        accepted("unpack-objects", ran)


def write_pack(location: Location, objects: Sequence[GitObject]) -> None:
    """Store all objects in one pack. Raises as ``freshen``."""
    if objects:
        pack = encode_pack(objects, location.object_format)
        ran = location.git.run("index-pack", "--stdin", stdin=pack, settings=_PACK_SETTINGS)
        accepted("index-pack", ran)
        sync_folders(location.objects_dir / "pack", location.objects_dir)


def cannot_write(what: str, error: Exception) -> MnemeError:
    """Return the error for something in the repository that could not be written."""
    text = f"{what} cannot be written: {error}"
    if any(sign in text.lower() for sign in ("permission denied", "read-only file system")):
        hint = "check who owns the repository's files and whether they may be written"
        return ReadOnlyStore(text, hint=hint)
    return StoreFault(text, hint="check the disk, and run `git fsck` to see whether the repository is sound")


def _freshened(objects_dir: Path, oid: ObjectId) -> bool:
    file = objects_dir / oid[:2] / oid[2:]
    try:
        os.utime(file)
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False
