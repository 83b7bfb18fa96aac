"""A client that speaks MCP to a server process: one JSON object a line, nothing hidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "0"},
}


class McpClient:
    """One conversation; every line of the server's stdout must be JSON-RPC."""

    def __init__(self, folder: Path, *command: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mneme_git", *command],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **env},
        )
        self._last = 0

    def __enter__(self) -> McpClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(BrokenPipeError):
                stream.close()

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        self._last += 1
        request = {"jsonrpc": "2.0", "id": self._last, "method": method}
        self.send(json.dumps(request if params is None else request | {"params": params}))
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            answer = json.loads(line)
            assert answer["jsonrpc"] == "2.0"
            if answer.get("id") == self._last:
                return answer
        raise AssertionError(f"the server ended: {self.process.stderr.read() if self.process.stderr else ''}")

    def initialize(self) -> dict[str, Any]:
        answer = self.ask("initialize", INITIALIZE)
        self.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return answer["result"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def close(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(20)
