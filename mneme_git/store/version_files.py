"""Version files to versions; those that lineages name and no file holds are sought elsewhere."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.decision import DecisionState, Version, id_of
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.paths import version_path
from mneme_git.model.snapshot import Fault
from mneme_git.store.branch_files import shown
from mneme_git.store.copies import Copies
from mneme_git.store.journal import version_name
from mneme_git.store.soundness import named_version, sound_version


class Versions(Struct, frozen=True, kw_only=True):
    """What version files come to. ``reformatted`` and ``misfiled`` are paths that were read in place."""

    good: dict[VersionId, Version]
    faults: tuple[Fault, ...]
    reformatted: tuple[str, ...]
    misfiled: tuple[str, ...]


def read_versions(files: Iterable[tuple[str, bytes]], copies: Copies) -> Versions:
    """Judge version files, given as path and bytes."""
    good: dict[VersionId, Version] = {}
    bad: list[tuple[str, VersionId, str]] = []
    reformatted: list[str] = []
    misfiled: list[str] = []
    for path, data in files:
        name = name_in(path)
        try:
            version, exact = named_version(name, data)
        except CorruptRecord as error:
            bad.append((path, name, error.message))
            good.update(_under_its_own_name(data))
            continue
        good[name] = version
        if not exact:
            reformatted.append(path)
        if path != version_path(name):
            misfiled.append(path)
    faults = [_set_aside(path, name, reason, good, copies) for path, name, reason in bad]
    return Versions(good=good, faults=tuple(faults), reformatted=tuple(reformatted), misfiled=tuple(misfiled))


def find_missing(
    states: Iterable[DecisionState], good: Mapping[VersionId, Version], copies: Copies
) -> tuple[dict[VersionId, Version], tuple[Fault, ...]]:
    """Return the versions that lineages name, ``good`` lacks and another place has; and the faults."""
    found: dict[VersionId, Version] = {}
    faults: dict[VersionId, Fault] = {}
    for state in states:
        for version_id in (*(entry.version_id for entry in state.versions), state.active_version_id):
            if version_id in good or version_id in faults:
                continue
            place, version = elsewhere(version_id, copies)
            if version is not None:
                found[version_id] = version
            faults[version_id] = _missing(state.decision_id, version_id, place)
    return found, tuple(faults.values())


def elsewhere(version_id: VersionId, copies: Copies) -> tuple[str, Version | None]:
    """Return where else a version is (in words) and the version; empty text and None if nowhere."""
    path = version_path(version_id)
    places = (
        ("git's index", copies.index),
        ("HEAD", copies.committed),
        ("the journal", lambda _: copies.journal(version_name(version_id))),
    )
    for place, look in places:
        try:
            return place, named_version(version_id, look(path) or b"")[0]
        except CorruptRecord:
            continue
    return "", None


def name_in(path: str) -> VersionId:
    """Return the version id that the name of a file says."""
    return VersionId(path.rsplit("/", 1)[-1].removesuffix(".json"))


def _under_its_own_name(data: bytes) -> dict[VersionId, Version]:
    """Return the sound version that stands in another one's file, if that is what the bytes are."""
    try:
        version, exact = sound_version(data)
    except CorruptRecord:
        return {}
    return {id_of(version): version} if exact else {}


def _set_aside(
    path: str, name: VersionId, reason: str, good: dict[VersionId, Version], copies: Copies
) -> Fault:
    place, version = elsewhere(name, copies)
    if version is not None:
        good.setdefault(name, version)
    served = (
        f"it is served from {place}" if place else "no good copy was found in the index, HEAD or the journal"
    )
    return Fault(
        code="DAMAGED_VERSION",
        path=shown(path),
        decision_id=version.decision_id if version else "",
        message=f"'{shown(path)}' is set aside ({reason}); {served}",
        hint="restore the file from git; `mneme restore` shows what the journal has",
        blocks=True,
    )


def _missing(decision_id: DecisionId, version_id: VersionId, place: str) -> Fault:
    what = f"it is read from {place}" if place else "it is not in the index, HEAD or the journal either"
    return Fault(
        code="MISSING_VERSION",
        path=shown(version_path(version_id)),
        decision_id=decision_id,
        message=f"'{decision_id}' names version '{version_id}', which has no file here; {what}",
        hint="bring the file back with git or with `mneme restore`",
        blocks=not place,
    )
