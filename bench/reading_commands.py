"""Every reading command with 20 decisions and with 2,000, on both stores, as whole processes.

    python bench/reading_commands.py --mneme .venv/bin/mneme [--runs 11] [--only list] [--store git] [--keep FOLDER]

The stores are made anew and are the same each time: one ADR for each decision, imported by mneme, and
a tenth as many proposals. The two sizes are run in turn, once before anything is timed. A command may
take as long with many decisions as with few plus 150 ms. Prints a table in Markdown: wall clock, best
run and median; the CPU time of the process and of the git programs that it ran, best run; and the
verdict, which compares the CPU times, for other work on the machine disturbs those least.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from mneme_git.app.desk import open_tool_desk
from mneme_git.app.index_tools import IndexTools
from mneme_git.app.workspace import Workspace, environment

SIZES = (20, 2000)
ALLOWED_MS = 150
NOW = 1_750_000_000
MEMORY = ".mneme/project_memory.json"
PROPOSALS = ".mneme/decision_proposals.json"
PARTS = "router parser cache queue index worker mailer ledger export import search session".split()
AT_REST = {"GIT_AUTHOR_DATE": f"{NOW} +0000", "GIT_COMMITTER_DATE": f"{NOW} +0000"}
CHECKED = "import json\n\n\ndef load(path):\n    return json.loads(path.read_text())\n"
QUERY = "add a cache for the router"

# What is read of both stores; GIT_ONLY of a git store alone.
COMMANDS = {
    "list_decisions": ("list_decisions",),
    "decision show": ("decision", "show", "ADR-0007"),
    "decision show (a proposal)": ("decision", "show", "PROPOSAL"),
    "decision proposals": ("decision", "proposals"),
    "check": ("check", "--input", "some.py", "--query", QUERY),
    "test_query": ("test_query", "--query", QUERY),
    "audit": ("audit",),
    "protect list": ("protect", "list"),
    "protect status": ("protect", "status", "ADR-0007"),
}
GIT_ONLY = {
    "status": ("status",),
    "verify": ("verify",),
    "decision log": ("decision", "log", "ADR-0007"),
    "decision blame": ("decision", "blame", "ADR-0007"),
    "list_decisions --at HEAD": ("list_decisions", "--at", "HEAD"),
    "restore": ("restore",),
}


def write_adrs(folder: Path, count: int) -> None:
    """Write ``count`` ADRs with a scope of their own, prose, and for most of them a rule."""
    folder.mkdir(parents=True)
    for number in range(1, count + 1):
        part = PARTS[number % len(PARTS)]
        rule = f"\n## Constraints\n\n- FORBID_LITERAL: import banned_{number}\n" if number % 5 else ""
        (folder / f"ADR-{number:04d}-{part}-{number}.md").write_text(
            f"---\nid: ADR-{number:04d}\ntitle: Use component {number} in the {part}\nstatus: accepted\n"
            f"priority: normal\ndate: 2025-01-{number % 28 + 1:02d}\nscope: {part}{number}\n---\n\n"
            f"## Context\n\n" + f"Component {number} was measured against three others.\n" * 8 + rule
        )


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **AT_REST}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stderr[-2000:]}")


def commit(folder: Path, message: str) -> None:
    run(folder, "git", "add", "-A")
    run(folder, "git", "-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-qm", message)


def propose(folder: Path, count: int, **where: str) -> str:
    """Store ``count`` proposals and return the id of the first."""
    workspace = Workspace(cwd=folder, env=environment({}), now=lambda: NOW)
    tools = IndexTools(workspace, open_tool_desk(workspace, **where))
    producer = {"producer_name": "bench", "producer_type": "ai_agent", "source_reference": "bench"}
    candidates = [
        {
            "title": f"Proposal {number}",
            "statement": f"Let the {PARTS[number % len(PARTS)]} use module {number}",
            "rationale": "It was measured.\n" * 5,
            "provenance": {**producer, "origin_classification": "ai_generated"},
            "scope_hints": [f"hint{number}"],
        }
        for number in range(count)
    ]
    return str(tools.propose(candidates)[0]["proposal"]["proposal_id"])


def make_store(folder: Path, mneme: str, kind: str, size: int) -> str:
    """Make a repository with a store of ``size`` decisions, if it is not there; return a proposal's id."""
    where = {} if kind == "git" else {"memory": MEMORY, "proposals": PROPOSALS}
    if folder.exists():
        return propose(folder, 1, **where)  # it is there already: nothing is written
    write_adrs(folder / "docs" / "adr", size)
    (folder / "some.py").write_text(CHECKED)
    run(folder, "git", "init", "-q")
    commit(folder, "start")
    make = ["init", "--yes"] if kind == "git" else ["init", "--path", MEMORY]
    run(folder, mneme, *make)
    run(
        folder,
        mneme,
        "adr",
        "import",
        "docs/adr",
        "--apply",
        *([] if kind == "git" else ["--memory", MEMORY]),
    )
    proposal = propose(folder, size // 10, **where)
    commit(folder, "records")
    return proposal


@dataclass(frozen=True)
class Runs:
    """Seconds of each run: by the clock, and of CPU time."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    def told(self) -> str:
        return f"{min(self.wall) * 1000:.0f} ({statistics.median(self.wall) * 1000:.0f})"


def one_run(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a command; return how long it took and how much CPU time it and its children had."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1}:
        raise SystemExit(f"{command}: exit {process.returncode}")
    return took, used.ru_utime + used.ru_stime


def in_turn(command: list[str], folders: list[Path], runs: int) -> list[Runs]:
    """Return the runs of ``command`` in each folder, after two that do not count."""
    for folder in folders * 2:
        one_run(command, folder)
    rows = [[one_run(command, folder) for folder in folders] for _ in range(runs)]
    return [
        Runs(wall=tuple(row[at][0] for row in rows), cpu=tuple(row[at][1] for row in rows))
        for at in range(len(folders))
    ]


def line(name: str, kind: str, few: Runs, many: Runs) -> str:
    more = (min(many.wall) - min(few.wall)) * 1000
    cpu = (min(many.cpu) - min(few.cpu)) * 1000
    return (
        f"| `{name}` | {kind} | {few.told()} | {many.told()} | {more:+.0f} "
        f"| {min(few.cpu) * 1000:.0f} | {min(many.cpu) * 1000:.0f} | {cpu:+.0f} "
        f"| {'yes' if cpu <= ALLOWED_MS else 'no'} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mneme", default="mneme")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--only", default="", help="only commands whose name holds this")
    parser.add_argument("--store", choices=("git", "file"), help="only this store")
    parser.add_argument("--keep", metavar="FOLDER", help="make the stores here, or use those that are there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        base = Path(options.keep or made)
        print(f"load {os.getloadavg()[0]:.1f} at the start", flush=True)
        print(
            "| command | store | 20: ms | 2,000: ms | more | 20: CPU | 2,000: CPU | more CPU | within 150 |"
        )
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        for kind in (options.store,) if options.store else ("git", "file"):
            folders = [base / f"{kind}{size}" for size in SIZES]
            made_of = zip(folders, SIZES, strict=True)
            proposal, _ = [make_store(folder, options.mneme, kind, size) for folder, size in made_of]
            commands = {**COMMANDS, **(GIT_ONLY if kind == "git" else {})}
            for name, command in commands.items():
                if options.only in name:
                    full = [options.mneme, *(proposal if part == "PROPOSAL" else part for part in command)]
                    print(line(name, kind, *in_turn(full, folders, options.runs)), flush=True)
        print(f"\nload {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
