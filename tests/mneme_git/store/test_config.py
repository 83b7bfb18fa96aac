"""Settings: whose word counts, and what a clone may say."""

import pytest

from mneme_git.errors import GitFailed
from mneme_git.store.config import KEYS, Settings, read_settings
from mneme_git.store.process import Git

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
    }


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


def msg_free(found):
    return Settings(
        project_id=found.project_id,
        adr_dirs=found.adr_dirs,
        quiet=found.quiet,
        autostage=found.autostage,
        backend=found.backend,
    )
