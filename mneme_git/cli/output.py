"""How commands speak: the answer on stdout, people's notices on stderr."""

import sys

import msgspec

from mneme_git.errors import MnemeError
from mneme_git.text.printable import printable


def answer(text: str) -> None:
    """Print ``text`` and one LF on stdout; what a terminal would obey is escaped."""
    sys.stdout.write(printable(text) + "\n")


def answer_json(value: object) -> None:
    """Print ``value`` as one line of JSON on stdout, in the order its fields are declared."""
    sys.stdout.write(msgspec.json.encode(value).decode("utf-8") + "\n")


def notice(text: str) -> None:
    """Print a line for people on stderr."""
    sys.stderr.write(printable(text) + "\n")


def report(error: MnemeError, *, json: bool) -> None:
    """Print ``error`` for people on stderr, and for a program that asked for JSON on stdout."""
    notice(f"ERROR: {error.message}")
    if error.hint:
        notice(f"hint: {error.hint}")
    if json:
        answer_json({"code": error.code, "message": error.message, "hint": error.hint})
