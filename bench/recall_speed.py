"""How long recall takes in a running process, with 10,000 and 100,000 generated memories.

    python bench/recall_speed.py [--sizes 10000 100000] [--queries 200] [--whole]

Memories are of 5 to 120 words drawn by Zipf's law from 20,000 made-up words, so that the commonest words are
in almost every one; every tenth has tags and files. Queries have 1 to 15 words: a third rare ones, a third
from the memories, a third only of the ten commonest words. Times are those of the index alone, by the
clock; with ``--whole`` also those of whole calls of a server in a fresh repository, journal and all.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

from mneme_git.app.memories import Memories, Question
from mneme_git.app.workspace import Workspace, environment
from mneme_git.memories.content import content_key
from mneme_git.memories.record import Draft
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind
from mneme_git.model.memory_view import MemoryPlan
from mneme_git.store.discover import open_backend
from mneme_git.store.memories_store import MemoriesStore
from mneme_git.store.recall_index import Filters, RecallIndex

WORDS = 20_000
KINDS = tuple(MemoryKind)
FRESH_PROCESS = """
import sys, time
start = time.perf_counter()
from pathlib import Path
from mneme_git.store.recall_index import Filters, RecallIndex
class All(frozenset):
    def __contains__(self, name): return True
index = RecallIndex(Path(sys.argv[1]), content_key=str)
hits = index.search(sys.argv[2], Filters(), All(), 10)
print(round((time.perf_counter() - start) * 1000))
"""


class Generated:
    """Memories and queries that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        self.words = sorted({"".join(self._random.choices(syllables, k=3)) for _ in range(2 * WORDS)})
        self._random.shuffle(self.words)
        self.words = self.words[:WORDS]
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self.words) + 1)))

    def text(self, words: int) -> str:
        return " ".join(self._random.choices(self.words, cum_weights=self._weights, k=words))

    def memory(self, number: int) -> Memory:
        day, second = divmod(number, 86_400)
        clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        named = number % 10 == 0
        return Memory(
            kind=KINDS[number % len(KINDS)],
            body=self.text(self._random.randint(5, 120)),
            tags=(f"tag{number % 70}",) if named else (),
            files=(FileAnchor(path=f"src/part{number % 90}/{self.words[number % WORDS]}.py"),)
            if named
            else (),
            created_at=f"2026-01-{1 + day:02}T{clock}Z",
        )

    def query(self, number: int) -> str:
        words = self._random.randint(1, 15)
        if number % 3 == 0:
            return " ".join(self._random.choices(self.words[1000:], k=words))
        if number % 3 == 1:
            return self.text(words)
        return " ".join(self._random.choices(self.words[:10], k=words))


def named(memories: Iterator[Memory]) -> dict[str, Memory]:
    return {name_of_bytes(encode_memory(memory)): memory for memory in memories}


def shown(what: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p50, p95, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1]
    times = f"p50 {p50 * 1000:6.2f} ms  p95 {p95 * 1000:6.2f}  max {most * 1000:6.2f}  min {ordered[0] * 1000:6.2f}"
    print(f"  {what:<34} {times}", flush=True)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(size: int, queries: int) -> None:
    made = Generated(size)
    with tempfile.TemporaryDirectory() as folder:
        index = RecallIndex(Path(folder), content_key=content_key)
        memories = named(made.memory(number) for number in range(size))
        build = timed(lambda: index.add(memories))
        bytes_used = sum(path.stat().st_size for path in Path(folder).iterdir())
        print(f"{size:,} memories: built in {build:.1f} s, {bytes_used / 1e6:.0f} MB")
        visible = frozenset(memories)
        index.newest(Filters(), visible, 10)
        kinds: dict[str, list[float]] = {
            "rare words": [],
            "words as in memories": [],
            "commonest words only": [],
        }
        for number in range(queries):
            query = made.query(number)
            kind = list(kinds)[number % 3]
            kinds[kind].append(timed(lambda text=query: index.search(text, Filters(), visible, 10)))  # type: ignore[misc]
        shown("recall, all", [each for times in kinds.values() for each in times])
        for kind, times in kinds.items():
            shown(f"recall, {kind}", times)
        tagged = Filters(tags=("tag10", "tag20"), kinds=("decision", "gotcha"))
        shown(
            "recall, with filters",
            [timed(lambda: index.search(made.text(4), tagged, visible, 10)) for _ in range(50)],
        )
        shown("newest 20", [timed(lambda: index.newest(Filters(), visible, 20)) for _ in range(50)])
        ten = sorted(memories)[:10]
        shown("bodies of 10", [timed(lambda: index.memories(ten)) for _ in range(20)])
        new = [named(iter([made.memory(size + number)])) for number in range(300)]
        shown("add one", [timed(lambda one=one: index.add(one)) for one in new])  # type: ignore[misc]
        after = frozenset([*memories, *(name for one in new for name in one)])
        shown(
            "recall after a change of the view", [recall_anew(index, made.text(5), after) for _ in range(20)]
        )
        index.close()
        fresh = [in_fresh_process(folder, made.text(5)) for _ in range(3)]
        print(f"  a fresh process, from its imports on   min {min(fresh)} ms")


def recall_anew(index: RecallIndex, query: str, names: frozenset[str]) -> float:
    visible = frozenset(list(names))
    return timed(lambda: index.search(query, Filters(), visible, 10))


def in_fresh_process(folder: str, query: str) -> int:
    command = [sys.executable, "-c", FRESH_PROCESS, folder, query]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_whole(size: int) -> None:
    """Time whole calls as a server makes them: numbers, staleness, counts and all."""
    made = Generated(size)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        os.environ["MNEME_DATA_HOME"] = f"{folder}/user"
        memories = tuple(made.memory(number) for number in range(size))
        store = MemoriesStore(open_backend(Path(folder)), now=lambda: int(time.time()))
        for start in range(0, size, 5_000):
            part = memories[start : start + 5_000]
            store.write(MemoryPlan(verb="record", subject="many", memories=part))
        workspace = Workspace(cwd=Path(folder), env=environment({}), now=lambda: int(time.time()))
        with Memories(workspace, prefer="pygit2") as whole:

            def record(number: int) -> None:
                memory = made.memory(size + number)
                whole.record(Draft(kind=memory.kind, body=memory.body, tags=memory.tags))

            def recall(number: int) -> None:
                whole.recall(Question(query=made.query(number), limit=10))

            print(f"{size:,} memories, whole calls; the first {timed(lambda: recall(0)) / 1000:.1f} s")
            shown("record, fsynced", [timed(lambda number=n: record(number)) for n in range(60)])  # type: ignore[misc]
            shown("recall, nothing changed", [timed(lambda number=n: recall(number)) for n in range(60)])  # type: ignore[misc]
            after = []
            for number in range(60, 100):
                record(number)
                after.append(timed(lambda number=number: recall(number)))  # type: ignore[misc]
            shown("recall after each record", after)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--whole", action="store_true")
    given = parser.parse_args()
    for size in given.sizes:
        measure(size, given.queries)
        if given.whole:
            measure_whole(size)


if __name__ == "__main__":
    main()
