from pathlib import Path

import pytest

from mneme_git.app.way_to_git import way_to_git
from mneme_git.app.workspace import Workspace, environment
from mneme_git.cli import main as door

NAME = ".mneme/project_memory.json"


def at(folder, **variables) -> Workspace:
    return Workspace(cwd=Path(folder), env=environment(variables), now=lambda: 0)


def test_it_is_said_once_per_clone_to_whoever_uses_a_file_by_default(repo):
    assert way_to_git(at(repo.path)) == ""
    repo.write(NAME, "{}")
    assert "mneme decision-index migrate --to-git" in way_to_git(at(repo.path))
    assert way_to_git(at(repo.path)) == ""
    assert repo.git("status", "--porcelain") == "?? .mneme/"


@pytest.mark.parametrize("variables", [{"MNEME_MEMORY": NAME}, {"MNEME_QUIET": "1"}])
def test_it_is_not_said_to_whoever_chose_the_file_or_wants_no_notices(repo, variables):
    repo.write(NAME, "{}")
    assert way_to_git(at(repo.path, **variables)) == ""
    assert way_to_git(at(repo.path)) != ""


def test_it_is_not_said_where_git_is_used_or_cannot_be(repo, tmp_path):
    repo.write(NAME, "{}")
    repo.write(".mneme/format", "1\n")
    assert way_to_git(at(repo.path)) == ""
    outside = tmp_path / "outside"
    (outside / ".mneme").mkdir(parents=True)
    (outside / NAME).write_text("{}")
    assert way_to_git(at(outside)) == ""


def test_only_a_terminal_is_told_and_not_when_a_file_is_named(monkeypatch):
    told = []
    monkeypatch.setattr(door, "_tell_way_to_git", lambda: told.append(True))
    for is_terminal, argv in (
        (False, ["mneme"]),
        (True, ["mneme", "--memory=x"]),
        (True, ["mneme", "check"]),
    ):
        monkeypatch.setattr(door.sys, "argv", argv)
        monkeypatch.setattr(door.sys.stderr, "isatty", lambda answer=is_terminal: answer, raising=False)
        door._root()
    assert told == [True]
