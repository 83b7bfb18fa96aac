"""The settings in force for an open repository."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mneme_git.store.config import Settings, read_settings
from mneme_git.store.existing_config import engine_home

if TYPE_CHECKING:
    from mneme_git.store.backend import GitBackend
    from mneme_git.store.location import Location

_SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
_TOLD_BY = ("GIT_CONFIG", "MNEME_", "HOME", "XDG_CONFIG_HOME", "OPENCLAUDE_HOME")


def settings_of(backend: "GitBackend") -> Settings:
    """Return the settings from the environment, git's configuration and ``.mneme/config``."""
    from mneme_git.store.format_files import project_config
    from mneme_git.store.through_git import ThroughGit

    git = backend.git if isinstance(backend, ThroughGit) else None
    return read_settings(git=git, project=project_config(backend), environment=os.environ)


class LiveSettings:
    """The settings of one repository for a program that runs for long: as they are at each question.

    The files that they come from are read each time, which costs a tenth of asking git what they mean.
    ``.mneme/config`` is left out: nothing that is asked for here may stand there.
    """

    def __init__(self, location: "Location") -> None:
        self._location = location
        self._seen: object = None
        self._settings = Settings()

    def now(self) -> Settings:
        """Return the settings; git is asked only where a file or the environment has changed."""
        seen = _seen(self._location)
        if seen is None or seen != self._seen:
            self._settings = read_settings(git=self._location.git, environment=os.environ)
            self._seen = seen
        return self._settings


def _seen(location: "Location") -> object:
    """Return all that settings follow from, or None where that is not known without asking git."""
    if sys.platform == "win32":
        return None
    contents = [_content(path) for path in _files(location)]
    if any(content is None or b"include" in content.lower() for content in contents):
        return None  # another file has a say, and which one git knows
    home = engine_home(os.environ)
    existing = _content(home / "mneme.json") if home else b""
    told = sorted(row for row in os.environ.items() if row[0].startswith(_TOLD_BY))
    return (contents, existing, told)


def _files(location: "Location") -> list[Path]:
    """Return where git looks for configuration."""
    variables = os.environ
    home = Path(variables.get("HOME", "/"))
    own = Path(variables.get("XDG_CONFIG_HOME") or home / ".config") / "git/config"
    by_name = variables.get("GIT_CONFIG_GLOBAL")
    system = variables.get("GIT_CONFIG_SYSTEM")
    return [
        location.common_dir / "config",
        location.git_dir / "config.worktree",
        *([Path(by_name)] if by_name is not None else [home / ".gitconfig", own]),
        *([Path(system)] if system is not None else map(Path, _SYSTEM)),
    ]


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return None
