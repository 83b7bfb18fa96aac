"""What the environment refuses is the user's to see to: exit 2 with a hint, never a fault of ours."""

import os
import subprocess
import sys

import pytest

from mneme_git.cli import entry
from tests.support.branch import lay_out

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
RUN = f"{sys.executable} -m mneme_git"


@pytest.fixture
def recorded(repo):
    lay_out(repo)
    repo.write("a.py", "import redis\n")
    assert repo.mneme("add_decision", "--id", "d", "--decision", "D", "--anti-pattern", "redis").code == 0
    return repo


def shell(repo, command):
    return subprocess.run(
        ["sh", "-c", command.replace("mneme", RUN, 1)],
        cwd=repo.path,
        capture_output=True,
        text=True,
        check=False,
    )


full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")  # noqa: PTH110


@pytest.mark.parametrize("where", [">&-", pytest.param(">/dev/full", marks=full)])
@pytest.mark.parametrize("command", ["check a.py", "status", "list_decisions --json", "--help"])
def test_an_answer_that_cannot_be_told_is_exit_2_and_said_on_stderr(recorded, command, where):
    ran = shell(recorded, f"mneme {command} {where}")
    assert ran.returncode == 2
    assert "the answer could not be written to standard output" in ran.stderr
    assert "hint:" in ran.stderr


@pytest.mark.parametrize("where", [">&-", pytest.param(">/dev/full", marks=full)])
def test_a_write_that_could_not_be_told_is_done(recorded, where):
    ran = shell(recorded, f"mneme add_decision --id e --decision E {where}")
    assert (ran.returncode, "ran to its end" in ran.stderr) == (2, True)
    assert "[e]" in recorded.mneme("list_decisions").out
    assert recorded.mneme("verify").code == 0


def test_a_closed_standard_input_matters_only_to_who_reads_it(recorded):
    assert "Result: FAIL" in shell(recorded, "mneme check a.py <&-").stdout
    ran = shell(recorded, "mneme check - <&-")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "standard input cannot be read" in ran.stderr


@pytest.mark.parametrize("where", ["2>&-", pytest.param("2>/dev/full", marks=full), "<&- >&- 2>&-"])
def test_a_closed_stderr_changes_no_status(recorded, where):
    assert shell(recorded, f"mneme check nothing {where}").returncode == 2


def test_a_reader_that_went_away_has_what_it_wanted(recorded):
    ran = shell(recorded, "{ mneme list_decisions; echo $? >&2; } | true")
    assert ran.stderr == "0\n"


def test_what_the_system_refuses_is_named_with_its_path(monkeypatch, capfd):
    def refuse():
        raise PermissionError(13, "Permission denied", "/repo/.git/refs/mneme")

    monkeypatch.setattr(entry, "_run", refuse)
    monkeypatch.setattr(entry, "prepare", lambda: None)
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 2
    told = capfd.readouterr().err
    assert told.startswith("ERROR: cannot read or write '/repo/.git/refs/mneme': Permission denied\nhint: ")
