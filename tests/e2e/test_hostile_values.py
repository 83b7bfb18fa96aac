"""What a record, a file's name or a commit holds cannot forge a line of any report, nor drive a terminal."""

import re

import pytest

HOSTILE = "x\nFORGED line\tend\x1b[2J\u202e"
NAME = "0007-a\nFORGED\x1b[2J\u202e.md"
_OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
ADR = """# 7. Drop \x1b[2J it

## Status

Accepted

## Constraints

- FORBID_LITERAL:
    value: "curl\\nFORGED\\e[2J"
    include_paths: ["src/**"]
- FORBID_LITERAL: wget\x1b[2J\u202e
- FORBID_PATH: a\x1b[2J\u202e
"""


def assert_sound(ran):
    said = ran.out + ran.err
    assert said.strip(), "the command says something"
    assert not _OBEYED.search(said), ascii(said)
    assert not [line for line in said.split("\n") if line.lstrip(" -+*").startswith("FORGED")], said
    return said


@pytest.fixture
def hostile(repo):
    repo.mneme("init", "--yes")
    made = repo.mneme("add_decision", "--id", "d", "--decision", HOSTILE, "--scope", HOSTILE,
                      "--constraint", f"no {HOSTILE}", "--anti-pattern", HOSTILE)  # fmt: skip
    assert made.code == 0, made.err
    repo.write(f"docs/adr/{NAME}", ADR)
    repo.commit_all("subject\x1b[2J\u202e")
    return repo


def test_no_value_forges_a_line_of_a_report(hostile):
    assert "Drop \\x1b[2J it" in assert_sound(hostile.mneme("adr", "import", "docs/adr"))
    assert_sound(hostile.mneme("adr", "import", "docs/adr", "--apply"))
    hostile.commit_all("imported")
    assert "FORGED" in assert_sound(hostile.mneme("list_decisions"))
    for command in ("show", "log", "blame"):
        for name in ("d", "0007"):
            assert_sound(hostile.mneme("decision", command, name))
    hostile.write("src/a\nFORGED.py", 'curl\nFORGED\x1b[2J and wget\x1b[2J\u202e\n"x"\n')
    assert "FORBID_LITERAL" in assert_sound(hostile.mneme("check", "src/a\nFORGED.py"))
    for words in (["audit"], ["protect", "list"], ["protect", "status", "d"], ["protect", "status", "0007"]):
        assert_sound(hostile.mneme(*words))

    (hostile.path / "docs/adr" / NAME).unlink()
    for command in (["status"], ["verify"], ["check", "README.md"]):
        assert "ADR_MISSING" in assert_sound(hostile.mneme(*command))


def test_no_value_forges_a_line_among_what_is_lost(hostile):
    lost = hostile.mneme("add_decision", "--id", "lost", "--decision", HOSTILE)
    assert lost.code == 0
    hostile.git("rm", "-q", "-f", ".mneme/decisions/lost.json")
    assert "Lost (1)" in assert_sound(hostile.mneme("restore"))
    assert_sound(hostile.mneme("restore", "lost", "--dry-run"))


def test_no_value_forges_a_line_of_a_contest(hostile):
    hostile.mneme("adr", "import", "docs/adr", "--apply")
    hostile.commit_all()
    hostile.git("checkout", "-q", "-b", "other")
    path = f"docs/adr/{NAME}"
    hostile.write(path, ADR + "\nMore.\n")
    assert hostile.mneme("adr", "import", "docs/adr", "--apply", "--update-existing").code == 0
    hostile.commit_all()
    hostile.git("checkout", "-q", "main")
    hostile.write(path, ADR + "\nOther.\n")
    assert hostile.mneme("adr", "import", "docs/adr", "--apply", "--update-existing").code == 0
    hostile.commit_all()
    assert hostile.try_git("merge", "other").code == 1
    for words in (["decision", "show", "0007"], ["decision", "resolve", "0007"], ["status"]):
        assert "contested" in assert_sound(hostile.mneme(*words))
