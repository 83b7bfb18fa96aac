"""What the queries of a language find in a file, gathered in one pass.

Captures by which a query says what it found; one role for each pattern:

- ``@definition.DETAIL`` with ``@name``; optional ``@body`` (the signature ends before it), ``@doc``,
  ``@container`` (its text is the container, where nesting does not tell: a Go receiver).
- ``@wrapper`` around ``@wrapped``: the span of the definition that starts where ``@wrapped`` does is
  widened to the wrapper (decorators, ``export``). ``@attribute``: a line of its own above a definition
  that belongs to it. ``@comment``: may be the doc of what follows.
- ``@scope`` with ``@scope.name``: a container that is no symbol (an ``impl`` block).
- ``@namespace`` with ``@namespace.name``: a namespace; it reaches to the next one, or the end of
  the file, if its node holds no definitions.
- ``@export``: what is inside is exported; ``@export.name``: the top-level symbol of that name is.
- ``@call``, ``@extends``, ``@implements``, ``@type``: a use, the node is its last name;
  optional ``@receiver``.
- ``@binding.name`` with ``@binding.type``.
- ``@import.module`` and / or ``@import.name``, ``@import.alias``, ``@import.wildcard``, ``@import.reexport``,
  ``@import.default``.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from mneme_indexer.languages.registry import Language, query
from mneme_indexer.model import Import, ReferenceKind

if TYPE_CHECKING:
    from tree_sitter import Node

Match = dict[str, list["Node"]]
_USES: dict[str, ReferenceKind] = {
    "call": "calls",
    "extends": "extends",
    "implements": "implements",
    "type": "references",
}


class Span(NamedTuple):
    """A half-open range of bytes and the rows (from 0) of its ends."""

    start: int
    end: int
    start_row: int
    end_row: int


class Definition(NamedTuple):
    """A definition as found: nothing is decided yet."""

    span: Span
    detail: str
    name: str
    name_start: int
    body_start: int
    doc: str
    container: str


class Use(NamedTuple):
    """A use of a name at a byte position and row."""

    start: int
    row: int
    kind: ReferenceKind
    name: str
    receiver: str


class Scope(NamedTuple):
    """A container that is no symbol, or a namespace."""

    span: Span
    name: str
    is_namespace: bool


class Bound(NamedTuple):
    """A name and its written type, at a byte position."""

    start: int
    name: str
    type: str


class Found:
    """Everything found in one file, in no particular order but that of the queries."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self.wrappers: dict[int, Span] = {}
        self.attributes: list[Span] = []
        self.comments: list[Span] = []
        self.scopes: list[Scope] = []
        self.exports: list[Span] = []
        self.exported_names: set[str] = set()
        self.uses: list[Use] = []
        self.bindings: list[Bound] = []
        self.imports: list[Import] = []


def gather(language: Language, root: "Node", data: bytes) -> Found:
    """Run the queries of ``language`` over a tree."""
    from tree_sitter import QueryCursor

    found = Found()
    texts = _Texts(data)
    for _, match in QueryCursor(query(language.name)).matches(root):
        _take(found, match, texts)
    return found


class _Texts:
    """Texts of nodes; the same bytes give the same string object."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._known: dict[bytes, str] = {}

    def __call__(self, node: "Node") -> str:
        raw = self._data[node.start_byte : node.end_byte]
        known = self._known.get(raw)
        if known is None:
            known = self._known[raw] = raw.decode("utf-8", "replace")
        return known

    def receiver(self, node: "Node") -> str:
        """Return what stands before a name, as far as it is a plain path of names."""
        length = node.end_byte - node.start_byte
        return plain(self(node)) if length < 120 else "?"


def plain(text: str) -> str:
    """Return a path of names without white space and with empty argument lists, or ``?``.

    >>> plain("self . store")
    'self.store'
    >>> plain("open(path).store")
    'open().store'
    >>> plain("a + b")
    '?'
    """
    if text.isidentifier():
        return text
    text = "".join(text.split())
    if "(" in text:
        text = _without_arguments(text)
    return text if _PATH.fullmatch(text) else "?"


_PATH = re.compile(r"[\w.:\\$@#>?!()'-]+")


def _without_arguments(text: str) -> str:
    kept: list[str] = []
    depth = 0
    for character in text:
        if character == ")":
            depth -= 1
        if depth <= 0:
            kept.append(character)
        if character == "(":
            depth += 1
    return "".join(kept)


def span_of(node: "Node") -> Span:
    """Return the span of a node; a node that ends at the start of a line ends on the line before."""
    start, end = node.start_point, node.end_point
    last = end.row - 1 if end.column == 0 and end.row > start.row else end.row
    return Span(node.start_byte, node.end_byte, start.row, last)


def _take(found: Found, match: Match, texts: _Texts) -> None:
    first = next(iter(match))
    if first in _USES or first == "receiver":
        _take_use(found, match, texts)
    elif first.startswith("import"):
        _take_import(found, match, texts)
    elif first.startswith("binding"):
        _take_binding(found, match, texts)
    elif "name" in match:
        _take_definition(found, match, texts)
    else:
        _take_other(found, match, texts)


def _take_use(found: Found, match: Match, texts: _Texts) -> None:
    before = texts.receiver(match.pop("receiver")[0]) if "receiver" in match else ""
    for capture, nodes in match.items():
        kind = _USES[capture]
        for node in nodes:
            found.uses.append(Use(node.start_byte, node.start_point.row, kind, texts(node), before))


def _take_definition(found: Found, match: Match, texts: _Texts) -> None:
    name, body, doc, container = match["name"][0], match.get("body"), match.get("doc"), match.get("container")
    for capture, nodes in match.items():
        if capture.startswith("definition."):
            found.definitions.append(
                Definition(
                    span=span_of(nodes[0]),
                    detail=capture[11:],
                    name=texts(name),
                    name_start=name.start_byte,
                    body_start=body[0].start_byte if body else -1,
                    doc=texts(doc[0]) if doc else "",
                    container=texts(container[0]) if container else "",
                )
            )


def _take_import(found: Found, match: Match, texts: _Texts) -> None:
    def text(capture: str) -> str:
        nodes = match.get(capture)
        return texts(nodes[0]) if nodes else ""

    nodes = next(iter(match.values()))
    name = text("import.name") or ("default" if "import.default" in match else "")
    found.imports.append(
        Import(
            module="".join(text("import.module").split()).strip("\"'`<>"),
            name="*" if "import.wildcard" in match else name,
            alias=text("import.alias") or text("import.default"),
            line=nodes[0].start_point.row + 1,
            reexport="import.reexport" in match,
        )
    )


def _take_binding(found: Found, match: Match, texts: _Texts) -> None:
    types = match.get("binding.type")
    if not types:
        return
    type_name = plain(texts(types[0])) if types[0].end_byte - types[0].start_byte < 120 else "?"
    for node in match.get("binding.name", ()):
        name = texts.receiver(node)
        if name != "?" and type_name != "?":
            found.bindings.append(Bound(node.start_byte, name, type_name))


def _take_other(found: Found, match: Match, texts: _Texts) -> None:
    if "wrapper" in match:
        found.wrappers[match["wrapped"][0].start_byte] = span_of(match["wrapper"][0])
    elif "comment" in match:
        found.comments += _spans(match["comment"])
    elif "attribute" in match:
        found.attributes += _spans(match["attribute"])
    elif "export" in match:
        found.exports += _spans(match["export"])
    elif "export.name" in match:
        found.exported_names.update(texts(node) for node in match["export.name"])
    elif "scope" in match:
        name = plain(texts(match["scope.name"][0]))
        found.scopes.append(Scope(span_of(match["scope"][0]), name, is_namespace=False))
    elif "namespace" in match:
        name = "".join(texts(match["namespace.name"][0]).split())
        found.scopes.append(Scope(span_of(match["namespace"][0]), name, is_namespace=True))


def _spans(nodes: Iterable["Node"]) -> list[Span]:
    return [span_of(node) for node in nodes]
