"""How fast the code index is built and refreshed, in wall and CPU seconds and in peak memory.

python bench/index_speed.py REPOSITORY          a clean checkout, e.g. of Django; it is left as it was
python bench/index_speed.py --generate 50000    a repository of so many generated files
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mneme_git.store.code_tree import WorkTreeSource
from mneme_git.store.discover import locate
from mneme_indexer.answers import Settings
from mneme_indexer.build.refresh import refresh
from mneme_indexer.db.session import Session


def generate(folder: Path, count: int) -> None:
    """Write ``count`` small modules that import and call one another, and commit them."""
    for number in range(count):
        place = folder / f"pkg{number % 500:03d}"
        place.mkdir(exist_ok=True)
        other = (number * 7919 + 13) % count
        (place / f"module_{number}.py").write_text(
            f'"""Module {number} of many."""\n\nfrom pkg{other % 500:03d}.module_{other} import Thing{other}\n\n\n'
            f"class Thing{number}(Thing{other}):\n"
            f'    """A thing with the number {number}."""\n\n'
            f"    def compute_{number % 97}(self, value: int) -> int:\n"
            f'        """Return the value for {number}."""\n'
            f"        total = self.compute_{other % 97}(value) + {number}\n        return total\n\n\n"
            f"def make_thing_{number}(name: str) -> Thing{number}:\n    return Thing{number}(name)\n"
        )
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "gc.auto=0"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "generated"]):
        subprocess.run([*git, *command], check=True)


class Run:
    """Times one refresh after another of the same repository."""

    def __init__(self, repository: Path, folder: Path, workers: int) -> None:
        self.repository = repository
        self.folder = folder
        self.settings = Settings(workers=workers)
        self.open()

    def open(self) -> None:
        self.source = WorkTreeSource(locate(self.repository, os.environ))
        self.session = Session(self.folder, "work", lambda text: print(text, file=sys.stderr))

    def close(self) -> None:
        self.session.close()
        self.source.close()

    def time(self, what: str) -> None:
        before = cpu()
        start = time.perf_counter()
        done = refresh(self.session, self.source, None, self.settings)
        took, used = time.perf_counter() - start, cpu() - before
        print(
            f"{what:34} {took * 1000:8.0f} ms wall {used * 1000:8.0f} ms CPU   files {done.files}"
            f" parsed {done.parsed} dirty {done.dirty} removed {done.removed} skipped {done.skipped}"
        )


def cpu() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def peak_megabytes(kind: int) -> float:
    return resource.getrusage(kind).ru_maxrss / 1024


def measure(repository: Path, folder: Path, workers: int) -> None:
    run = Run(repository, folder, workers)
    run.time("full, cold")
    run.time("again, nothing changed")
    run.close()
    run.open()
    run.time("new process, nothing changed")
    changed = max(
        repository.rglob("*.py"), key=lambda path: (path.stat().st_size < 20_000, path.stat().st_size)
    )
    before = changed.read_bytes()
    try:
        for number in range(3):
            changed.write_bytes(before + b"\n\ndef added_%d():\n    return 1\n" % number)
            run.time(f"one file changed ({len(before)} bytes)")
    finally:
        changed.write_bytes(before)
    run.time("the file changed back")
    size = run.session.database.size_bytes() / (1 << 20)
    run.close()
    peak = max(map(peak_megabytes, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    print(f"index {size:.1f} MiB; peak memory of any process {peak:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repository", nargs="?", type=Path)
    parser.add_argument("--generate", type=int, default=0)
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        repository = options.repository
        if options.generate:
            repository = Path(made) / "generated"
            repository.mkdir()
            generate(repository, options.generate)
        measure(repository, Path(made) / "index", options.workers)
        shutil.rmtree(made, ignore_errors=True)


if __name__ == "__main__":
    main()
