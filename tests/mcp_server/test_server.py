"""The server `mneme` as an agent meets it: a process, its stdin and its stdout."""

import json
import os
from pathlib import Path

import pytest

from tests.support.mcp_client import McpClient

CONTRACT = Path(__file__).parents[1] / "golden" / "mcp" / "mneme.json"
UPDATE = bool(os.environ.get("MNEME_UPDATE_GOLDEN"))  # no test sees it


@pytest.fixture
def project(repo):
    repo.write(
        "shop/cart.py",
        "class Cart:\n    def total(self):\n        return add(1, 2)\n\n\ndef add(a, b):\n    return a + b\n",
    )
    repo.commit_all("a cart")
    return repo


@pytest.fixture
def client(project):
    with McpClient(project.path, "mcp") as talking:
        talking.initialize()
        yield talking


def found(client, tool, **arguments):
    result = client.call(tool, **arguments)
    assert result["isError"] is False, result
    assert [json.loads(block["text"]) for block in result["content"]] == [result["structuredContent"]]
    return result["structuredContent"]


def refused(client, tool, **arguments):
    result = client.call(tool, **arguments)
    assert result["isError"] is True
    return result["content"][0]["text"]


def test_the_contract_is_the_one_that_was_reviewed(client):
    """Run with MNEME_UPDATE_GOLDEN=1 after a change that is meant."""
    tools = client.ask("tools/list")["result"]["tools"]
    text = json.dumps(tools, indent=2, ensure_ascii=False) + "\n"
    if UPDATE:
        CONTRACT.parent.mkdir(parents=True, exist_ok=True)
        CONTRACT.write_text(text, encoding="utf-8")
    assert text == CONTRACT.read_text(encoding="utf-8")


def test_the_contract_has_the_inputs_of_the_existing_engine():
    tools = {tool["name"]: tool["inputSchema"] for tool in json.loads(CONTRACT.read_text(encoding="utf-8"))}
    assert list(tools) == [
        "mneme_get_context",
        "mneme_lookup_symbol",
        "mneme_index_status",
        "mneme_callers",
        "mneme_callees",
        "mneme_record_memory",
        "mneme_recall_memory",
        "mneme_list_memories",
        "mneme_forget",
        "mneme_promote_memory",
        "mneme_gc_memory",
        "mneme_search_projects",
    ]
    context = tools["mneme_get_context"]
    assert context["required"] == ["task"]
    told = {
        name: {key: row.get(key) for key in ("maxLength", "minimum", "maximum", "default")}
        for name, row in context["properties"].items()
    }
    assert told["task"]["maxLength"] == 4000
    assert told["hint"]["maxLength"] == 2000
    assert told["token_budget"] == {"maxLength": None, "minimum": 500, "maximum": 50000, "default": 6000}
    lookup = tools["mneme_lookup_symbol"]["properties"]
    assert lookup["kind"]["enum"] == [
        "any",
        "function",
        "class",
        "method",
        "interface",
        "type",
        "enum",
        "const",
    ]
    for name in ("mneme_callers", "mneme_callees"):
        hops = tools[name]["properties"]["hops"]
        assert (hops["minimum"], hops["maximum"], hops["default"]) == (1, 5, 2)


def test_a_symbol_is_found_where_it_is_now(project, client):
    first = found(client, "mneme_lookup_symbol", name="add")["matches"]
    assert [(row["name"], row["kind"], row["file"], row["lines"]) for row in first] == [
        ("add", "function", "shop/cart.py", [6, 7])
    ]
    project.write("shop/cart.py", "\n\ndef add(a, b):\n    return a + b\n")
    again = found(client, "mneme_lookup_symbol", name="ADD")["matches"]
    assert [row["lines"] for row in again] == [[3, 4]]
    (project.path / "shop/cart.py").unlink()
    assert found(client, "mneme_lookup_symbol", name="add")["matches"] == []


def test_the_status_names_what_is_not_read(project, client):
    project.write("node_modules/x.js", "x\n")
    project.write("link.py", "x\n").unlink()
    (project.path / "link.py").symlink_to("README.md")
    status = found(client, "mneme_index_status")
    assert status["counts"]["files"] == 4
    assert status["counts"]["symbols"] >= 3
    assert "python" in status["languages"]
    assert status["skipped_by_reason"] == {"symbolic link": 1, "untracked, in node_modules": 1}
    assert status["project_root"] == str(project.path)
    assert len(status["project_hash"]) == 16
    assert status["merkle_root"] == status["tree"]


def test_arguments_outside_of_the_schema_are_refused_with_the_limit(client):
    assert "500" in refused(client, "mneme_get_context", task="x", token_budget=10)
    assert "50000" in refused(client, "mneme_get_context", task="x", token_budget=50_001)
    assert "integer" in refused(client, "mneme_get_context", task="x", token_budget="abc")
    assert "task" in refused(client, "mneme_get_context")
    assert "4000" in refused(client, "mneme_get_context", task="x" * 4001)
    assert "256" in refused(client, "mneme_lookup_symbol", name="x" * 257)
    assert "function" in refused(client, "mneme_lookup_symbol", name="x", kind="banana")
    for tool in ("mneme_callers", "mneme_callees"):
        assert "5" in refused(client, tool, symbol="x", hops=99)
        assert "symbol" in refused(client, tool)


def test_a_name_that_is_no_text_can_be_told(project, client):
    (project.path / os.fsdecode(b"odd\xff.py")).write_bytes(b"def odd_one():\n    pass\n")
    rows = found(client, "mneme_lookup_symbol", name="odd_one")["matches"]
    assert [row["file"] for row in rows] == ["odd\\xff.py"]


def test_the_project_is_the_one_that_the_environment_names(project, tmp_path):
    with McpClient(tmp_path, "mcp", MNEME_PROJECT_ROOT=str(project.path / "shop")) as talking:
        talking.initialize()
        rows = found(talking, "mneme_lookup_symbol", name="Cart")["matches"]
        assert [row["file"] for row in rows] == ["shop/cart.py"]


def test_where_there_is_no_repository_every_call_says_so_until_there_is_one(tmp_path):
    with McpClient(tmp_path, "mcp") as talking:
        talking.initialize()
        assert "not in a git repository" in refused(talking, "mneme_index_status")
        import subprocess

        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        assert found(talking, "mneme_index_status")["counts"]["files"] == 0


def test_calls_sent_at_once_are_all_answered(project, client):
    for number in range(100, 108):
        request = {"name": "mneme_lookup_symbol", "arguments": {"name": "add"}}
        client.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": request}))
    answers = {}
    while len(answers) < 8:
        line = json.loads(client.process.stdout.readline())
        answers[line["id"]] = line["result"]["structuredContent"]["matches"][0]["lines"]
    assert answers == {key: [6, 7] for key in range(100, 108)}


def test_a_context_within_the_budget_begins_the_same_at_every_call(project, client):
    texts = []
    for _ in range(2):
        result = client.call("mneme_get_context", task="the total of a cart", token_budget=600)
        texts.append(result["content"][0]["text"])
        assert len(texts[-1]) / 4 <= result["structuredContent"]["token_estimate"] <= 600
    ends = [text.index('"project_hash"') for text in texts]
    assert texts[0][: ends[0]] == texts[1][: ends[1]]
    reply = result["structuredContent"]
    assert [row["name"] for row in reply["symbols"]][:1] == ["total"]
    assert reply["fallback_reason"] == "no-discovery-model-configured"
    assert reply["validated"] == {"changed": False, "dirty": 0, "removed": 0}
    assert len(reply["symbols"]) == len(reply["snippets"])


def test_what_changed_before_a_call_is_told_at_its_end(project, client):
    found(client, "mneme_index_status")
    project.write("new.py", "def one_more_total():\n    pass\n")
    (project.path / "README.md").unlink()
    reply = found(client, "mneme_get_context", task="total")
    assert reply["validated"] == {"changed": True, "dirty": 1, "removed": 1}


def test_callers_and_callees_follow_real_calls(project, client):
    callers = found(client, "mneme_callers", symbol="add", hops=1)["results"]
    assert [(row["name"], row["file"], row["lines"], row["path"]) for row in callers] == [
        ("total", "shop/cart.py", [2, 3], ["add", "total"])
    ]
    callees = found(client, "mneme_callees", symbol="Cart.total")["results"]
    assert [row["name"] for row in callees] == ["add"]


def test_a_branch_without_a_commit_begun_while_the_server_runs_is_answered(project, client):
    assert found(client, "mneme_lookup_symbol", name="add")["matches"]
    project.git("checkout", "-q", "--orphan", "fresh")
    assert found(client, "mneme_lookup_symbol", name="add")["matches"]
    project.git("rm", "-q", "-r", "-f", "--cached", ".")
    project.write("only.py", "def alone():\n    pass\n")
    assert found(client, "mneme_get_context", task="alone")["symbols"]
    project.git("checkout", "-q", "-f", "main")
    assert found(client, "mneme_lookup_symbol", name="Cart")["matches"]
    project.git("symbolic-ref", "HEAD", "refs/heads/none")
    assert found(client, "mneme_index_status")["counts"]["files"] >= 2


@pytest.mark.parametrize("tool", ["mneme_callers", "mneme_callees"])
def test_what_is_not_known_is_said_with_the_tool_that_helps(client, tool):
    told = refused(client, tool, symbol="Cart.totl")
    assert "no symbol matches 'Cart.totl'" in told
    assert "perhaps Cart.total; mneme_lookup_symbol" in told
    told = refused(client, tool, symbol="add", file="shop/crt.py")
    assert "no file of the index matches 'shop/crt.py'. perhaps shop/cart.py" in told
    assert found(client, tool, symbol="Cart", file="cart.py")["results"] is not None
    assert found(client, "mneme_callers", symbol="Cart") == {"results": []}


def test_long_answers_are_cut_and_say_so(project, client):
    project.write(
        "more.py", "from shop.cart import add\n" + "".join(f"def f{n}(): add()\n" for n in range(120))
    )
    reply = found(client, "mneme_callers", symbol="add", hops=1)
    assert (len(reply["results"]), reply["truncated"], reply["total"]) == (100, True, 121)
    assert found(client, "mneme_lookup_symbol", name="f", limit=5)["truncated"] is True


def test_a_mistake_in_the_arguments_is_told_in_words_that_correct_it(client):
    told = refused(client, "mneme_get_context", task="x", budget=600)
    assert "no argument 'budget', perhaps 'token_budget' is meant" in told
    told = refused(client, "mneme_lookup_symbol", symbol="x")
    assert "no argument 'symbol'" in told
    assert "there are name, kind, limit" in told
    assert "'name' is required" in told
    assert "no argument 'x'; there are none" in refused(client, "mneme_index_status", x=1)
    for value in ("600", 600.5, True, None, [600]):
        assert "'token_budget' must be an integer" in refused(
            client, "mneme_get_context", task="x", token_budget=value
        )
    assert "'use_discovery_model' must be true or false" in refused(
        client, "mneme_get_context", task="x", use_discovery_model="yes"
    )
    for arguments in ({"task": 5}, {"task": ""}, {"task": "x", "token_budget": 10}, {}):
        told = refused(client, "mneme_get_context", **arguments)
        assert "pydantic" not in told
        assert "http" not in told
        assert "Arguments" not in told
    assert "The tools are mneme_get_context" in refused(client, "mneme_nothing")


def test_no_hint_of_a_tool_names_an_option_of_a_command(project, tmp_path):
    project.git("clone", "-q", "--bare", str(project.path), str(tmp_path / "bare"))
    empty = tmp_path / "empty"
    empty.mkdir()
    for folder, said in ((tmp_path / "bare", "bare repository"), (empty, "not in a git repository")):
        with McpClient(folder, "mcp") as talking:
            talking.initialize()
            told = refused(talking, "mneme_lookup_symbol", name="x")
            assert said in told
            assert "--" not in told


def test_memories_are_recorded_recalled_and_forgotten_by_tools(project, client):
    done = found(
        client, "mneme_record_memory", kind="gotcha", body="add is not commutative\n", files=["shop/cart.py"]
    )
    assert (done["id"], done["scope"], done["existing"]) == (1, "project", False)
    assert found(
        client, "mneme_record_memory", kind="gotcha", body="add is not commutative\n", files=["shop/cart.py"]
    )["existing"]
    (row,) = found(client, "mneme_recall_memory", query="commutative")["matches"]
    assert (row["body"], row["place"], row["stale"]) == ("add is not commutative\n", "pending", None)
    assert list(row)[:3] == ["id", "name", "short"]
    (row,) = found(client, "mneme_list_memories")["memories"]
    assert row["recall_count"] == 1
    assert found(client, "mneme_forget", id=done["name"][:10])["forgotten_id"] == 1
    assert "Memory id 1 not found or already forgotten" in refused(client, "mneme_forget", id=1)
    assert found(client, "mneme_recall_memory")["matches"] == []
    assert found(client, "mneme_search_projects", query="x")["matches"] == []
    assert "0 days" in refused(client, "mneme_gc_memory")


def test_memory_arguments_outside_of_the_schema_are_refused_with_the_limit(client):
    assert "'decision'" in refused(client, "mneme_record_memory", kind="banana", body="x")
    assert "'body' is required" in refused(client, "mneme_record_memory", kind="todo")
    assert "body must not be empty" in refused(client, "mneme_record_memory", kind="todo", body="  ")
    assert "16000" in refused(client, "mneme_record_memory", kind="todo", body="x" * 16_001)
    assert "'tags' must be an array" in refused(
        client, "mneme_record_memory", kind="todo", body="x", tags="db"
    )
    assert "256" in refused(client, "mneme_record_memory", kind="todo", body="x", tags=["x" * 257])
    assert "at most 64 items" in refused(
        client, "mneme_record_memory", kind="todo", body="x", files=["x"] * 65
    )
    assert "perhaps 'query'" in refused(client, "mneme_recall_memory", querry="x")
    assert refused(client, "mneme_forget", id=1.5) == "mneme_forget: 'id' must be an integer or a string"
    assert "at least 1" in refused(client, "mneme_gc_memory", older_than_days=0)
    assert "at least 1" in refused(client, "mneme_list_memories", limit=-1)
    assert found(client, "mneme_list_memories")["memories"] == []


def test_a_memory_that_no_longer_holds_is_named_by_number_or_name(client):
    first = found(client, "mneme_record_memory", kind="decision", body="ten connections")
    second = found(client, "mneme_record_memory", kind="decision", body="twenty", supersedes=[first["id"]])
    found(client, "mneme_record_memory", kind="decision", body="thirty", supersedes=[second["name"]])
    assert [row["body"] for row in found(client, "mneme_recall_memory")["matches"]] == ["thirty"]
    rows = found(client, "mneme_recall_memory", include_superseded=True)["matches"]
    assert {row["body"]: row["superseded_by"] for row in rows} == {
        "ten connections": 2,
        "twenty": 3,
        "thirty": None,
    }
    told = refused(client, "mneme_record_memory", kind="todo", body="x", supersedes=["nothing"])
    assert "no id of a memory" in told


@pytest.mark.parametrize("half", ["\ud83d", "\ude00 x", "\ude00\ud83d"])
def test_half_of_a_pair_is_refused_and_the_next_call_is_answered(client, half):
    text = refused(client, "mneme_record_memory", kind="todo", body=f"cut {half}", tags=["whole"])
    assert text == "'body' is not valid Unicode: it holds half of a pair"
    assert "'files' is not" in refused(client, "mneme_recall_memory", files=[half])
    assert "the request is not" in refused(client, half)
    assert client.ask("prompts/get", {"name": half})["error"]["code"] == -32602
    assert found(client, "mneme_recall_memory")["matches"] == []
    recorded = found(client, "mneme_record_memory", kind="todo", body="whole \U0001f600 \\ud83d")
    assert found(client, "mneme_recall_memory")["matches"][0]["id"] == recorded["id"]


def test_many_calls_at_once_with_halves_among_them_all_get_whole_answers(client):
    for number in range(60):
        body = "\ud83d" if number % 2 else "x"
        arguments = {"query": body * 900}
        params = {"name": "mneme_recall_memory", "arguments": arguments}
        client.send(
            json.dumps({"jsonrpc": "2.0", "id": f"n{number}", "method": "tools/call", "params": params})
        )
    answers = [json.loads(client.process.stdout.readline()) for _ in range(60)]
    by_id = {answer["id"]: answer["result"]["isError"] for answer in answers}
    assert by_id == {f"n{number}": bool(number % 2) for number in range(60)}
