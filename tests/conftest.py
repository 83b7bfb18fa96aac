"""Hermetic git: no test sees the developer's own configuration, name or clock."""

import os

import pygit2
import pytest
from pygit2.enums import ConfigLevel


@pytest.fixture(autouse=True)
def _hermetic_git(tmp_path_factory, monkeypatch):
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in [name for name in os.environ if name.startswith("MNEME_")]:
        monkeypatch.delenv(name)
    for name in ("XDG_DATA_HOME", "OPENCLAUDE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
        monkeypatch.setenv(f"GIT_{who}_DATE", "2024-01-01T00:00:00+00:00")
    for level in (ConfigLevel.SYSTEM, ConfigLevel.GLOBAL, ConfigLevel.XDG):
        pygit2.settings.search_path[level] = str(home)  # libgit2 does not read the variables


@pytest.fixture
def repo(tmp_path):
    """A fresh repository with one commit, driven by the git program."""
    from tests.support.gitrepo import GitRepo

    return GitRepo.create(tmp_path / "repo")
