"""Reading, parsing and storing the blobs that nobody has parsed yet; each step overlaps with the others."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from mneme_indexer.answers import Settings
from mneme_indexer.build.parse import Result, Source, Task, run
from mneme_indexer.build.plan import CHANGED, Changed, is_torn, too_large
from mneme_indexer.build.pool import Pool
from mneme_indexer.db.session import Session
from mneme_indexer.db.write import SegmentWriter, known_blobs
from mneme_indexer.errors import Cancelled
from mneme_indexer.sources import SourceTree

# Below both of these, starting a process takes longer than the work.
_FEW_FILES = 40
_FEW_BYTES = 400_000
_USUAL_BYTES = 8000  # of a file whose size the listing does not tell
_TASK_FILES = 250
_TASK_BYTES = 600_000
# A segment is what a kill can cost, and what is held in memory.
_SEGMENT_FILES = 4096
_SEGMENT_BYTES = 24_000_000
_SEGMENT_SECONDS = 3.0
_MOST_WORKERS = 8
_PATIENCE = 0.05  # seconds between two looks at ``cancelled``

Key = tuple[str, int]


class Keeper:
    """The work of one refresh on blobs: ``ids`` has their rows, ``unread`` why some have none."""

    def __init__(
        self,
        session: Session,
        source: SourceTree,
        settings: Settings,
        recipe_rows: dict[str, int],
        refresh: int,
    ) -> None:
        self.ids: dict[Key, int] = {}
        self.unread: dict[Key, str] = {}
        self.parsed = 0
        self._database = session.database
        self._source = source
        self._settings = settings
        self._recipes = recipe_rows
        self._refresh = refresh
        self._transaction = ExitStack()
        self._writer: SegmentWriter | None = None

    def key(self, change: Changed) -> Key:
        """Return what the blob of a file is kept under."""
        return change.listed.blob, self._recipes[change.key_language]

    def keep(
        self, changes: Sequence[Changed], check: Callable[[], None], report: Callable[[int, int], None]
    ) -> None:
        """Parse and store the blobs that are not known; ``check`` raises to stop, ``report`` is told how far.

        Raises:
            Cancelled: ``check`` said so; what is parsed is stored.
        """
        with self._database.reading() as connection:
            self.ids = known_blobs(connection, map(self.key, changes))
        unknown = [change for change in changes if self.key(change) not in self.ids]
        if not unknown:
            return
        work = self._alone if self._is_little(unknown) else self._together
        try:
            for result, first in work(self._tasks(unknown), check):
                self._store(result, first)
                report(self.parsed, len(unknown))
            self._end_segment()
        except Cancelled:
            self._end_segment()
            raise
        except BaseException:
            self._transaction.__exit__(*sys.exc_info())
            raise

    def _is_little(self, changes: Sequence[Changed]) -> bool:
        if self._settings.workers == 1:
            return True
        sizes = [change.listed.size for change in changes[:_FEW_FILES]]
        known = sum(size if size >= 0 else _USUAL_BYTES for size in sizes)
        return len(sizes) < _FEW_FILES and known < _FEW_BYTES

    def _tasks(self, changes: Sequence[Changed]) -> Iterator[Task]:
        """Yield the contents in batches; a batch whose ``first`` is 0 begins a segment."""
        number = first = size = 0
        begun = time.monotonic()
        for sources in self._batches(changes):
            yield Task(number, first, tuple(sources))
            number, first = number + 1, first + len(sources)
            size += sum(len(source.data) for source in sources)
            now = time.monotonic()
            if first >= _SEGMENT_FILES or size >= _SEGMENT_BYTES or now - begun >= _SEGMENT_SECONDS:
                first, size, begun = 0, 0, now

    def _batches(self, changes: Sequence[Changed]) -> Iterator[list[Source]]:
        batch: list[Source] = []
        size = 0
        contents = self._source.read([change.listed for change in changes])
        for change, data in zip(changes, contents, strict=True):
            reason = self._reason(change, data)
            if reason:
                self.unread[self.key(change)] = reason
                continue
            batch.append(Source(change.listed.blob, change.key_language, data))
            size += len(data)
            if len(batch) >= _TASK_FILES or size >= _TASK_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _reason(self, change: Changed, data: bytes) -> str:
        if is_torn(change.listed, data):
            return CHANGED
        return too_large(len(data), self._settings.max_file_bytes)

    def _alone(self, tasks: Iterator[Task], check: Callable[[], None]) -> Iterator[tuple[Result, int]]:
        for task in tasks:
            check()
            yield run(task), task.first

    def _together(self, tasks: Iterator[Task], check: Callable[[], None]) -> Iterator[tuple[Result, int]]:
        """Yield the results in the order of the tasks."""
        firsts: dict[int, int] = {}
        waiting: dict[int, Result] = {}
        turn = 0
        pool = Pool(self._settings.workers or _cores())
        try:
            for result in self._results(pool, tasks, firsts, check):
                waiting[result.number] = result
                while turn in waiting:
                    yield waiting.pop(turn), firsts.pop(turn)
                    turn += 1
        finally:
            pool.close()

    def _results(
        self, pool: Pool, tasks: Iterator[Task], firsts: dict[int, int], check: Callable[[], None]
    ) -> Iterator[Result]:
        for task in tasks:
            firsts[task.number] = task.first
            while not pool.offer(task, _PATIENCE):
                check()
                yield from pool.finished(0)
            yield from pool.finished(0)
        while pool.open_tasks:
            check()
            yield from pool.finished(_PATIENCE)

    def _store(self, result: Result, first: int) -> None:
        if self._writer is None or first == 0:
            self._end_segment()
            connection = self._transaction.enter_context(self._database.writing())
            self._writer = SegmentWriter(connection, self._recipes, self._refresh)
        self._writer.add(result.blobs, result.postings)
        self.parsed += len(result.blobs)

    def _end_segment(self) -> None:
        if self._writer is not None:
            self.ids.update(self._writer.finish())
            self._writer = None
            self._transaction.close()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), _MOST_WORKERS)
    return min(os.cpu_count() or 1, _MOST_WORKERS)
