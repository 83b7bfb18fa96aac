"""Several workers at once, each with its own queue and a thread of this process that talks to it."""

import queue
import threading
from collections.abc import Iterator

from msgspec import Struct

from mneme_indexer.build.parse import FLUSH, Result, Task
from mneme_indexer.build.process import Worker
from mneme_indexer.build.wire import Closed
from mneme_indexer.errors import IndexUnusable

_AHEAD = 2  # tasks given to a worker at a time, so that it never waits for the next one


class Finished(Struct, frozen=True):
    """What a worker gave back, in the order of its tasks; ``is_flush`` tells its postings."""

    worker: int
    result: Result
    is_flush: bool


class Pool:
    """Workers that parse what is offered; one thread owns the pool."""

    def __init__(self, workers: int) -> None:
        self._workers = [Worker() for _ in range(workers)]
        self._tasks: list[queue.SimpleQueue[Task | None]] = [queue.SimpleQueue() for _ in self._workers]
        self._open = [0] * workers
        self._finished: queue.SimpleQueue[Finished | tuple[int, BaseException]] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, args=(number,), daemon=True, name="mneme-parse")
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def offer(self, task: Task) -> bool:
        """Take a task, unless all workers have enough to do."""
        number = self._open.index(min(self._open))
        if self._open[number] >= _AHEAD:
            return False
        self._give(number, task)
        return True

    def flush(self) -> None:
        """Ask every worker for the postings of all that it was given so far."""
        for number in range(len(self._workers)):
            self._give(number, FLUSH)

    def finished(self, seconds: float) -> Iterator[Finished]:
        """Yield what has come back, after waiting at most ``seconds`` for the first of it.

        Raises:
            IndexUnusable: workers die again and again.
        """
        while any(self._open):
            try:
                found = self._finished.get(timeout=seconds) if seconds else self._finished.get_nowait()
            except queue.Empty:
                return
            if isinstance(found, tuple):
                raise _explained(found[1])
            self._open[found.worker] -= 1
            yield found
            seconds = 0

    def is_busy(self) -> bool:
        """Tell whether something has not come back."""
        return any(self._open)

    def close(self) -> None:
        """Stop all workers, whatever they are doing."""
        for worker in self._workers:
            worker.stop()
        for tasks in self._tasks:
            tasks.put(None)
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.end()

    def __len__(self) -> int:
        return len(self._workers)

    def _give(self, number: int, task: Task) -> None:
        self._open[number] += 1
        self._tasks[number].put(task)

    def _serve(self, number: int) -> None:
        worker, tasks = self._workers[number], self._tasks[number]
        try:
            while (task := tasks.get()) is not None:
                is_flush = task is FLUSH
                result = worker.flush() if is_flush else worker.parse(task)
                self._finished.put(Finished(number, result, is_flush))
        except BaseException as error:  # noqa: BLE001 - raised again where the results are taken
            self._finished.put((number, error))


def _explained(error: BaseException) -> BaseException:
    if not isinstance(error, Closed):
        return error
    return IndexUnusable(
        "the processes that parse for the code index end at once",
        hint="see whether this machine has memory left; parsing in one process takes less",
    )
