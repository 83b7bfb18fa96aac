r"""How commands speak: the answer on stdout, people's notices on stderr.

Whatever a name or a record holds, it can be told: what a stream's encoding lacks is escaped. In JSON
that is JSON's own escape, which means the same character; elsewhere it is ``\xNN`` or ``\uNNNN``.
"""

import io
import re
import sys
from typing import TextIO

import msgspec

from mneme_git.errors import MnemeError
from mneme_git.text.printable import one_line, printable

# Python reads bytes that are no UTF-8, as in a file's name, as these lone surrogates.
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BYTE_AS_SURROGATE = 0xDC00
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def answer(text: str) -> None:
    """Print ``text`` and one LF on stdout; what a terminal would obey is escaped."""
    _write(sys.stdout, printable(text) + "\n")


def answer_line(text: str) -> None:
    """Print ``text`` as one line on stdout, whatever a value inside of it holds."""
    answer(one_line(text))


def answer_json(value: object) -> None:
    """Print ``value`` as one line of JSON on stdout, in the order its fields are declared."""
    answer_encoded(json_bytes(value))


def answer_encoded(data: bytes) -> None:
    """Print JSON that is encoded already, and one LF."""
    text = data.decode("utf-8")
    if not _fits(text, sys.stdout):
        text = _NOT_ASCII.sub(_json_escape, text)
    sys.stdout.write(text + "\n")


def answer_bytes(data: bytes) -> None:
    """Print a file on stdout as it is, whatever the encoding of the stream."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        sys.stdout.write(data.decode("utf-8"))


def json_bytes(value: object) -> bytes:
    """Return ``value`` as JSON that is valid UTF-8, whatever the texts in it hold."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(sound(msgspec.to_builtins(value)))


def sound(value: object) -> object:
    r"""Return ``value`` (of dicts, lists and texts) with each lone surrogate as ``\xNN`` or ``\uNNNN``."""
    if isinstance(value, str):
        return _SURROGATE.sub(_shown, value)
    if isinstance(value, dict):
        return {sound(key): sound(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [sound(part) for part in value]
    return value


def notice(text: str) -> None:
    """Print a line for people on stderr."""
    _write(sys.stderr, printable(text) + "\n")


def notice_line(text: str) -> None:
    """Print ``text`` as one line for people on stderr, whatever a value inside of it holds."""
    notice(one_line(text))


def report(error: MnemeError, *, json: bool) -> None:
    """Print ``error`` for people on stderr, and for a program that asked for JSON on stdout."""
    notice(f"ERROR: {error.message}")
    if error.hint:
        notice(f"hint: {error.hint}")
    if json:
        answer_json({"code": error.code, "message": error.message, "hint": error.hint})


def _write(stream: TextIO, text: str) -> None:
    if not _fits(text, stream, stream.errors):
        encoding = stream.encoding or "utf-8"
        text = _SURROGATE.sub(_shown, text).encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text)


def _fits(text: str, stream: TextIO, errors: str | None = None) -> bool:
    try:
        text.encode(stream.encoding or "utf-8", errors or "strict")
    except UnicodeEncodeError:
        return False
    return True


def _shown(found: re.Match[str]) -> str:
    byte = ord(found[0]) - _BYTE_AS_SURROGATE
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else f"\\u{ord(found[0]):04x}"


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
