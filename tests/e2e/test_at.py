"""``--at REV``: every reading command tells what that commit has, whatever is here now."""

import json

import pytest

from tests.support.gitrepo import GitRepo
from tests.support.memory import literal, plain, row

ADR = """# 1. {title}

## Status

Accepted

## Decision

{title}.

## Constraints

- FORBID_LITERAL: {word}
"""
# Each command, and what it says of the old state and of the new one.
COMMANDS = (
    (("list_decisions",), "Use A", "Use B"),
    (("list_decisions", "--json"), "Use A", "Use B"),
    (("test_query", "--query", "use"), "Use A", "Use B"),
    (("check", "words.txt", "--query", "use"), '"aaa"', '"bbb"'),
    (("check", "words.txt", "--json"), '"aaa"', '"bbb"'),
    (("decision", "show", "0001"), "Use A", "Use B"),
    (("decision", "show", "0001", "--json"), "Use A", "Use B"),
    (("decision", "log", "0001"), "record it", "change it"),
    (("decision", "blame", "0001"), "Use A", "Use B"),
    (("decision", "diff", "0001"), "no earlier version", "+  Use B"),
    (("decision", "diff", "0001", "--json"), "NOT_FOUND", '"code":"DIFFERENT"'),
    (("decision", "proposals"), "(no proposals)", "(no proposals)"),
    (("status",), "1 active; 1 version\n", "1 active; 2 versions"),
    (("status", "--json"), '"versions":1', '"versions":2'),
    (("verify",), "CLEAN: 1 decisions, 1 versions", "CLEAN: 1 decisions, 2 versions"),
    (("audit",), "0001: Use A", "0001: Use B"),
    (("protect", "list"), "Protected: 1", "Protected: 1"),
    (("protect", "status", "0001"), "Use A", "Use B"),
    (("protect", "validate", "0001"), "", ""),
)
NAMES = [" ".join(command) for command, _, _ in COMMANDS]


def recorded(repo, title, word):
    repo.write("docs/adr/0001-a.md", ADR.format(title=title, word=word))
    assert repo.mneme("adr", "import", "docs/adr", "--apply", "--update-existing").code == 0


@pytest.fixture(scope="module")
def forked(tmp_path_factory):
    """The decision was changed on ``new``; ``main`` is checked out and has lost its work tree."""
    repo = GitRepo.create(tmp_path_factory.mktemp("at") / "repo")
    assert repo.mneme("init", "--yes").code == 0
    repo.write("words.txt", "aaa bbb\n")
    recorded(repo, "Use A", "aaa")
    repo.commit_all("record it")
    repo.git("switch", "-q", "-c", "new")
    recorded(repo, "Use B", "bbb")
    repo.commit_all("change it")
    repo.git("switch", "-q", "-c", "later")
    recorded(repo, "Use C", "ccc")
    return repo


@pytest.mark.parametrize(("command", "old", "new"), COMMANDS, ids=NAMES)
def test_every_reading_command_tells_the_state_of_the_revision(forked, command, old, new):
    for revision, told, other in (("main", old, new), ("new", new, old)):
        ran = forked.mneme(*command, "--at", revision)
        assert told in ran.out + ran.err, (revision, ran.out, ran.err)
        if revision == "main" or not {"log", "blame"} & {*command}:  # a history has its past
            assert other == told or other not in ran.out, (revision, ran.out)
        assert "Use C" not in ran.out


@pytest.mark.parametrize(("command", "old", "new"), COMMANDS, ids=NAMES)
def test_a_revision_that_is_none_is_refused(forked, command, old, new):
    for name in ("nowhere", ""):
        ran = forked.mneme(*command, "--at", name)
        assert ran.code == 2
        assert f"no revision matches '{name}'" in ran.err
        assert "NOT_FOUND" in ran.out or ran.out == ""


def test_a_past_state_is_told_in_a_bare_repository_too(forked, tmp_path):
    bare = GitRepo(tmp_path / "bare.git")
    forked.git("clone", "-q", "--bare", ".", str(bare.path))
    for command in (("list_decisions",), ("decision", "show", "0001"), ("status",)):
        assert bare.mneme(*command, "--at", "main").code == 0
    assert "Use A" in bare.mneme("list_decisions", "--at", "main").out


# What the commands say of a memory file that was changed in the same way.
FILE_COMMANDS = (
    (("list_decisions",), "Use A", "Use B"),
    (("test_query", "--query", "use"), "Use A", "Use B"),
    (("check", "words.txt"), '"aaa"', '"bbb"'),
    (("audit",), "Use A", "Use B"),
    (("protect", "status", "d"), "Use A", "Use B"),
    (("decision", "show", "d"), "Use A", "Use B"),
)
FILE_NAMES = [" ".join(command) for command, _, _ in FILE_COMMANDS]


def memory(title, word):
    return json.dumps(plain(row("d", title, rules=[literal(word)])))


@pytest.fixture(scope="module")
def filed(tmp_path_factory):
    repo = GitRepo.create(tmp_path_factory.mktemp("filed") / "repo")
    repo.write("words.txt", "aaa bbb\n")
    repo.write("sub/m.json", memory("Use A", "aaa"))
    repo.commit_all("record it")
    repo.git("tag", "old")
    repo.write("sub/m.json", memory("Use B", "bbb"))
    repo.commit_all("change it")
    repo.git("tag", "new")
    repo.write("sub/m.json", "garbage")
    repo.write("new.json", memory("Use C", "ccc"))
    return repo


@pytest.mark.parametrize(("command", "old", "new"), FILE_COMMANDS, ids=FILE_NAMES)
def test_a_memory_file_in_a_repository_is_read_at_the_revision(filed, command, old, new):
    for revision, told, other in (("old", old, new), ("new", new, old)):
        ran = filed.mneme(*command, "--memory", "sub/m.json", "--at", revision)
        assert told in ran.out, (revision, ran.err)
        assert other not in ran.out


@pytest.mark.parametrize(("command", "old", "new"), FILE_COMMANDS, ids=FILE_NAMES)
@pytest.mark.parametrize(
    ("file", "revision", "said"),
    [
        ("new.json", "new", "memory file new.json is not in the commit that 'new' names"),
        ("sub/m.json", "nowhere", "no revision matches 'nowhere'"),
        ("../outside.json", "new", "'../outside.json' is in none"),
    ],
)
def test_what_a_revision_does_not_have_of_a_memory_file_is_refused(
    filed, command, old, new, file, revision, said
):
    (filed.path.parent / "outside.json").write_text(memory("Use C", "ccc"))
    ran = filed.mneme(*command, "--memory", file, "--at", revision)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_proposals_beside_a_memory_file_have_no_past(filed):
    filed.write("p.json", '{"schema": "mneme.decision-proposals/v1", "proposals": []}')
    ran = filed.mneme(
        "decision", "proposals", "--memory", "sub/m.json", "--proposals", "p.json", "--at", "old"
    )
    assert (ran.code, "is for the proposals of a git store" in ran.err) == (2, True)
