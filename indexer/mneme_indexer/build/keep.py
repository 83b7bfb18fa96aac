"""Reading, parsing and storing the blobs that nobody has parsed yet; each step overlaps with the others."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from mneme_indexer.answers import Settings
from mneme_indexer.build.odd import is_odd
from mneme_indexer.build.parse import FLUSH, Parser, Source, Task
from mneme_indexer.build.plan import CHANGED, Changed, is_torn, too_large
from mneme_indexer.build.pool import Finished, Pool
from mneme_indexer.build.recipes import TEXT
from mneme_indexer.db.session import Session
from mneme_indexer.db.write import BlobWriter, add_segment, known_blobs
from mneme_indexer.errors import Cancelled
from mneme_indexer.sources import SourceTree

# Below both of these, starting a process takes longer than the work.
_FEW_FILES = 40
_FEW_BYTES = 400_000
_USUAL_BYTES = 8000  # of a file whose size the listing does not tell
_TASK_FILES = 100
_TASK_BYTES = 300_000
# What a kill can cost, and what is held in memory.
_CHECKPOINT_FILES = 6000
_CHECKPOINT_BYTES = 32_000_000
_CHECKPOINT_SECONDS = 3.0
_CHECKPOINT_SHARE = 0.25  # of the time so far, for long builds: many segments make questions slow
_MOST_WORKERS = 8
_PATIENCE = 0.05  # seconds between two looks at ``cancelled``

Key = tuple[str, int]
Check = Callable[[], None]
Tell = Callable[[int, int], None]


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
        self._session = session
        self._source = source
        self._settings = settings
        self._store = _Store(session, recipe_rows, refresh)
        self._recipes = recipe_rows
        self._workers = settings.workers or _cores()

    def key(self, change: Changed) -> Key:
        """Return what the blob of a file is kept under."""
        return change.listed.blob, self._recipes[change.key_language]

    def keep(self, changes: Sequence[Changed], check: Check, tell: Tell) -> None:
        """Parse and store the blobs that are not known; ``check`` raises to stop, ``tell`` is told how far.

        Raises:
            Cancelled: ``check`` said so; what is parsed is stored.
        """
        with self._session.database.reading() as connection:
            most = self._settings.max_file_bytes
            self.ids = known_blobs(connection, map(self.key, changes), most)
        unknown = [change for change in changes if self.key(change) not in self.ids]
        if not unknown:
            return
        tasks = self._tasks(unknown)
        work = self._together
        if self._settings.workers == 1:
            work = self._alone
        elif self._is_little(unknown):
            little = list(_while(check, tasks))
            tasks = iter(little)
            work = self._together if any(map(_has_odd, little)) else self._alone
            self._workers = min(self._workers, sum(task is not FLUSH for task in little))
        try:
            for parsed in work(tasks, check):
                self.parsed += parsed
                tell(self.parsed + len(self.unread), len(unknown))
        finally:
            self._store.abandon()
            self.ids.update(self._store.ids)

    def _is_little(self, changes: Sequence[Changed]) -> bool:
        sizes = [change.listed.size for change in changes[:_FEW_FILES]]
        known = sum(size if size >= 0 else _USUAL_BYTES for size in sizes)
        return len(sizes) < _FEW_FILES and known < _FEW_BYTES

    def _tasks(self, changes: Sequence[Changed]) -> Iterator[Task]:
        """Yield the contents in batches, with a flush after each checkpoint's worth and at the end."""
        files = size = 0
        started = begun = time.monotonic()
        for sources in self._batches(changes):
            yield Task(tuple(sources))
            files += len(sources)
            size += sum(len(source.data) for source in sources)
            now = time.monotonic()
            is_time = now - begun >= max(_CHECKPOINT_SECONDS, _CHECKPOINT_SHARE * (now - started))
            if is_time or files >= _CHECKPOINT_FILES or size >= _CHECKPOINT_BYTES:
                yield FLUSH
                files, size, begun = 0, 0, time.monotonic()
        if files:
            yield FLUSH

    def _batches(self, changes: Sequence[Changed]) -> Iterator[list[Source]]:
        batch: list[Source] = []
        size = 0
        contents = self._source.read([change.listed for change in changes])
        for change, data in zip(changes, contents, strict=True):
            reason = CHANGED if is_torn(change.listed, data) else ""
            reason = reason or too_large(len(data), self._settings.max_file_bytes)
            if reason:
                self.unread[self.key(change)] = reason
                continue
            source = Source(change.listed.blob, change.key_language, data)
            if _is_odd(source):
                yield [source]
                continue
            batch.append(source)
            size += len(data)
            if len(batch) >= _TASK_FILES or size >= _TASK_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _alone(self, tasks: Iterator[Task], check: Check) -> Iterator[int]:
        """Parse in this process; yield how many blobs each task gave."""
        parser = Parser()
        try:
            for task in tasks:
                check()
                yield self._store.take(Finished(0, parser.run(task), task is FLUSH), 1)
        except Cancelled:
            self._store.take(Finished(0, parser.run(FLUSH), is_flush=True), 1)
            raise

    def _together(self, tasks: Iterator[Task], check: Check) -> Iterator[int]:
        """Parse in several processes; yield how many blobs each task gave."""
        pool = Pool(max(1, self._workers))
        try:
            for finished in _run(pool, tasks, check):
                yield self._store.take(finished, len(pool))
        except Cancelled:
            pool.flush()
            while pool.is_busy():
                for finished in pool.finished(_PATIENCE):
                    self._store.take(finished, len(pool))
            raise
        finally:
            pool.close()


def _while(check: Check, tasks: Iterator[Task]) -> Iterator[Task]:
    for task in tasks:
        check()
        yield task


def _has_odd(task: Task) -> bool:
    return any(map(_is_odd, task.sources))


def _is_odd(source: Source) -> bool:
    return source.key_language != TEXT and is_odd(source.data)


def _run(pool: Pool, tasks: Iterator[Task], check: Check) -> Iterator[Finished]:
    for task in tasks:
        check()
        if task is FLUSH:
            pool.flush()
            continue
        while not pool.offer(task):
            yield from pool.finished(_PATIENCE)
            check()
        yield from pool.finished(0)
    while pool.is_busy():
        check()
        yield from pool.finished(_PATIENCE)


class _Store:
    """Writes what workers give back: a transaction ends when all of them have flushed."""

    def __init__(self, session: Session, recipe_rows: dict[str, int], refresh: int) -> None:
        self.ids: dict[Key, int] = {}
        self._database = session.database
        self._recipes = recipe_rows
        self._refresh = refresh
        self._transaction = ExitStack()
        self._writer: BlobWriter | None = None
        self._documents: dict[int, list[int]] = {}
        self._flushed: dict[int, Finished] = {}
        self._early: list[Finished] = []

    def take(self, finished: Finished, workers: int) -> int:
        """Store a result; return how many blobs it had.

        What a worker gives after its flush belongs to the next transaction and waits for that.
        """
        if finished.worker in self._flushed:
            self._early.append(finished)
        elif finished.is_flush:
            self._flushed[finished.worker] = finished
            if len(self._flushed) == workers:
                self._commit(workers)
        else:
            self._add(finished)
        return len(finished.result.blobs)

    def abandon(self) -> None:
        """Undo what has not been flushed."""
        if self._writer is not None:
            self._writer = None
            self._transaction.__exit__(Cancelled, Cancelled("not flushed"), None)

    def _add(self, finished: Finished) -> None:
        if self._writer is None:
            connection = self._transaction.enter_context(self._database.writing())
            self._writer = BlobWriter(connection, self._recipes, self._refresh)
        rows = self._writer.add(finished.result.blobs)
        self._documents.setdefault(finished.worker, []).extend(rows)

    def _commit(self, workers: int) -> None:
        connection = self._database.connection
        for worker, documents in sorted(self._documents.items()):
            add_segment(connection, documents, self._flushed[worker].result.blocks)
        if self._writer is not None:
            self.ids.update(self._writer.ids)
            self._writer = None
            self._transaction.close()
        self._documents, self._flushed = {}, {}
        early, self._early = self._early, []
        for finished in early:
            self.take(finished, workers)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), _MOST_WORKERS)
    return min(os.cpu_count() or 1, _MOST_WORKERS)
