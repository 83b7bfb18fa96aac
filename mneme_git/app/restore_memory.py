"""Bringing back a good version of a memory file: what there is, what changed since, and writing it."""

from pathlib import Path

from msgspec import Struct

from mneme_git.app.workspace import Workspace
from mneme_git.decisions.memory_difference import differences
from mneme_git.errors import AmbiguousId, InvalidInput, NoRepository, NotFound
from mneme_git.store.foreign_file import read_foreign, replace_foreign, turn
from mneme_git.store.memory_journal import Place, keep_written, place_of
from mneme_git.store.memory_scaffold import keep_before
from mneme_git.store.memory_versions import FileVersion, problem_of, versions_of

_SHOWN = 10


class FileRestoration(Struct, frozen=True, kw_only=True):
    """What could be brought back into the file, and what is there.

    ``problem`` says what is wrong with the present file, empty if nothing is. ``chosen`` is None
    where there is nothing to do or nothing good; ``since`` says what the present file has otherwise.
    ``versions`` are the newest ones.
    """

    path: Path
    present: bytes | None
    problem: str
    chosen: FileVersion | None
    since: tuple[str, ...] = ()
    versions: tuple[FileVersion, ...] = ()


def plan_file_restore(workspace: Workspace, memory: str, names: tuple[str, ...]) -> FileRestoration:
    """Choose a version: the named one, or for a file that is damaged or gone the newest good one.

    A name is the beginning of the sha256 of a version, or its source as it is shown.

    Raises:
        NoRepository: the file is in no repository, so nothing is kept of it.
        InvalidInput: more than one name.
        NotFound, AmbiguousId: the name fits no version, or several.
    """
    path = workspace.cwd / memory
    if len(names) > 1:
        raise InvalidInput(
            "a memory file is restored as a whole: name one version", hint="leave the others out"
        )
    place = _place(path, memory)
    present = read_foreign(path)
    problem = "it does not exist" if present is None else problem_of(present, path)
    versions = tuple(versions_of(place, path))
    if names:
        chosen: FileVersion | None = _named(versions, names[0])
    else:
        good = (version for version in versions if not version.problem)
        chosen = next(good, None) if problem else None
    since = differences(chosen.data, present) if chosen is not None and present is not None else ()
    return FileRestoration(
        path=path,
        present=present,
        problem=problem,
        chosen=chosen,
        since=since,
        versions=versions[:_SHOWN],
    )


def apply_file_restore(workspace: Workspace, planned: FileRestoration) -> tuple[str, ...]:
    """Write the chosen version over what was there when it was planned; return what to tell.

    Raises:
        GuardMismatch: the file was changed meanwhile; nothing was written.
    """
    assert planned.chosen is not None
    notices: tuple[str, ...] = ()
    with turn(planned.path):
        if planned.present is not None and read_foreign(planned.path) == planned.present:
            kept = keep_before(planned.path, planned.present, verb="restore", now=workspace.now())
            notices = (f"the file that was there is kept in {kept}",)
        replace_foreign(planned.path, planned.chosen.data, expected=planned.present)
    told = keep_written(
        planned.path,
        [planned.chosen.data],
        verb="restore",
        subject=planned.path.name,
        now=workspace.now(),
    )
    return (*notices, *told)


def _place(path: Path, memory: str) -> Place:
    place = place_of(path)
    if place is None:
        raise NoRepository(
            f"{memory} is in no git repository, so no earlier version of it is kept",
            hint="look for a copy of it with the ending .bak-1",
        )
    return place


def _named(versions: tuple[FileVersion, ...], name: str) -> FileVersion:
    found = [each for each in versions if each.sha256.startswith(name) or each.source.split()[-1] == name]
    if not found:
        raise NotFound(
            "version of the file", name, hint="run `mneme restore --memory FILE` to see which there are"
        )
    if len(found) > 1:
        raise AmbiguousId("version", name, [each.sha256[:16] for each in found])
    if found[0].problem:
        raise InvalidInput(
            f"that version is damaged too: {found[0].problem}", hint="name another one, or correct it by hand"
        )
    return found[0]
