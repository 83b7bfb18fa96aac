"""Texts of nodes; the same bytes give the same string object, from one file to the next."""

from typing import TYPE_CHECKING

from mneme_indexer.extract.found import Span
from mneme_indexer.extract.headers import comments_in
from mneme_indexer.extract.plain import plain
from mneme_indexer.languages.registry import Language

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 120  # bytes; what is longer is no plain path of names, and not met again
_MOST = 1 << 15


class _Names(dict[bytes, str]):
    """The text of some bytes; emptied when it is full."""

    def __missing__(self, raw: bytes) -> str:
        text = raw.decode("utf-8", "replace")
        if len(raw) < _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[raw] = text
        return text


class _Paths(dict[bytes, str]):
    """The plain path of names that some bytes are, or ``?``; emptied when it is full."""

    def __missing__(self, raw: bytes) -> str:
        if len(raw) >= _LONGEST:
            return "?"
        if len(self) >= _MOST:
            self.clear()
        path = self[raw] = plain(NAMES[raw])
        return path


NAMES = _Names()
PATHS = _Paths()


class Texts:
    """Texts of the nodes of one file."""

    def __init__(self, data: bytes, language: Language) -> None:
        self.data = data
        self.language = language

    def __call__(self, node: "Node") -> str:
        """Return the text of a node."""
        return NAMES[self.data[node.start_byte : node.end_byte]]

    def field(self, node: "Node") -> str:
        """Return a field's name as the class itself would write it."""
        own, joint = self.language.self_names[:1], self.language.member_joint
        return joint.join((*own, self(node).lstrip("$@")))

    def between(self, first: "Node", last: "Node") -> str:
        """Return the text from the start of a node to the end of another, with single spaces."""
        if first is last:
            return self(first)
        text = self.data[first.start_byte : last.end_byte].decode("utf-8", "replace")
        return " ".join(text.split())

    def comments(self, node: "Node", name: "Node", body: "Node | None") -> tuple[tuple[int, int], ...]:
        """Return the bytes of the comments before the body, or on the line of the name."""
        if body is not None:
            return comments_in(node, body.start_byte, self.data)
        line_end = self.data.find(b"\n", name.start_byte)
        return comments_in(node, min(node.end_byte, line_end if line_end >= 0 else node.end_byte), self.data)

    def receiver(self, node: "Node") -> str:
        """Return what stands before a name, as far as it is a plain path of names."""
        return PATHS[self.data[node.start_byte : node.end_byte]]


def span_of(node: "Node") -> Span:
    """Return the span of a node; a node that ends at the start of a line ends on the line before."""
    start, end = node.start_point, node.end_point
    last = end.row - 1 if end.column == 0 and end.row > start.row else end.row
    return Span(node.start_byte, node.end_byte, start.row, last)
