"""What the queries of a language find in a file, gathered in one pass.

Captures by which a query says what it found; one role for each pattern:

- ``@definition.DETAIL`` with ``@name`` (several nodes: from the first to the last) or ``@name.default``
  (its name is ``default``); optional ``@body`` (the signature ends before it), ``@doc``, ``@container``
  (its text is the container, where nesting does not tell: a Go receiver). ``(#set! name FIELD)`` and
  ``(#set! body "FIELD ...")`` (the first that it has) take them from fields of the definition instead,
  or from fields of ``@holder``: a pattern without children costs nothing to compile, which each child does.
- ``@wrapper`` around ``@wrapped``: the span of the definition that starts where ``@wrapped`` does is
  widened to the wrapper (decorators, ``export``). ``@attribute``: a line of its own above a definition
  that belongs to it. ``@comment``: may be the doc of what follows.
- ``@scope`` or ``@scope.DETAIL`` with ``@scope.name``: a container that is no symbol (an ``impl`` block);
  without a name it is an anonymous class.
- ``@namespace`` with ``@namespace.name``: a namespace; it reaches to the next one, or the end of
  the file, if it has no ``@body`` and its node holds no definitions.
- ``@export``: what is inside is exported; ``@export.name``: the top-level symbol of that name is.
- ``@call``, ``@extends``, ``@implements``, ``@type``: a use, the node is its last name;
  optional ``@receiver``, and ``@owner``: its text names the symbol that has the use, where nesting does
  not tell (``impl Trait for Owner``).
- ``@section``: from here on, the members of the same container have the visibility that it names.
- ``@binding.name`` or ``@binding.field`` (a field of the instance) with ``@binding.type``, or with
  ``@binding.same``: it has the type that this name has in the same function, if that is written down.
- ``@import.module`` and / or ``@import.name``, ``@import.alias``, ``@import.wildcard``, ``@import.reexport``,
  ``@import.default``. One without a module offers a name of this file under another (``default`` too).
  ``@import.tree``: a nested list in one text. ``@import.beside`` and ``@import.above``: a path from
  the file's own folder, or from the folder above it. ``@import.inner``: a module below this one.
- ``@_anything`` is only for predicates.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from mneme_indexer.extract.headers import comments_in
from mneme_indexer.extract.plain import plain, without_type_arguments
from mneme_indexer.extract.use_trees import imports_of_tree
from mneme_indexer.languages.registry import Language, query
from mneme_indexer.model import Import, ReferenceKind

if TYPE_CHECKING:
    from tree_sitter import Node

Match = dict[str, list["Node"]]
# Levels of the tree in which patterns begin. Every level of a term may hold one that is not yet decided:
# without an end, the time for a term of n parts grows with n * n.
_DEPTH = 500
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
    """A definition as found: nothing is decided yet; ``start`` is that of its own node.

    ``comments`` are the bytes of those before the body.
    """

    span: Span
    start: int
    detail: str
    name: str
    name_start: int
    body_start: int
    doc: str
    container: str
    pattern: int
    comments: tuple[tuple[int, int], ...]


class Use(NamedTuple):
    """A use of a name at a byte position and row."""

    start: int
    row: int
    kind: ReferenceKind
    name: str
    receiver: str
    owner: str


class Scope(NamedTuple):
    """A container that is no symbol, or a namespace."""

    span: Span
    name: str
    detail: str
    is_namespace: bool
    is_block: bool


class Section(NamedTuple):
    """A word that holds for the members that follow it."""

    span: Span
    word: str


class Bound(NamedTuple):
    """A name and its written type, at a byte position."""

    start: int
    name: str
    type: str
    is_field: bool
    is_same: bool = False


class Found:
    """Everything found in one file, in no particular order but that of the queries."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self.wrappers: dict[int, Span] = {}
        self.attributes: list[Span] = []
        self.comments: list[Span] = []
        self.scopes: list[Scope] = []
        self.exports: list[Span] = []
        self.sections: list[Section] = []
        self.exported_names: set[str] = set()
        self.uses: list[Use] = []
        self.bindings: list[Bound] = []
        self.imports: list[Import] = []
        self.blank: frozenset[int] = frozenset()


def gather(language: Language, root: "Node", data: bytes) -> Found:
    """Run the queries of ``language`` over a tree."""
    from tree_sitter import QueryCursor

    found = Found()
    texts = _Texts(data, language)
    takers = _takers(language.name)
    cursor = QueryCursor(query(language.name))
    cursor.set_max_start_depth(_DEPTH)
    for pattern, match in cursor.matches(root):
        take = takers.get(pattern)
        if take is None:
            take = takers[pattern] = _taker(language.name, match, pattern)
        take(found, match, texts)
    return found


class _Texts:
    """Texts of nodes; the same bytes give the same string object."""

    def __init__(self, data: bytes, language: Language) -> None:
        self._data = data
        self._known: dict[bytes, str] = {}
        self._plain: dict[str, str] = {}
        self.language = language

    def __call__(self, node: "Node") -> str:
        raw = self._data[node.start_byte : node.end_byte]
        known = self._known.get(raw)
        if known is None:
            known = self._known[raw] = raw.decode("utf-8", "replace")
        return known

    def field(self, node: "Node") -> str:
        """Return a field's name as the class itself would write it."""
        own, joint = self.language.self_names[:1], self.language.member_joint
        return joint.join((*own, self(node).lstrip("$@")))

    def between(self, first: "Node", last: "Node") -> str:
        """Return the text from the start of a node to the end of another, with single spaces."""
        if first is last:
            return self(first)
        text = self._data[first.start_byte : last.end_byte].decode("utf-8", "replace")
        return " ".join(text.split())

    def comments(self, node: "Node", name: "Node", body: "Node | None") -> tuple[tuple[int, int], ...]:
        """Return the bytes of the comments before the body, or on the line of the name."""
        if body is not None:
            return comments_in(node, body.start_byte, self._data)
        line_end = self._data.find(b"\n", name.start_byte)
        return comments_in(node, min(node.end_byte, line_end if line_end >= 0 else node.end_byte), self._data)

    def receiver(self, node: "Node") -> str:
        """Return what stands before a name, as far as it is a plain path of names."""
        if node.end_byte - node.start_byte >= 120:
            return "?"
        text = self(node)
        known = self._plain.get(text)
        if known is None:
            known = self._plain[text] = plain(text)
        return known


def span_of(node: "Node") -> Span:
    """Return the span of a node; a node that ends at the start of a line ends on the line before."""
    start, end = node.start_point, node.end_point
    last = end.row - 1 if end.column == 0 and end.row > start.row else end.row
    return Span(node.start_byte, node.end_byte, start.row, last)


_Taker = Callable[[Found, Match, _Texts], None]


@cache
def _takers(name: str) -> dict[int, _Taker]:
    """Return what takes the matches of each pattern of a language, as far as it was met."""
    return {}


def _taker(language: str, match: Match, pattern: int) -> _Taker:
    """Return what takes the matches of a pattern; any of its matches tells."""
    roles = {capture.partition(".")[0] for capture in match}
    settings = query(language).pattern_settings(pattern)
    if "definition" in roles and settings:
        fields = {key: tuple((value or "").split()) for key, value in settings.items()}
        return partial(_take_with_fields, pattern=pattern, fields=fields)
    if "import" in roles:
        return _take_tree if "import.tree" in match else _take_import
    if "binding" in roles:
        return _take_binding
    if "name" in roles:  # or name.default
        return partial(_take_definition, pattern=pattern)
    return _take_other if roles.isdisjoint(_USES) else _take_use


def _take_use(found: Found, match: Match, texts: _Texts) -> None:
    receiver, owner = match.get("receiver"), match.get("owner")
    before = texts.receiver(receiver[0]) if receiver else ""
    of = texts(owner[0]) if owner else ""
    add = found.uses.append
    for capture, nodes in match.items():
        if (kind := _USES.get(capture)) is not None:
            for node in nodes:
                add(Use(node.start_byte, node.start_point.row, kind, texts(node), before, of))


def _take_definition(found: Found, match: Match, texts: _Texts, pattern: int) -> None:
    names = match["name"] if "name" in match else match["name.default"]
    body, doc, container = match.get("body"), match.get("doc"), match.get("container")
    name = texts.between(names[0], names[-1]) if "name" in match else "default"
    name = name.strip(texts.language.name_trim) if texts.language.name_trim else name
    if name in {"_", ""}:  # a name that says that there is none
        return
    for capture, nodes in match.items():
        if capture.startswith("definition."):
            found.definitions.append(
                Definition(
                    span=span_of(nodes[0]),
                    start=nodes[0].start_byte,
                    detail=capture[11:],
                    name=name,
                    name_start=names[0].start_byte,
                    body_start=body[0].start_byte if body else -1,
                    doc="\n".join(texts(node).rstrip("\n") for node in doc) if doc else "",
                    container=texts(container[0]).replace("::", ".") if container else "",
                    pattern=pattern,
                    comments=texts.comments(nodes[0], names[0], body[0] if body else None),
                )
            )


def _take_with_fields(
    found: Found, match: Match, texts: _Texts, pattern: int, fields: Mapping[str, tuple[str, ...]]
) -> None:
    """Take a definition some captures of which are the fields of its node; one without a name is none."""
    given = (nodes for capture, nodes in match.items() if capture.startswith("definition."))
    node = (match.get("holder") or next(given))[0]
    for capture, names in fields.items():
        parts = (node.child_by_field_name(name) for name in names)
        if part := next((part for part in parts if part is not None and part.is_named), None):
            match[capture] = [part]
    if "name" in match or "name.default" in match:
        _take_definition(found, match, texts, pattern)


def _take_tree(found: Found, match: Match, texts: _Texts) -> None:
    node = match["import.tree"][0]
    line = node.start_point.row + 1
    found.imports += imports_of_tree(texts(node), line, reexport="import.reexport" in match)


def _take_import(found: Found, match: Match, texts: _Texts) -> None:
    def text(capture: str) -> str:
        nodes = match.get(capture)
        return texts(nodes[0]) if nodes else ""

    line = min(node.start_point.row for nodes in match.values() for node in nodes) + 1
    is_offered = "import.reexport" in match and "import.default" in match
    name = text("import.name") or ("default" if "import.default" in match else "")
    found.imports.append(
        Import(
            module=_module(match, text),
            name="*" if "import.wildcard" in match else name,
            alias=text("import.alias") or ("default" if is_offered else text("import.default")),
            line=line,
            reexport="import.reexport" in match,
        )
    )


_STARTS = {"import.beside": "./", "import.above": "../", "import.inner": "self::"}


def _module(match: Match, text: Callable[[str], str]) -> str:
    for capture, start in _STARTS.items():
        if capture in match:
            path = _unquoted(text(capture)).lstrip("/").removeprefix("./")
            return path if path.startswith("../") else start + path
    return _unquoted(text("import.module"))


def _unquoted(text: str) -> str:
    text = "".join(text.split())
    if text.startswith("<"):
        return text.strip("<>")
    return without_type_arguments(text).strip("\"'`") if "<" in text else text.strip("\"'`")


def _take_binding(found: Found, match: Match, texts: _Texts) -> None:
    same = match.get("binding.same")
    types = match.get("binding.type", same)
    if not types:
        return
    type_name = texts.receiver(types[0])
    if type_name == "?" or type_name in texts.language.builtins:
        return
    is_same = same is not None
    for node in match.get("binding.name", ()):
        name = texts.receiver(node)
        if name not in {"?", "_"}:
            found.bindings.append(Bound(node.start_byte, name, type_name, is_field=False, is_same=is_same))
    for node in match.get("binding.field", ()):
        found.bindings.append(Bound(node.start_byte, texts.field(node), type_name, True, is_same))


def _take_other(found: Found, match: Match, texts: _Texts) -> None:
    if "wrapper" in match:
        found.wrappers[match["wrapped"][0].start_byte] = span_of(match["wrapper"][0])
    elif "comment" in match:
        found.comments += _spans(match["comment"])
    elif "attribute" in match:
        found.attributes += _spans(match["attribute"])
    elif "export" in match:
        found.exports += _spans(match["export"])
    elif "section" in match:
        node = match["section"][0]
        found.sections.append(Section(span_of(node), texts(node)))
    elif "export.name" in match:
        found.exported_names.update(texts(node) for node in match["export.name"])
    else:
        _take_scope(found, match, texts)


def _take_scope(found: Found, match: Match, texts: _Texts) -> None:
    for capture, nodes in match.items():
        role, _, detail = capture.partition(".")
        if role in {"scope", "namespace"} and detail != "name":
            written = match.get(f"{role}.name")
            unnamed = texts.language.anonymous if role == "scope" else ""
            name = texts.receiver(written[0]) if written else unnamed
            is_block = "body" in match
            scope = Scope(span_of(nodes[0]), name, detail or role, role == "namespace", is_block)
            found.scopes.append(scope)


def _spans(nodes: Iterable["Node"]) -> list[Span]:
    return [span_of(node) for node in nodes]
