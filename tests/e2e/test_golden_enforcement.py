"""The recorded enforcement cases, where they are at hand beside the project."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

RUNNER = Path(__file__).parents[3] / "shared/golden/enforcement/run_golden.py"
CASES = sorted(
    path.parent.name
    for path in RUNNER.parent.glob("*/case.json")
    if path.parent.name.startswith(("check-", "query-", "list-"))
)


@pytest.mark.skipif(not RUNNER.exists(), reason="the recorded cases are not beside the project")
def test_every_recorded_case_that_users_depend_on_passes():
    tool = f"mneme={shlex.join([sys.executable, '-m', 'mneme_git'])}"
    ran = subprocess.run(
        [sys.executable, str(RUNNER), "--tool", tool, "--compat", "must,should", *CASES],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
