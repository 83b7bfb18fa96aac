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

import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING

from mneme_indexer.extract.found import Bound, Definition, Found, Scope, Section, Span
from mneme_indexer.extract.plain import without_type_arguments
from mneme_indexer.extract.texts import NAMES, PATHS, Texts, span_of
from mneme_indexer.extract.use_trees import imports_of_tree
from mneme_indexer.languages.registry import Language, query, query_text
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


def gather(language: Language, root: "Node", data: bytes) -> Found:
    """Run the queries of ``language`` over a tree."""
    from tree_sitter import QueryCursor

    found = Found()
    texts = Texts(data, language)
    takers = _takers(language.name)
    cursor = QueryCursor(query(language.name))
    cursor.set_max_start_depth(_DEPTH)
    for pattern, match in cursor.matches(root):
        takers[pattern](found, match, texts)
    return found


_Taker = Callable[[Found, Match, Texts], None]


@cache
def _takers(name: str) -> tuple[_Taker, ...]:
    """Return what takes the matches of each pattern of a language."""
    patterns, text = query(name), query_text(name).encode()
    places = [
        (patterns.start_byte_for_pattern(pattern), patterns.end_byte_for_pattern(pattern))
        for pattern in range(patterns.pattern_count)
    ]
    return tuple(
        _taker(
            frozenset(_CAPTURE.findall(text[start:end].decode())), patterns.pattern_settings(pattern), pattern
        )
        for pattern, (start, end) in enumerate(places)
    )


# The name of a capture, or nothing for what may hold an @ that is none: a string, a comment.
_CAPTURE = re.compile(r'"(?:\\.|[^"\\])*"|;[^\n]*|@([\w.]+)')


def _taker(captures: Set[str], settings: Mapping[str, str | None], pattern: int) -> _Taker:
    """Return what takes the matches of a pattern that has some of these captures."""
    roles = {capture.partition(".")[0] for capture in captures}
    if "definition" in roles and settings:
        fields = {key: tuple((value or "").split()) for key, value in settings.items()}
        return partial(_take_with_fields, pattern=pattern, fields=fields)
    if "import" in roles:
        return _take_tree if "import.tree" in captures else _take_import
    if "binding" in roles:
        return _take_binding
    if "name" in roles:  # or name.default
        return partial(_take_definition, pattern=pattern)
    kinds = roles & _USES.keys()
    if len(kinds) == 1 and "owner" not in roles:
        return _taker_of_uses(*kinds)
    return _take_use if kinds else _take_other


def _taker_of_uses(capture: str) -> _Taker:
    """Return what takes uses of one kind, without an owner; of all matches most are such."""
    kind = _USES[capture]

    def take(found: Found, match: Match, texts: Texts) -> None:
        data = texts.data
        receiver = match.get("receiver")
        before = PATHS[data[receiver[0].start_byte : receiver[0].end_byte]] if receiver else ""
        for node in match.get(capture, ()):
            start = node.start_byte
            found.uses.append((start, kind, NAMES[data[start : node.end_byte]], before, ""))

    return take


def _take_use(found: Found, match: Match, texts: Texts) -> None:
    receiver, owner = match.get("receiver"), match.get("owner")
    before = texts.receiver(receiver[0]) if receiver else ""
    of = texts(owner[0]) if owner else ""
    for capture, nodes in match.items():
        if (kind := _USES.get(capture)) is not None:
            found.uses += ((node.start_byte, kind, texts(node), before, of) for node in nodes)


def _take_definition(found: Found, match: Match, texts: Texts, pattern: int) -> None:
    names = match["name"] if "name" in match else match["name.default"]
    body, doc, container = match.get("body"), match.get("doc"), match.get("container")
    name = texts.between(names[0], names[-1]) if "name" in match else "default"
    name = name.strip(texts.language.name_trim) if texts.language.name_trim else name
    if name in {"_", ""}:  # a name that says that there is none
        return
    for capture, nodes in match.items():
        if capture.startswith("definition."):
            span = span_of(nodes[0])
            found.definitions.append(
                Definition(
                    span=span,
                    start=span.start,
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
    found: Found, match: Match, texts: Texts, pattern: int, fields: Mapping[str, tuple[str, ...]]
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


def _take_tree(found: Found, match: Match, texts: Texts) -> None:
    node = match["import.tree"][0]
    line = node.start_point.row + 1
    found.imports += imports_of_tree(texts(node), line, reexport="import.reexport" in match)


_START = attrgetter("start_byte")


def _take_import(found: Found, match: Match, texts: Texts) -> None:
    def text(capture: str) -> str:
        nodes = match.get(capture)
        return texts(nodes[0]) if nodes else ""

    first = min((node for nodes in match.values() for node in nodes), key=_START)
    line = first.start_point.row + 1
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


def _take_binding(found: Found, match: Match, texts: Texts) -> None:
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


def _take_other(found: Found, match: Match, texts: Texts) -> None:
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


def _take_scope(found: Found, match: Match, texts: Texts) -> None:
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
