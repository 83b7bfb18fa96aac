import subprocess
import sys

import pytest
from typer.main import get_command

from mneme_git.cli.commands import COMMANDS
from mneme_git.cli.main import build


def names(wanted=""):
    return list(get_command(build(wanted)).commands)


def test_the_table_names_exactly_the_commands_that_are_there():
    assert sorted(names()) == sorted(name for group, _ in COMMANDS for name in group)


@pytest.mark.parametrize("group", [group for group, _ in COMMANDS], ids=lambda group: group[0])
def test_a_wanted_command_loads_its_own_module_only(group):
    assert names(group[0]) == list(group)


def test_an_unknown_command_is_answered_with_all_that_exist():
    assert names("chekc") == names()


@pytest.mark.parametrize("heavy", ["mcp", "pydantic", "tree_sitter", "sqlite3", "pygit2", "yaml"])
def test_the_command_line_does_not_import(heavy):
    code = (
        "import mneme_git.cli.main as m, sys, typer.main; typer.main.get_command(m.build());"
        f"sys.exit({heavy!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_fault_of_ours_is_told_without_a_traceback(monkeypatch, capsys):
    from mneme_git.cli import entry

    monkeypatch.setattr(entry, "_run", lambda: 1 / 0)
    with pytest.raises(SystemExit) as left:
        entry.main()
    assert left.value.code == 70
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told
    assert "report it" in told
    assert "Traceback" not in told
