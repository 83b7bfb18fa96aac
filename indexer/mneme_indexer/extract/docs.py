"""Doc comments: which comment belongs to a definition, and its words without the marks."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from mneme_indexer.extract.found import Found, Span

LIMIT = 2000  # characters; a longer text says little more about what to read
_MARKS = re.compile(r"^\s*(?:/\*\*?!?|\*/|//[/!]*|\*(?!/)|#+!?|--+|;+)?[ \t]?")
_END = re.compile(r"\s*\*+/\s*$")
_TAGS = re.compile(
    r"</?(?:summary|remarks|returns|param|typeparam|exception|paramref|typeparamref|see|seealso|para|list"
    r"|listheader|item|term|description|c|code|inheritdoc|value|example|b|i|em|strong|tt|pre|p|br|ul|ol|li)"
    r"(?:\s[^<>]*)?/?>"
)
_NAMING_TAG = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"<>]+)\"\s*/>")
_QUOTES = re.compile(r"^[a-zA-Z]{0,2}(\"\"\"|'''|\"|')")


class Above:
    """Finds the comments that end on the line above a definition; attributes between are passed over."""

    def __init__(self, found: Found, data: bytes) -> None:
        self._data = data
        self._blank = found.blank
        self._comments = {span.end_row: span for span in found.comments}
        self._attributes = {span.end_row: span for span in found.attributes if _begins_line(data, span)}

    def widened(self, span: Span) -> Span:
        """Return the span with the attributes above it, or before it on its line."""
        at = span
        if not self._attributes:
            return at
        while above := self._attribute(at):
            at = Span(above.start, span.end, above.start_row, span.end_row)
        return at

    def _attribute(self, at: Span) -> Span | None:
        for row in (at.start_row - 1, at.start_row):
            above = self._attributes.get(row)
            if above is not None and above.end <= at.start:
                between = self._data[above.end : at.start].strip()
                if not between or between.startswith((b"//", b"/*")):
                    return above
        return None

    def doc(self, span: Span, marks: Sequence[str]) -> str:
        """Return the text of the comments directly above ``span``, top first."""
        rows: list[str] = []
        row = self._above(span.start_row)
        if row not in self._comments or not _begins_line(self._data, span):
            return ""
        while (comment := self._comments.get(row)) is not None and _begins_line(self._data, comment):
            text = self._data[comment.start : comment.end].decode("utf-8", "replace")
            if marks and not text.startswith(tuple(marks)):
                break
            rows.insert(0, text.rstrip("\n"))
            row = self._above(comment.start_row)
            if text.startswith("/*"):
                break
        return clean("\n".join(rows))

    def _above(self, row: int) -> int:
        """Return the row above, past the rows that were blanked."""
        row -= 1
        while row in self._blank:
            row -= 1
        return row


def _begins_line(data: bytes, span: Span) -> bool:
    start = data.rfind(b"\n", 0, span.start) + 1
    return not data[start : span.start].strip(b" \t\xef\xbb\xbf")


def clean(text: str) -> str:
    """Return the words of a comment without its marks, at most ``LIMIT`` characters."""
    lines = [_MARKS.sub("", line).rstrip() for line in _END.sub("", text).splitlines()]
    words = "\n".join(lines)
    if "<" in words:
        words = _TAGS.sub("", _NAMING_TAG.sub(r"\1", words))
    return words.strip()[:LIMIT]


def clean_string(text: str) -> str:
    """Return the words of a string literal, or a comment, that stands inside as documentation."""
    if text.startswith(("//", "/*", "#")):
        return clean(text)
    quote = _QUOTES.match(text)
    if quote:
        text = text[quote.end() :]
        text = text.removesuffix(quote.group(1))
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(lines).strip()[:LIMIT]


def covering(starts: Sequence[int], ends: Sequence[int], at: int) -> bool:
    """Tell whether one of the spans (sorted, not overlapping) holds byte ``at``."""
    index = bisect_right(starts, at) - 1
    return index >= 0 and at < ends[index]
