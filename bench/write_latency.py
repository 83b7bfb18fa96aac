"""One durable write in a process that runs already, and the import of many decisions in one plan.

    python bench/write_latency.py [--files 10000] [--writes 100] [--backend pygit2|program]

The repository has --files record files (half versions, half decisions), all committed and in the
journal. A write adds one decision: two blobs, the journal's trees and commit, the swap of the ref, two
work-tree files, each fsynced before the write counts as done; with staging also one `git add`.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mneme_git.model.decision import DecisionState, Lifecycle, LineageEntry, RuntimeEvidence, Version, id_of
from mneme_git.model.plan import ABSENT, Plan, PutState, PutVersion, Read
from mneme_git.store.discover import open_backend
from mneme_git.store.git_store import GitStore
from mneme_git.store.work_files import create_layout, layout_files


def adding(names: list[str]) -> Plan:
    """Return a plan that adds decisions which are not there yet."""
    operations: list[PutVersion | PutState] = []
    for name in names:
        version = Version(
            decision_id=name,
            statement=f"Use {name}",
            rationale="It was measured against three others.\n" * 6,
            occurrence=("cli-add", name),
        )
        entry = LineageEntry(version_id=id_of(version), evidence=(RuntimeEvidence(),))
        state = DecisionState(
            decision_id=name,
            lifecycle_status=Lifecycle.ACTIVE,
            active_version_id=id_of(version),
            versions=(entry,),
        )
        operations += [PutVersion(version), PutState(state)]
    reads = tuple(Read("decision", name, ABSENT) for name in names)
    return Plan(verb="add", subject=names[0], operations=tuple(operations), reads=reads)


def store_in(folder: Path, backend: str) -> GitStore:
    """Make a repository with an empty store."""
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    store = GitStore(open_backend(folder, prefer=backend), now=lambda: int(time.time()))
    made = create_layout(store.backend, layout_files("0123456789abcdef"))
    assert store.backend.stage(made) == ""
    return store


def commit_all(folder: Path) -> None:
    who = ("-c", "user.name=Bench", "-c", "user.email=bench@example.org")
    subprocess.run(["git", *who, "commit", "-q", "-m", "records"], cwd=folder, check=True)


def timed(action: Callable[[], object]) -> float:
    """Return how long one call takes, in milliseconds."""
    begun = time.perf_counter()
    action()
    return (time.perf_counter() - begun) * 1000


def told(name: str, took_ms: list[float]) -> str:
    ordered = sorted(took_ms)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return f"{name:<34} p50 {p50:7.1f} ms   p99 {p99:7.1f} ms   min {ordered[0]:7.1f} ms   n {len(ordered)}"


def writes(store: GitStore, label: str, count: int, *, stage: bool) -> str:
    """Time ``count`` single writes."""
    plans = [adding([f"{label}-{number}"]) for number in range(count)]
    return told(label, [timed(lambda plan=plan: store.commit(plan, stage=stage)) for plan in plans])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--writes", type=int, default=100)
    parser.add_argument("--backend", choices=("pygit2", "program"), default="pygit2")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        store = store_in(Path(made), options.backend)
        bulk = adding([f"import-{number}" for number in range(500)])
        print(
            f"{'import of 500 in one plan, staged':<34} {timed(lambda: store.commit(bulk, stage=True)):11.1f} ms"
        )
        rest = max(options.files // 2 - 500, 0)
        store.commit(adding([f"there-{number}" for number in range(rest)]), stage=True)
        commit_all(Path(made))
        print(f"{'loading everything':<34} {timed(store.load):11.1f} ms")
        print(writes(store, "journal and files, not staged", options.writes, stage=False))
        print(writes(store, "journal, files and staging", options.writes, stage=True))


if __name__ == "__main__":
    main()
