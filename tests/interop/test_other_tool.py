"""Files go both ways between us and another tool that has the existing format.

``MNEME_REFERENCE`` names that tool's program; without it these tests are skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess

import pytest

from tests.support.adrs import rules, strict
from tests.support.memory import literal, plain, row

OTHER = shutil.which(os.environ.get("MNEME_REFERENCE", "")) if os.environ.get("MNEME_REFERENCE") else None
pytestmark = pytest.mark.skipif(OTHER is None, reason="MNEME_REFERENCE names no program")

NAME = ".mneme/project_memory.json"
MEMORY = ("--memory", NAME)
_TIME = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Ran:
    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr


@pytest.fixture
def tools(repo):
    """Ourselves and the other one, by name, in one repository."""

    def other(*args):
        return Ran(subprocess.run([OTHER, *args], cwd=repo.path, capture_output=True, text=True, check=False))

    return {"ours": repo.mneme, "other": other}


def same(tools, *args):
    """Assert that both answer alike, and return the answer."""
    ours, other = tools["ours"](*args), tools["other"](*args)
    assert (ours.code, ours.out) == (other.code, other.out), (args, ours.err, other.err)
    return ours


def write_adrs(repo):
    repo.write(
        "docs/adr/ADR-001-a.md", strict(1, "Use SQLite", "Body.\n" + rules("mongodb"), scope="storage")
    )
    repo.write("docs/adr/ADR-002-b.md", strict(2, "Cache — größer", scope="cache", status="proposed"))
    repo.write("docs/adr/ADR-003-c.md", strict(3, "Queue", scope="queue", supersedes="[ADR-004]"))
    repo.write("docs/adr/ADR-004-d.md", strict(4, "Old queue", scope="queue", date="2024-01-01"))


STEPS = (
    ("init", "--path", NAME),
    ("add_decision", *MEMORY, "--id", "d-ü", "--decision", "Préférer → 😀", "--scope", "a", "--constraint", "no x", "--anti-pattern", "pickle"),
    ("adr", "import", "docs/adr", *MEMORY, "--apply"),
    ("protect", "activate", "d-ü", *MEMORY),
    ("add_decision", *MEMORY, "--id", "d2", "--decision", "Second"),
    ("adr", "import", "docs/adr", *MEMORY, "--apply", "--update-existing"),
    ("decision-index", "migrate", *MEMORY, "--apply"),
)  # fmt: skip


def test_the_same_steps_give_the_same_bytes_whoever_takes_them(repo, tools):
    write_adrs(repo)
    files = {}
    for name, tool in tools.items():
        (repo.path / NAME).unlink(missing_ok=True)
        files[name] = []
        for step in STEPS:
            ran = tool(*step)
            assert ran.code in {0, 1}, (name, step, ran.err)
            files[name].append(_TIME.sub(b"<time>", repo.read(NAME)))
    assert files["ours"] == files["other"]


@pytest.mark.parametrize("first", ["ours", "other"])
def test_each_goes_on_with_what_the_other_wrote(repo, tools, first):
    write_adrs(repo)
    order = [first, "other" if first == "ours" else "ours"]
    for number, step in enumerate(STEPS):
        ran = tools[order[number % 2]](*step)
        assert ran.code in {0, 1}, (order[number % 2], step, ran.err)
    listed = same(tools, "list_decisions", *MEMORY)
    assert "[ADR-003] Queue" in listed.out
    assert "Already migrated" in same(tools, "decision-index", "migrate", *MEMORY).out
    repo.write("in.txt", "We use mongodb and pickle.\n")
    check = same(tools, "check", *MEMORY, "--input", "in.txt", "--query", "storage", "--json")
    assert check.code == 2


def test_a_file_without_an_index_is_migrated_alike(repo, tools):
    items = [{"id": "r1", "type": "rule", "title": "Deps", "content": "no pydantic"}]
    rows = [row("d1", "Use JSON", rules=[literal("pickle", ["src/**"])]), row("d2", status="deprecated")]
    written = {}
    for name, tool in tools.items():
        repo.write(NAME, json.dumps(plain(*rows, items=items)))
        assert tool("decision-index", "migrate", *MEMORY, "--apply").code == 0
        written[name] = repo.read(NAME)
    assert written["ours"] == written["other"]


def test_what_comes_out_of_git_loads_there_and_says_the_same(repo, tools):
    write_adrs(repo)
    for step in STEPS:
        tools["other"](*step)
    repo.write("docs/adr/ADR-9-x.md", strict(5, "By another name", scope="other"))
    ours = tools["ours"]
    assert ours("decision-index", "migrate", "--to-git", "--apply").code == 0
    assert ours("adr", "import", "docs/adr", "--apply").code == 0
    assert ours("decision", "deprecate", "d2").code == 0
    assert ours("decision-index", "export").code == 0
    listed = same(tools, "list_decisions", *MEMORY)
    assert "[ADR-005] By another name" in listed.out
    assert "[d2]" not in listed.out
    assert "Already migrated" in same(tools, "decision-index", "migrate", *MEMORY).out
    assert tools["other"]("add_decision", *MEMORY, "--id", "d7", "--decision", "From there").code == 0
    assert ours("decision-index", "migrate", "--to-git", "--apply").code == 0
    assert "[d7] From there" in ours("list_decisions").out


def test_a_copy_of_a_git_store_elsewhere_loads_there(repo, tools):
    write_adrs(repo)
    tools["ours"]("init", "--yes")
    tools["ours"]("adr", "import", "docs/adr", "--apply")
    assert tools["ours"]("decision-index", "export", "out/copy.json").code == 0
    listed = tools["other"]("list_decisions", "--memory", "out/copy.json")
    assert listed.code == 0, listed.err
    assert listed.out == tools["ours"]("list_decisions", "--memory", "out/copy.json").out
