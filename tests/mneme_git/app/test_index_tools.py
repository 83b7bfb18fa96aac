"""The index tools: where they refuse to start, and what proposing stores, on both stores."""

import json
import threading

import pytest

from mneme_git.app.index_tools import start
from mneme_git.decisions.index_queries import SearchFilters
from mneme_git.errors import CorruptRecord, InvalidInput, Refused
from tests.support.index import CACHE_ID, CANDIDATE, MEMORY, PROPOSALS, SOURCE


def test_a_proposal_is_stored_with_its_time_and_enforces_nothing(place):
    answer = place.tools().propose([CANDIDATE])[0]
    assert (answer["created"], answer["reused"]) == (True, False)
    assert answer["proposal"]["proposal_id"] == CACHE_ID
    assert answer["proposal"]["proposed_at"] == "2025-02-01T12:00:00Z"
    assert place.tools().get(CACHE_ID)["proposal"] == answer["proposal"]
    assert place.desk().decisions.load().decisions == ()


def test_the_same_submission_later_gives_the_first_one_and_writes_nothing(place):
    first = place.tools().propose([CANDIDATE])[0]["proposal"]
    before = place.repo.git("status", "--porcelain", "-uall")
    again = place.tools(now=1_800_000_000).propose([CANDIDATE])[0]
    assert (again["created"], again["reused"], again["proposal"]) == (False, True, first)
    assert place.repo.git("status", "--porcelain", "-uall") == before


def test_a_batch_with_a_bad_candidate_stores_nothing(place):
    bad = [CANDIDATE, {"title": "B", "statement": "b"}]
    with pytest.raises(InvalidInput, match="proposal requires provenance"):
        place.tools().propose(bad)
    with pytest.raises(InvalidInput, match="scope_hints"):
        place.tools().propose([CANDIDATE, CANDIDATE | {"scope_hints": [""]}])
    assert place.tools().search("", SearchFilters())["proposals"] == []


def test_a_batch_shares_its_provenance(place):
    answers = place.tools().propose(
        [{"title": "A", "statement": "a"}, {"title": "B", "statement": "b"}], SOURCE
    )
    assert [answer["proposal"]["provenance"]["producer_name"] for answer in answers] == ["arch-bot"] * 2


def test_an_empty_batch_writes_nothing(place):
    before = place.repo.git("status", "--porcelain", "-uall")
    assert place.tools().propose([]) == []
    assert place.repo.git("status", "--porcelain", "-uall") == before


def test_agents_that_propose_at_once_lose_nothing(place):
    barrier = threading.Barrier(4)
    created = []

    def propose(number):
        barrier.wait()
        for round_ in range(3):
            answers = place.tools().propose([CANDIDATE | {"title": f"{number}-{round_}"}, CANDIDATE])
            created.extend(answer["proposal"]["proposal_id"] for answer in answers if answer["created"])

    threads = [threading.Thread(target=propose, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = [entry.proposal_id for entry in place.desk().book.entries()]
    assert sorted(created) == sorted(stored)
    assert len(stored) == 13


def test_in_git_a_proposal_is_a_file_that_waits_to_be_staged(in_git):
    in_git.propose()
    listed = in_git.repo.git("status", "--porcelain", "-uall", "--", ".mneme/proposals").splitlines()
    new = [line for line in listed if not line.endswith(".keep")]
    assert len(new) == 1
    assert new[0].startswith("?? .mneme/proposals/")


def test_start_refuses_where_there_is_no_index(repo, place, tmp_path):
    from mneme_git.app.workspace import Workspace, environment
    from tests.support.gitrepo import GitRepo

    start(place.workspace())
    bare = GitRepo.create(tmp_path / "bare")
    workspace = Workspace(cwd=bare.path, env=environment({}), now=lambda: 0)
    with pytest.raises(InvalidInput) as raised:
        start(workspace)
    assert (raised.value.message, raised.value.hint) == (f"memory file {MEMORY} does not exist", "")
    with pytest.raises(InvalidInput) as raised:
        start(workspace, hints=True)
    assert "mneme init" in raised.value.hint


def test_start_serves_a_store_that_lost_its_format_file(in_git):
    in_git.propose()
    (in_git.folder / ".mneme/format").unlink()
    in_git.repo.git("rm", "-q", "--cached", ".mneme/format")
    assert start(in_git.workspace()).get(CACHE_ID)["record_type"] == "proposal"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"memory": ""}, "--memory requires a project_memory.json path"),
        ({"memory": "no.json"}, "memory file no.json does not exist"),
        (
            {"adr_dir": ""},
            "--adr-dir requires a directory path; omit the option to start without ADR validation",
        ),
        ({"adr_dir": "no/adr"}, "ADR directory no/adr does not exist"),
    ],
)
def test_start_refuses_options_that_name_nothing(place, options, text):
    with pytest.raises(InvalidInput) as raised:
        start(place.workspace(), **options)
    assert raised.value.message == text


def test_start_refuses_a_broken_memory_file_and_a_broken_proposal_file(in_file):
    in_file.repo.write(PROPOSALS, "{}")
    with pytest.raises(CorruptRecord, match=r"decision_proposals\.json is unreadable or corrupt"):
        start(in_file.workspace())
    in_file.repo.write(PROPOSALS, '{"schema": "mneme.decision-proposals/v1", "proposals": []}')
    memory = in_file.memory()
    memory["decision_index"]["schema"] = "x"
    in_file.repo.write(MEMORY, json.dumps(memory))
    with pytest.raises(InvalidInput) as raised:
        start(in_file.workspace())
    assert raised.value.message == (
        f"the canonical Decision Index in {MEMORY} is invalid: decision_index schema must be "
        "'mneme.decision-index/v1'"
    )


def test_start_refuses_a_memory_file_without_an_index(in_file):
    memory = in_file.memory()
    del memory["decision_index"]
    in_file.repo.write(MEMORY, json.dumps(memory))
    with pytest.raises(Refused, match="has no authoritative decision_index section"):
        start(in_file.workspace())


def test_a_memory_file_without_a_name_can_still_be_asked(in_file):
    memory = in_file.memory()
    del memory["meta"]
    in_file.repo.write(MEMORY, json.dumps(memory))
    assert start(in_file.workspace()).get("nope")["record_type"] == "not_found"


def test_proposals_of_a_proposal_store_in_memory_leave_no_file(place):
    before = place.repo.git("status", "--porcelain", "-uall")
    tools = start(place.workspace(), proposals="")
    tools.propose([CANDIDATE])
    assert tools.get(CACHE_ID)["record_type"] == "proposal"
    assert start(place.workspace(), proposals="").get(CACHE_ID)["record_type"] == "not_found"
    assert place.repo.git("status", "--porcelain", "-uall") == before


def test_proposing_works_while_the_memory_file_is_broken(in_file):
    tools = in_file.tools()
    in_file.repo.write(MEMORY, "{")
    tools.propose([CANDIDATE])
    assert tools.get(CACHE_ID)["record_type"] == "proposal"
    with pytest.raises(Exception, match="failed validation"):
        tools.search("", SearchFilters())


ADR = """---
id: {0}
title: Use {0}
status: accepted
priority: normal
date: {1}
scope: storage
---

Because.
"""


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({"ADR-001-a.md": "no front matter"}, "ADR-001-a.md"),
        ({"ADR-001-a.md": ADR.format("ADR-001", "2025-13-01")}, "date"),
        (
            {
                "ADR-001-a.md": ADR.format("ADR-001", "2025-01-01"),
                "ADR-002-b.md": ADR.format("ADR-002", "2025-01-01"),
            },
            "ADR-001, ADR-002 contradict each other in scope 'storage'",
        ),
    ],
)
def test_start_refuses_adrs_that_are_not_sound(place, files, text):
    for name, data in files.items():
        place.repo.write(f"docs/adr/{name}", data)
    with pytest.raises(InvalidInput, match="the ADRs in docs/adr are not sound") as raised:
        start(place.workspace(), adr_dir="docs/adr")
    assert text in raised.value.message


def test_start_takes_sound_adrs_and_stores_nothing_of_them(place):
    place.repo.write("docs/adr/ADR-001-a.md", ADR.format("ADR-001", "2025-01-01"))
    tools = start(place.workspace(), adr_dir="docs/adr")
    assert tools.get("ADR-001")["record_type"] == "not_found"
