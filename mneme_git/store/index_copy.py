"""A copy of the index that git may bring up to date, so that it need never write the user's own.

git tells by times and sizes in the index which files are as they were. After a clone, a checkout or
a copy of the folder many of these are of no use, and such files are read again at every look, until
somebody writes the index. In a copy of our own git does that at the first look.
"""

import contextlib
import hashlib
import os
import shutil
import time
from pathlib import Path

from mneme_git.store.location import Location
from mneme_git.store.process import Git

_SETTINGS = (
    "core.fsmonitor=false",
    "core.splitIndex=false",
    # git >= 2.36 then notes in the copy which folders hold what it does not track
    "core.untrackedCache=true",
    "status.showUntrackedFiles=all",
)
_LEFT_BEHIND = 60  # seconds after which what a killed process left is removed
_TRIES = 3


class IndexCopy:
    """The copy for one work tree, in ``<git dir>/mneme``; named after the index that it was made from."""

    settings = _SETTINGS

    def __init__(self, location: Location) -> None:
        self._location = location
        self._folder = location.git_dir / "mneme"
        self._plain = location.git.with_variables(GIT_OPTIONAL_LOCKS="0", **_OFFLINE)

    def git(self) -> Git:
        """Return git aimed at a copy of the index as it is now; at the index itself where none can be made.

        With the copy git may write, without it may not.
        """
        for _ in range(_TRIES):
            path = self._folder / f"index-{_mark(self._location.index_file)}"
            try:
                if not path.exists():
                    self._make(path)
            except OSError:
                return self._plain
            if path == self._current():
                return self._plain.with_variables(GIT_INDEX_FILE=str(path), GIT_OPTIONAL_LOCKS="1")
        return self._plain

    def holds(self, git: Git) -> bool:
        """Tell whether the index that ``git`` was aimed at is still the one to look at."""
        given = git.variables.get("GIT_INDEX_FILE")
        if git is self._plain or given is None:
            return True
        path = Path(given)
        return path == self._current() and (path.exists() or not self._location.index_file.exists())

    def _current(self) -> Path:
        return self._folder / f"index-{_mark(self._location.index_file)}"

    def _make(self, path: Path) -> None:
        self._folder.mkdir(exist_ok=True)
        self._sweep(path)
        own = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        with contextlib.suppress(FileNotFoundError):  # no index yet: git makes do without
            shutil.copy2(self._location.index_file, own)  # with its time, by which git sees racy entries
            own.replace(path)

    def _sweep(self, kept: Path) -> None:
        """Remove copies of former indexes, and what killed processes left behind."""
        past = time.time() - _LEFT_BEHIND
        for entry in self._folder.glob("index-*"):
            with contextlib.suppress(OSError):
                if "." in entry.name and entry.stat().st_mtime > past:
                    continue
                if entry != kept:
                    entry.unlink()


_OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}


def _mark(index: Path) -> str:
    try:
        found = index.stat()
    except FileNotFoundError:
        return "none"
    seen = f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {index}"
    return hashlib.sha256(os.fsencode(seen)).hexdigest()[:16]
