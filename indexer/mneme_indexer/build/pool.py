"""Worker processes. They are started by name, so that nothing of this process (threads, locks) is copied."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mneme_indexer.build import wire
from mneme_indexer.build.parse import Result, Task, joined, run

_SECONDS = 20.0  # for a task, and more for a large one
_SECONDS_PER_MEGABYTE = 20.0
_SECONDS_TO_START = 60.0
_SECONDS_ALONE = 10.0  # for one file, when a task failed
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]);"
    "from mneme_indexer.build.worker import main; main()"
)


class Pool:
    """Parses tasks on several processes; results come back in any order.

    A worker that dies or does not answer in time is replaced, and its task is tried file by file; a file
    that fails alone is given back unparsed, with the reason.
    """

    def __init__(self, workers: int) -> None:
        self._tasks: queue.Queue[Task | None] = queue.Queue(maxsize=workers + 1)
        self._results: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
        self._open = 0
        self._closed = threading.Event()
        self._workers = [_Worker() for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), daemon=True, name="mneme-parse")
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def offer(self, task: Task, seconds: float) -> bool:
        """Take a task if there is room for it within ``seconds``."""
        try:
            self._tasks.put(task, timeout=seconds)
        except queue.Full:
            return False
        self._open += 1
        return True

    def finished(self, seconds: float) -> Iterator[Result]:
        """Yield what has come back, after waiting at most ``seconds`` for the first of it."""
        while self._open:
            try:
                result = self._results.get(timeout=seconds) if seconds else self._results.get_nowait()
            except queue.Empty:
                return
            self._open -= 1
            if isinstance(result, BaseException):
                raise result
            yield result
            seconds = 0

    @property
    def open_tasks(self) -> int:
        """Return how many tasks have not come back."""
        return self._open

    def close(self) -> None:
        """Stop all workers, whatever they are doing."""
        self._closed.set()
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            while thread.is_alive():
                self._wake()
                thread.join(0.01)
        for worker in self._workers:
            worker.end()

    def _wake(self) -> None:
        with suppress(queue.Full):
            self._tasks.put_nowait(None)

    def _serve(self, worker: "_Worker") -> None:
        while (task := self._tasks.get()) is not None and not self._closed.is_set():
            try:
                self._results.put(self._answer(worker, task))
            except BaseException as error:  # noqa: BLE001 - raised again where the results are taken
                self._results.put(error)

    def _answer(self, worker: "_Worker", task: Task) -> Result:
        size = sum(len(source.data) for source in task.sources)
        try:
            return worker.ask(task, _SECONDS + _SECONDS_PER_MEGABYTE * size / (1 << 20))
        except wire.Closed:
            return joined(task.number, [self._alone(worker, part) for part in _parts(task)])

    def _alone(self, worker: "_Worker", task: Task) -> Result:
        if self._closed.is_set():
            return run(task, suspect="cancelled")
        try:
            return worker.ask(task, _SECONDS_ALONE)
        except wire.Closed:
            return run(task, suspect="the parser failed or took too long")


class _Worker:
    """One process. Where none can be started, this process parses itself."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._has_answered = False
        self._process: subprocess.Popen[bytes] | None = None
        self._decode = msgspec.msgpack.Decoder(Result).decode
        self._start()

    def ask(self, task: Task, seconds: float) -> Result:
        """Return the answer of the worker.

        Raises:
            Closed: it died, or the time was over; the next call starts another one.
        """
        process = self._process or self._start()
        if process is None:
            return run(task)
        try:
            return self._exchange(process, task, seconds)
        except (wire.Closed, msgspec.DecodeError, ValueError) as error:
            self.end()
            if not self._has_answered:  # not the fault of the task: it never came up
                self._stopped = True
                return run(task)
            raise wire.Closed from error

    def stop(self) -> None:
        """Kill the process and start no other one."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Kill the process, if there is one, and close its pipes."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            with process:
                pass

    def _start(self) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if self._stopped or not sys.executable:
                return None
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _START, _search_path()],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                )
            except OSError:
                return None
            return self._process

    def _exchange(self, process: "subprocess.Popen[bytes]", task: Task, seconds: float) -> Result:
        assert process.stdin is not None
        assert process.stdout is not None
        if not self._has_answered:
            wire.receive(process.stdout.fileno(), _SECONDS_TO_START)
            self._has_answered = True
        wire.send(process.stdin.fileno(), msgspec.msgpack.encode(task))
        return self._decode(wire.receive(process.stdout.fileno(), seconds))


def _parts(task: Task) -> list[Task]:
    """Return one task for each file of a task."""
    return [
        replace(task, first=task.first + number, sources=(source,))
        for number, source in enumerate(task.sources)
    ]


def _search_path() -> str:
    """Return where this process finds its modules, for one that starts without any setting of its own."""
    here = str(Path(__file__).parent.parent.parent)
    return json.dumps([here, *(str(Path(entry).absolute()) for entry in sys.path)])
