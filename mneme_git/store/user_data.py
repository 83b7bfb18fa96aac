"""The user's own folder: the global repository, and a register of the projects that have memories.

    <data folder>/global/            a git repository of mneme's own, for memories of global scope
    <data folder>/projects/<hash>.json   where the repository is that is called so on this machine

What is about one repository is in that repository; nothing else of the user's is written.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from mneme_git.errors import InvalidInput, MnemeError, NoRepository, ReadOnlyStore, StoreFault
from mneme_git.store.backend import GitBackend
from mneme_git.store.discover import locate, open_at
from mneme_git.store.durable import sync_all
from mneme_git.store.lock import file_lock
from mneme_git.store.process import Git, accepted

HOME_VARIABLE = "MNEME_DATA_HOME"
_HASH = re.compile(r"[0-9a-f]{16}", re.ASCII)
_OWNER_ONLY = 0o700
_NO_FILE = ".git/no-such-file"
# The user's own hooks and ignore rules are made for other repositories; here they could only keep
# memories from being committed.
_CONFIGURATION = {"core.hooksPath": ".git/hooks", "core.excludesFile": _NO_FILE}
_README = """\
# What this folder is

mneme keeps here what it remembers for you in every project: the memories of global scope. It is a git
repository like any other, and it is only on this machine unless you add a remote and push.

- `mneme memory list --scope global` shows what is in it.
- `mneme commit --scope global` commits what was recorded since.
- `mneme memory forget` takes back a single memory. Without this folder all of them are gone.

The files below `.mneme` are written by mneme.
"""


class KnownProject(Struct, frozen=True, kw_only=True):
    """A repository that has, or had, memories on this machine.

    ``root`` is the folder that people know it by, ``common_dir`` the one that all its work trees share.
    """

    project_hash: str
    root: Path
    common_dir: Path


def data_home(variables: Mapping[str, str]) -> Path:
    """Return the data folder, which need not exist; ``variables`` is the environment.

    Raises:
        InvalidInput: ``MNEME_DATA_HOME`` is relative, or there is no home folder.
    """
    given = variables.get(HOME_VARIABLE, "")
    if given:
        if not Path(given).is_absolute():
            raise InvalidInput(
                f"{HOME_VARIABLE} is '{given}'", hint="set it to an absolute path, or unset it"
            )
        return Path(given)
    shared = variables.get("XDG_DATA_HOME", "")
    if Path(shared).is_absolute():  # the standard asks to pass over a relative one
        return Path(shared) / "mneme"
    return _home(variables) / _DATA / "mneme"


_DATA = {"darwin": Path("Library/Application Support"), "win32": Path("AppData/Local")}.get(
    sys.platform, Path(".local/share")
)


def _home(variables: Mapping[str, str]) -> Path:
    home = variables.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - Path's raises where there is none
    if not Path(home).is_absolute():
        raise InvalidInput(
            "there is no home folder", hint=f"set HOME, or {HOME_VARIABLE} to a folder for mneme's own data"
        )
    return Path(home)


def global_backend(
    *, create: bool, prefer: str = "program", variables: Mapping[str, str] | None = None
) -> GitBackend | None:
    """Open the global repository; where there is none make it, or return None without ``create``.

    Two processes may make it at once: one does. ``prefer`` is as for ``open_backend``.

    Raises:
        InvalidInput: there is no place for it; see ``data_home``.
        NoRepository: something else stands in its place, or git refuses it because of its owner.
        ReadOnlyStore: it is to be made and cannot.
        StoreFault: its folder cannot be read.
    """
    folder = data_home(os.environ if variables is None else variables) / "global"
    found = _opened(folder, prefer)
    if found is None and create:
        _make(folder)
        found = _opened(folder, prefer)
    return found


def readable_global(
    *, prefer: str = "program", variables: Mapping[str, str] | None = None
) -> tuple[GitBackend | None, str]:
    """Return the global repository if it is there and can be read, and else why not.

    Both are empty if there simply is none. For reading: what is wrong with the user's folder must not
    hide the memories of a project.
    """
    try:
        return global_backend(create=False, prefer=prefer, variables=variables), ""
    except MnemeError as error:
        return None, f"global memories are left out: {error.message}"


def project_hash(common_dir: Path) -> str:
    """Return the short name of a repository on this machine (16 hex digits), one for all its work trees."""
    place = os.fsencode(os.path.realpath(common_dir))
    return hashlib.sha256(b"mneme:" + place).hexdigest()[:16]


def remember_project(
    common_dir: Path, work_tree: Path | None, *, variables: Mapping[str, str] | None = None
) -> str:
    """Note where a repository is, so that others may be allowed to search it by its hash.

    Returns:
        Empty text, or why it could not be noted; what was recorded is recorded all the same.
    """
    place = Path(os.path.realpath(common_dir))
    root = place.parent if place.name == ".git" else work_tree or place
    text = json.dumps({"common_dir": str(place), "root": str(root)}, sort_keys=True) + "\n"
    try:
        file = _project_file(project_hash(place), variables)
        if _text(file) != text:
            _replace(file, text)
    except (OSError, InvalidInput) as error:
        why = error.message if isinstance(error, InvalidInput) else f"'{file.parent}': {error.strerror}"
        return f"other projects cannot find this one by its hash: {why}"
    return ""


def known_projects(variables: Mapping[str, str] | None = None) -> tuple[KnownProject, ...]:
    """Return every project that was noted, by hash; one that is no longer there included.

    A file that does not hold what its name says is passed over.
    """
    try:
        files = sorted(_project_file("", variables).parent.glob("*.json"))
    except (OSError, InvalidInput):
        return ()
    found = (known_project(file.stem, variables) for file in files)
    return tuple(project for project in found if project is not None)


def known_project(called: str, variables: Mapping[str, str] | None = None) -> KnownProject | None:
    """Return the project of that hash if it was noted."""
    if not _HASH.fullmatch(called):
        return None
    try:
        told = json.loads(_text(_project_file(called, variables)))
        common, root = Path(told["common_dir"]), Path(told["root"])
    except (OSError, InvalidInput, ValueError, TypeError, LookupError, RecursionError):
        return None
    if project_hash(common) != called:
        return None
    return KnownProject(project_hash=called, root=root, common_dir=common)


def _project_file(called: str, variables: Mapping[str, str] | None) -> Path:
    return data_home(os.environ if variables is None else variables) / "projects" / f"{called}.json"


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""


def _replace(file: Path, text: str) -> None:
    import secrets

    file.parent.parent.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    file.parent.mkdir(mode=_OWNER_ONLY, exist_ok=True)
    made = file.with_name(f".{file.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        made.write_text(text, "utf-8")
        made.replace(file)
    finally:
        made.unlink(missing_ok=True)


def _opened(folder: Path, prefer: str) -> GitBackend | None:
    try:
        if next(folder.iterdir(), None) is None:
            return None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFault(
            f"'{folder}' cannot be read: {error.strerror}", hint="make it a folder that this user may read"
        ) from error
    # Alone: what a hook of another repository has in its environment is not about this one, and
    # whatever lies around the folder is not ours.
    location = locate(folder, {}) if os.path.lexists(folder / ".git") else None
    if location is None or location.work_tree != folder.resolve():
        raise NoRepository(
            f"'{folder}' holds something else than mneme's global repository",
            hint="move it away; the next global memory makes a new one",
        )
    return open_at(location, prefer=prefer)


def _make(folder: Path) -> None:
    """Make the repository beside its place, and move it there when it is whole."""
    import shutil

    home = folder.parent
    part = home / "global.part"
    try:
        home.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        with file_lock(home / "global.lock"):
            if _opened(folder, "program") is None:  # else somebody was faster
                if part.exists():  # of a process that was killed
                    shutil.rmtree(part)
                _build(part)
                part.rename(folder)
                sync_all([home])
    except OSError as error:
        raise _unwritable(home, error.strerror or str(error)) from error
    except ReadOnlyStore as error:
        raise _unwritable(home, error.message) from error


def _build(folder: Path) -> None:
    import secrets

    from mneme_git.store.work_files import create_layout, layout_files

    folder.mkdir(mode=_OWNER_ONLY)
    git = Git(directory=folder, variables={"GIT_CEILING_DIRECTORIES": str(folder.parent)})
    # No template: it may hold hooks, which are the user's for other repositories.
    accepted("init", git.run_as_user("init", "--quiet", "--template=", "--initial-branch=main"))
    for key, value in _CONFIGURATION.items():
        accepted("config", git.run_as_user("config", key, value))
    (folder / "README.md").write_text(_README, "utf-8", newline="\n")
    backend = open_at(locate(folder, {}), prefer="program")
    create_layout(backend, layout_files(secrets.token_hex(8)))
    who = backend.signature()
    names = {f"GIT_{role}_NAME": who.name for role in ("AUTHOR", "COMMITTER")}
    mails = {f"GIT_{role}_EMAIL": who.email for role in ("AUTHOR", "COMMITTER")}
    named = git.with_variables(**names, **mails)
    accepted("add", named.run_as_user("add", "--all"))
    message = "mneme: a place for memories of global scope"
    accepted("commit", named.run_as_user("commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", message))


def _unwritable(home: Path, why: str) -> ReadOnlyStore:
    return ReadOnlyStore(
        f"global memories cannot be kept in '{home}': {why}",
        hint=f"make that folder writable, or set {HOME_VARIABLE} to one that is",
    )
