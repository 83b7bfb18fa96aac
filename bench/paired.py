"""Time two commands in turn, as whole processes, and compare them pair by pair.

The machine's speed drifts; pairs drift together, so the median of the ratios is what to quote.
"""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figures:
    """Seconds of wall clock, one per run."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)

    def told(self) -> str:
        return f"min {self.best * 1e3:8.1f} ms   median {self.median * 1e3:8.1f} ms   max {max(self.seconds) * 1e3:8.1f} ms"


def run(command: Sequence[str], cwd: Path, *, expect: Sequence[int] = (0, 1, 2)) -> float:
    """Return the seconds that ``command`` took; a surprising exit status stops the benchmark."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    took = time.perf_counter() - start
    if done.returncode not in expect:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stderr.decode(errors='replace')[-2000:]}")
    return took


def compare(
    ours: Sequence[str],
    theirs: Sequence[str] | None,
    cwd: Path,
    *,
    runs: int,
    expect: Sequence[int] = (0, 1, 2),
) -> tuple[Figures, Figures | None]:
    """Return the figures of both commands after one warm-up each, run in turn."""
    for command in (ours, theirs):
        if command:
            run(command, cwd, expect=expect)
    mine: list[float] = []
    other: list[float] = []
    for _ in range(runs):
        mine.append(run(ours, cwd, expect=expect))
        if theirs:
            other.append(run(theirs, cwd, expect=expect))
    return Figures(tuple(mine)), Figures(tuple(other)) if theirs else None


def report(name: str, mine: Figures, other: Figures | None) -> None:
    """Print the figures and, if there are two, the median of the ratios mine / other."""
    print(f"{name}\n  mneme      {mine.told()}")
    if other is not None:
        ratios = [a / b for a, b in zip(mine.seconds, other.seconds, strict=True)]
        print(f"  reference  {other.told()}")
        print(
            f"  ratio      median {statistics.median(ratios):.4f} x   ({1 / statistics.median(ratios):.1f} times as fast)"
        )
