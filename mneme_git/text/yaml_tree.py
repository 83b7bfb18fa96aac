"""YAML 1.1 as a tree of texts with line numbers: nothing is constructed, nothing expands.

Scalars stay as written (``yes`` is the text ``yes``), an alias is the very node it names, and
depth and size are limited. So no input can cost more than its length.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from mneme_git.errors import InvalidInput

MAX_DEPTH = 32
_NULL = "tag:yaml.org,2002:null"
_TEXT = "tag:yaml.org,2002:str"


class Scalar(Struct, frozen=True):
    """A value that is not a collection; ``kind`` tells what YAML 1.1 takes it for."""

    text: str
    kind: Literal["text", "null", "other"]
    line: int


class Listing(Struct):
    """A sequence."""

    items: list["Node"]
    line: int


class Mapping(Struct):
    """A mapping: its pairs in the order of the text, repeated keys included."""

    pairs: list[tuple["Node", "Node"]]
    line: int


Node: TypeAlias = Scalar | Listing | Mapping


class YamlProblem(InvalidInput):
    """The text is not YAML, or more of it than is read; ``line`` is the place in the file."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(message, hint=f"see line {line}")


def parse_yaml(text: str, *, first_line: int = 1) -> Node | None:
    """Return the tree of one YAML document; None if there is nothing in it.

    ``first_line`` is the number of the first line of ``text`` in its file.

    Raises:
        YamlProblem: not YAML, nested deeper than ``MAX_DEPTH``, or more than one document.
    """
    import yaml  # noqa: PLC0415 - half of the start of a command that reads no ADR

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(first_line).build(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        last = text.rstrip().count("\n")  # the end of the text is told as a line beyond it
        line = first_line + (min(mark.line, last) if mark else 0)
        raise YamlProblem(line, ": ".join(filter(None, (error.context, error.problem)))) from error
    except yaml.reader.ReaderError as error:
        # The first such character is the one; its position is in bytes or characters, by the reader.
        found = error.character if isinstance(error.character, str) else chr(error.character)
        line = first_line + text.count("\n", 0, max(0, text.find(found)))
        raise YamlProblem(line, f"character U+{ord(found):04X} is not allowed") from error


def type_name(node: Node) -> str:
    """Return what people call the kind of ``node``."""
    if isinstance(node, Scalar):
        return "nothing" if node.kind == "null" else "a single value"
    return "a list" if isinstance(node, Listing) else "a mapping"


def repeated_keys(mapping: Mapping) -> Iterator[Scalar]:
    """Yield every key that stood in the mapping before, at its later place."""
    seen: set[str] = set()
    for key, _ in mapping.pairs:
        if isinstance(key, Scalar):
            if key.text in seen:
                yield key
            seen.add(key.text)


class _Builder:
    """Events to nodes with a stack of open collections; a key waits until its value is there."""

    def __init__(self, first_line: int) -> None:
        self._first_line = first_line
        self._root: Node | None = None
        self._open: list[Listing | Mapping] = []
        self._keys: list[Node | None] = []
        self._anchors: dict[str, Node] = {}
        self._documents = 0
        self._resolver: Any = None

    def build(self, events: Iterator[Any]) -> Node | None:
        """Consume ``events`` and return the root."""
        for event in events:
            self._take(type(event).__name__, event)
        return self._root

    def _take(self, name: str, event: Any) -> None:
        line = self._first_line + event.start_mark.line
        if name == "ScalarEvent":
            self._add(Scalar(event.value, self._kind_of(event), line), event.anchor)
        elif name == "SequenceStartEvent":
            self._enter(Listing([], line), event.anchor)
        elif name == "MappingStartEvent":
            self._enter(Mapping([], line), event.anchor)
        elif name in {"SequenceEndEvent", "MappingEndEvent"}:
            self._open.pop()
            self._keys.pop()
        elif name == "AliasEvent":
            if event.anchor not in self._anchors:
                raise YamlProblem(line, f"alias '*{event.anchor}' names nothing that came before")
            self._add(self._anchors[event.anchor], None)
        elif name == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                raise YamlProblem(line, "a second YAML document begins here")

    def _enter(self, node: Listing | Mapping, anchor: str | None) -> None:
        self._add(node, anchor)
        self._open.append(node)
        self._keys.append(None)
        if len(self._open) > MAX_DEPTH:
            raise YamlProblem(node.line, f"nested more than {MAX_DEPTH} levels deep")

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = node
        if not self._open:
            self._root = node
            return
        parent, key = self._open[-1], self._keys[-1]
        if isinstance(parent, Listing):
            parent.items.append(node)
        elif key is None:
            self._keys[-1] = node
        else:
            parent.pairs.append((key, node))
            self._keys[-1] = None

    def _kind_of(self, event: Any) -> Literal["text", "null", "other"]:
        tag = event.tag
        if tag is None or tag == "!":
            tag = self._plain_tag(event.value) if event.implicit[0] else _TEXT
        if tag == _NULL:
            return "null"
        return "text" if tag == _TEXT else "other"

    def _plain_tag(self, text: str) -> str:
        from yaml.nodes import ScalarNode  # noqa: PLC0415 - as above
        from yaml.resolver import Resolver  # noqa: PLC0415 - as above

        if self._resolver is None:
            self._resolver = Resolver()
        return str(self._resolver.resolve(ScalarNode, text, (True, False)))
