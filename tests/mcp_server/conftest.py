"""Servers in this process for tests of the tools."""

import pytest

from tests.support.served import Server


@pytest.fixture
def serve():
    """Serve a folder; what was served is closed at the end."""
    served = []

    def begin(path, clock=None):
        served.append(Server(path, clock))
        return served[-1]

    yield begin
    for server in served:
        server.close()


@pytest.fixture
def tools(repo, serve):
    return serve(repo.path)
