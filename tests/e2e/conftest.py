"""A repository with memories, made once and copied."""

import shutil

import pytest

from tests.support.gitrepo import GitRepo
from tests.support.remembering import Remembering

_made = {}


@pytest.fixture
def mine(tmp_path, tmp_path_factory):
    """A repository with the layout of mneme and one committed memory, ``old``."""
    if not _made:
        first = Remembering.of(GitRepo.create(tmp_path_factory.mktemp("made") / "repo"))
        assert first.mneme("init", "--yes").code == 0
        first.commit_all("layout")
        _made["old"] = first.record("old")
        first.commit_pending()
        _made["path"] = first.path
    shutil.copytree(_made["path"], tmp_path / "mine", symlinks=True)
    found = Remembering.of(tmp_path / "mine")
    found.git("status")
    return found


@pytest.fixture
def old(mine):
    return _made["old"]
