"""Texts of memories on the command line: verbatim in and out, and no value breaks or drives the screen."""

import json
import re

import pytest

from tests.support.gitrepo import GitRepo

HOSTILE = "x\nFORGED line\tend\x1b[2J\u202e\r\x85\x9b31m"
_OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
BODIES = [
    "\n\n blank lines at the ends \n\n\n",
    "\r\nCR LF\rlone CR\n\r",
    "cafe\u0301 \u0041\u030a 👩‍👩‍👧 🏳️‍🌈 顧客管理 \u2028\u2029\x85 \ufeff",
    "---\ntitle: x\n---\nbody\n",
    "<<<<<<< HEAD\na\n||||||| base\n=======\nb\n>>>>>>> theirs\n",
    "bell \x07 escape \x1b[31m delete \x7f",
    "😀" * 16_000,
]
ALL_COMMANDS = (
    ["memory", "recall"], ["memory", "recall", "FORGED"], ["memory", "list"], ["memory", "list", "--all"],
    ["memory", "show", "1"], ["memory", "log"], ["memory", "log", "1"], ["memory", "stale"],
    ["commit", "--dry-run"], ["commit"], ["memory", "pin", "1"], ["memory", "unpin", "1"],
    ["memory", "forget", "1"], ["memory", "list", "--forgotten"], ["memory", "unforget", "1"],
    ["memory", "promote", "1"], ["memory", "supersede", "1", HOSTILE], ["status"],
)  # fmt: skip


def told(repo, *words, stdin=None):
    command = 2 if words[0] == "memory" else 1
    ran = repo.mneme(*words[:command], "--json", *words[command:], stdin=stdin)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def assert_sound(ran):
    said = ran.out + ran.err
    assert said.strip(), "the command says something"
    lines = said.split("\n")
    assert not [line for line in lines if _OBEYED.search(line.replace("\t", ""))], ascii(said)
    assert not [line for line in lines if line.startswith("FORGED")], said
    return said


def test_bodies_by_stdin_and_as_arguments_are_kept_and_printed_to_the_byte(repo):
    for body in [*BODIES, "nul \x00 here", "x" * 16_000]:
        name = told(repo, "memory", "record", "--kind", "learning", "-", stdin=body)["name"]
        assert repo.mneme("memory", "show", "--body", name).out == body
        (row,) = told(repo, "memory", "show", name)["memories"]
        assert row["body"] == body
        if "\0" not in body and len(body) < 16_000:  # an argument cannot hold a NUL, nor so much
            again = told(repo, "memory", "record", "--kind", "learning", "--", body)
            assert (again["name"], again["code"]) == (name, "EXISTS")


def test_bodies_survive_a_commit_and_a_clone_to_the_byte(repo, tmp_path):
    for body in BODIES:
        told(repo, "memory", "record", "--kind", "learning", "-", stdin=body)
    assert told(repo, "commit")["memories"] == len(BODIES)
    repo.git("-c", "core.autocrlf=true", "clone", "-q", str(repo.path), str(tmp_path / "clone"))
    rows = told(GitRepo(tmp_path / "clone"), "memory", "list", "--place", "here")["memories"]
    assert sorted(row["body"] for row in rows) == sorted(BODIES)


def test_what_stdin_cannot_carry_is_refused_by_its_place(repo):
    ran = repo.mneme_process("memory", "record", "--kind", "todo", "-", stdin="x" * 16_001)
    assert (ran.code, "16001 characters, the most is 16000" in ran.err) == (2, True)
    assert "must not be empty" in repo.mneme("memory", "record", "--kind", "todo", "-", stdin="").err
    assert told(repo, "memory", "list")["memories"] == []


def test_no_value_of_a_memory_breaks_a_line_or_drives_the_terminal(repo):
    repo.write("src/a.py", "def f():\n    pass\n")
    repo.commit_all()
    repo.git("config", "user.name", f"Ada {HOSTILE}".replace("\n", " "))
    ran = repo.mneme(
        "memory", "record", "--kind", "todo", "--task", HOSTILE, "--file", HOSTILE, "--file", "src/a.py",
        "--identifier", HOSTILE, "--tag", HOSTILE, HOSTILE,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    repo.write("src/a.py", "def f():\n    return 1\n")
    for command in ALL_COMMANDS:
        said = assert_sound(repo.mneme(*command))
        if command[1:] == ["show", "1"]:
            assert r"#x\nFORGED line\tend\x1b[2J\u202e\r\x85\x9b31m" in said
            assert "    FORGED line" in said, "a text keeps its lines, behind a margin"


@pytest.mark.parametrize("command", ["show", "forget", "pin", "unpin", "unforget", "promote", "log"])
def test_an_id_that_is_none_is_told_in_one_line(repo, command):
    for given in (HOSTILE, "zz", "", "\udcff", "a" * 33):
        ran = repo.mneme("memory", command, "--", given)
        assert ran.code == 2, given
        message, hint = ran.err.rstrip("\n").split("\n")
        assert (message[:7], hint[:6]) == ("ERROR: ", "hint: ")
        assert not _OBEYED.search(message)


def test_lists_have_limits_that_are_told_and_a_listing_shows_only_some(repo):
    tags = [word for number in range(64) for word in ("--tag", f"t{number}-{'x' * 200}")]
    assert repo.mneme("memory", "record", "--kind", "todo", *tags, "many").code == 0
    (line,) = repo.mneme("memory", "list").out.splitlines()
    assert "+59  many" in line
    assert len(line) < 300
    assert "t63-" in repo.mneme("memory", "show", "1").out
    for extra in (["--tag", "one more"], ["--identifier", "x" * 257], ["--task", "x" * 4001]):
        ran = repo.mneme("memory", "record", "--kind", "todo", *tags, *extra, "too many")
        assert (ran.code, "the most is" in ran.err) == (2, True), extra
    assert len(told(repo, "memory", "list")["memories"]) == 1


def test_what_a_secret_is_is_told_and_the_secret_is_not(repo):
    secret = "ghp_" + "a1B2c3D4e5" * 4
    ran = repo.mneme("memory", "record", "--kind", "todo", "-", stdin=f"one\ntwo {secret}")
    assert (ran.code, "line 2" in ran.err, "--allow-secret" in ran.err) == (2, True, True)
    assert secret not in ran.err
    assert repo.mneme("memory", "record", "--kind", "todo", "--tag", secret, "x").code == 2
    assert told(repo, "memory", "record", "--kind", "todo", "--allow-secret", secret)["id"] == 1


def test_what_replaces_a_memory_and_what_did_not_fit_are_said(repo):
    for number in range(3):
        told(repo, "memory", "record", "--kind", "todo", f"number {number} " + "word " * 100)
    new = told(repo, "memory", "supersede", "1", "better")["short"]
    assert f"replaced by {new}" in repo.mneme("memory", "list", "--superseded").out
    assert "replaced by number 4" in repo.mneme("memory", "show", "1").out
    assert "in the place of 2" in repo.mneme("memory", "supersede", "2", "better, too").out
    assert re.search(r"\.\.\. \d more did not fit", repo.mneme("memory", "recall", "--budget", "100").out)


def test_where_nothing_is_remembered_the_way_to_remember_is_told(repo):
    assert "`mneme memory record`" in repo.mneme("memory", "list").out
    ran = repo.mneme("memory", "recall")
    assert (ran.code, "`mneme memory record`" in ran.out) == (1, True)
    assert repo.mneme("memory", "list", "--kind", "todo").out == "there is no such memory\n"
