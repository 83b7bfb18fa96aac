"""Finding the repository that a folder belongs to, and opening it with the fitting backend.

In the ordinary case nothing but a few files is read: an agent's hook must not pay for a process to
learn where it is. The nearest boundary wins, be it a ``.git`` folder, the ``.git`` file of a linked
work tree or of a submodule, or a bare repository.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import structs

from mneme_git.errors import InvalidInput, NoRepository
from mneme_git.store.backend import GitBackend
from mneme_git.store.location import Location
from mneme_git.store.process import LOCAL_VARIABLES, Git
from mneme_git.text.git_config import parse_git_config, truth

_POINTER = "gitdir: "
# What git adds to a hook's environment about the repository itself, beside GIT_DIR: the index that
# the commit in the making uses, and the quarantine of a push that is being received.
_HANDED = ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")


def open_backend(start: Path, *, prefer: str = "pygit2") -> GitBackend:
    """Open the repository that ``start`` is in.

    ``prefer`` is ``pygit2`` or ``auto`` (libgit2 where it can open the repository, the git program
    for the rest) or ``program`` (libgit2 is not even imported).

    Raises:
        NoRepository: there is none, or git refuses it because of its owner.
        NoGit: only the git program could open it, and there is none.
    """
    return open_at(locate(start, os.environ), prefer=prefer)


def open_at(location: Location, *, prefer: str) -> GitBackend:
    """Open a repository that was found; else as ``open_backend``."""
    from mneme_git.store.program_backend import ProgramBackend

    if prefer == "program":
        return ProgramBackend(location)
    from mneme_git.store.pygit2_backend import open_pygit2

    opened = open_pygit2(location)
    if opened is not None:
        return opened
    _ask(location.git, location.git.directory)  # says now, not at the first read, if git refuses it too
    return ProgramBackend(location)


def locate(start: Path, variables: Mapping[str, str]) -> Location:
    """Find the repository that ``start`` is in; ``variables`` is the environment.

    A repository around ``start`` wins over one that ``GIT_DIR`` names: a hook's child that moves to
    another repository means that one. ``GIT_DIR`` counts when it names the same repository, when
    there is no other, or when ``GIT_WORK_TREE`` holds ``start`` more closely.

    Raises:
        NoRepository: there is none.
    """
    folder = _folder(start)
    found = None if "GIT_CEILING_DIRECTORIES" in variables else _walk(folder, variables)
    if "GIT_DIR" in variables:
        if found and _names(variables, found):
            return _with_handed(found, variables, all_ours=True)
        return found if found and not _closer(variables, folder, found) else _named(folder, variables)
    if found:
        return _with_handed(found, variables, all_ours=False)
    if "GIT_CEILING_DIRECTORIES" in variables:
        return _ask(Git(directory=folder), folder)
    raise _none(folder)


def _folder(start: Path) -> Path:
    resolved = start.resolve()
    while not resolved.is_dir() and resolved != resolved.parent:
        resolved = resolved.parent
    return resolved


def _walk(folder: Path, variables: Mapping[str, str]) -> Location | None:
    across = truth(variables.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "no"))
    device = folder.stat().st_dev
    for place in (folder, *folder.parents):
        if not across and place.stat().st_dev != device:
            return None
        located = _at(place, folder)
        if located:
            return located
    return None


def _at(place: Path, start: Path) -> Location | None:
    dot_git = place / ".git"
    if dot_git.is_file():
        return _read(_pointed(dot_git), place, start)
    if _is_git_dir(dot_git):
        return _read(dot_git.resolve(), place, start)
    return _read(place, None, start) if _is_git_dir(place) else None


def _pointed(dot_git: Path) -> Path:
    try:
        text = dot_git.read_text("utf-8", "surrogateescape")
    except OSError as error:
        raise NoRepository(f"'{dot_git}' cannot be read: {error.strerror}", hint="check its owner") from error
    target = (dot_git.parent / text.removeprefix(_POINTER).rstrip("\r\n")).resolve()
    if not text.startswith(_POINTER) or not _is_git_dir(target):
        raise NoRepository(
            f"'{dot_git}' points to '{target}', which is no git folder",
            hint="run `git worktree repair` in the main work tree, or update the submodule",
        )
    return target


def _leads_to(dot_git: Path) -> Path:
    return _pointed(dot_git) if dot_git.is_file() else dot_git.resolve()


def _is_git_dir(place: Path) -> bool:
    if not os.path.lexists(place / "HEAD"):
        return False
    common = _common(place)
    return (common / "objects").is_dir() and (common / "refs").exists()


def _common(git_dir: Path) -> Path:
    try:
        text = (git_dir / "commondir").read_text("utf-8", "surrogateescape")
    except OSError:
        return git_dir
    return (git_dir / text.rstrip("\r\n")).resolve()


def _read(git_dir: Path, work_tree: Path | None, start: Path) -> Location:
    """Return the location, from the configuration alone where that says nothing unusual."""
    common = _common(git_dir)
    settings = _settings(common / "config")
    own = _settings(git_dir / "config.worktree")
    if settings is None or own is None:
        return _ask(Git(directory=start), start)
    own = own if truth(settings.get("extensions.worktreeconfig", "no")) else {}
    # core.bare and core.worktree of the shared file speak of the main work tree
    telling = {**settings, **own} if git_dir == common else own
    if work_tree and (truth(telling.get("core.bare", "no")) or _elsewhere(telling, git_dir, work_tree)):
        return _ask(Git(directory=start), start)
    extended = (settings.get("core.repositoryformatversion") or "0").strip() != "0"
    return Location(
        git_dir=git_dir,
        common_dir=common,
        work_tree=work_tree,
        object_format=_extension(settings, "objectformat", extended) or "sha1",
        ref_format=_extension(settings, "refstorage", extended) or "files",
        partial=_is_partial(settings),
    )


def _settings(config: Path) -> dict[str, str | None] | None:
    try:
        text = config.read_text("utf-8", "surrogateescape")
        return {setting.key: setting.value for setting in parse_git_config(text)}
    except FileNotFoundError:
        return {}
    except (OSError, InvalidInput):
        return None


def _elsewhere(settings: Mapping[str, str | None], git_dir: Path, work_tree: Path) -> bool:
    """Tell whether ``core.worktree`` names another folder than the one ``.git`` stands in."""
    given = settings.get("core.worktree")
    return given is not None and (git_dir / given).resolve() != work_tree


def _extension(settings: Mapping[str, str | None], name: str, extended: bool) -> str:
    return (settings.get(f"extensions.{name}") or "").lower() if extended else ""


def _is_partial(settings: Mapping[str, str | None]) -> bool:
    return "extensions.partialclone" in settings or any(key.endswith(".promisor") for key in settings)


def _names(variables: Mapping[str, str], found: Location) -> bool:
    return Path(variables["GIT_DIR"]).resolve() == found.git_dir


def _closer(variables: Mapping[str, str], folder: Path, found: Location) -> bool:
    if "GIT_WORK_TREE" not in variables:
        return False
    named = Path(variables["GIT_WORK_TREE"]).resolve()
    around = found.work_tree or found.git_dir
    return folder.is_relative_to(named) and named.is_relative_to(around)


def _with_handed(found: Location, variables: Mapping[str, str], *, all_ours: bool) -> Location:
    """Give back what a hook was told about this repository."""
    handed = dict(_absolute(found, variables))
    index = handed.get("GIT_INDEX_FILE")
    if not all_ours and index and _of_another(Path(index), found):
        return found
    return structs.replace(found, variables=handed)


def _absolute(found: Location, variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    top = found.work_tree or found.git_dir
    for name in _HANDED:
        given = variables.get(name, "")
        if name == "GIT_ALTERNATE_OBJECT_DIRECTORIES" and given:
            yield name, os.pathsep.join(str(top / part) for part in given.split(os.pathsep))
        elif given:
            yield name, str(top / given)


def _of_another(index: Path, found: Location) -> bool:
    """Tell whether an index given without ``GIT_DIR`` lies in some other repository's folder."""
    return index.parent.resolve() != found.git_dir and _is_git_dir(index.parent)


def _named(folder: Path, variables: Mapping[str, str]) -> Location:
    """Return the repository that ``GIT_DIR`` names, which git then takes as it is told."""
    told = {name: variables[name] for name in LOCAL_VARIABLES if variables.get(name)}
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"):
        if name in told:
            told[name] = str(Path(told[name]).resolve())
    asked = _ask(Git(directory=folder, variables=told), folder)
    told.update(_absolute(asked, variables))
    if asked.work_tree:
        told["GIT_WORK_TREE"] = str(asked.work_tree)
    return structs.replace(asked, variables=told)


def _ask(git: Git, folder: Path) -> Location:
    asked = git.run("rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-object-format")
    if asked.code != 0:
        raise _none(folder, asked.complaint)
    git_dir, common, object_format = os.fsdecode(asked.out).splitlines()
    top = git.run("rev-parse", "--show-toplevel")  # fails where there is no work tree
    settings = _settings((git.directory / common).resolve() / "config") or {}
    found = Location(
        git_dir=Path(git_dir).resolve(),
        common_dir=(git.directory / common).resolve(),
        work_tree=Path(os.fsdecode(top.out)[:-1]).resolve() if top.code == 0 else None,
        object_format=object_format,
        ref_format=(settings.get("extensions.refstorage") or "files").lower(),
        partial=_is_partial(settings),
        variables=git.variables,
    )
    return found if "GIT_DIR" in git.variables else _nameable(found)


def _nameable(found: Location) -> Location:
    """Give git the names where it could not find the repository from the top of its work tree."""
    if found.work_tree is None or _leads_to(found.work_tree / ".git") == found.git_dir:
        return structs.replace(found, variables={})
    named = {"GIT_DIR": str(found.git_dir), "GIT_WORK_TREE": str(found.work_tree)}
    return structs.replace(found, variables=named)


def _none(folder: Path, complaint: str = "") -> NoRepository:
    ours = not complaint or complaint.startswith("not a git repository")
    why = f"'{folder}' is not in a git repository" if ours else f"git cannot open '{folder}': {complaint}"
    return NoRepository(why, hint="run `git init` there, or go to a repository")
