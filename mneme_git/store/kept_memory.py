"""What a large memory file came to, kept in the git folder of its repository until its bytes change.

The key is a hash of the bytes. Beside them only symbolic links on the way to the ADRs matter: where each
ADR was found is kept too, and looked at again.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from mneme_git.errors import MnemeError
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.kept_snapshots import Sight
from mneme_git.store.memory_rows import MemoryRow, Resolver
from mneme_git.store.projection import key_of

# A smaller file is read and verified in the time that looking for its projection takes.
FEW_BYTES = 300_000


class KeptRows(Struct, frozen=True, kw_only=True):
    """The rows of a verified file, and where the ADRs were found that it names."""

    rows: tuple[MemoryRow, ...]
    places: dict[str, str]


class KeptSnapshot(Struct, frozen=True, kw_only=True):
    """The snapshot of a verified file, and where the ADRs were found that it names."""

    snapshot: Snapshot
    places: dict[str, str]


ROWS = msgspec.msgpack.Decoder(KeptRows)
SNAPSHOT = msgspec.msgpack.Decoder(KeptSnapshot)


def sight_of_file(path: Path, data: bytes) -> Sight | None:
    """Return the state of the memory file that holds ``data``; None if what it came to is not kept.

    That is so for a small file, one behind a link and one outside a repository.
    """
    if len(data) < FEW_BYTES or path.is_symlink():
        return None
    from mneme_git.store.discover import open_backend

    try:
        backend = open_backend(path.resolve().parent, prefer="program")
    except MnemeError:
        return None
    where = str(path.absolute()).encode("utf-8", "surrogateescape")
    return Sight(key=key_of(b"memory", data, where), path=backend.common_dir / "mneme" / "memory")


def still_there(path: Path, places: dict[str, str]) -> bool:
    """Tell whether the ADRs that the file at ``path`` names are found where they were."""
    resolver = Resolver(path.parent)
    return all(resolver.resolve(locator) == place for locator, place in places.items())
