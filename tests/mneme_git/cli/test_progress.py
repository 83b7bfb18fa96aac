import io
import os
import signal
import threading

import pytest

from mneme_git.cli.progress import ProgressLine, stoppable
from mneme_indexer.answers import Progress


class Stderr(io.StringIO):
    def __init__(self, *, terminal):
        super().__init__()
        self._terminal = terminal

    def isatty(self):
        return self._terminal


class Clock:
    def __init__(self):
        self.at = 0.0

    def __call__(self):
        return self.at


@pytest.fixture
def shown(monkeypatch):
    def play(*, terminal, quiet=False):
        stream, clock = Stderr(terminal=terminal), Clock()
        monkeypatch.setattr("sys.stderr", stream)
        line = ProgressLine(quiet=quiet, now=clock)
        for clock.at, told in (
            (0.1, Progress("listing", 0, 0)),
            (0.5, Progress("parsing", 1, 9)),
            (0.55, Progress("parsing", 2, 9)),
            (1.5, Progress("parsing", 5, 9)),
            (2.0, Progress("storing", 0, 0)),
        ):
            line(told)
        line.clear()
        return stream.getvalue()

    return play


def test_a_terminal_sees_one_line_that_goes_away(shown):
    text = shown(terminal=True)
    assert [part.removeprefix("\x1b[K") for part in text.split("\r")[1:]] == [
        "mneme: parsing 1 of 9 files",
        "mneme: parsing 5 of 9 files",
        "mneme: storing",
        "",
    ]


def test_elsewhere_only_what_takes_longer_than_a_second_is_told(shown):
    assert shown(terminal=False) == "mneme: parsing 5 of 9 files\n"


def test_who_wants_quiet_has_it(shown):
    assert shown(terminal=True, quiet=True) == ""


def test_ctrl_c_is_noticed_and_the_second_one_interrupts():
    before = signal.getsignal(signal.SIGINT)
    with stoppable() as stopped:
        assert not stopped()
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_thread_that_gets_no_signals_cannot_be_stopped():
    told = []

    def work():
        with stoppable() as stopped:
            told.append(stopped())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == [False]
