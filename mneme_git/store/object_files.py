"""Adding objects through the git program: it keeps what is there fresh, and the repository's modes."""

from collections.abc import Sequence
from pathlib import Path

from mneme_git.store.backend import GitObject
from mneme_git.store.location import Location
from mneme_git.store.objects import encode_pack, object_id
from mneme_git.store.process import accepted
from mneme_git.store.refs import sync_folders

# From this many new objects on, one pack costs less to write and to keep than a file for each.
MANY = 200
# git >= 2.36 knows core.fsync, an older one core.fsyncObjectFiles; each lets the other's name be.
_DURABLE = ("core.fsync=objects,derived-metadata", "core.fsyncObjectFiles=true")


def write_loose(location: Location, objects: Sequence[GitObject]) -> None:
    """Store each object in a file of its own; one that is there is marked as in use, so that no gc takes it.

    Raises:
        ReadOnlyStore: git may not write there.
        GitFailed: git refused them.
    """
    if not objects:
        return
    pack = encode_pack(objects, location.object_format)
    accepted("unpack-objects", location.git.run("unpack-objects", "-q", stdin=pack, settings=_DURABLE))
    sync_loose(location.objects_dir, {object_id(item, location.object_format)[:2] for item in objects})


def write_pack(location: Location, objects: Sequence[GitObject]) -> None:
    """Store all objects in one pack. Raises as ``write_loose``."""
    if not objects:
        return
    pack = encode_pack(objects, location.object_format)
    accepted("index-pack", location.git.run("index-pack", "--stdin", stdin=pack, settings=_DURABLE))
    sync_folders(location.objects_dir / "pack", location.objects_dir)


def sync_loose(objects_dir: Path, fans: set[str]) -> None:
    """Make the names of loose objects durable; ``fans`` are the first two digits of their ids."""
    sync_folders(*(objects_dir / fan for fan in sorted(fans)), objects_dir)
