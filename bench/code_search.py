"""Ask a running server code searches and grade the files of its answers: NDCG@10, by language.

    MIRROR=DIR python bench/code_search.py [--queries bench/code_search.jsonl] [--mneme mneme] [--language go]

``DIR/OWNER+NAME/repo`` are git directories with the commits that the queries name. Each repository is
checked out once into a temporary folder. A query is one JSON object:

    {"repo": "pallets+flask", "commit": "...", "language": "python", "kind": "mechanism", "query": "...",
     "relevant": {"src/flask/app.py": 3, "src/flask/ctx.py": 1}}

``kind`` is what is asked for: a mechanism in other words than the code's, where something is done, a
symbol by its name, a report of a bug, or tests and build.

Grades are 3 (this answers it), 2 (a good part of the answer), 1 (helps to understand it), judged by
reading the code. The gain of grade g is 2**g - 1, the discount at rank r is log2(r + 1) (Järvelin and
Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002).
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

BUDGET = 6000
DEPTH = 10


class Server:
    """A server on stdin and stdout: one JSON object a line."""

    def __init__(self, command: list[str], folder: Path) -> None:
        env = {**os.environ, "MNEME_PROJECT_ROOT": str(folder)}
        self._process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._count = 0
        client = {"name": "bench", "version": "1"}
        self.request(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of one call; the answer to another one ends the run."""
        self._count += 1
        self._send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        assert self._process.stdout
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._count:
                if "error" in answer or answer["result"].get("isError"):
                    raise SystemExit(f"{method}: {line[:500]}")
                result: dict[str, Any] = answer["result"]
                return result
        raise SystemExit("the server ended")

    def files(self, task: str) -> list[str]:
        """Return the files of a context, best first, each once."""
        arguments = {"task": task, "token_budget": BUDGET}
        result = self.request("tools/call", {"name": "mneme_get_context", "arguments": arguments})
        answer = result.get("structuredContent") or json.loads(result["content"][0]["text"])
        return list(dict.fromkeys(row["file"] for row in answer["symbols"]))

    def close(self) -> None:
        """End the server by closing its input."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(10)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def ndcg(ranked: list[str], relevant: dict[str, int]) -> float:
    """Return the normalised discounted cumulated gain of the first ten, in 0..1."""
    gains = [2 ** relevant.get(path, 0) - 1 for path in ranked[:DEPTH]]
    best = sorted((2**grade - 1 for grade in relevant.values()), reverse=True)[:DEPTH]
    return _discounted(gains) / _discounted(best)


def _discounted(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def checked_out(mirror: Path, work: Path, repo: str, commit: str) -> Path:
    """Return a work tree of ``repo`` at ``commit``."""
    folder = work / repo
    if not folder.exists():
        source = str(mirror / repo / "repo")
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", source, folder], check=True)
    subprocess.run(["git", "-C", folder, "checkout", "-q", "-f", "--detach", commit], check=True)
    return folder


def print_table(name: str, scores: dict[str, list[float]]) -> None:
    """Print the means of the groups as a table in Markdown."""
    print(f"| {name} | queries | NDCG@10 |\n|---|---|---|")
    for group, values in scores.items():
        print(f"| {group} | {len(values)} | {statistics.mean(values):.3f} |")


def main() -> None:
    """Run the queries and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--queries", type=Path, default=Path(__file__).with_name("code_search.jsonl"))
    parser.add_argument("--mneme", default="mneme")
    parser.add_argument("--language")
    parser.add_argument(
        "--misses", action="store_true", help="print each query below 0.5 and what came first"
    )
    parser.add_argument("--details", type=Path, help="write each query's score and files, one a line")
    asked = parser.parse_args()
    details: list[dict[str, Any]] = []
    rows = [json.loads(line) for line in asked.queries.read_text().splitlines() if line.strip()]
    rows = [row for row in rows if asked.language in {None, row["language"]}]
    scores: dict[str, list[float]] = defaultdict(list)
    kinds: dict[str, list[float]] = defaultdict(list)
    milliseconds: list[float] = []
    with tempfile.TemporaryDirectory(prefix="code-search-") as work:
        for repo, commit in dict.fromkeys((row["repo"], row["commit"]) for row in rows):
            folder = checked_out(Path(os.environ["MIRROR"]), Path(work), repo, commit)
            server = Server([asked.mneme, "mcp"], folder)
            for row in [row for row in rows if (row["repo"], row["commit"]) == (repo, commit)]:
                start = time.perf_counter()
                ranked = server.files(row["query"])
                milliseconds.append((time.perf_counter() - start) * 1000)
                score = ndcg(ranked, row["relevant"])
                scores[row["language"]].append(score)
                kinds[row["kind"]].append(score)
                details.append({**row, "score": round(score, 4), "ranked": ranked[:DEPTH]})
                if asked.misses and score < 0.5:
                    print(
                        f"{score:.2f} {repo}: {row['kind']}: {row['query']}\n     {ranked[:4]}",
                        file=sys.stderr,
                    )
            server.close()
    if asked.details:
        asked.details.write_text("".join(json.dumps(row) + "\n" for row in details))
    everything = [score for values in scores.values() for score in values]
    print_table("language", {**dict(sorted(scores.items())), "all": everything})
    print()
    print_table("kind", kinds)
    print(f"\nmedian {statistics.median(milliseconds):.0f} ms a query", file=sys.stderr)


if __name__ == "__main__":
    main()
