"""`mneme check` against the decision index it is compatible with.

    python bench/check.py --mneme .venv/bin/mneme --reference /path/to/other/venv/bin/mneme

Without --reference only mneme is timed. Cases: a small file with 20 decisions, on a memory file and
on the git store; 1 MB of text against 1,000 decisions.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

from paired import compare, report

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau".split()


def decision(number: int) -> dict[str, object]:
    """Return one decision with rules of every kind."""
    return {
        "id": f"D-{number}",
        "decision": f"Use component{number} for {WORDS[number % len(WORDS)]}",
        "rationale": f"It was measured in round {number}.",
        "scope": [WORDS[number % len(WORDS)], "storage"],
        "constraints": [f"no legacydep{number}", f"no external service{number} calls"],
        "anti_patterns": [f"forbidden{number}", f"introduce layer{number} cache"],
        "rules": [{"type": "FORBID_LITERAL", "value": f"import banned_{number}"}],
        "created_at": "",
        "updated_at": "",
    }


def memory(path: Path, decisions: int) -> None:
    """Write a memory file that both programs read."""
    document = {
        "meta": {"name": "bench", "description": "made for a benchmark"},
        "items": [],
        "examples": [],
        "decisions": [decision(number) for number in range(decisions)],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2))


def text(size: int) -> str:
    """Return about ``size`` bytes of code-like text, the same on every run."""
    chosen = random.Random(7)
    lines: list[str] = []
    while size > 0:
        line = " ".join(chosen.choice(WORDS) + str(chosen.randrange(4000)) for _ in range(8))
        lines.append(f"    {line} = call({chosen.randrange(1000)})")
        size -= len(lines[-1]) + 1
    return "\n".join(lines) + "\n"


def git_store(folder: Path, mneme: str, decisions: int) -> None:
    """Make a repository whose git store holds ``decisions`` decisions from ADRs."""
    for number in range(decisions):
        told = decision(number)
        target = folder / "docs" / "adr" / f"ADR-{number:03d}-x.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(
            f"---\nid: ADR-{number:03d}\ntitle: {told['decision']}\nstatus: accepted\npriority: normal\n"
            f"date: 2025-01-01\nscope: s{number}\n---\n\n## Constraints\n\n- FORBID_LITERAL: import banned_{number}\n"
            f"- FORBID_DEPENDENCY: legacydep{number}\n"
        )
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "-A"],
        ["git", "-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-qm", "start"],
        [mneme, "init", "--yes"],
        [mneme, "adr", "import", "docs/adr", "--apply"],
        ["git", "-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-qm", "decisions"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mneme", default="mneme")
    parser.add_argument("--reference")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--large-runs", type=int, default=3, help="0 leaves the large case out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "small.py").write_text(
            "import json\n\n\ndef load(path):\n    return json.loads(path.read_text())\n"
        )
        (folder / "large.py").write_text(text(1_000_000))
        memory(folder / "m20" / ".mneme" / "project_memory.json", 20)
        memory(folder / "m1000" / ".mneme" / "project_memory.json", 1000)
        ask = ["--query", "add a cache for sigma"]

        def command(program: str, name: str, store: str) -> list[str]:
            path = str(folder / store / ".mneme" / "project_memory.json")
            return [program, "check", "--memory", path, "--input", str(folder / name), *ask]

        def both(name: str, store: str) -> tuple[list[str], list[str] | None]:
            other = command(options.reference, name, store) if options.reference else None
            return command(options.mneme, name, store), other

        report(
            "20 decisions, small file, memory file",
            *compare(*both("small.py", "m20"), folder, runs=options.runs),
        )
        git_folder = folder / "git20"
        git_folder.mkdir()
        git_store(git_folder, options.mneme, 20)
        (git_folder / "small.py").write_text((folder / "small.py").read_text())
        ours = [options.mneme, "check", "--input", "small.py", *ask]
        theirs = both("small.py", "m20")[1]
        report("20 decisions, small file, git store (against the memory file there)",
               *compare(ours, theirs, git_folder, runs=options.runs))  # fmt: skip
        if options.large_runs:
            ours, theirs = both("large.py", "m1000")
            report("1,000 decisions, 1 MB of text, memory file",
                   *compare(ours, theirs, folder, runs=options.large_runs))  # fmt: skip


if __name__ == "__main__":
    main()
