"""The settings in force for an open repository."""

import os
from typing import TYPE_CHECKING

from mneme_git.store.config import Settings, read_settings

if TYPE_CHECKING:
    from mneme_git.store.backend import GitBackend


def settings_of(backend: "GitBackend") -> Settings:
    """Return the settings from the environment, git's configuration and ``.mneme/config``."""
    from mneme_git.store.format_files import project_config
    from mneme_git.store.through_git import ThroughGit

    git = backend.git if isinstance(backend, ThroughGit) else None
    return read_settings(git=git, project=project_config(backend), environment=os.environ)
