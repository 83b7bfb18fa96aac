"""Import of N ADRs with one command, into a git store and into a memory file.

python bench/adr_import.py --mneme .venv/bin/mneme [--reference /path/to/other/venv/bin/mneme] [--adrs 500]
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

FILE = ["--memory", ".mneme/project_memory.json"]


def write_adrs(folder: Path, count: int) -> None:
    """Write ``count`` ADRs with a scope of their own, two directives and some prose each."""
    folder.mkdir(parents=True)
    for number in range(1, count + 1):
        (folder / f"ADR-{number:04d}-component-{number}.md").write_text(
            f"---\nid: ADR-{number:04d}\ntitle: Use component {number}\nstatus: accepted\npriority: normal\n"
            f"date: 2025-01-{number % 28 + 1:02d}\nscope: area{number}\n---\n\n## Context\n\n"
            + f"Component {number} was measured against three others.\n" * 12
            + f"\n## Constraints\n\n- FORBID_LITERAL: import banned_{number}\n- FORBID_DEPENDENCY: dep{number}\n"
        )


def timed(command: list[str], cwd: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    took = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mneme", default="mneme")
    parser.add_argument("--reference")
    parser.add_argument("--adrs", type=int, default=500)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    cases = [("mneme, git store", options.mneme, []), ("mneme, memory file", options.mneme, FILE)]
    cases += [("reference, memory file", options.reference, FILE)] if options.reference else []
    for name, program, file in cases:
        for _ in range(options.runs if program == options.mneme else 1):
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                write_adrs(folder / "docs" / "adr", options.adrs)
                subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
                timed([program, *initialise(program == options.mneme, file)], folder)
                command = [program, "adr", "import", "docs/adr", *file, "--apply"]
                took = timed(command, folder)
                again = timed([*command, "--update-existing"] if file else command, folder)
                print(
                    f"{name}: {options.adrs} ADRs in {took:.2f} s; the same again in {again:.2f} s",
                    flush=True,
                )


def initialise(ours: bool, file: list[str]) -> list[str]:
    """Return the command that makes the store."""
    if not ours:
        return ["init"]
    return ["init", "--path", file[1]] if file else ["init", "--yes"]


if __name__ == "__main__":
    main()
