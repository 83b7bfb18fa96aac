"""Every test here runs on both backends, and on every format of repository that they and this git know."""

import subprocess
import tempfile
from typing import NamedTuple

import pytest

from mneme_git.store.discover import open_backend
from tests.support.gitrepo import GitRepo


class Kind(NamedTuple):
    """The backend and the formats under test."""

    backend: str
    object_format: str
    ref_format: str = "files"


def _knows_reftable():
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(
            ["git", "init", "-q", "--ref-format=reftable", folder], capture_output=True, check=False
        )
    return made.returncode == 0


KINDS = {
    "pygit2-sha1": Kind("pygit2", "sha1"),
    "program-sha1": Kind("program", "sha1"),
    "program-sha256": Kind("program", "sha256"),
    **({"program-reftable": Kind("program", "sha1", "reftable")} if _knows_reftable() else {}),
}


@pytest.fixture(params=sorted(KINDS))
def kind(request):
    """The backend and the formats under test."""
    return KINDS[request.param]


@pytest.fixture
def ref_files(kind):
    """Leave out a test about refs that are files."""
    if kind.ref_format != "files":
        pytest.skip("refs are in a table here")


@pytest.fixture
def repo(kind, tmp_path):
    refs = () if kind.ref_format == "files" else (f"--ref-format={kind.ref_format}",)
    return GitRepo.create(tmp_path / "repo", f"--object-format={kind.object_format}", *refs)


@pytest.fixture
def opened(kind):
    """Open a backend of the kind under test; all are closed at the end."""
    backends = []

    def open_one(path):
        backend = open_backend(path, prefer=kind.backend)
        assert backend.name == kind.backend, "the backend that was asked for did not open the repository"
        backends.append(backend)
        return backend

    yield open_one
    for backend in backends:
        backend.close()


@pytest.fixture
def backend(repo, opened):
    return opened(repo.path)
