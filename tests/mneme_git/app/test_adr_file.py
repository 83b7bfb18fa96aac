import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mneme_git.app.adr_file import import_into_file, planned_into_file, preview_into_file
from mneme_git.app.workspace import Workspace, environment
from mneme_git.errors import GuardMismatch, Refused
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.plan import plan_id
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_scaffold import create_memory, scaffold
from tests.support.adrs import rules, strict
from tests.support.memory import indexed, plain

PLAIN = ImportOptions()
UPDATE = ImportOptions(update_existing=True)
NAME = ".mneme/project_memory.json"


class Project:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = Workspace(cwd=root, env=environment({}), now=lambda: 1_700_000_000)
        self.store = MemoryFile(root / NAME, as_given=NAME, now=self.workspace.now)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def preview(self, folder="docs/adr"):
        return preview_into_file(self.workspace, self.store, folder)

    def plan(self, options=PLAIN, folder="docs/adr"):
        return planned_into_file(self.workspace, self.store, folder, self.preview(folder), options)

    def apply(self, options=PLAIN, folder="docs/adr", **more):
        return import_into_file(self.workspace, self.store, folder, self.preview(folder), options, **more)


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path)
    document = scaffold(name="n", description="d", created_by="test", created="now")
    create_memory(made.store.path, NAME, document)
    return made


def test_what_was_imported_is_in_force_with_its_file(project):
    project.write("docs/adr/ADR-001-a.md", strict(1, body=rules("redis")))
    done = project.apply()
    assert (done.active, done.receipt.paths) == (1, (NAME,))
    [found] = project.store.enforced()
    assert (found.id, [rule.value for rule in found.rules]) == ("ADR-001", ["redis"])
    assert found.source == str(project.root / "docs/adr/ADR-001-a.md")
    again = project.apply(UPDATE)
    assert again.receipt.paths == ()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_linked_adr_is_recorded_where_it_really_is(project):
    project.write("real/ADR-001-a.md", strict(1))
    (project.root / "docs/adr").mkdir(parents=True)
    (project.root / "docs/adr/ADR-001-a.md").symlink_to("../../real/ADR-001-a.md")
    project.apply()
    assert project.store.enforced()[0].source_as_stored == "../real/ADR-001-a.md"


def test_a_file_that_is_not_named_after_its_decision_is_refused_and_the_reason_is_said(project):
    project.write("docs/adr/ADR-9-x.md", strict(5))
    before = project.store.data()
    with pytest.raises(
        Refused, match=r"^ADR import refused: canonical post-write verification failed: persisted"
    ) as raised:
        project.apply()
    assert "is not named ADR-005.md or ADR-005-….md" in raised.value.hint
    assert project.store.data() == before


def test_a_file_without_an_index_and_one_that_is_damaged_are_previewed_but_not_written(project):
    project.write("docs/adr/ADR-001-a.md", strict(1))
    project.write(NAME, json.dumps(plain()))
    assert "[ADR-001] status=active" in project.preview().text
    with pytest.raises(Refused, match="has no authoritative decision_index section"):
        project.apply()
    document = indexed()
    document["decisions"].pop()
    project.write(NAME, json.dumps(document))
    assert "[ADR-001] status=active" in project.preview().text
    with pytest.raises(
        Refused, match=r"^ADR import refused: target memory is not valid canonical state: persisted"
    ):
        project.apply()


def test_a_plan_id_holds_the_whole_file_to_what_it_was(project):
    project.write("docs/adr/ADR-001-a.md", strict(1))
    expected = plan_id(project.plan())
    assert project.apply(expected=expected).plan_id == expected
    project.write("docs/adr/ADR-002-b.md", strict(2, scope="x"))
    expected = plan_id(project.plan(UPDATE))
    project.store.path.write_bytes(project.store.data() + b"\n")
    with pytest.raises(GuardMismatch):
        project.apply(UPDATE, expected=expected)
    assert project.store.load().state("ADR-002") is None


def test_an_adr_that_changes_after_the_preview_is_not_imported_as_it_was(project):
    project.write("docs/adr/ADR-001-a.md", strict(1))
    preview = project.preview()
    project.write("docs/adr/ADR-001-a.md", strict(1, "Other"))
    with pytest.raises(GuardMismatch, match=r"adr \.\./docs/adr/ADR-001-a.md"):
        import_into_file(project.workspace, project.store, "docs/adr", preview, PLAIN)
    assert project.store.load().decisions == ()


def test_twenty_imports_of_different_folders_at_once_are_all_kept(project):
    for number in range(20):
        project.write(f"docs/{number}/ADR-{number:03}-a.md", strict(number, scope=f"s{number}"))
    barrier = threading.Barrier(20)

    def run(number):
        preview = project.preview(f"docs/{number}")
        barrier.wait()
        return import_into_file(project.workspace, project.store, f"docs/{number}", preview, PLAIN)

    with ThreadPoolExecutor(20) as pool:
        assert all(done.receipt.paths for done in pool.map(run, range(20)))
    assert len(project.store.load().decisions) == 20
