"""What the memory tools take and give: the inputs and keys that clients of the existing engine know, enforced."""

DAY = 86_400
LONG = "x" * 257
HOSTILE = "x\nFORGED\x1b[2J"


LISTED = {
    "id", "kind", "body", "scope", "task", "files", "identifiers", "tags", "source", "superseded_by",
    "created_at", "forgotten_at", "last_recalled_at", "recall_count",
}  # fmt: skip
RECALLED = {
    "id", "kind", "body", "scope", "task", "files", "identifiers", "tags", "source", "created_at", "score",
}  # fmt: skip


def test_answers_have_the_keys_that_existing_clients_read(repo, tools):
    made = tools("record_memory", kind="decision", body="cents", task="prices", tags=["money"])
    assert {"id", "scope", "db_path", "created_at"} <= made.keys()
    assert (made["id"], made["scope"], made["created_at"]) == (1, "project", tools.clock.at * 1000)
    (row,) = tools("recall_memory", query="cents")["matches"]
    assert row.keys() >= RECALLED
    assert row["source"] == "agent"
    listed = tools("list_memories")
    assert (listed["offset"], listed["limit"]) == (0, 20)
    assert listed["memories"][0].keys() >= LISTED
    tools("promote_memory", id=1)
    repo.git("config", "--global", "mneme.crossProject", "true")
    (row,) = tools("search_projects", query="cents")["matches"]
    assert row.keys() >= LISTED | {"score", "source_db", "project_hash"}
    tools.clock.at += 91 * DAY
    assert {"softDeleted": 0, "olderThanDays": 90}.items() <= tools("gc_memory").items()
    assert {"ok": True, "forgotten_id": 1}.items() <= tools("forget", id=1).items()
    assert "Memory id 1 not found or already forgotten" in tools.refused("forget", id=1)


def test_the_schemas_have_the_limits_that_existing_clients_keep_to(tools):
    schemas = tools.schemas()
    record = schemas["mneme_record_memory"]
    assert record["required"] == ["kind", "body"]
    assert (record["properties"]["body"]["minLength"], record["properties"]["body"]["maxLength"]) == (
        1,
        16_000,
    )
    assert record["properties"]["kind"]["enum"] == ["decision", "learning", "gotcha", "todo"]
    assert record["properties"]["task"]["maxLength"] == 4000
    for tool, names in (("record", ("files", "identifiers", "tags")), ("recall", ("files", "tags"))):
        for name in names:
            row = schemas[f"mneme_{tool}_memory"]["properties"][name]
            assert (row["type"], row["maxItems"], row["items"]["maxLength"]) == ("array", 64, 256)
    defaults = {
        (tool, name): schemas[f"mneme_{tool}"]["properties"][name]["default"]
        for tool, name in (
            ("record_memory", "scope"), ("recall_memory", "kind"), ("recall_memory", "scope"),
            ("recall_memory", "limit"), ("list_memories", "scope"), ("list_memories", "kind"),
            ("list_memories", "limit"), ("list_memories", "offset"), ("gc_memory", "older_than_days"),
            ("search_projects", "limit"),
        )
    }  # fmt: skip
    assert list(defaults.values()) == ["project", "any", "any", 20, "any", "any", 20, 0, 90, 20]
    for tool in ("forget", "promote_memory"):
        assert schemas[f"mneme_{tool}"]["required"] == ["id"]


REFUSED = [
    ("record_memory", {"body": "x"}, ["'kind' is required"]),
    ("record_memory", {"kind": "todo"}, ["'body' is required"]),
    ("record_memory", {"kind": "note", "body": "x"}, ["'kind'", "learning", "gotcha"]),
    ("record_memory", {"kind": "todo", "body": ""}, ["'body' must have at least 1"]),
    ("record_memory", {"kind": "todo", "body": "  "}, ["body must not be empty"]),
    ("record_memory", {"kind": "todo", "body": "\u200b\u2060"}, ["body must not be empty"]),
    ("record_memory", {"kind": "todo", "body": "x" * 16_001}, ["'body'", "16000"]),
    ("record_memory", {"kind": "todo", "body": "\ud83d"}, ["Unicode"]),
    ("record_memory", {"kind": "todo", "body": 5}, ["'body' must be a string"]),
    ("record_memory", {"kind": "todo", "body": "x", "scope": "weird"}, ["'scope'", "global"]),
    ("record_memory", {"kind": "todo", "body": "x", "task": "x" * 4001}, ["'task'", "4000"]),
    ("record_memory", {"kind": "todo", "body": "x", "tags": "db"}, ["'tags' must be an array"]),
    ("record_memory", {"kind": "todo", "body": "x", "tags": ["a"] * 65}, ["'tags'", "64"]),
    ("record_memory", {"kind": "todo", "body": "x", "tags": ["ok", LONG]}, ["'tags.1'", "256"]),
    ("record_memory", {"kind": "todo", "body": "x", "files": [7]}, ["'files.0' must be a string"]),
    ("record_memory", {"kind": "todo", "body": "x", "files": ["a\0b"]}, ["NUL"]),
    ("record_memory", {"kind": "todo", "body": "x", "file": "a"}, ["perhaps 'files' is meant"]),
    ("record_memory", {"kind": "todo", "body": "x", "supersedes": [99]}, ["99", "mneme_list_memories"]),
    ("recall_memory", {"query": "x" * 1001}, ["'query'", "1000"]),
    ("recall_memory", {"kind": "banana"}, ["'kind'", "any"]),
    ("recall_memory", {"limit": 0}, ["'limit' must be at least 1"]),
    ("recall_memory", {"limit": "5"}, ["'limit' must be an integer"]),
    ("recall_memory", {"token_budget": 10}, ["'token_budget' must be at least 100"]),
    ("list_memories", {"offset": -1}, ["'offset' must be at least 0"]),
    ("list_memories", {"limit": 1001}, ["'limit' must be at most 1000"]),
    ("forget", {}, ["'id' is required"]),
    ("forget", {"id": None}, ["'id' must be an integer or a string"]),
    ("forget", {"id": 1.5}, ["'id' must be an integer or a string"]),
    ("forget", {"id": "not hex"}, ["'not hex' is no id of a memory", "4 hex digits"]),
    ("forget", {"id": HOSTILE}, ["is no id of a memory"]),
    ("forget", {"id": "{}"}, ["'{}' is no id of a memory"]),
    ("forget", {"id": "null"}, ["'null' is no id of a memory"]),
    ("forget", {"id": "\ud83d"}, ["'id' is not valid Unicode"]),
    ("forget", {"id": -1}, ["Memory id -1 not found"]),
    ("forget", {"id": 10**30}, ["not found"]),
    ("promote_memory", {"id": "feedfeed"}, ["Memory id feedfeed not found"]),
    ("gc_memory", {"older_than_days": 0}, ["'older_than_days' must be at least 1"]),
    ("gc_memory", {"older_than_days": "90"}, ["'older_than_days' must be an integer"]),
    ("gc_memory", {}, ["counted recalls for 0 days"]),
    ("search_projects", {"limit": 0}, ["'limit' must be at least 1"]),
]


def test_what_the_schema_does_not_allow_is_refused_and_nothing_is_done(tools):
    for tool, arguments, words in REFUSED:
        told = tools.refused(tool, **arguments)
        for word in words:
            assert word in told, (tool, arguments)
        assert "--" not in told, "an agent calls tools and types no commands"
    assert tools("list_memories")["memories"] == []
    assert tools("record_memory", kind="todo", body="the next call is answered")["id"] == 1
