"""Offsets in a text as people and editors count: lines and columns from 1, and the line itself."""

import re
from bisect import bisect_right
from functools import cached_property

_WIDTH = 160
_BEFORE = 40
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Places:
    """The lines of one text, found when first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, both from 1, of the character at ``offset``."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def snippet(self, offset: int) -> str:
        """Return the line that holds ``offset``, trimmed, at most 160 characters around the offset.

        Characters that a terminal would obey instead of showing become U+FFFD; ``…`` marks a cut.
        """
        start = self._starts[bisect_right(self._starts, offset) - 1]
        end = self.text.find("\n", offset)
        line = self.text[start : len(self.text) if end < 0 else end]
        at = max(0, offset - start - _BEFORE) if len(line) > _WIDTH else 0
        shown = line[at : at + _WIDTH].strip()
        marked = ("…" if at else "") + shown + ("…" if at + _WIDTH < len(line) else "")
        return _UNSEEN.sub("\ufffd", marked)
