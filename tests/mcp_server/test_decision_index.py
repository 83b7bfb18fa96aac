"""The server ``mneme-decision-index`` as a client sees it."""

import json
import os
from pathlib import Path

import pytest

from tests.support.gitrepo import GitRepo
from tests.support.index import CACHE_DECISION, CACHE_ID, CANDIDATE, SOURCE, make_place
from tests.support.mcp_client import McpClient

CONTRACT = Path(__file__).parents[1] / "golden" / "mcp" / "decision_index.json"
READS = ("decision.get", "decision.search", "decision.applicable_to", "decision.trace")


@pytest.fixture(params=["git", "file"])
def place(request, repo):
    return make_place(repo, request.param)


@pytest.fixture
def client(place):
    """A conversation about the index of ``place``."""
    with McpClient(place.folder, "decision-mcp") as talking:
        talking.initialize()
        yield talking


@pytest.fixture
def git_client(repo):
    with McpClient(make_place(repo, "git").folder, "decision-mcp") as talking:
        talking.initialize()
        yield talking


def text_of(result):
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert [block["type"] for block in result["content"]] == ["text"]
    return result["content"][0]["text"]


def test_the_contract_is_the_one_that_was_reviewed(repo):
    """Run with MNEME_UPDATE_GOLDEN=1 after a change that is meant."""
    with McpClient(make_place(repo, "git").folder, "decision-mcp") as talking:
        hello = talking.initialize()
        found = {"initialize": hello, "tools": talking.ask("tools/list")["result"]["tools"]}
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("MNEME_UPDATE_GOLDEN"):
        CONTRACT.parent.mkdir(parents=True, exist_ok=True)
        CONTRACT.write_text(text, encoding="utf-8")
    assert text == CONTRACT.read_text(encoding="utf-8")


def test_the_reviewed_contract_has_the_names_and_limits_of_the_format():
    contract = json.loads(CONTRACT.read_text(encoding="utf-8"))
    assert contract["initialize"] == {
        "protocolVersion": "2025-06-18",
        "capabilities": {
            "prompts": {"listChanged": False},
            "resources": {"subscribe": False, "listChanged": False},
            "tools": {"listChanged": False},
        },
        "serverInfo": {"name": "mneme-decision-index", "version": "0.1.0"},
    }
    tools = {tool["name"]: tool for tool in contract["tools"]}
    assert list(tools) == ["decision.propose", "decision.propose_batch", *READS]
    for name, tool in tools.items():
        assert tool["annotations"] == {
            "readOnlyHint": name in READS,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        stem = name.replace(".", "_")
        assert tool["inputSchema"]["title"] == f"{stem}Arguments"
        assert tool["outputSchema"] == {
            "type": "object",
            "additionalProperties": True,
            "title": f"{stem}DictOutput",
        }
        assert tool["title"]
        assert len(tool["description"]) > 100
    candidate = tools["decision.propose"]["inputSchema"]["$defs"]["CandidateInput"]
    assert candidate["additionalProperties"] is False
    assert candidate["required"] == ["title", "statement"]
    assert "default" not in candidate["properties"]["scope_hints"]
    assert candidate["properties"]["title"]["minLength"] == 1


def test_an_agent_proposes_a_person_accepts_and_the_agent_sees_it(place, client):
    answer = client.call("decision.propose", candidate=CANDIDATE)
    assert answer["isError"] is False
    assert list(answer["structuredContent"]) == ["created", "reused", "proposal"]
    assert answer["structuredContent"]["proposal"]["proposal_id"] == CACHE_ID
    assert place.repo.mneme("decision", "accept", CACHE_ID).code == 0
    found = client.call("decision.get", record_id=CACHE_DECISION)["structuredContent"]
    assert found["canonical_decision"]["statement"] == "Cache in Redis"
    traced = client.call("decision.trace", record_id=CACHE_ID)["structuredContent"]
    assert traced["canonical_record"] == found["canonical_decision"]
    again = client.call("decision.propose", candidate=CANDIDATE)["structuredContent"]
    assert (again["created"], again["reused"], again["proposal"]["proposal_status"]) == (
        False,
        True,
        "accepted",
    )
    hits = client.call("decision.applicable_to", paths=["src/cache.py"])["structuredContent"]
    assert [row["decision_id"] for row in hits["canonical_scope_matches"]] == [CACHE_DECISION]
    assert [row["matched_hints"] for row in hits["proposal_hint_matches"]] == [["cache"]]


def test_the_text_of_an_answer_is_its_structure_as_json_with_text_as_it_is(git_client):
    result = git_client.call("decision.propose", candidate=CANDIDATE | {"title": "Größe 日本語 😀"})
    assert [block["text"] for block in result["content"]] == [
        json.dumps(result["structuredContent"], indent=2, ensure_ascii=False)
    ]


def test_a_batch_that_is_refused_stores_nothing(client):
    bare = {"title": "B", "statement": "b"}
    text = text_of(client.call("decision.propose_batch", candidates=[CANDIDATE, bare]))
    assert text == (
        "Error executing tool decision.propose_batch: proposal requires provenance: supply "
        "candidate.provenance or shared_provenance"
    )
    assert client.call("decision.search")["structuredContent"]["proposals"] == []
    answer = client.call("decision.propose_batch", candidates=[CANDIDATE, bare], shared_provenance=SOURCE)
    assert [row["created"] for row in answer["structuredContent"]["results"]] == [True, True]


SMUGGLED = [
    ({"status": "accepted"}, "candidate.status"),
    ({"rules": []}, "candidate.rules"),
    ({"title": ""}, "candidate.title"),
    ({"statement": 5}, "candidate.statement"),
    ({"provenance": SOURCE | {"extra": 1}}, "candidate.provenance.extra"),
    (
        {"provenance": SOURCE | {"origin_classification": "robot"}},
        "candidate.provenance.origin_classification",
    ),
    ({"architecture_context": {"a": 1}}, "candidate.architecture_context.a"),
]


def test_nothing_can_be_smuggled_in_with_a_candidate(git_client):
    for change, field in SMUGGLED:
        text = text_of(git_client.call("decision.propose", candidate=CANDIDATE | change))
        assert text.startswith(
            "Error executing tool decision.propose: 1 validation error for decision_proposeArguments\n"
        )
        assert field in text
    assert git_client.call("decision.search")["structuredContent"]["proposals"] == []


def test_a_broken_store_is_told_with_its_reason_until_it_is_whole_again(repo):
    place = make_place(repo, "file")
    path = place.folder / ".mneme" / "project_memory.json"
    whole = path.read_bytes()
    with McpClient(place.folder, "decision-mcp") as talking:
        talking.initialize()
        path.write_bytes(b"{")
        asked = {"record_id": "x"}
        for tool, arguments in (
            ("decision.get", asked),
            ("decision.trace", asked),
            ("decision.applicable_to", {"context": ["x"]}),
            ("decision.search", {}),
        ):
            text = text_of(talking.call(tool, **arguments))
            assert text.startswith(
                f"Error executing tool {tool}: memory file .mneme/project_memory.json failed"
            )
        assert talking.call("decision.propose", candidate=CANDIDATE)["isError"] is False
        path.write_bytes(whole)
        assert talking.call("decision.get", **asked)["structuredContent"]["record_type"] == "not_found"


def test_a_contested_decision_is_told_with_the_way_out(repo):
    place = make_place(repo, "git")
    place.propose()
    base = repo.commit_all("proposed")
    repo.mneme("decision", "accept", CACHE_ID, "--decision-id", "d1")
    repo.commit_all("accepted here")
    repo.git("switch", "-q", "-c", "other", base)
    repo.mneme("add_decision", "--id", "d1", "--decision", "Something else")
    repo.commit_all("added there")
    assert repo.try_git("merge", "main").code != 0
    with McpClient(place.folder, "decision-mcp") as talking:
        talking.initialize()
        text = text_of(talking.call("decision.get", record_id="d1"))
        assert "contested" in text
        assert "mneme decision resolve d1" in text
        rows = talking.call("decision.search")["structuredContent"]["canonical_decisions"]
        assert {row["statement"] for row in rows} == {"Cache in Redis", "Something else"}


def test_an_unknown_tool_and_an_unknown_method_are_told(git_client):
    assert text_of(git_client.call("decision.nope")) == "Unknown tool: decision.nope"
    error = git_client.ask("foo/bar", {})["error"]
    assert (error["code"], error["message"]) == (-32601, "Method not found")


def test_a_malformed_line_is_passed_over(git_client):
    git_client.send("this is no JSON")
    assert git_client.ask("ping")["result"] == {}


def test_the_server_ends_with_its_input(client):
    client.call("decision.search")
    assert client.close() == 0
    assert client.process.stderr.read() == ""


def test_the_server_ends_quietly_when_the_client_is_gone(repo):
    with McpClient(make_place(repo, "git").folder, "decision-mcp") as talking:
        talking.initialize()
        talking.process.stdout.close()
        talking.send('{"jsonrpc": "2.0", "id": 9, "method": "ping"}')
        talking.process.stdin.close()
        assert talking.process.wait(20) == 0
        assert "Traceback" not in talking.process.stderr.read()


def test_stray_output_of_ours_and_of_programs_we_start_stays_off_the_wire(repo, monkeypatch):
    """A wrapper around the use cases prints and runs a program that prints and reads its input."""
    place = make_place(repo, "git")
    noisy = place.folder / "noisy"
    noisy.mkdir()
    (noisy / "sitecustomize.py").write_text(
        "import subprocess\n"
        "from mneme_git.app import index_tools\n"
        "plain = index_tools.IndexTools.get\n"
        "def get(self, record_id):\n"
        "    print('stray')\n"
        "    subprocess.run(['sh', '-c', 'echo stray; cat'], check=True)\n"
        "    return plain(self, record_id)\n"
        "index_tools.IndexTools.get = get\n"
    )
    with McpClient(place.folder, "decision-mcp", PYTHONPATH=str(noisy)) as talking:
        talking.initialize()
        for _ in range(2):
            answer = talking.call("decision.get", record_id="x")
            assert answer["structuredContent"]["record_type"] == "not_found"
        assert talking.close() == 0
        assert talking.process.stderr.read().count("stray") == 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--memory", "no.json"], "ERROR: memory file no.json does not exist\n"),
        (["--memory", ""], "ERROR: --memory requires a project_memory.json path\n"),
        (["--adr-dir", "no"], "ERROR: ADR directory no does not exist\n"),
    ],
)
def test_a_server_that_cannot_serve_says_why_and_ends(repo, options, text):
    place = make_place(repo, "file")
    ran = place.repo.mneme("decision-mcp", *options, stdin="")
    assert (ran.code, ran.out, ran.err) == (2, "", text)


def test_a_repository_without_an_index_is_not_served(tmp_path):
    ran = GitRepo.create(tmp_path / "bare").mneme("decision-mcp", stdin="")
    assert (ran.code, ran.err) == (2, "ERROR: memory file .mneme/project_memory.json does not exist\n")
