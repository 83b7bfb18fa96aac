import json
import os
from pathlib import Path

import pytest

from mneme_git.app.memory_setup import make_file, setup
from mneme_git.app.workspace import Workspace, environment
from mneme_git.errors import AlreadyExists, InvalidInput, NoRepository, Refused
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_journal import journalled, place_of, read_journalled
from tests.support.memory import indexed

NOW = 1_700_000_000
STAMP = "2023-11-14T22:13:20Z"
USUAL = ".mneme/project_memory.json"


def at(folder) -> Workspace:
    return Workspace(cwd=Path(folder), env=environment({}), now=lambda: NOW)


def test_an_empty_memory_is_made_with_its_folders(tmp_path):
    assert make_file(at(tmp_path), "a/b/pm.json", force=False) == ""
    made = (tmp_path / "a/b/pm.json").read_bytes()
    assert json.loads(made)["meta"] == {
        "name": "", "description": "", "created_by": "mneme init", "created": STAMP,
    }  # fmt: skip
    assert MemoryFile(tmp_path / "a/b/pm.json").read().index is not None
    assert made.endswith(b'    "rules": []\n  }\n}\n')


def test_what_is_there_is_not_touched_without_force(tmp_path):
    (tmp_path / "m.json").write_text("mine")
    with pytest.raises(AlreadyExists, match=r"m.json already exists. Use --force to overwrite") as raised:
        make_file(at(tmp_path), "m.json", force=False)
    assert raised.value.exit_code == 1
    assert (tmp_path / "m.json").read_text() == "mine"


def test_force_keeps_the_old_file_beside_the_new_one_outside_a_repository(tmp_path):
    for number, text in enumerate(("first", "second"), start=1):
        (tmp_path / "m.json").write_text(text)
        kept = make_file(at(tmp_path), "m.json", force=True)
        assert kept == f"'{tmp_path / f'm.json.bak-{number}'}'"
    assert [(tmp_path / f"m.json.bak-{n}").read_text() for n in (1, 2)] == ["first", "second"]
    assert MemoryFile(tmp_path / "m.json").read().rows == ()


def test_force_keeps_the_old_file_in_the_journal_inside_a_repository(repo):
    repo.write(USUAL, json.dumps(indexed()))
    before = repo.read(USUAL)
    kept = make_file(at(repo.path), USUAL, force=True)
    assert "mneme restore --memory" in kept
    assert sorted(path.name for path in (repo.path / ".mneme").iterdir()) == ["project_memory.json"]
    place = place_of(repo.path / USUAL)
    assert read_journalled(place, next(journalled(place)).sha256) == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_nowhere_counts_as_there(tmp_path):
    (tmp_path / "m.json").symlink_to("gone.json")
    with pytest.raises(AlreadyExists):
        make_file(at(tmp_path), "m.json", force=False)
    assert not (tmp_path / "gone.json").exists()


def test_setup_makes_the_memory_of_the_repository_from_a_folder_below_it(repo):
    repo.write(".claude/settings.json", "{}")
    repo.write("src/x.py", "")
    done = setup(at(repo.path / "src"))
    document = json.loads(repo.read(USUAL))
    assert document["meta"]["description"] == "Architecture memory for repo, created by mneme setup"
    assert document["activation"]["integrations_detected"] == ["claude_code"]
    assert (done.created, done.state, done.decisions, done.diagnostics) == (True, "none", 0, None)
    assert repo.read(".claude/settings.json") == b"{}"


def test_setup_adds_only_a_record_to_a_memory_that_is_there_and_that_once(repo):
    document = indexed()
    repo.write("mine.json", json.dumps(document, indent=2) + "\n")
    assert setup(at(repo.path), memory="mine.json").state == "none"
    written = repo.read("mine.json")
    found = json.loads(written)
    assert found.pop("activation")["setup_started_at"] == STAMP
    assert found == document
    again = setup(at(repo.path), memory="mine.json")
    assert (again.created, again.state, again.decisions) == (False, "setup", 2)
    assert repo.read("mine.json") == written


def test_setup_counts_the_warnings_about_adr_files(repo):
    repo.write(
        "docs/adr/ADR-001-x.md",
        "---\nid: ADR-001\ntitle: T\nstatus: accepted\npriority: normal\ndate: 2025-01-01\n---\n",
    )
    assert setup(at(repo.path)).diagnostics == 1


def test_setup_needs_a_repository(tmp_path):
    with pytest.raises(NoRepository, match="no git repository found above"):
        setup(at(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("", "must not be empty"),
        ("a b", "must not contain whitespace"),
        ("a" * 257, "exceeds 256 characters"),
        ("ref-1", "audit references are not supported"),
    ],
)
def test_an_audit_reference_is_refused_before_anything_is_written(repo, reference, text):
    with pytest.raises(InvalidInput, match=text):
        setup(at(repo.path), audit_ref=reference)
    assert not (repo.path / ".mneme").exists()


def test_setup_leaves_a_memory_that_is_not_valid_and_a_record_it_does_not_know(repo):
    repo.write("bad.json", '{"meta": {}}')
    with pytest.raises(InvalidInput, match=r"existing memory file .*bad.json failed validation: 'name'"):
        setup(at(repo.path), memory="bad.json")
    text = json.dumps({"meta": {"name": "a", "description": "b"}, "activation": "on"})
    repo.write("odd.json", text)
    with pytest.raises(Refused, match="is not an object"):
        setup(at(repo.path), memory="odd.json")
    assert repo.read("odd.json").decode() == text
