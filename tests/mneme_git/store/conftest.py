"""Stores with something in them."""

import pytest

from tests.support.writing import add, init


@pytest.fixture
def one(repo):
    """A git store with one committed decision; what is tested does not depend on the backend."""
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store
