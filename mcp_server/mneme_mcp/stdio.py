"""Serving on stdin and stdout so that nothing but the protocol ever reaches the client."""

import io
import os
import sys
from contextlib import suppress
from typing import Any

from mcp.server.mcpserver import MCPServer

from mneme_mcp.unreadable import ReadableLines


def serve_on_stdio(server: MCPServer[Any]) -> None:
    """Serve until stdin closes or the client goes away.

    From here on file descriptor 1 is stderr and 0 is empty, for us and for every program we start: a
    stray print, or a child that reads its input, cannot break the protocol.
    """
    _keep_streams_to_ourselves()
    with suppress(BrokenPipeError):  # the client went away in the middle of an answer
        try:
            server.run("stdio")
        except* BrokenPipeError as group:
            raise BrokenPipeError from group


def _keep_streams_to_ourselves() -> None:
    reading, writing = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    answers = os.fdopen(writing, "wb")
    lines = io.BufferedReader(ReadableLines(os.fdopen(reading, "rb"), answers))
    sys.stdin = io.TextIOWrapper(lines, encoding="utf-8", errors="replace")
    sys.stdout = io.TextIOWrapper(answers, encoding="utf-8")
