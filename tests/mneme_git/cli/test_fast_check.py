"""The short way into ``check`` must understand exactly what the full command line understands."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from mneme_git.app import check as use_case
from mneme_git.cli import fast_check
from mneme_git.cli.main import build
from mneme_git.decisions.check_report import CheckResult


def fully(arguments, monkeypatch):
    """What the full command line makes of ``check`` with ``arguments``; None if it refuses."""
    seen = []

    def record(_workspace, request, _stdin):
        seen.append(request)
        return CheckResult(files=())

    monkeypatch.setattr(use_case, "check", record)
    ran = CliRunner().invoke(build(), ["check", *arguments])
    as_json = ran.stdout.startswith("{")
    return (seen[0], as_json) if seen else None


CASES = [
    ["a.py"],
    ["a.py", "b.py", "--query", "x"],
    ["--input", "a.py", "b.py", "--input=c.py"],
    ["--query", "add a cache", "--input", "a.py", "--top", "5", "--mode", "warn", "--json"],
    [
        "--query=",
        "--target-path=x/y",
        "--adr-dir",
        "d",
        "--at",
        "HEAD~1",
        "--memory",
        "m.json",
        "a",
        "--detail",
    ],
    ["-"],
    ["-", "--target-path", "a.py"],
    ["--", "--json", "-x"],
    ["a", "--", "b", "--query"],
    ["--query", "--json", "a"],
    ["--query", "-x", "a"],
    ["--query", "a=b", "a"],
    ["--query", "one", "--query", "two", "a"],
    ["--top", "-3", "a"],
    ["--top=0", "a"],
    [],
    ["--json"],
    ["--memory", "", "a"],
]
REFUSED = [
    ["--help"],
    ["--unknown", "a"],
    ["-q", "a"],
    ["--mode", "block", "a"],
    ["--mode", "WARN", "a"],
    ["--top", "x", "a"],
    ["--top", "1.5", "a"],
    ["--query"],
    ["a", "--input"],
    ["--json=1", "a"],
    ["--jso", "a"],
]


@pytest.mark.parametrize("arguments", CASES, ids=" ".join)
def test_both_ways_understand_the_same(arguments, monkeypatch):
    understood = fast_check.parse(arguments)
    assert understood is not None
    assert understood == fully(arguments, monkeypatch)


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_the_full_command_line_refuses_is_left_to_it(arguments, monkeypatch):
    assert fast_check.parse(arguments) is None
    assert fully(arguments, monkeypatch) is None


words = st.sampled_from(
    ["--input", "--query", "--top", "--mode", "--json", "--detail", "--", "-", "a", "3", "warn", "--top=2", "--mode=x",
     "--input=b", "--at", "HEAD", "-v", "--nope", ""]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(words, max_size=6))
def test_the_short_way_never_differs(arguments):
    understood = fast_check.parse(arguments)
    with pytest.MonkeyPatch.context() as patch:
        full = fully(arguments, patch)
    assert understood is None or understood == full


HEAVY = (
    "typer",
    "rich",
    "click",
    "pygit2",
    "yaml",
    "sqlite3",
    "mcp",
    "pydantic",
    "concurrent.futures",
    "logging",
    "traceback",
)
_LOADED = (
    "import sys\nfrom mneme_git.cli.entry import main\n"
    "try:\n    main()\nexcept SystemExit:\n    pass\n"
    f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
)


def loaded(path, *arguments):
    ran = subprocess.run(
        [sys.executable, "-c", _LOADED, "check", *arguments],
        cwd=path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Result: PASS" in ran.stdout
    return ran.stderr.splitlines()[-1]


def test_a_check_against_git_loads_nothing_heavy(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "d", "--decision", "x", "--anti-pattern", "redis").code == 0
    repo.write("docs/adr/README.md", "index\n")
    assert loaded(repo.path, "README.md", "--query", "x") == "[]"


def test_a_check_against_a_memory_file_loads_nothing_heavy(tmp_path):
    (tmp_path / "m.json").write_text('{"meta": {"name": "a", "description": "b"}, "decisions": []}')
    (tmp_path / "in.txt").write_text("x")
    assert loaded(tmp_path, "--memory", "m.json", "--input", "in.txt", "--query", "x") == "[]"
