"""The commands of authority: exact texts, exit codes, JSON."""

import json
import subprocess
import sys

import pytest

from tests.support.index import CACHE_DECISION, CACHE_ID, make_place
from tests.support.inside import run

NOTE = "Note: acceptance materializes an active decision; it does not activate protection or assign an Audit tier.\n"
STORE = ".mneme/decision_proposals.json"


@pytest.fixture(params=["git", "file"])
def place(request, repo, monkeypatch):
    made = make_place(repo, request.param)
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def in_file(repo, monkeypatch):
    made = make_place(repo, "file")
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def in_git(repo, monkeypatch):
    made = make_place(repo, "git")
    monkeypatch.chdir(made.folder)
    return made


def test_a_proposal_goes_from_the_list_to_a_decision(place):
    place.propose()
    assert run("decision", "proposals").out == (
        f"[proposed] {CACHE_ID}  Cache\n    producer: arch-bot (agent)\n    source: docs/plan.md#3\n"
    )
    ran = run("decision", "accept", CACHE_ID)
    assert (ran.code, ran.out) == (
        0,
        f"Accepted proposal {CACHE_ID}\nDecision: {CACHE_DECISION}\nMaterialized: yes\nVerified: yes\n\n{NOTE}",
    )
    assert f"[{CACHE_DECISION}] Cache in Redis" in run("list_decisions").out
    assert run("decision", "accept", CACHE_ID).out.startswith(f"Already accepted: {CACHE_ID}\n")
    assert "Materialized: no\n" in run("decision", "accept", CACHE_ID).out
    listed = run("decision", "proposals").out
    assert listed.startswith("[accepted]")
    assert listed.endswith(f"    decision: {CACHE_DECISION}\n")
    ran = run("decision", "reject", CACHE_ID)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        f"ERROR: proposal '{CACHE_ID}' is accepted; rejecting an accepted proposal fails closed (terminal in D2C1)\n"
    )


def test_a_rejection_is_told_once_as_new(place):
    place.propose()
    assert run("decision", "reject", CACHE_ID, "--reason", "no").out == f"Rejected proposal {CACHE_ID}\n"
    ran = run("decision", "reject", CACHE_ID)
    assert (ran.code, ran.out) == (0, f"Already rejected: {CACHE_ID}\n")
    assert run("decision", "accept", CACHE_ID).code == 1


def test_an_id_may_be_shortened(place):
    place.propose()
    assert run("decision", "show", CACHE_ID[:12]).out.startswith(f"Proposal {CACHE_ID}\n")
    assert run("decision", "accept", CACHE_ID[:12], "--decision-id", "d1").code == 0


def test_show_tells_a_proposal_in_full_and_a_decision_too(place):
    place.propose()
    shown = run("decision", "show", CACHE_ID)
    assert shown.code == 0
    assert "  scope hints: cache, perf\n" in shown.out
    run("decision", "accept", CACHE_ID, "--decision-id", "use-cache")
    assert run("decision", "show", "use-cache").out.startswith("[use-cache] Cache in Redis\n")
    assert run("decision", "show", "dprop-unknown").err == "ERROR: proposal 'dprop-unknown' not found\n"


@pytest.mark.parametrize(("command", "code"), [("show", 2), ("accept", 1), ("reject", 1)])
def test_an_unknown_proposal_is_not_found(in_file, command, code):
    in_file.propose()
    ran = run("decision", command, "x")
    assert (ran.code, ran.out, ran.err) == (code, "", "ERROR: proposal 'x' not found\n")


@pytest.mark.parametrize(
    "command", [["proposals"], ["show", "dprop-x"], ["accept", "dprop-x"], ["reject", "dprop-x"]]
)
def test_a_missing_proposal_file_is_told_by_every_command(in_file, command):
    ran = run("decision", *command)
    assert (ran.code, ran.out, ran.err) == (2, "", f"ERROR: proposal store {STORE} does not exist\n")
    ran = run("decision", *command, "--proposals", "")
    assert (ran.code, ran.err) == (
        2,
        (
            "ERROR: --proposals requires a path to an existing decision-proposals file (default: "
            f"{STORE}); an authority command never switches to an in-memory store\n"
        ),
    )


@pytest.mark.parametrize("command", [["proposals"], ["show", "x"], ["accept", "x"], ["reject", "x"]])
def test_a_corrupt_proposal_file_is_told_by_every_command(in_file, command):
    in_file.repo.write(STORE, "[]")
    ran = run("decision", *command)
    assert (ran.code, ran.out, ran.err) == (
        2,
        "",
        (
            f"ERROR: proposal store {STORE} is unreadable or corrupt: {STORE} is not a "
            "mneme.decision-proposals/v1 decision-proposals document\n"
        ),
    )


def test_the_proposal_file_may_be_named(in_file):
    in_file.propose()
    (in_file.folder / STORE).rename(in_file.folder / "other.json")
    assert run("decision", "proposals").code == 2
    assert "[proposed]" in run("decision", "proposals", "--proposals", "other.json").out
    assert run("decision", "show", CACHE_ID, "--proposals", "other.json").code == 0
    assert run("decision", "reject", CACHE_ID, "--proposals", "other.json").code == 0


def test_a_store_in_a_folder_above_is_found_with_its_proposals(in_file, monkeypatch):
    in_file.propose()
    (in_file.folder / "src").mkdir()
    monkeypatch.chdir(in_file.folder / "src")
    assert "[proposed]" in run("decision", "proposals").out
    assert run("decision", "accept", CACHE_ID).code == 0


def test_the_reading_commands_take_a_revision(in_git):
    in_git.propose()
    before = in_git.repo.commit_all("proposed")
    run("decision", "reject", CACHE_ID)
    in_git.repo.commit_all("rejected")
    assert run("decision", "proposals").out.startswith("[rejected]")
    assert run("decision", "proposals", "--at", before).out.startswith("[proposed]")
    assert "  status: proposed\n" in run("decision", "show", CACHE_ID, "--at", before).out


def test_no_proposals_in_a_git_store_are_no_error(in_git):
    assert run("decision", "proposals").out == "(no proposals)\n"


def test_json_has_a_code_for_what_happened(place):
    place.propose()
    assert [row["proposal_id"] for row in run("decision", "proposals", "--json").json["proposals"]] == [
        CACHE_ID
    ]
    assert run("decision", "show", CACHE_ID, "--json").json["proposal_status"] == "proposed"
    first = run("decision", "accept", CACHE_ID, "--decision-id", "d1", "--json").json
    assert (first["code"], first["decision_id"], first["materialized"]) == ("ACCEPTED", "d1", True)
    assert run("decision", "accept", CACHE_ID, "--json").json["code"] == "ALREADY_ACCEPTED"
    other = place.propose(title="Other")
    assert run("decision", "reject", other, "--json").json["code"] == "REJECTED"
    assert run("decision", "reject", other, "--json").json["code"] == "ALREADY_REJECTED"


def test_a_forged_proposal_is_pointed_out_where_it_is_shown(in_file):
    in_file.propose()
    stored = json.loads(in_file.repo.read(STORE))
    stored["proposals"][0]["candidate"]["title"] = "Another"
    in_file.repo.write(STORE, json.dumps(stored))
    for command in (["proposals"], ["show", CACHE_ID]):
        ran = run("decision", *command)
        assert ran.code == 0
        assert ran.err.startswith(f"WARN  FORGED_PROPOSAL {CACHE_ID} is not what its content says")


def test_a_verdict_needs_no_server_and_no_heavy_library():
    code = "import mneme_git.cli.main, sys; sys.exit(bool({'mcp', 'pydantic', 'pygit2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
