"""Running git: in an environment of our own, with errors of ours."""

import subprocess
import time

import pytest

from mneme_git.errors import GitFailed, NoGit, ReadOnlyStore, StoreBusy
from mneme_git.store.process import LOCAL_VARIABLES, Git, Ran, failure


def test_the_list_is_what_this_git_calls_local():
    told = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True
    )
    assert set(told.stdout.split()) <= set(LOCAL_VARIABLES)
    assert len(LOCAL_VARIABLES) == 16


def test_children_do_not_inherit_another_repository_but_keep_given_settings(repo, monkeypatch):
    for name in LOCAL_VARIABLES:
        monkeypatch.setenv(name, "bogus")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'user.name=Given'")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.email")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "given@example.org")
    git = Git(directory=repo.path)
    seen = git.environment({})
    assert [name for name in LOCAL_VARIABLES if seen.get(name) == "bogus"] == []
    assert git.ask("config", "user.name") == b"Given\n"
    assert git.ask("config", "user.email") == b"given@example.org\n"


def test_no_prompt_no_pager_no_translation_and_no_network(repo):
    seen = Git(directory=repo.path).environment({})
    assert seen["GIT_TERMINAL_PROMPT"] == "0"
    ran = Git(directory=repo.path).run("fetch", "-q", f"file://{repo.path}")
    assert ran.code != 0
    assert "transport 'file' not allowed" in ran.err


def test_names_are_told_as_they_are(repo):
    ran = Git(directory=repo.path).run("ls-files", "--error-unmatch", "é")
    assert "é" in ran.complaint


def test_a_failure_says_git_s_own_line(repo):
    with pytest.raises(GitFailed) as raised:
        Git(directory=repo.path).ask("cat-file", "blob", "nowhere")
    assert raised.value.message == "git cat-file: Not a valid object name nowhere"
    assert raised.value.hint


def test_the_line_that_tells_is_found_behind_warnings():
    assert Ran(1, b"", "warning: w\nhint: h\nerror: the cause\nfatal: end\n").complaint == "the cause"
    assert Ran(1, b"", "\n  something odd\n").complaint == "something odd"
    assert Ran(1, b"", "").complaint == ""
    assert failure("x", "").message == "git x: it stopped without a word"


@pytest.mark.parametrize(
    ("complaint", "kind"),
    [
        ("Unable to create '/r/.git/index.lock': File exists.", StoreBusy),
        ("unable to write file .git/objects/x: Permission denied", ReadOnlyStore),
        ("cannot mkdir: Read-only file system", ReadOnlyStore),
        ("bad object x", GitFailed),
    ],
)
def test_errors_of_git_become_the_fitting_ones_of_ours(complaint, kind):
    assert type(failure("add", complaint)) is kind


def test_a_machine_without_git_is_told_so(repo, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    git = Git(directory=repo.path)
    for ask in (lambda: git.run("status"), lambda: git.start("cat-file", "--batch")):
        with pytest.raises(NoGit) as raised:
            ask()
        assert "PATH" in raised.value.message
        assert raised.value.hint


def test_a_folder_that_is_gone_is_not_taken_for_a_missing_git(tmp_path):
    with pytest.raises(GitFailed, match="cannot be started in"):
        Git(directory=tmp_path / "gone").run("status")


def test_what_was_begun_is_finished_or_stopped(repo):
    running = Git(directory=repo.path).begin_as_user("rev-parse", "--is-inside-work-tree")
    assert running.finished() == Ran(0, b"true\n", "")
    running.stop()
    began = time.monotonic()
    endless = Git(directory=repo.path).begin_as_user("wait", settings=("alias.wait=!exec sleep 30",))
    endless.stop()
    assert endless._process.returncode not in {None, 0}
    assert time.monotonic() - began < 10


def test_a_process_that_does_not_end_when_asked_is_killed(repo, monkeypatch):
    monkeypatch.setattr("mneme_git.store.process._PATIENCE", 0.1)
    asked = "alias.wait=!trap '' TERM; echo deaf; exec sleep 30"
    deaf = Git(directory=repo.path).begin_as_user("wait", settings=(asked,))
    assert deaf._process.stdout.readline() == b"deaf\n"
    deaf.stop()
    assert deaf._process.returncode is not None
