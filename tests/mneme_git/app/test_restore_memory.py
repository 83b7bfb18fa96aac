import json
from pathlib import Path

import pytest

from mneme_git.app.restore_memory import apply_file_restore, plan_file_restore
from mneme_git.app.workspace import Workspace, environment
from mneme_git.decisions.record import Draft, plan_add
from mneme_git.errors import AmbiguousId, GuardMismatch, InvalidInput, NoRepository, NotFound
from mneme_git.store.memory_file import MemoryFile
from tests.support.memory import indexed

NAME = ".mneme/project_memory.json"


class Project:
    def __init__(self, repo) -> None:
        self.repo = repo
        self.time = 1_700_000_000
        self.workspace = Workspace(cwd=repo.path, env=environment({}), now=lambda: self.time)
        repo.write(NAME, json.dumps(indexed()))

    def add(self, decision_id) -> bytes:
        self.time += 60
        store = MemoryFile(self.repo.path / NAME, now=lambda: self.time)
        store.commit(
            plan_add(store.load(), Draft(decision_id=decision_id, statement="X"), at="t"), stage=True
        )
        return self.repo.read(NAME)

    def damage(self) -> bytes:
        data = self.repo.read(NAME).replace(b'"Use JSON"', b'"Use YAML"', 1)
        self.repo.write(NAME, data)
        return data

    def plan(self, *names):
        return plan_file_restore(self.workspace, NAME, names)


@pytest.fixture
def project(repo):
    return Project(repo)


def test_a_damaged_file_gets_its_newest_good_version_from_the_journal(project):
    project.add("n1")
    good = project.add("n2")
    damaged = project.damage()
    planned = project.plan()
    assert "decisions[1] ('d1') decision is 'Use YAML', the index has 'Use JSON'" in planned.problem
    assert planned.chosen.data == good
    assert planned.chosen.source == "journal entry 2"
    assert planned.since == ("row of decisions[]: 'd1' differs in decision",)
    assert project.repo.read(NAME) == damaged
    [notice] = apply_file_restore(project.workspace, planned)
    assert project.repo.read(NAME) == good
    assert "is kept in the journal" in notice
    assert any(version.data == damaged for version in project.plan().versions)


def test_a_commit_counts_when_the_journal_has_nothing_newer(project):
    before = project.repo.read(NAME)
    project.repo.commit_all("memory")
    project.damage()
    planned = project.plan()
    assert planned.chosen.data == before
    assert planned.chosen.source == f"commit {project.repo.git('rev-parse', 'HEAD')[:12]}"


def test_versions_that_are_damaged_themselves_are_passed_over(project):
    good = project.repo.read(NAME)
    project.repo.commit_all("good")
    project.damage()
    project.repo.commit_all("damaged")
    project.repo.write(NAME, "not even JSON")
    planned = project.plan()
    assert planned.chosen.data == good
    assert [bool(version.problem) for version in planned.versions] == [True, False]


def test_a_file_that_is_gone_comes_back(project):
    project.repo.commit_all("memory")
    (project.repo.path / NAME).unlink()
    planned = project.plan()
    assert (planned.problem, planned.since) == ("it does not exist", ())
    assert apply_file_restore(project.workspace, planned) == ()
    assert MemoryFile(project.repo.path / NAME).load().state("d1") is not None


def test_a_good_file_is_left_alone_but_any_version_can_be_named(project):
    first = project.add("n1")
    project.add("n2")
    planned = project.plan()
    assert (planned.problem, planned.chosen) == ("", None)
    named = project.plan(planned.versions[1].sha256[:12])
    assert named.chosen.data == first
    assert any(line == "row of decisions[]: 'n2' is new" for line in named.since)
    apply_file_restore(project.workspace, named)
    assert project.repo.read(NAME) == first


def test_a_name_must_fit_one_good_version(project):
    project.add("n1")
    with pytest.raises(NotFound):
        project.plan("ffff" * 16)
    with pytest.raises(AmbiguousId):
        project.plan("")
    with pytest.raises(InvalidInput, match="as a whole"):
        project.plan("a", "b")
    project.damage()
    project.repo.commit_all("damaged")
    bad = project.repo.git("rev-parse", "HEAD")[:12]
    with pytest.raises(InvalidInput, match="damaged too"):
        project.plan(bad)


def test_a_file_that_changes_after_the_preview_is_not_overwritten(project):
    project.add("n1")
    project.damage()
    planned = project.plan()
    project.repo.write(NAME, "somebody mended it")
    with pytest.raises(GuardMismatch):
        apply_file_restore(project.workspace, planned)
    assert project.repo.read(NAME) == b"somebody mended it"


def test_nothing_good_is_said_so(repo):
    project = Project(repo)
    repo.write(NAME, "broken")
    planned = project.plan()
    assert (planned.chosen, planned.versions) == (None, ())
    assert planned.problem


def test_outside_a_repository_nothing_is_kept(tmp_path):
    (tmp_path / "m.json").write_text("{}")
    workspace = Workspace(cwd=Path(tmp_path), env=environment({}), now=lambda: 0)
    with pytest.raises(NoRepository, match=r"m.json is in no git repository"):
        plan_file_restore(workspace, "m.json", ())
