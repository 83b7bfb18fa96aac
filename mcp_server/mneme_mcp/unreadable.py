"""Calls that the protocol's library cannot read, and so would leave without an answer.

JSON lets a client write half of a surrogate pair as an escape, as one does that cuts a text within an
emoji. It is no Unicode text; the library passes over the line, and the client would wait for ever.
"""

import io
import json
from typing import IO, Any

from mneme_mcp.arguments import is_unicode

_ESCAPE = b"\\ud"  # how each half of a pair begins
_INVALID_PARAMETERS = -32602
_WHY = "is not valid Unicode: it holds half of a pair"


class ReadableLines(io.RawIOBase):
    """The lines of a client, without those that it gets an answer to from here."""

    def __init__(self, lines: IO[bytes], answers: IO[bytes]) -> None:
        super().__init__()
        self._lines = lines
        self._answers = answers
        self._rest = b""

    def readable(self) -> bool:
        """Tell that this can be read, as the class above it would deny."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read from one line at most, so that no line waits for the next one."""
        while not self._rest:
            self._rest = self._lines.readline()
            if not self._rest:
                return 0
            answer = refusal_of(self._rest)
            if answer is not None:
                self._rest = b""
                self._answers.write(answer)  # one call: other threads write whole lines there too
                self._answers.flush()
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def refusal_of(line: bytes) -> bytes | None:
    """Return the answer to a request that is no Unicode text, else None."""
    if _ESCAPE not in line.lower():
        return None
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict) or not {"id", "method"} <= request.keys() or is_unicode(request):
        return None
    told = {"jsonrpc": "2.0", "id": request["id"], **_refusal(request)}
    return json.dumps(told).encode() + b"\n"


def _refusal(request: dict[str, Any]) -> dict[str, Any]:
    called = request.get("params")
    given = called.get("arguments") if isinstance(called, dict) else None
    names = (
        [name for name, value in given.items() if not is_unicode(value)] if isinstance(given, dict) else []
    )
    text = "; ".join(f"'{name}' {_WHY}" for name in names if is_unicode(name)) or f"the request {_WHY}"
    if request["method"] != "tools/call":
        return {"error": {"code": _INVALID_PARAMETERS, "message": text}}
    return {"result": {"content": [{"type": "text", "text": text}], "isError": True}}
