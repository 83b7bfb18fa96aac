"""What the queries find in a file, before anything is decided about it."""

from typing import NamedTuple

from mneme_indexer.model import Import, ReferenceKind


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


# A use of a name: its first byte, kind, name, receiver, and the owner that it names itself. There are more of
# them than of all else, and a plain tuple takes a third of the time.
Use = tuple[int, ReferenceKind, str, str, str]


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
