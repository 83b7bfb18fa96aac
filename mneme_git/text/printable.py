"""Text from a repository on its way to a person's terminal, which must not obey it."""

import re
from collections.abc import Iterable

# Controls of C0 and C1, and what changes the direction of the text around it.
_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"[\t\n\u2028\u2029]")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def printable(text: str) -> str:
    r"""Return ``text`` with what a terminal obeys as ``\xNN`` or ``\uNNNN``; LF and tab stay."""
    return _OBEYED.sub(_escaped, text)


def one_line(text: str) -> str:
    """Return ``printable`` text in one line: LF and tab are escaped, too."""
    return _BREAKS.sub(_escaped, printable(text))


def text_of(lines: Iterable[str]) -> str:
    """Return ``lines`` as one text of just as many lines, whatever a value inside of one holds."""
    return "\n".join(map(one_line, lines))


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    return _SHORT.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
