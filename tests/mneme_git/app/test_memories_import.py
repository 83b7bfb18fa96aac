"""Coming over from the existing engine: nothing lost, nothing twice, nothing touched there."""

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mneme_git.app.memories import Memories, Question
from mneme_git.app.memories_import import Options, import_memories, usual_databases
from mneme_git.app.memories_open import Clone
from mneme_git.app.workspace import Environment, Workspace
from mneme_git.errors import CorruptRecord, InvalidInput, NotFound, StoreBusy
from mneme_git.store import existing_memories
from mneme_git.store.local_db import LocalDb
from tests.support.existing_engine import CREATED, make_database, project_database, row
from tests.support.gitrepo import GitRepo

BODIES = [
    "x\r\ny\r\n",
    "\n\n lines \n\n",
    "e\u0301 \u00e9 \U0001f600",
    "NUL \0 in it",
    "---\nkey: v\n---",
    "<<<<<<< HEAD\n",
]


def workspace(repo, below=""):
    return Workspace(cwd=repo.path / below, env=Environment(), now=lambda: 1_800_000_000)


def imported(repo, *paths, apply=True, below="", **options):
    with Clone(workspace(repo, below)) as clone:
        return import_memories(clone, [str(path) for path in paths], apply=apply, options=Options(**options))


def listed(repo, **question):
    with Memories(workspace(repo)) as memories:
        return memories.listed(Question(limit=1000, **question))["memories"]


def states(done):
    return [told["state"] for told in done["rows"]]


@pytest.fixture
def home():
    return Path(os.environ["HOME"])


@pytest.fixture
def database(tmp_path):
    """Make a database of these rows and give its path; it stays open, as by an engine that runs."""
    opened = []

    def make(*rows, path=None, root=None):
        place = path or tmp_path / f"old-{len(opened)}/index.db"
        opened.append(make_database(place, list(rows), root=root))
        return place

    yield make
    for connection in opened:
        connection.close()


def test_what_was_recorded_comes_over_byte_for_byte_with_its_time(repo, database):
    place = database(*(row(body) for body in BODIES))
    done = imported(repo, place)
    assert states(done) == ["new"] * len(BODIES)
    found = listed(repo)
    assert {told["body"] for told in found} == set(BODIES)
    assert {told["created_at"] for told in found} == {CREATED}
    assert {told["place"] for told in found} == {"pending"}
    with Memories(workspace(repo)) as memories:
        name = found[0]["name"]
        assert memories.clone.look().memories([name])[name].created_at == "2023-11-14T22:13:20.123Z"


def test_every_field_is_kept(repo, database):
    place = database(
        row(
            "a fact",
            kind="gotcha",
            task="the task",
            files=["a.py", "src/b.py"],
            identifiers=["f"],
            tags=["db", "db"],
            source="promoted",
        )
    )
    imported(repo, place)
    (found,) = listed(repo)
    assert (found["kind"], found["task"], found["source"]) == ("gotcha", "the task", "promoted")
    assert (found["files"], found["identifiers"], found["tags"]) == (["a.py", "src/b.py"], ["f"], ["db"])


def test_a_look_changes_nothing(repo, database):
    place = database(row())
    assert imported(repo, place, apply=False)["code"] == "PREVIEW"
    assert listed(repo) == []
    assert repo.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_importing_twice_changes_nothing(repo, database):
    place = database(row("one", recall_count=3, last_recalled_at=CREATED), row("two", scope="global"))
    assert states(imported(repo, place)) == ["new", "new"]
    before = listed(repo), repo.git("rev-parse", "refs/mneme/journal")
    assert states(imported(repo, place)) == ["here", "here"]
    assert (listed(repo), repo.git("rev-parse", "refs/mneme/journal")) == before


def test_counts_come_over_so_that_nothing_that_is_used_is_collected(repo, database):
    place = database(row("used", recall_count=4, last_recalled_at=CREATED + 5000), row("unused"))
    imported(repo, place)
    found = {told["body"]: told for told in listed(repo)}
    assert (found["used"]["recall_count"], found["used"]["last_recalled_at"]) == (
        4,
        CREATED // 1000 * 1000 + 5000,
    )
    assert found["unused"]["recall_count"] == 0
    with Memories(workspace(repo)) as memories:
        memories.recall(Question(query="used"))
    imported(repo, place)
    assert {told["body"]: told["recall_count"] for told in listed(repo)}["used"] == 5, (
        "what is counted here stays"
    )


def test_counts_that_cannot_be_written_are_named_and_come_with_the_next_import(repo, database):
    place = database(row("used", recall_count=4, last_recalled_at=CREATED))
    imported(repo, place)
    local = repo.path / ".git/mneme/local.db"
    with closing(sqlite3.connect(local, isolation_level=None)) as holder:
        holder.execute("DELETE FROM counters")
        holder.execute("BEGIN IMMEDIATE")
        assert "recall counts" in imported(repo, place)["notices"][0]
        holder.execute("ROLLBACK")
    assert imported(repo, place)["notices"] == []
    assert listed(repo)[0]["recall_count"] == 4


def test_counts_that_could_not_be_taken_over_are_asked_for_again(repo, database, monkeypatch):
    monkeypatch.setattr(LocalDb, "take_over", lambda self, counts: False)
    done = imported(repo, database(row("used", recall_count=4)))
    assert (states(done), "import once more" in done["notices"][0]) == (["new"], True)


def test_global_memories_go_to_the_global_repository(repo, database, tmp_path):
    imported(repo, database(row("everywhere", scope="global"), row("weird one", scope="weird")))
    scopes = {told["body"]: told["scope"] for told in listed(repo)}
    assert scopes == {"everywhere": "global", "weird one": "project"}
    other = GitRepo.create(tmp_path / "other")
    assert [told["body"] for told in listed(other)] == ["everywhere"]


def test_what_was_forgotten_there_is_left_out_and_counted(repo, database):
    place = database(row("live"), row("gone", forgotten_at=CREATED + 1))
    done = imported(repo, place)
    assert (states(done), done["counts"]) == (["new", "forgotten there"], {"new": 1, "forgotten there": 1})
    assert [told["body"] for told in listed(repo, everything=True)] == ["live"]


def test_what_was_forgotten_there_can_come_as_forgotten(repo, database):
    place = database(row("live"), row("gone", forgotten_at=CREATED + 1))
    imported(repo, place, with_forgotten=True)
    assert [told["body"] for told in listed(repo)] == ["live"]
    assert [told["body"] for told in listed(repo, forgotten=True)] == ["gone"]
    assert states(imported(repo, place, with_forgotten=True)) == ["here", "forgotten here"]


def test_what_was_forgotten_here_does_not_come_back(repo, database):
    place = database(row("a fact"))
    imported(repo, place)
    with Memories(workspace(repo)) as memories:
        memories.mark("forget", [listed(repo)[0]["name"]])
    assert states(imported(repo, place)) == ["forgotten here"]
    assert listed(repo) == []


def test_equal_memories_of_several_databases_come_once(repo, database):
    done = imported(repo, database(row("same"), row("same", created_at=CREATED + 1)), database(row("same")))
    assert states(done) == ["new", "repeated", "repeated"]
    assert len(listed(repo)) == 1


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"body": "x" * 16_001}, "16001 characters"),
        ({"body": " \n"}, "must not be empty"),
        ({"kind": "banana"}, "kind 'banana' is unknown"),
        ({"tags": ["t"] * 65}, "65 items"),
        ({"created_at": 10**18}, "no time"),
        ({"body": b"\xff"}, "not UTF-8 at byte 0"),
        ({"created_at": "soon"}, "no time"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_reason_and_the_rest_comes(repo, database, columns, why):
    done = imported(repo, database({**row(), **columns, **_encoded(columns)}, row("good")))
    assert states(done) == ["refused", "new"]
    assert why in done["rows"][0]["reason"]
    assert [told["body"] for told in listed(repo)] == ["good"]


def _encoded(columns):
    return {key: json.dumps(value) for key, value in columns.items() if isinstance(value, list)}


def test_a_secret_is_refused_without_being_shown_unless_it_is_allowed(repo, database):
    secret = "ghp_" + hashlib.sha256(b"x").hexdigest()[:36]
    place = database(row(f"token = {secret}"))
    done = imported(repo, place)
    assert states(done) == ["refused"]
    assert secret not in json.dumps(done)
    assert states(imported(repo, place, allow_secret=True)) == ["new"]
    assert secret in listed(repo)[0]["body"]


@pytest.mark.parametrize(
    ("text", "kept", "noted"),
    [
        ("db", ["db"], "tags are no JSON"),
        ('"db"', ["db"], "tags are no list"),
        ("[1, {}]", ["1", "{}"], "tags hold what is no text"),
        ("null", None, ""),
        ("[]", None, ""),
    ],
)
def test_lists_that_are_none_are_kept_as_text_and_named(repo, database, text, kept, noted):
    done = imported(repo, database({**row(), "tags": text}))
    assert listed(repo)[0]["tags"] == kept
    assert noted in " ".join(done["rows"][0]["notes"])


def test_the_usual_databases_are_those_of_this_repository_and_the_global_one(repo, database, home):
    repo.write("pkg/package.json", "{}")
    repo.commit_all()
    repo.git("worktree", "add", "-q", "../linked")
    linked = repo.path.parent / "linked"
    for root in (repo.path, repo.path / "pkg", linked):
        database(row(f"of {root.name}", files=["a.py"]), path=project_database(home, root), root=root)
    database(row("global one", scope="global"), path=home / ".openclaude/mneme/global.db")
    database(row("foreign"), path=project_database(home, repo.path.parent / "unrelated"))
    done = imported(repo)
    assert len(done["databases"]) == 4
    files = {told["body"]: told["files"] for told in listed(repo)}
    assert files.pop("global one") is None
    assert files == {"of repo": ["a.py"], "of pkg": ["pkg/a.py"], "of linked": ["a.py"]}
    assert states(imported(GitRepo(linked))) == ["here"] * 4


def test_the_global_database_is_where_the_configuration_says(repo, database, home, tmp_path):
    database(row("global one", scope="global"), path=tmp_path / "mine.db")
    (home / ".openclaude").mkdir()
    text = json.dumps({"memory": {"globalDbPath": str(tmp_path / "mine.db")}})
    (home / ".openclaude/mneme.json").write_text(text)
    assert [told["body"] for told in imported(repo)["rows"] and listed(repo)] == ["global one"]


def test_the_home_of_the_engine_moves_its_projects_but_not_its_global_database(repo, monkeypatch, home):
    monkeypatch.setenv("OPENCLAUDE_HOME", "/opt/engine")
    with Clone(workspace(repo)) as clone:
        usual = usual_databases(clone)
    assert str(usual[0]).startswith("/opt/engine/mneme/projects/")
    assert usual[-1] == home / ".openclaude/mneme/global.db"


def test_files_are_named_from_the_top_of_the_repository(repo, database):
    named = ["a.py", f"{repo.path}/src/b.py", "/elsewhere/c.py", "../up.py"]
    imported(repo, database(row(files=named), root=repo.path / "src"))
    assert listed(repo)[0]["files"] == ["src/a.py", "src/b.py", "/elsewhere/c.py", "up.py"]


def test_a_database_of_a_folder_that_is_gone_has_files_as_they_were_named(repo, database):
    imported(repo, database(row(files=["a.py"]), root=Path("/gone/away")))
    assert listed(repo)[0]["files"] == ["a.py"]


def test_without_any_database_that_is_said(repo):
    done = imported(repo, apply=False)
    assert (done["rows"], len(done["notices"])) == ([], 1)
    assert "no database of this repository" in done["notices"][0]


def test_one_usual_database_that_is_damaged_does_not_keep_the_others_away(repo, database, home):
    database(row("good"), path=project_database(home, repo.path), root=repo.path)
    (home / ".openclaude/mneme/global.db").write_bytes(b"no database at all" * 100)
    done = imported(repo)
    assert [told["body"] for told in listed(repo)] == ["good"]
    assert "no SQLite database" in done["notices"][0]


def test_the_databases_are_not_touched_and_what_their_logs_hold_is_read(repo, database):
    place = database(row("in the log alone"))
    assert place.stat().st_size < 8192 < place.with_name("index.db-wal").stat().st_size
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.parent.iterdir()}
    assert states(imported(repo, place.parent)) == ["new"]
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.parent.iterdir()}
    assert after == before


def test_a_database_that_is_held_by_its_engine_is_read_all_the_same(repo, database):
    place = database(row())
    with closing(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        assert states(imported(repo, place)) == ["new"]


def test_one_that_is_written_without_end_is_named(repo, database, monkeypatch):
    place = database(row())
    times = iter(range(100))
    monkeypatch.setattr(existing_memories, "_stamp", lambda path: (1, next(times), 1))
    with pytest.raises(StoreBusy, match="is being written"):
        imported(repo, place)


def test_what_is_no_database_of_that_engine_is_a_clear_error(repo, tmp_path, monkeypatch):
    with pytest.raises(NotFound, match=r"gone\.db"):
        imported(repo, tmp_path / "gone.db")
    with pytest.raises(NotFound):
        imported(repo, repo.path)
    (tmp_path / "text").write_text("a text " * 1000)
    with pytest.raises(InvalidInput, match="no SQLite database"):
        imported(repo, tmp_path / "text")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(InvalidInput, match="lacks a table 'memory'"):
        imported(repo, tmp_path / "empty")
    with closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE memory (id INTEGER, text TEXT)")
        foreign.commit()
    with pytest.raises(InvalidInput, match="lacks body, created_at, kind"):
        imported(repo, tmp_path / "foreign")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="no regular file"):
        imported(repo, tmp_path / "pipe")
    monkeypatch.setattr(existing_memories, "_MOST_BYTES", 10)
    with pytest.raises(InvalidInput, match="too large"):
        imported(repo, tmp_path / "foreign")


def test_a_damaged_database_is_told_as_such(repo, database, tmp_path):
    place = database(*(row(f"fact {number} " + "x" * 900) for number in range(60)))
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(place.read_bytes())
    data[4096 * 6 :] = os.urandom(len(data) - 4096 * 6)
    (tmp_path / "damaged.db").write_bytes(data)
    with pytest.raises(CorruptRecord, match="is damaged"):
        imported(repo, tmp_path / "damaged.db")


def test_many_memories_come_in_one_entry_of_the_journal(repo, database):
    place = database(*(row(f"fact {number}") for number in range(500)))
    imported(repo, place)
    assert len(listed(repo)) == 500
    assert repo.git("rev-list", "--count", "refs/mneme/journal") == "1"


def test_the_command_previews_and_imports(repo, database):
    place = database(row("a fact"), row("bad", kind="banana"))
    ran = repo.mneme("memory", "import", str(place))
    assert ran.code == 1
    assert "1 to import; 1 refused; run it again with --apply" in ran.out
    ran = repo.mneme("memory", "import", str(place), "--apply", "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["code"], told["counts"]) == (1, "IMPORTED", {"new": 1, "refused": 1})
    ran = repo.mneme("memory", "import", str(place), "--apply")
    assert "nothing imported; 1 here already; 1 refused" in ran.out
    assert repo.mneme("memory", "import", "gone.db").code == 2


def test_no_value_of_a_database_breaks_a_line(repo, database):
    hostile = "x\u2028FORGED\x1b[2J"
    place = database(row(hostile), row("y", kind=f"k\n{hostile}"), row("z", tags=f"no\nlist {hostile}"))
    ran = repo.mneme("memory", "import", str(place))
    assert r"x\u2028FORGED\x1b[2J" in ran.out
    assert not {"\x1b", "\u2028"} & set(ran.out + ran.err)
    assert not [line for line in ran.out.splitlines() if line.startswith(("FORGED", "x", "list"))]


def test_the_command_searches_projects(repo, tmp_path):
    ran = repo.mneme("memory", "search-projects", "x")
    assert (ran.code, "mneme.crossProject true" in ran.out) == (0, True)
    other = GitRepo.create(tmp_path / "other")
    other.mneme("memory", "record", "--kind", "decision", "postgres it is")
    repo.git("config", "--global", "mneme.crossProject", "true")
    repo.git("config", "--global", "mneme.crossProjectAllow", str(other.path))
    repo.git("config", "--global", "--add", "mneme.crossProjectAllow", "f" * 16)
    ran = repo.mneme("memory", "search-projects", "postgres")
    assert "postgres it is" in ran.out
    assert f"not searched: {'f' * 16}" in ran.err
    told = json.loads(repo.mneme("memory", "search-projects", "postgres", "--json").out)
    assert told["matches"][0]["project_root"] == str(other.path)
