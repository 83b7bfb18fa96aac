"""Settings of a program that runs for long: as they are now, without asking git each time."""

import json
import os

import pytest

from mneme_git.app import settings as module
from mneme_git.app.code import USUAL_BUDGET, Code
from mneme_git.app.code_tools import CodeTools
from mneme_git.app.settings import LiveSettings
from mneme_git.app.workspace import Environment, Workspace
from mneme_git.store.discover import locate
from mneme_indexer.answers import Query
from tests.support.gitrepo import GitRepo


@pytest.fixture
def asked(monkeypatch):
    """How often git was asked."""
    times = []
    real = module.read_settings
    monkeypatch.setattr(module, "read_settings", lambda **given: times.append(1) or real(**given))
    return times


@pytest.fixture
def live(repo):
    return LiveSettings(locate(repo.path, os.environ))


def test_git_is_asked_once_while_nothing_changes(live, asked):
    assert [live.now().gc_days for _ in range(3)] == [90] * 3
    assert len(asked) == 1


@pytest.mark.parametrize("level", ["--local", "--global", "--worktree", "engine", "command", "xdg"])
def test_a_change_counts_at_the_next_question_wherever_it_is_made(live, repo, monkeypatch, tmp_path, level):
    monkeypatch.setenv("OPENCLAUDE_HOME", str(tmp_path))
    if level == "xdg":
        monkeypatch.delenv("GIT_CONFIG_GLOBAL")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        (tmp_path / "git").mkdir()
    repo.git("config", "extensions.worktreeConfig", "true")
    assert live.now().token_budget == 6000
    if level == "engine":
        (tmp_path / "mneme.json").write_text(json.dumps({"retrieval": {"defaultTokenBudget": 700}}))
    elif level == "command":
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'mneme.tokenBudget'='700'")
    elif level == "xdg":
        (tmp_path / "git/config").write_text("[mneme]\n\ttokenBudget = 700\n")
    else:
        repo.git("config", level, "mneme.tokenBudget", "700")
    assert live.now().token_budget == 700


def test_where_another_file_is_included_git_is_asked_each_time(live, repo, asked):
    repo.write("more", "[mneme]\n\tgcDays = 5\n")
    repo.git("config", "include.path", "../more")
    assert live.now().gc_days == 5
    repo.write("more", "[mneme]\n\tgcDays = 6\n")
    assert live.now().gc_days == 6
    assert len(asked) == 2


@pytest.fixture
def shop(tmp_path):
    made = GitRepo.create(tmp_path / "shop")
    made.write("a.py", "def alpha():\n    return 1\n")
    made.write("gen/b.py", "def beta():\n    return 2\n")
    made.write("big.py", "def gamma():\n    return 3\n" + "# filler\n" * 400)
    made.commit_all()
    return made


def tools_of(repo):
    return CodeTools(Workspace(cwd=repo.path, env=Environment(), now=lambda: 0))


def names(tools, name):
    return [row["name"] for row in tools.lookup_symbol(name, "any", 20)["matches"]]


def test_a_running_server_follows_what_is_ignored_and_how_large_files_may_be(shop):
    tools = tools_of(shop)
    try:
        assert (names(tools, "beta"), names(tools, "gamma")) == (["beta"], ["gamma"])
        shop.git("config", "mneme.ignore", "gen/")
        shop.git("config", "mneme.maxFileBytes", "1k")
        assert (names(tools, "beta"), names(tools, "gamma"), names(tools, "alpha")) == ([], [], ["alpha"])
        shop.git("config", "--unset", "mneme.ignore")
        shop.git("config", "--unset", "mneme.maxFileBytes")
        assert (names(tools, "beta"), names(tools, "gamma")) == (["beta"], ["gamma"])
    finally:
        tools.close()


def test_the_user_s_rules_add_to_those_of_the_project(shop):
    shop.write(".mnemeignore", "big.py\n!gen/\n")
    shop.git("config", "mneme.ignore", "gen/")
    tools = tools_of(shop)
    try:
        assert (names(tools, "beta"), names(tools, "gamma"), names(tools, "alpha")) == ([], [], ["alpha"])
    finally:
        tools.close()


def test_a_past_revision_is_read_by_the_same_rules(shop):
    shop.git("config", "mneme.ignore", "gen/")
    with Code(Workspace(cwd=shop.path, env=Environment(), now=lambda: 0), at="HEAD") as code:
        code.refresh()
        assert [row["name"] for row in code.lookup("alpha")["matches"]] == ["alpha"]
        assert not code.lookup("beta")["matches"]


def test_a_context_without_a_budget_has_the_configured_one(shop):
    shop.write("c.py", "".join(f"def alpha_{n}():\n    return 'alpha {n} of many'\n\n\n" for n in range(300)))
    shop.git("config", "mneme.tokenBudget", "500")
    tools = tools_of(shop)
    try:
        usual = tools.get_context(Query(task="alpha", budget=USUAL_BUDGET))
        assert usual["token_estimate"] <= 500
        assert tools.get_context(Query(task="alpha", budget=3000))["token_estimate"] > 1500
    finally:
        tools.close()
    told = json.loads(shop.mneme("context", "alpha", "--json").out)
    assert told["token_estimate"] <= 500
    told = json.loads(shop.mneme("context", "alpha", "--budget", "3000", "--json").out)
    assert told["token_estimate"] > 1500


def test_what_is_not_taken_is_named_by_status_and_by_commands(shop, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENCLAUDE_HOME", str(tmp_path))
    tools = tools_of(shop)
    try:
        assert "notices" not in tools.index_status()
        (tmp_path / "mneme.json").write_text('{"retrieval": {"defaultTokenBudget": "many"}}')
        (notice,) = tools.index_status()["notices"]
    finally:
        tools.close()
    assert notice.startswith(f"'{tmp_path}/mneme.json': retrieval.defaultTokenBudget is to be")
    ran = shop.mneme("context", "alpha", "--json")
    assert (ran.code, notice in ran.err) == (0, True)
    assert notice in json.loads(shop.mneme("status", "--json").out)["notices"]
