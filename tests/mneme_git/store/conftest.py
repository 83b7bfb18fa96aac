"""Stores with something in them."""

import pytest

from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_write import encode_document
from tests.support.memory_store import NOW
from tests.support.writing import add, init


@pytest.fixture
def one(repo):
    """A git store with one committed decision; what is tested does not depend on the backend."""
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store


@pytest.fixture
def memory(tmp_path):
    """Write a document (or bytes) as project_memory.json and give the store on it."""

    def make(document, name=".mneme/project_memory.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document if isinstance(document, bytes) else encode_document(document))
        return MemoryFile(path, as_given=name, now=lambda: NOW)

    return make
