"""Settings: whose word counts, and what a clone may say."""

import pytest

from mneme_git.errors import GitFailed
from mneme_git.store.config import KEYS, Settings, read_settings
from mneme_git.store.content_ids import READ_AT_MOST
from mneme_git.store.process import Git
from mneme_indexer.answers import BUDGET, BUDGETS
from mneme_indexer.answers import Settings as IndexSettings

PROJECT = b"[mneme]\n\tprojectId = 0123456789abcdef\n\tadrDir = docs/adr\n\tadrDir = docs/more\n"


def settings_of(repo=None, project=b"", **environment):
    return read_settings(
        git=Git(directory=repo.path) if repo else None, project=project, environment=environment
    )


def test_without_any_source_the_defaults_of_the_table_hold(repo):
    assert settings_of(repo) == Settings() == settings_of()
    assert {key.name: key.default for key in KEYS} == {
        "mneme.projectId": "",
        "mneme.adrDir": "",
        "mneme.quiet": "false",
        "mneme.autostage": "false",
        "mneme.backend": "auto",
        "mneme.discoveryModel": "",
        "mneme.routerUrl": "http://127.0.0.1:11436",
        "mneme.crossProject": "false",
        "mneme.crossProjectAllow": "",
        "mneme.tokenBudget": "6000",
        "mneme.maxFileBytes": "2000000",
        "mneme.ignore": "",
        "mneme.gcDays": "90",
    }


def test_the_defaults_of_the_code_index_are_its_own():
    assert Settings().token_budget == BUDGET
    assert Settings().max_file_bytes == IndexSettings().max_file_bytes
    limits = {key.name: key.limits for key in KEYS if key.kind == "number"}
    assert limits["mneme.tokenBudget"] == BUDGETS
    assert limits["mneme.maxFileBytes"][1] == READ_AT_MOST


def test_every_key_says_what_it_means():
    for key in KEYS:
        assert key.meaning.endswith(".")
        assert key.name.startswith("mneme.")


def test_the_project_s_own_file_is_read(repo):
    found = settings_of(repo, PROJECT)
    assert (found.project_id, found.adr_dirs) == ("0123456789abcdef", ("docs/adr", "docs/more"))
    assert found.notices == ()


def test_git_s_configuration_wins_over_the_project_and_the_environment_over_both(repo):
    repo.git("config", "mneme.adrDir", "mine")
    repo.git("config", "mneme.quiet", "off")
    repo.git("config", "--global", "mneme.autostage", "yes")
    repo.git("config", "mneme.backend", "Program")
    found = settings_of(repo, PROJECT)
    assert found.adr_dirs == ("mine",)
    assert found.project_id == "0123456789abcdef"
    assert (found.quiet, found.autostage, found.backend) == (False, True, "program")
    assert settings_of(repo, PROJECT, MNEME_QUIET="1").quiet
    repo.git("config", "mneme.quiet", "true")
    assert settings_of(repo).quiet
    assert not settings_of(repo, MNEME_QUIET="no").quiet
    assert settings_of(repo, MNEME_QUIET="").quiet, "an empty name says nothing"


def test_a_name_without_a_value_is_true_and_the_last_of_several_counts(repo):
    with (repo.path / ".git/config").open("a") as config:
        config.write("[mneme]\n\tquiet\n\tbackend = pygit2\n\tbackend = program\n")
    found = settings_of(repo)
    assert (found.quiet, found.backend, found.notices) == (True, "program", ())


def test_the_settings_of_git_c_reach_us(repo, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "mneme.autostage")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert settings_of(repo).autostage


@pytest.mark.parametrize(
    "line", ["quiet = true", "autostage = true", "backend = program", "BACKEND = pygit2"]
)
def test_a_clone_cannot_set_what_is_the_user_s_to_set(repo, line):
    found = settings_of(repo, b"[mneme]\n\t" + line.encode() + b"\n")
    assert msg_free(found) == Settings()
    (notice,) = found.notices
    assert notice.startswith(".mneme/config, line 2: mneme.")


def test_unknown_keys_are_named_and_harm_nothing(repo):
    repo.git("config", "mneme.colour", "red")
    found = settings_of(repo, PROJECT + b"[mneme]\n\tproject = x\n[core]\n\thooksPath = evil\n")
    assert found.project_id == "0123456789abcdef"
    assert found.notices == (
        "git's configuration: 'mneme.colour' is no setting",
        ".mneme/config: 'mneme.project' is no setting",
        ".mneme/config: 'core.hookspath' is no setting",
    )


def test_a_value_that_does_not_fit_is_named_and_the_next_source_counts(repo):
    repo.git("config", "mneme.projectId", "XYZ")
    repo.git("config", "mneme.quiet", "perhaps")
    repo.git("config", "mneme.backend", "svn")
    found = settings_of(repo, PROJECT, MNEME_QUIET="maybe")
    assert (found.project_id, found.quiet, found.backend) == ("0123456789abcdef", False, "auto")
    assert found.notices == (
        "git's configuration: mneme.projectId is to be 16 hex digits in lower case",
        "the environment: mneme.quiet is to be true or false",
        "git's configuration: mneme.quiet is to be true or false",
        "git's configuration: mneme.backend is to be one of auto, pygit2, program",
    )


def test_a_file_that_git_could_not_read_gives_nothing_and_says_its_line(repo):
    found = settings_of(repo, b"[mneme]\n<<<<<<< ours\n\tprojectId = 0123456789abcdef\n")
    assert msg_free(found) == Settings()
    assert "line 2" in found.notices[0]


def test_includes_of_the_project_s_file_are_not_followed(repo, tmp_path):
    (tmp_path / "more").write_text("[mneme]\n\tadrDir = sly\n")
    found = settings_of(repo, f"[include]\n\tpath = {tmp_path}/more\n".encode())
    assert found.adr_dirs == ()


def test_a_broken_configuration_of_git_s_own_is_git_s_error(repo):
    with (repo.path / ".git/config").open("a") as config:
        config.write("[broken\n")
    with pytest.raises(GitFailed, match="bad config line"):
        settings_of(repo)


@pytest.mark.parametrize("key", ["discoveryModel", "routerUrl"])
def test_what_opens_a_connection_is_taken_from_the_user_alone(repo, monkeypatch, key):
    name = f"mneme.{key}"
    repo.git("config", name, "http://evil.example")
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", name, "http://evil.example")
    (repo.path / "tracked").write_text(f"[mneme]\n\t{key} = http://evil.example\n")
    repo.git("config", "include.path", "../tracked")
    found = settings_of(repo, f"[mneme]\n\t{key} = http://evil.example\n".encode())
    assert msg_free(found) == Settings()
    assert (found.discovery_model, found.router_url) == ("", "http://127.0.0.1:11436")
    assert found.notices == (
        *[f"the repository's git configuration: {name} is taken only from your own"] * 3,
        f".mneme/config, line 2: {name} is taken only from your own configuration",
    )
    repo.git("config", "--global", name, "mine")
    assert "mine" in (settings_of(repo).discovery_model, settings_of(repo).router_url)
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'{name}'='once'")
    assert "once" in (settings_of(repo).discovery_model, settings_of(repo).router_url)
    named = {"MNEME_DISCOVERY_MODEL": "now", "MNEME_ROUTER_URL": "now"}
    assert "now" in (settings_of(repo, **named).discovery_model, settings_of(repo, **named).router_url)


# Of each key a value that is not its default, and what it then is.
VALUES = {
    "mneme.projectId": ("0123456789abcdef", "project_id", "0123456789abcdef"),
    "mneme.adrDir": ("docs/adr", "adr_dirs", ("docs/adr",)),
    "mneme.quiet": ("true", "quiet", True),
    "mneme.autostage": ("true", "autostage", True),
    "mneme.backend": ("program", "backend", "program"),
    "mneme.discoveryModel": ("m", "discovery_model", "m"),
    "mneme.routerUrl": ("http://x", "router_url", "http://x"),
    "mneme.crossProject": ("true", "cross_project", True),
    "mneme.crossProjectAllow": ("/home/ada/x", "cross_project_allow", ("/home/ada/x",)),
    "mneme.tokenBudget": ("900", "token_budget", 900),
    "mneme.maxFileBytes": ("1M", "max_file_bytes", 1 << 20),
    "mneme.ignore": ("gen/", "ignore", ("gen/",)),
    "mneme.gcDays": ("7", "gc_days", 7),
}
OF_USER = {"mneme.discoveryModel", "mneme.routerUrl", "mneme.crossProject", "mneme.crossProjectAllow"}
OF_PROJECT = {"mneme.projectId", "mneme.adrDir"}


def test_every_key_is_tried_at_every_level():
    assert set(VALUES) == {key.name for key in KEYS}


@pytest.mark.parametrize("key", VALUES)
@pytest.mark.parametrize("level", ["--global", "--local", "--worktree", "included", "command", "project"])
def test_each_key_counts_at_its_levels_and_at_no_other(repo, monkeypatch, key, level):
    value, field, expected = VALUES[key]
    line = f"[mneme]\n\t{key.partition('.')[2]} = {value}\n"
    project = b""
    if level == "project":
        project = line.encode()
    elif level == "included":  # by the repository, of a file that came with the clone
        repo.write("tracked", line)
        repo.git("config", "include.path", "../tracked")
    elif level == "command":
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'{key}'='{value}'")
    else:
        repo.git("config", "extensions.worktreeConfig", "true")
        repo.git("config", level, key, value)
    found = settings_of(repo, project)
    may = {"project": key in OF_PROJECT, "--global": True, "command": True}.get(level, key not in OF_USER)
    assert getattr(found, field) == (expected if may else getattr(Settings(), field))
    assert bool(found.notices) != may
    if not may:
        assert key in found.notices[0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tokenBudget", "499"),
        ("tokenBudget", "many"),
        ("tokenBudget", "-900"),
        ("tokenBudget", "9" * 40),
        ("maxFileBytes", "0"),
        ("maxFileBytes", "1t"),
        ("gcDays", "0"),
        ("gcDays", "1.5"),
        ("crossProject", "perhaps"),
        ("crossProjectAllow", "../other"),
        ("crossProjectAllow", "0123456789ABCDEF"),
        ("ignore", "!src"),
        ("ignore", ""),
    ],
)
def test_a_number_a_project_or_a_pattern_that_is_none_is_named(repo, key, value):
    repo.git("config", "--global", f"mneme.{key}", value)
    found = settings_of(repo)
    assert msg_free(found) == Settings()
    assert (found.token_budget, found.max_file_bytes, found.gc_days) == (6000, 2_000_000, 90)
    assert (found.cross_project, found.cross_project_allow, found.ignore) == (False, (), ())
    assert found.notices[0].startswith(f"git's configuration: mneme.{key} is to be ")


def test_keys_that_may_be_given_several_times_keep_their_order(repo):
    for row in ("/b", "/a", "~/c"):
        repo.git("config", "--global", "--add", "mneme.crossProjectAllow", row)
    assert settings_of(repo).cross_project_allow == ("/b", "/a", "~/c")


def msg_free(found):
    return Settings(
        project_id=found.project_id,
        adr_dirs=found.adr_dirs,
        quiet=found.quiet,
        autostage=found.autostage,
        backend=found.backend,
    )
