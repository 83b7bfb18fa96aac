"""The memory tools as an agent meets them: arguments, answers and errors, over the server itself."""

import json

import pytest

from mneme_git.memories.record import Draft, checked, memory_of, name_of
from mneme_git.model.memory import MemoryKind
from mneme_git.store.instants import utc_text
from tests.support.gitrepo import GitRepo
from tests.support.mcp_client import McpClient

DAY = 86_400
HOSTILE = 'x\nFORGED line\tend\x1b[2J\u202e\r\x00"}]'
BODIES = [
    "\n\n blank lines at the ends \n\n\n",
    "\r\nCR LF\rlone CR\n\r",
    "cafe\u0301 \u0041\u030a caf\u00e9 👩‍👩‍👧 🏳️‍🌈 顧客管理 \u200fעברית\u2028\u2029\x85",
    "---\ntitle: x\n---\nbody\n...\n",
    "<<<<<<< HEAD\na\n||||||| base\n=======\nb\n>>>>>>> theirs\n",
    "nul \x00 bell \x07 escape \x1b[31m delete \x7f",
    '{"json": "\\u0000", "and": [1, 2]}\\',
    "Mneme-Pending: record 3e886b4301e91a178d0c36c350f2975f\n-\n--flag\n# comment",
    " \t x \u00a0",
    "x" * 16_000,
    "😀" * 16_000,
]


# What the existing engine got wrong, by what its behaviour scripts are called.


def test_recall_filters(tools):
    tools("record_memory", kind="decision", body="alpha one", tags=["db"], files=["src/a.py"])
    tools("record_memory", kind="todo", body="alpha two", tags=["ui"], files=["src/b.py"])
    assert tools.bodies(query="alpha", kind="todo") == ["alpha two"]
    assert tools.bodies(query="alpha", tags=["db"]) == ["alpha one"]
    assert tools.bodies(query="alpha", files=["src/b.py"]) == ["alpha two"]
    assert tools.bodies(tags=["nope", "db"]) == ["alpha one"]
    assert tools.bodies(tags=["d"]) == tools.bodies(tags=["dbx"]) == []
    assert sorted(tools.bodies(files=["src"])) == ["alpha one", "alpha two"]
    assert tools.bodies(query="alpha", identifiers=["f"]) == []


def test_recall_no_match(tools):
    tools("record_memory", kind="decision", body="alpha one")
    tools("record_memory", kind="decision", body="beta", scope="global")
    assert tools.bodies(query="zzzunknown") == []
    assert tools.bodies(query="alpha") == ["alpha one"]
    counts = {row["body"]: row["recall_count"] for row in tools("list_memories")["memories"]}
    assert counts == {"alpha one": 1, "beta": 0}


def test_global_counters(tools):
    tools("record_memory", kind="todo", body="projectrow")
    tools("record_memory", kind="decision", body="deltaglobal", scope="global")
    tools("recall_memory", query="deltaglobal", scope="global")
    rows = {row["scope"]: row for row in tools("list_memories")["memories"]}
    assert (rows["global"]["recall_count"], rows["project"]["recall_count"]) == (1, 0)
    assert rows["global"]["last_recalled_at"] == tools.clock.at * 1000
    assert rows["project"]["last_recalled_at"] is None


def test_forget_global(tools):
    number = tools("record_memory", kind="decision", body="globalfact", scope="global")["id"]
    done = tools("forget", id=number)
    assert (done["ok"], done["forgotten_id"], done["scope"]) == (True, number, "global")
    assert tools.bodies(query="globalfact") == []


def test_promote_twice(tools):
    tools("record_memory", kind="decision", body="promoteme")
    first, again = tools("promote_memory", id=1), tools("promote_memory", id=1)
    keys = ("globalId", "originalId")
    assert [first[key] for key in keys] == [again[key] for key in keys] == [2, 1]
    assert len(tools("list_memories", scope="global")["memories"]) == 1
    assert "already global" in tools.refused("promote_memory", id=2)
    tools("forget", id=1)
    assert "forgotten" in tools.refused("promote_memory", id=1)


def test_search_projects(repo, tools, serve, tmp_path):
    other = GitRepo.create(tmp_path / "other")
    theirs = serve(other.path)
    for body in ("zeta once", "zeta zeta zeta", "nothing of it"):
        theirs("record_memory", kind="decision", body=body, files=["a.py"])
    tools("record_memory", kind="decision", body="zeta everywhere", scope="global")
    tools("record_memory", kind="decision", body="zeta of this project")
    off = tools("search_projects", query="zeta")
    assert off["matches"] == []
    assert "mneme.crossProject" in off["info"]

    repo.git("config", "mneme.crossProject", "true")  # a repository may not widen its own reach
    repo.git("config", "mneme.crossProjectAllow", str(other.path))
    assert tools("search_projects", query="zeta")["matches"] == []
    repo.git("config", "--global", "mneme.crossProject", "true")
    assert [row["body"] for row in tools("search_projects", query="zeta")["matches"]] == ["zeta everywhere"]
    repo.git("config", "--global", "mneme.crossProjectAllow", str(other.path))
    repo.git("config", "--global", "--add", "mneme.crossProjectAllow", str(tmp_path / "gone"))
    found = tools("search_projects", query="zeta")
    assert found["matches"][0]["body"] == "zeta zeta zeta"
    assert {row["body"] for row in found["matches"]} == {"zeta zeta zeta", "zeta once", "zeta everywhere"}
    assert {row["project_hash"] == "global" for row in found["matches"]} == {True, False}
    assert all(row["source_db"] for row in found["matches"])
    assert found["matches"][0]["files"] == ["a.py"]
    assert [row["project"] for row in found["skipped"]] == [str(tmp_path / "gone")]
    assert not (tmp_path / "gone").exists()
    assert len(tools("search_projects", query="zeta", limit=1)["matches"]) == 1


def test_worktree_shares_memory_and_moved_repo(repo, serve, tmp_path):
    first = serve(repo.path)
    number = first("record_memory", kind="decision", body="sharedfact")["id"]
    first.close()
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"))
    seen = serve(tmp_path / "wt")("recall_memory", query="sharedfact")["matches"]
    assert [(row["id"], row["body"]) for row in seen] == [(number, "sharedfact")]
    repo.path.rename(tmp_path / "moved")
    assert serve(tmp_path / "moved").bodies(query="sharedfact") == ["sharedfact"]


def test_bodies_come_back_character_for_character(tools):
    names = {}
    for body in BODIES:
        tools.clock.at += 1
        names[tools("record_memory", kind="learning", body=body)["name"]] = body
    assert tools.bodies(limit=100) == BODIES[::-1]
    assert {row["name"]: row["body"] for row in tools("list_memories")["memories"]} == names
    for name, body in names.items():
        assert tools("record_memory", kind="learning", body=body)["existing"] is True, name


def test_hostile_values_in_every_field_are_kept_and_found(tools):
    many = [f"{HOSTILE}{number}"[-256:].replace("\0", "") for number in range(64)]
    made = tools(
        "record_memory", kind="todo", body=HOSTILE, task=HOSTILE, files=many, identifiers=many, tags=many
    )
    (row,) = tools("recall_memory", query=HOSTILE, tags=[many[63]], files=[many[0]], identifiers=[many[1]])[
        "matches"
    ]
    assert (row["body"], row["task"]) == (HOSTILE, HOSTILE)
    assert row["files"] == row["identifiers"] == row["tags"] == many
    assert tools("forget", id=made["name"])["ok"] is True


def test_a_memory_is_called_by_number_name_or_the_beginning_of_it(tools):
    rows = [tools("record_memory", kind="todo", body=f"memory {number}") for number in range(4)]
    name = rows[0]["name"]
    assert rows[0]["short"] == name[:8]
    for given, row in zip((1, "2", rows[2]["name"][:9].upper(), rows[3]["name"]), rows, strict=True):
        done = tools("forget", id=given)
        assert (done["forgotten_id"], done["name"]) == (row["id"], row["name"])


def test_a_beginning_that_several_have_is_refused_with_what_they_are_called(tools):
    def name(number):
        draft = checked(Draft(kind=MemoryKind.TODO, body=f"memory {number}"))
        at = utc_text(tools.clock.at)
        return name_of(memory_of(draft, created_at=at, author="Ada <ada@example.org>", branch="main"))

    seen = {}
    for number in range(100_000):
        other = seen.setdefault(name(number)[:4], number)
        if other != number and not name(number)[:4].isdigit():
            break
    rows = [tools("record_memory", kind="todo", body=f"memory {which}") for which in (other, number)]
    assert [row["name"] for row in rows] == [name(other), name(number)]
    told = tools.refused("forget", id=rows[0]["name"][:4])
    assert all(row["short"] in told for row in rows)
    assert tools("forget", id=rows[0]["short"])["name"] == rows[0]["name"]


def test_pages_of_both_scopes_do_not_overlap_and_end(tools):
    for number in range(7):
        tools.clock.at += number % 2  # some are of the same second
        tools(
            "record_memory", kind="todo", body=f"{number}", scope="global" if number % 3 == 0 else "project"
        )
    pages = [tools("list_memories", limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    rows = [row for page in pages for row in page["memories"]]
    assert sorted(row["body"] for row in rows) == [str(number) for number in range(7)]
    times = [row["created_at"] for row in rows]
    assert times == sorted(times, reverse=True)
    assert [page.get("truncated", False) for page in pages] == [True, True, False, False]
    assert tools("list_memories", limit=100)["memories"] == rows


def test_what_is_replaced_is_named_and_comes_back_with_the_new_one_forgotten(tools):
    old = tools("record_memory", kind="decision", body="ten connections")
    new = tools("record_memory", kind="decision", body="twenty connections", supersedes=[old["short"]])
    assert tools.bodies(query="connections") == ["twenty connections"]
    rows = tools("recall_memory", query="ten connections", include_superseded=True)["matches"]
    assert {row["name"]: row["superseded_by"] for row in rows} == {old["name"]: new["id"], new["name"]: None}
    tools("forget", id=new["id"])
    assert tools.bodies(query="connections") == ["ten connections"]


def test_what_is_decided_back_again_holds_again(tools):
    first = tools("record_memory", kind="decision", body="use redis")
    second = tools("record_memory", kind="decision", body="use sqlite", supersedes=[first["id"]])
    third = tools("record_memory", kind="decision", body="use redis", supersedes=[second["id"]])
    assert third["existing"] is False
    assert tools.bodies(query="use") == ["use redis"]
    tools("record_memory", kind="decision", body="use sqlite", supersedes=[third["id"]])
    assert tools.bodies(query="use") == ["use sqlite"]


def test_a_secret_is_refused_without_being_repeated_unless_it_is_allowed(tools):
    secret = "ghp_" + "a1B2c3D4e5" * 4
    for field in ("body", "task"):
        arguments = {"kind": "todo", "body": "x", field: f"the token is {secret}"}
        told = tools.refused("record_memory", **arguments)
        assert field in told
        assert secret not in told
        assert tools("list_memories")["memories"] == []
    tools("record_memory", kind="todo", body=secret, allow_secret=True)
    assert tools.bodies() == [secret]


def test_the_budget_holds_for_the_text_of_the_whole_reply(tools):
    for number in range(9):
        tools("record_memory", kind="learning", body=f"budget {number}\n" + "filler line\n" * 60)
    for budget in (100, 300, 1000):
        reply = tools("recall_memory", query="budget", token_budget=budget)
        assert len(json.dumps(reply, ensure_ascii=False)) <= budget * 4
    assert len(tools.bodies(query="budget")) == 9


def test_collecting_through_the_tool_is_undone_by_what_it_tells(repo, tools):
    for number in range(3):
        tools("record_memory", kind="learning", body=f"old {number}")
    tools("recall_memory", query="0")
    tools.clock.at += 91 * DAY
    done = tools("gc_memory", older_than_days=90)
    assert (done["softDeleted"], len(done["names"])) == (2, 2)
    assert tools.bodies() == ["old 0"]
    assert tools("gc_memory")["softDeleted"] == 0
    for undo in done["undo"]:
        assert repo.mneme(*undo.split()[1:]).code == 0
    assert sorted(tools.bodies()) == ["old 0", "old 1", "old 2"]


def test_two_servers_of_one_repository_see_each_other_at_once(repo, serve):
    one, two = serve(repo.path), serve(repo.path)
    assert one("record_memory", kind="todo", body="from one")["id"] == 1
    assert two("record_memory", kind="todo", body="from two")["id"] == 2
    assert sorted(one.bodies()) == sorted(two.bodies()) == ["from one", "from two"]
    one("forget", id=2)
    assert two.bodies() == ["from one"]
    assert "already forgotten" in two.refused("forget", id=2)


@pytest.mark.parametrize("made", ["empty", "bare", "unborn worktree file"])
def test_a_repository_without_commits_or_without_a_work_tree_remembers(tmp_path, serve, made):
    folder = tmp_path / "r"
    folder.mkdir()
    GitRepo(folder).git("init", "-q", *(["--bare"] if made == "bare" else []))
    if made == "unborn worktree file":
        GitRepo(folder).write("a.py", "def f():\n    pass\n")
    tools = serve(folder)
    tools("record_memory", kind="todo", body="remembered", files=["a.py"], identifiers=["f"])
    assert tools.bodies(query="remembered") == ["remembered"]
    assert tools("recall_memory")["matches"][0]["place"] == "pending"
    assert tools("forget", id=1)["ok"] is True


def test_outside_of_a_repository_each_call_says_so_until_there_is_one(tmp_path, serve):
    tools = serve(tmp_path)
    for tool, arguments in (("recall_memory", {}), ("record_memory", {"kind": "todo", "body": "x"})):
        assert "not in a git repository" in tools.refused(tool, **arguments)
    GitRepo(tmp_path).git("init", "-q")
    assert tools("record_memory", kind="todo", body="now")["id"] == 1


def test_over_stdio_a_conversation_keeps_every_character(repo):
    with McpClient(repo.path, "mcp") as client:
        client.initialize()
        for body in BODIES:
            assert client.call("mneme_record_memory", kind="learning", body=body)["isError"] is False
        rows = client.call("mneme_recall_memory", limit=100)["structuredContent"]["matches"]
        assert sorted(row["body"] for row in rows) == sorted(BODIES)
        refused = client.call("mneme_record_memory", kind="todo", body=" ")
        assert refused["isError"] is True
        assert "body must not be empty" in refused["content"][0]["text"]
        assert client.call("mneme_forget", id=1)["structuredContent"]["ok"] is True
        assert client.close() == 0
