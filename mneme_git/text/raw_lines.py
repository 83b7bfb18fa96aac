"""A file as numbered lines that remember their bytes, for edits that change nothing else.

Lines end at LF, CRLF or a lone CR and count from 1, as they do for every reader of ADRs here.
"""

import difflib
import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from mneme_git.errors import InvalidInput

_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")


class RawLine(Struct, frozen=True):
    """One line: its text, and the end it has in the file (empty only for a last line without one)."""

    text: str
    end: str


class RawText(Struct, frozen=True, kw_only=True):
    """A file; ``encode`` gives the very bytes it was read from."""

    lines: tuple[RawLine, ...]
    has_bom: bool = False

    def encode(self) -> bytes:
        """Return the bytes of the file."""
        text = "".join(line.text + line.end for line in self.lines)
        return (_BOM if self.has_bom else b"") + text.encode("utf-8")

    def line(self, number: int) -> str:
        """Return the text of a line; empty beyond the last one."""
        return self.lines[number - 1].text if 0 < number <= len(self.lines) else ""

    @property
    def newline(self) -> str:
        """Return the end that most lines have; LF if none has one."""
        ends = Counter(line.end for line in self.lines if line.end)
        return max(ends, key=lambda end: (ends[end], end == "\n"), default="\n")

    def replaced(self, first: int, last: int, texts: Sequence[str]) -> "RawText":
        """Return the file with lines ``first`` to ``last`` (both inside) replaced by ``texts``.

        With ``last`` = ``first`` - 1 the texts are inserted before line ``first``. A last line
        without an end stays one; a line that is no longer last gets one.
        """
        before, after = list(self.lines[: first - 1]), list(self.lines[last:])
        gone = self.lines[first - 1 : last]
        end = next((line.end for line in gone if line.end), "") or self.newline
        made = [RawLine(text, end) for text in texts]
        if before and not before[-1].end and (made or after):
            before[-1] = RawLine(before[-1].text, self.newline)
        if made and not after and not (self.lines[-1].end if self.lines else "\n"):
            made[-1] = RawLine(made[-1].text, "")
        return RawText(lines=(*_kept_apart(before, made, after), *after), has_bom=self.has_bom)

    def inserted(self, before: int, texts: Sequence[str]) -> "RawText":
        """Return the file with ``texts`` as lines before line ``before``."""
        return self.replaced(before, before - 1, texts)


def _kept_apart(before: list[RawLine], made: list[RawLine], after: list[RawLine]) -> list[RawLine]:
    """Return the lines up to ``after``; a lone CR before an empty line that ends at LF would join it."""
    lines = [*before, *made]
    for place, line in enumerate(lines):
        follower = lines[place + 1] if place + 1 < len(lines) else next(iter(after), None)
        if line.end == "\r" and follower is not None and not follower.text and follower.end == "\n":
            lines[place] = RawLine(line.text, "\n")
    return lines


def read_raw(data: bytes, *, name: str) -> RawText:
    """Return the lines of a file; ``name`` is for the message.

    Raises:
        InvalidInput: the file is not UTF-8.
    """
    has_bom = data.startswith(_BOM)
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{name} is not UTF-8 (byte {error.start + 1})", hint="save it as UTF-8, then try again"
        ) from error
    lines = [RawLine(found[1], found[2]) for found in _LINE.finditer(text)]
    if lines and not lines[-1].text and not lines[-1].end:
        lines.pop()  # what follows the last line end is no line
    return RawText(lines=tuple(lines), has_bom=has_bom)


def diff(before: bytes, after: bytes, *, name: str, new_name: str = "") -> str:
    """Return a unified diff of two files for people, without context from far away; empty if equal."""
    lines = difflib.unified_diff(_shown(before), _shown(after), name, new_name or name, n=1, lineterm="")
    return "\n".join(lines)


def _shown(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n") if text else []
