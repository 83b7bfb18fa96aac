"""Memories through the doors: the tools of an agent and the commands of a person.

The first part are the behaviour scripts of the existing engine's faults; the second what its own tests
ask of memories, or more.
"""

import json

import pytest

from mneme_git.app.memories import Question
from mneme_git.app.memories_tools import MemoriesTools
from mneme_git.app.workspace import Environment, Workspace
from mneme_git.errors import AmbiguousId, CountersTooYoung, InvalidInput, Refused, UserError
from mneme_git.memories.record import Draft
from mneme_git.model.memory import MemoryKind, MemoryScope
from tests.support.gitrepo import GitRepo

DAY = 86_400


class Clock:
    def __init__(self):
        self.at = 1_700_000_000

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


class Agent:
    """The tools as a server has them, in the words of a script."""

    def __init__(self, path, clock):
        self.tools = MemoriesTools(Workspace(cwd=path, env=Environment(), now=clock))

    def record(self, kind, body, *, scope="project", supersedes=(), allow_secret=False, **lists):
        draft = Draft(
            kind=MemoryKind(kind),
            body=body,
            scope=MemoryScope(scope),
            **{name: tuple(v) if isinstance(v, list) else v for name, v in lists.items()},
        )
        return self.tools.record(draft, supersedes, allow_secret=allow_secret)

    def recall(self, query="", **asked):
        return self.tools.recall(Question(query=query, **asked))["matches"]

    def bodies(self, query="", **asked):
        return [row["body"] for row in self.recall(query, **asked)]

    def listed(self, **asked):
        return self.tools.listed(Question(**asked))["memories"]


@pytest.fixture
def agent(repo, clock):
    made = Agent(repo.path, clock)
    yield made
    made.tools.close()


@pytest.fixture
def another(tmp_path, clock):
    """The same user in another project."""
    made = Agent(GitRepo.create(tmp_path / "another").path, clock)
    yield made
    made.tools.close()


def test_conditions_hold_together_and_of_a_list_one_is_enough(agent):
    agent.record("decision", "alpha one", tags=["db"], files=["src/a.py"])
    agent.record("todo", "alpha two", tags=["ui"], files=["src/b.py"])
    assert agent.bodies("alpha", kinds=("todo",)) == ["alpha two"]
    assert agent.bodies("alpha", tags=("db",)) == ["alpha one"]
    assert agent.bodies("alpha", files=("src/b.py",)) == ["alpha two"]
    assert agent.bodies(tags=("nope", "db")) == ["alpha one"]
    assert agent.bodies("alpha", tags=("db",), kinds=("todo",)) == []


def test_a_query_that_nothing_fits_returns_and_counts_nothing(agent):
    agent.record("decision", "alpha one")
    assert agent.bodies("zzzunknown") == []
    assert agent.listed()[0]["recall_count"] == 0


def test_a_recall_counts_on_what_was_recalled_and_on_nothing_else(agent, clock):
    agent.record("todo", "projectrow")
    agent.record("decision", "deltaglobal", scope="global")
    clock.at += 7
    agent.recall("deltaglobal", scopes=("global",))
    (row,) = agent.listed(scopes=("global",))
    assert (row["recall_count"], row["last_recalled_at"]) == (1, clock.at * 1000)
    (row,) = agent.listed(scopes=("project",))
    assert (row["recall_count"], row["last_recalled_at"]) == (0, None)


def test_a_global_memory_can_be_forgotten_by_its_number(agent):
    assert agent.record("decision", "globalfact", scope="global")["id"] == 1
    assert agent.tools.forget(1)["ok"] is True
    assert agent.bodies("globalfact") == []


def test_what_is_not_there_or_forgotten_already_is_told_in_the_known_words(agent):
    agent.record("decision", "one")
    done = agent.tools.forget(1)
    assert (done["ok"], done["forgotten_id"]) == (True, 1)
    for given in (1, 7, "abcd"):
        with pytest.raises(UserError, match=f"^Memory id {given} not found or already forgotten$"):
            agent.tools.forget(given)


def test_promoting_twice_gives_the_same_two_ids_and_one_memory(agent, another):
    agent.record("decision", "promoteme", files=["a.py"], tags=["x"])
    first, again = agent.tools.promote(1), agent.tools.promote(1)
    assert (first["globalId"], first["originalId"]) == (2, 1)
    assert (again["globalId"], again["originalId"]) == (2, 1)
    (row,) = agent.listed(scopes=("global",))
    assert (row["body"], row["source"], row["files"], row["tags"]) == (
        "promoteme",
        "promoted",
        ["a.py"],
        ["x"],
    )
    assert another.bodies("promoteme") == ["promoteme"]
    with pytest.raises(UserError, match="is already global scope"):
        agent.tools.promote(2)


def test_nothing_becomes_global_by_itself_and_projects_do_not_see_each_other(agent, another):
    agent.record("decision", "only here")
    agent.record("decision", "for everybody", scope="global")
    assert another.bodies() == ["for everybody"]
    assert another.bodies("only here", scopes=("project",)) == []
    assert [row["scope"] for row in another.recall()] == ["global"]
    assert [row["body"] for row in agent.listed(scopes=("project",))] == ["only here"]


def test_a_second_work_tree_and_a_moved_checkout_see_the_same_memories(repo, agent, clock, tmp_path):
    number = agent.record("decision", "sharedfact")["id"]
    agent.tools.close()
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"))
    for place in (tmp_path / "wt", tmp_path / "moved"):
        if place.name == "moved":
            repo.path.rename(place)
        seen = Agent(place, clock)
        assert [(row["id"], row["body"]) for row in seen.recall("sharedfact")] == [(number, "sharedfact")]
        seen.tools.close()


BODIES = [
    "one\ntwo\n\n",
    "\r\n starts and ends with breaks \r\n",
    "cafe\u0301 🎉 顧客管理 \u0000 nul",
    "---\ntitle: no front matter\n---\n",
    "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
    "x" * 16_000,
    "😀" * 16_000,
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_body_comes_back_character_for_character(agent, body):
    name = agent.record("learning", body)["name"]
    assert agent.bodies() == [body]
    assert [row["body"] for row in agent.listed()] == [body]
    assert agent.record("learning", body)["name"] == name


def test_a_body_that_says_nothing_is_too_long_or_of_no_kind_is_refused(agent):
    for body in ("  \n\t", "\u200b", "x" * 16_001):
        with pytest.raises(InvalidInput, match="body"):
            agent.record("learning", body)
    assert agent.listed() == []


def test_what_looks_like_a_secret_is_refused_by_its_kind_unless_it_is_allowed(agent):
    body = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"
    with pytest.raises(Refused, match="private key"):
        agent.record("learning", body)
    agent.record("learning", body, allow_secret=True)
    assert agent.bodies() == [body]


def test_a_kind_filters_without_a_query_and_pages_do_not_overlap(agent, clock):
    for number in range(5):
        clock.at += 1
        agent.record("todo" if number % 2 else "learning", f"memory {number}")
    assert agent.bodies(kinds=("todo",)) == ["memory 3", "memory 1"]
    first = [row["body"] for row in agent.listed(limit=2)]
    second = [row["body"] for row in agent.listed(limit=2, offset=2)]
    third = agent.tools.listed(Question(limit=2, offset=4))
    assert (first, second) == (["memory 4", "memory 3"], ["memory 2", "memory 1"])
    assert [row["body"] for row in third["memories"]] == ["memory 0"]
    assert (third["offset"], third["limit"]) == (4, 2)


def test_lists_are_arrays_or_null_in_every_answer(agent):
    agent.record("decision", "with", files=["a.py"], identifiers=["f"], tags=["t"], task="why")
    agent.record("decision", "without")
    for rows in (agent.recall(), agent.listed()):
        found = {row["body"]: [row[key] for key in ("files", "identifiers", "tags", "task")] for row in rows}
        assert found == {"with": [["a.py"], ["f"], ["t"], "why"], "without": [None, None, None, None]}


@pytest.mark.parametrize(
    "query", ['"', "a AND (b OR", "NEAR(", "*", "col:x", "'; DROP TABLE memories; --", "\x00", "-", "^a"]
)
def test_no_query_is_an_expression(agent, query):
    agent.record("decision", "plain words")
    assert agent.bodies(query) == []
    assert agent.bodies("plain") == ["plain words"]


def test_parts_of_identifiers_and_words_of_other_scripts_are_found(agent):
    agent.record("gotcha", "validateLazily needs getHTTPResponse", identifiers=["snake_case_name"])
    agent.record("gotcha", "顧客管理の設定")
    for query in ("lazily", "http response", "case", "LAZILY"):
        assert agent.bodies(query)[:1] == ["validateLazily needs getHTTPResponse"], query
    assert agent.bodies("管理") == ["顧客管理の設定"]


def test_a_project_memory_comes_slightly_before_a_global_one(agent):
    agent.record("decision", "cache keys", scope="global")
    agent.record("decision", "cache keys")
    found = agent.recall("cache keys")
    assert [row["scope"] for row in found] == ["project", "global"]
    assert found[0]["score"] > found[1]["score"] > found[0]["score"] * 0.8


def test_what_is_replaced_is_hidden_unless_asked_for(agent):
    old = agent.record("decision", "the pool has ten connections")
    new = agent.record("decision", "the pool has twenty connections", supersedes=[old["id"]])
    assert agent.bodies("pool connections") == ["the pool has twenty connections"]
    both = {row["name"]: row["superseded_by"] for row in agent.recall("pool", superseded=True)}
    assert both == {old["name"]: new["id"], new["name"]: None}
    agent.tools.forget(new["id"])
    assert agent.bodies("pool") == ["the pool has ten connections"]


def test_the_budget_holds_for_the_whole_reply_and_only_what_was_returned_counts(agent):
    for number in range(12):
        agent.record("learning", f"budget word {number} " + "filler " * 60)
    reply = agent.tools.recall(Question(query="budget", budget=600))
    assert len(json.dumps(reply, ensure_ascii=False)) <= 600 * 4
    assert reply["omitted"] > 0
    returned = {row["name"] for row in reply["matches"]}
    assert {row["name"] for row in agent.listed() if row["recall_count"]} == returned


def test_recalling_twice_answers_the_same_bytes(agent):
    agent.record("learning", "stable prefix", files=["README.md"])
    assert json.dumps(agent.recall("stable")) == json.dumps(agent.recall("stable"))


def test_a_memory_is_called_by_number_name_or_the_beginning_of_it(agent):
    first, second = agent.record("todo", "one"), agent.record("todo", "two")
    assert agent.tools.forget(second["name"][:12])["forgotten_id"] == second["id"]
    assert agent.tools.forget(str(first["id"]))["name"] == first["name"]
    agent.record("todo", "three")
    with pytest.raises(UserError):
        agent.tools.forget("")
    with pytest.raises((UserError, AmbiguousId)):
        agent.tools.forget("xyz!")


def test_numbers_run_over_project_and_global_and_outlive_the_local_database(repo, agent, clock):
    agent.record("todo", "one")
    agent.record("todo", "two", scope="global")
    agent.record("todo", "three")
    assert {row["body"]: row["id"] for row in agent.listed()} == {
        "one": 1,
        "two": 2,
        "three": 3,
    }
    agent.tools.close()
    for file in (repo.path / ".git/mneme").glob("local.db*"):
        file.unlink()
    again = Agent(repo.path, clock)
    assert {row["body"]: row["id"] for row in again.listed(scopes=("project",))} == {"one": 1, "three": 2}
    again.tools.close()


def test_collecting_takes_the_old_that_nobody_recalled_and_can_be_undone(repo, agent, clock):
    agent.record("learning", "young then")
    agent.record("learning", "old and unused")
    agent.record("learning", "recalled once")
    agent.record("learning", "kept by a tag", tags=["Pinned"])
    agent.record("learning", "used everywhere", scope="global")
    agent.recall("recalled once", limit=1)
    agent.recall("used everywhere", limit=1)
    with pytest.raises(CountersTooYoung):
        agent.tools.gc(90)
    clock.at += 100 * DAY
    agent.record("learning", "recent")
    done = agent.tools.gc(90)
    assert (done["softDeleted"], done["olderThanDays"]) == (2, 90)
    left = {row["body"] for row in agent.listed()}
    assert left == {"recalled once", "kept by a tag", "used everywhere", "recent"}
    assert agent.tools.gc(90)["softDeleted"] == 0
    (undo,) = done["undo"]
    ran = repo.mneme(*undo.split()[1:], "--json")
    assert (ran.code, json.loads(ran.out)["code"]) == (0, "DONE")
    assert {row["body"] for row in agent.listed()} == left | {"young then", "old and unused"}


def test_a_pinned_memory_is_not_collected(repo, agent, clock):
    agent.record("learning", "pinned by hand")
    agent.tools.close()
    assert repo.mneme("memory", "pin", "1").code == 0
    clock.at += 100 * DAY
    assert agent.tools.gc(90)["softDeleted"] == 0
    assert agent.listed()[0]["pinned"] is True


def test_a_memory_says_when_its_code_has_changed_since(repo, agent):
    repo.write("src/pool.py", "def size():\n    return 10\n")
    repo.commit_all()
    agent.record("gotcha", "the size is fixed", files=["src/pool.py"])
    assert agent.recall("size")[0]["stale"] is None
    repo.write("src/pool.py", "def size():\n    return 20\n")
    (change,) = agent.recall("size")[0]["stale"]
    assert (change["what"], change["name"], change["change"]) == ("file", "src/pool.py", "changed")
    ran = repo.mneme("memory", "stale")
    assert ran.code == 1
    assert "file src/pool.py has changed since" in ran.out


def test_a_read_only_clone_still_recalls(repo, agent, clock, monkeypatch):
    agent.record("learning", "readable")
    agent.tools.close()
    import sqlite3

    def refuse(*_, **__):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("mneme_git.store.local_connect._written", refuse)
    reading = Agent(repo.path, clock)
    assert reading.bodies("readable") == ["readable"]
    reading.tools.close()


def test_the_author_is_who_git_knows_and_the_source_tells_the_door(repo, agent):
    agent.record("learning", "by the agent")
    repo.mneme("memory", "record", "--kind", "learning", "by a person")
    rows = json.loads(repo.mneme("memory", "show", "1", "2", "--json").out)["memories"]
    assert [(row["author"], row["source"], row["recorded_on"]) for row in rows] == [
        ("Ada <ada@example.org>", "agent", "main"),
        ("Ada <ada@example.org>", "person", "main"),
    ]
