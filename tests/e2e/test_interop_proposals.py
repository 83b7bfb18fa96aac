"""Proposals and verdicts in files that another implementation of the format reads and writes too.

Run with MNEME_INTEROP_TOOL=/path/to/its/mneme; skipped without it.
"""

import json
import os
import re
import subprocess

import pytest

from tests.support.index import CACHE_DECISION, CACHE_ID, make_place

OTHER = os.environ.get("MNEME_INTEROP_TOOL", "")
STAMP = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ")
STORE, MEMORY = ".mneme/decision_proposals.json", ".mneme/project_memory.json"

pytestmark = pytest.mark.skipif(not OTHER, reason="MNEME_INTEROP_TOOL names no other tool")


@pytest.fixture
def place(repo):
    made = make_place(repo, "file")
    made.propose(title="Größe", architecture_context={"z": "1", "a": "日本語"})
    made.propose()
    return made


def other(place, *args):
    done = subprocess.run([OTHER, *args], cwd=place.folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def ours(place, *args):
    ran = place.repo.mneme(*args)
    return ran.code, ran.out, ran.err


def state(place):
    """Return the bytes of both files, whatever the time."""
    return tuple(STAMP.sub("T", place.repo.read(name).decode()) for name in (STORE, MEMORY))


def test_both_show_the_same(place):
    for command in (["proposals"], ["show", CACHE_ID], ["show", "dprop-none"]):
        assert ours(place, "decision", *command) == other(place, "decision", *command)


@pytest.mark.parametrize(
    "command", [["accept", CACHE_ID], ["accept", CACHE_ID, "--decision-id", "d1"], ["reject", CACHE_ID]]
)
def test_both_write_the_same_and_take_what_the_other_wrote(place, command):
    before = {name: place.repo.read(name) for name in (STORE, MEMORY)}
    said, left = ours(place, "decision", *command), state(place)
    again = other(place, "decision", *command)
    assert again[0] == 0
    assert again[1].startswith("Already ")
    for name, data in before.items():
        place.repo.write(name, data)
    assert other(place, "decision", *command) == said
    assert state(place) == left
    assert ours(place, "decision", *command) == again


def test_a_decision_made_by_the_other_is_read_here(place):
    assert other(place, "decision", "accept", CACHE_ID)[0] == 0
    assert ours(place, "list_decisions", "--memory", MEMORY) == other(
        place, "list_decisions", "--memory", MEMORY
    )
    row = json.loads(place.repo.read(STORE))["proposals"][1]
    assert row["accepted_decision_id"] == CACHE_DECISION
