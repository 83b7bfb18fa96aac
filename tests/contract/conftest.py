"""Every test here runs on both backends, and on both object formats where the backend has them."""

import pytest

from mneme_git.store.discover import open_backend
from tests.support.gitrepo import GitRepo

KINDS = {
    "pygit2-sha1": ("pygit2", "sha1"),
    "program-sha1": ("program", "sha1"),
    "program-sha256": ("program", "sha256"),
}


@pytest.fixture(params=sorted(KINDS))
def kind(request):
    """The backend's name and the object format."""
    return KINDS[request.param]


@pytest.fixture
def repo(kind, tmp_path):
    return GitRepo.create(tmp_path / "repo", f"--object-format={kind[1]}")


@pytest.fixture
def opened(kind):
    """Open a backend of the kind under test; all are closed at the end."""
    backends = []

    def open_one(path):
        backend = open_backend(path, prefer=kind[0])
        assert backend.name == kind[0], "the backend that was asked for did not open the repository"
        backends.append(backend)
        return backend

    yield open_one
    for backend in backends:
        backend.close()


@pytest.fixture
def backend(repo, opened):
    return opened(repo.path)
