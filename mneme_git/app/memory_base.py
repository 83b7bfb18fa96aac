"""What a memory file and the git store of a repository had in common when they last agreed."""

from pathlib import Path

from msgspec import Struct

from mneme_git.decisions.memory_places import Place, in_repository
from mneme_git.errors import InvalidMemory, Refused
from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.paths import CARRIED
from mneme_git.model.plan import ABSENT, Read
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.backend import GitBackend
from mneme_git.store.carried import decode_carried
from mneme_git.store.memory_export import unnamed_in
from mneme_git.store.memory_migration import plan_migration
from mneme_git.store.memory_read import MemoryContents, contents_of, snapshot_of
from mneme_git.store.objects import blob, object_id
from mneme_git.store.work_files import read_file


class Known(Struct, frozen=True, kw_only=True):
    """A memory file whose decisions were read.

    ``data`` are its bytes, ``contents`` what it holds with an index (its own, or the one that
    migration gives it). ``states`` are as a git store has them, without blobs; ``versions`` those of
    the file. ``place`` is where it is.
    """

    data: bytes
    place: Place
    contents: MemoryContents
    snapshot: Snapshot
    states: dict[DecisionId, DecisionState]


def known_file(data: bytes, path: Path, root: Path, *, name: str) -> Known:
    """Read the memory file at ``path``, with these bytes, for the repository at ``root``.

    Raises:
        MigrationRefused: it has no index and cannot be given one without a loss.
        Refused: its index is not valid.
    """
    planned = plan_migration(data, path, name)
    try:
        contents = contents_of(planned.after, path, need_head=False)
    except InvalidMemory as error:
        raise Refused(f"memory file {name} is not valid: {error.reason}") from error
    assert contents.index is not None
    place = place_of(path, root)
    snapshot = snapshot_of(contents, name)
    unnamed = unnamed_in(contents.index)
    return Known(
        data=data,
        place=place,
        contents=contents,
        snapshot=snapshot,
        states={state.decision_id: in_repository(state, place, unnamed) for state in snapshot.decisions},
    )


def last_agreed(backend: GitBackend, root: Path, snapshot: Snapshot) -> tuple[Known | None, str]:
    """Return the memory file that the store last agreed with, and its path in the repository.

    None if there never was one; then the path is empty. ``snapshot`` is what the store holds.

    Raises:
        CorruptRecord: the store's copy of it is damaged.
    """
    data = read_file(root, CARRIED)
    if data is None:
        return None, ""
    carried = decode_carried(data, snapshot.versions)
    return known_file(carried.data, root / carried.file, root, name=carried.file), carried.file


def carried_read(backend: GitBackend, root: Path) -> Read:
    """Return the read of the store's copy of a memory file, for the guard of a plan that replaces it."""
    data = read_file(root, CARRIED)
    value = ABSENT if data is None else object_id(blob(data), backend.object_format)
    return Read("file", CARRIED, value)


def place_of(path: Path, root: Path) -> Place:
    """Return where a memory file is; links of its folder are followed, as other readers do."""
    return Place(root=root.resolve().as_posix(), folder=path.resolve().parent.as_posix())


def rows_named(known: Known) -> dict[str, VersionId]:
    """Return the version that each row of the file repeats, by decision id."""
    return {state.decision_id: state.active_version_id for state in known.snapshot.decisions}
