"""The process that parses for another one: tasks come on its input, results go to its output."""

import gc
import os
import signal

import msgspec

from mneme_indexer.build.parse import Parser, Task
from mneme_indexer.build.wire import Closed, receive, send


def main() -> None:
    """Answer tasks until the input ends, which it does when the other process does."""
    gc.disable()  # nothing here makes circles, and there is much to look through
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process stops this one by closing the pipe
    tasks, results = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # whatever prints must not get between the results
    decode = msgspec.msgpack.Decoder(Task).decode
    encode = msgspec.msgpack.Encoder().encode
    parser = Parser()
    try:
        send(results, b"")  # it is up
        while True:
            send(results, encode(parser.run(decode(receive(tasks)))))
    except Closed:
        return
