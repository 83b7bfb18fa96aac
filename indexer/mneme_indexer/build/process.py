"""One worker process: started by name, so that nothing of this process (threads, locks) is copied."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mneme_indexer.build import wire
from mneme_indexer.build.parse import FLUSH, Parser, Result, Task

_SECONDS_TO_START = 60.0
_SECONDS = 20.0  # for a task, and more for a large one
_SECONDS_PER_MEGABYTE = 20.0
_SECONDS_ALONE = 5.0  # for one file; a usual one of this size takes a hundredth
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]);"
    "from mneme_indexer.build.worker import main; main()"
)
_FAILED = "the parser failed or took too long"


class Worker:
    """Parses in a process of its own; where none can be started, in this one.

    A process that dies or does not answer in time is replaced, and what it had not flushed is done
    again; then its task is tried file by file, and a file that fails alone is left unparsed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None
        self._is_up = False
        self._here: Parser | None = None
        self._since_flush: list[Task] = []
        self._start()

    def parse(self, task: Task) -> Result:
        """Return the blobs of a task.

        Raises:
            Closed: the worker was stopped, or dies whatever it is given.
        """
        began = time.monotonic()
        try:
            return self._kept(task, _patience(task))
        except wire.Closed:
            if len(task.sources) == 1 and time.monotonic() - began >= _patience(task):
                return self._kept(replace(task, suspect=_FAILED), _SECONDS)  # once was long enough
            parts = [self._alone(replace(task, sources=(source,))) for source in task.sources]
            return Result(tuple(blob for part in parts for blob in part.blobs))

    def flush(self) -> Result:
        """Return the postings of all that was parsed since the last flush.

        Raises:
            Closed: as ``parse``.
        """
        try:
            result = self._ask(FLUSH, _SECONDS_TO_START)
        except wire.Closed:
            result = self._ask(FLUSH, _SECONDS_TO_START)
        self._since_flush.clear()
        return result

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

    def _alone(self, task: Task) -> Result:
        try:
            return self._kept(task, _patience(task))
        except wire.Closed:
            return self._kept(replace(task, suspect=_FAILED), _SECONDS)

    def _kept(self, task: Task, seconds: float) -> Result:
        result = self._ask(task, seconds)
        self._since_flush.append(task)
        return result

    def _ask(self, task: Task, seconds: float) -> Result:
        if self._process is None and self._here is None:
            self._start()
            self._is_up = False
            for earlier in self._since_flush:
                self._exchange(earlier, _patience(earlier))
        return self._exchange(task, seconds)

    def _exchange(self, task: Task, seconds: float) -> Result:
        if not self._is_up:
            self._greet()
        if self._here is not None:
            return self._here.run(task)
        process = self._process
        if process is None:
            raise wire.Closed
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            wire.send(process.stdin.fileno(), msgspec.msgpack.encode(task))
            return msgspec.msgpack.decode(wire.receive(process.stdout.fileno(), seconds), type=Result)
        except (wire.Closed, msgspec.DecodeError, ValueError) as error:
            self.end()
            raise wire.Closed from error

    def _greet(self) -> None:
        """Wait until the process is up; if it never comes up, parse here."""
        try:
            if self._process is not None:
                assert self._process.stdout is not None
                wire.receive(self._process.stdout.fileno(), _SECONDS_TO_START)
        except (wire.Closed, ValueError):
            self.end()
            if self._stopped:
                raise wire.Closed from None
            self._here = Parser()
        self._is_up = True

    def _start(self) -> None:
        with self._lock:
            if self._stopped:
                raise wire.Closed
            self._process = _spawned()
            if self._process is None:
                self._here = Parser()


def _patience(task: Task) -> float:
    """Return for how many seconds to wait for a task."""
    size = sum(len(source.data) for source in task.sources)
    least = _SECONDS_ALONE if len(task.sources) == 1 else _SECONDS
    return least + _SECONDS_PER_MEGABYTE * size / (1 << 20)


def _spawned() -> "subprocess.Popen[bytes] | None":
    if not sys.executable:
        return None
    # What this process would find, whatever the environment says there.
    here = str(Path(__file__).parent.parent.parent)
    places = json.dumps([here, *(str(Path(entry).absolute()) for entry in sys.path)])
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _START, places],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
    except OSError:
        return None
