from importlib.metadata import EntryPoint

import pytest

from mneme_git.cli import servers
from mneme_git.errors import UserError


def registered(monkeypatch, value):
    entry = EntryPoint(name="some", value=value, group="mneme.servers")
    monkeypatch.setattr(servers, "entry_points", lambda group, name: [entry] if name == "some" else [])


def test_a_server_gets_the_use_cases_it_is_to_serve(monkeypatch):
    registered(monkeypatch, "tests.mneme_git.cli.test_servers:served.append")
    servers.run_server("some", "use cases")
    from tests.mneme_git.cli.test_servers import served as there

    assert there == ["use cases"]


served: list[str] = []


def test_a_server_that_is_not_installed_is_told(monkeypatch):
    registered(monkeypatch, "x:y")
    with pytest.raises(UserError, match="the server 'other' is not installed"):
        servers.run_server("other", None)


def test_a_server_whose_library_is_missing_is_told(monkeypatch):
    registered(monkeypatch, "no_such_library.server:serve")
    with pytest.raises(UserError, match="needs the package 'no_such_library'"):
        servers.run_server("some", None)


def test_the_decision_index_is_registered():
    from importlib.metadata import entry_points

    found = entry_points(group="mneme.servers", name="decision-mcp")
    assert [entry.value for entry in found] == ["mneme_mcp.decision_index:serve"]
