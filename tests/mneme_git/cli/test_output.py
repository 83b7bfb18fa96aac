"""Whatever a record or a name holds, every command can tell it, in any encoding, and JSON stays JSON."""

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

from mneme_git.cli.output import answer, answer_json, notice
from tests.support.branch import lay_out

TEXT = "Use ünï → 日本 🐍"
PLAIN = (
    ["list_decisions"],
    ["audit"],
    ["decision", "show", "d"],
    ["decision", "diff", "d", "d"],
    ["test_query", "--query", "ünï"],
    ["protect", "list"],
    ["status"],
    ["verify"],
    ["adr", "import", "docs/adr"],
    ["decision", "show", "日本"],
)
JSON = (
    ["list_decisions", "--json"],
    ["audit", "--json", "-"],
    ["decision", "show", "d", "--json"],
    ["decision", "log", "d", "--json"],
    ["test_query", "--query", "ünï", "--json"],
    ["protect", "list", "--json"],
    ["adr", "import", "docs/adr", "--json"],
    ["decision", "show", "日本", "--json"],
    ["decision-index", "export", "-"],
)
ENCODINGS = ("ascii", "cp1252")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    from tests.support.gitrepo import GitRepo

    repo = GitRepo.create(tmp_path_factory.mktemp("told") / "repo")
    lay_out(repo)
    repo.write("docs/adr/0001-ü.md", f"# 1. {TEXT}\n\n## Status\n\nAccepted\n\n## Decision\n\n{TEXT}\n")
    made = repo.mneme("add_decision", "--id", "d", "--decision", TEXT, "--anti-pattern", "redis")
    assert made.code == 0
    repo.commit_all()
    return repo


def spoken(repo, monkeypatch, args, encoding):
    """Return exit status and bytes of stdout and stderr whose encoding refuses what it lacks."""
    from mneme_git.cli.entry import main

    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    err = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    monkeypatch.chdir(repo.path)
    monkeypatch.setattr(sys, "argv", ["mneme", *args])
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        main()
    for stream in (out, err):
        stream.flush()
    return left.value.code, out.buffer.getvalue(), err.buffer.getvalue()


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("args", PLAIN, ids=" ".join)
def test_every_command_speaks_in_every_encoding(told, monkeypatch, args, encoding):
    code, out, err = spoken(told, monkeypatch, args, encoding)
    assert code in {0, 1, 2}
    assert b"fault in mneme" not in err
    assert out.decode(encoding) or err.decode(encoding)


@pytest.mark.parametrize("args", JSON, ids=" ".join)
def test_json_means_the_same_in_every_encoding(told, monkeypatch, args):
    _, out, err = spoken(told, monkeypatch, args, "cp1252")
    assert b"fault in mneme" not in err
    assert json.loads(out.decode("cp1252")) == json.loads(spoken(told, monkeypatch, args, "utf-8")[1])


def test_the_words_themselves_come_through_escaped_or_whole(told, monkeypatch):
    told_in = {
        name: spoken(told, monkeypatch, ["list_decisions"], name)[1].decode(name)
        for name in (*ENCODINGS, "utf-8")
    }
    assert TEXT in told_in["utf-8"]
    assert "Use ünï → 日本".encode("cp1252", "backslashreplace").decode("cp1252") in told_in["cp1252"]
    assert r"Use \xfcn\xef \u2192 \u65e5\u672c \U0001f40d" in told_in["ascii"]


@pytest.mark.parametrize("given", ["caf\udce9.py", "x\ud800y"])
@pytest.mark.parametrize("say", [answer, notice])
def test_a_lone_surrogate_is_told_as_an_escape(capsys, say, given):
    say(given)
    heard = capsys.readouterr()
    assert (heard.out + heard.err).strip() in {r"caf\xe9.py", r"x\ud800y"}


def test_json_holds_no_lone_surrogate(capsys):
    answer_json({"caf\udce9": ("caf\udce9.py", "x\ud800y", "🐍", 1, None)})
    assert json.loads(capsys.readouterr().out) == {r"caf\xe9": [r"caf\xe9.py", r"x\ud800y", "🐍", 1, None]}


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes there")
@pytest.mark.parametrize("memory", [False, True])
def test_a_check_of_a_file_whose_name_is_no_utf_8_gives_valid_json(repo, memory):
    lay_out(repo)
    repo.mneme("add_decision", "--id", "d", "--decision", "D", "--anti-pattern", "redis")
    more = []
    if memory:
        repo.mneme("decision-index", "export", "memory.json")
        more = ["--memory", "memory.json"]
    name = os.fsdecode(b"caf\xe9.py")
    repo.write(name, "import redis\n")
    out = repo.mneme("check", name, "README.md", "--json", *more).out
    assert r"\udc" not in out
    assert json.loads(out.encode("utf-8"))["results"][0]["input"] == r"caf\xe9.py"
