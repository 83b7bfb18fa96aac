"""A decision index in each of the two stores, and both stores in one repository."""

import pytest

from tests.support.crossing import Both
from tests.support.index import make_place


@pytest.fixture(params=["git", "file"])
def place(request, repo):
    return make_place(repo, request.param)


@pytest.fixture
def in_git(repo):
    return make_place(repo, "git")


@pytest.fixture
def in_file(repo):
    return make_place(repo, "file")


@pytest.fixture
def both(repo):
    return Both(repo)
