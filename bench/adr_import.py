"""Import of N ADRs with one command, preview and apply.

python bench/adr_import.py --mneme .venv/bin/mneme [--reference /path/to/other/venv/bin/mneme] [--adrs 500]
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path


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
    for name, program in (("mneme, git store", options.mneme), ("reference", options.reference)):
        if not program:
            continue
        for _ in range(options.runs if program == options.mneme else 1):
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                write_adrs(folder / "docs" / "adr", options.adrs)
                subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
                if program == options.mneme:
                    timed([program, "init", "--yes"], folder)
                    took = timed([program, "adr", "import", "docs/adr", "--apply"], folder)
                    again = timed([program, "adr", "import", "docs/adr", "--apply"], folder)
                else:
                    timed([program, "init"], folder)
                    memory = [".mneme/project_memory.json"]
                    took = timed(
                        [program, "adr", "import", "docs/adr", "--memory", *memory, "--apply"], folder
                    )
                    again = timed([program, "adr", "import", "docs/adr", "--memory", *memory, "--apply",
                                   "--update-existing"], folder)  # fmt: skip
                print(
                    f"{name}: {options.adrs} ADRs in {took:.2f} s; the same again in {again:.2f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
