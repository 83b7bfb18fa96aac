"""From definitions as found to symbols: their order, containers, visibility, signature and doc."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mneme_indexer.extract.blanks import without_directives
from mneme_indexer.extract.docs import Above, clean_string
from mneme_indexer.extract.exports import Exports
from mneme_indexer.extract.found import Definition, Found, Scope, Section, Span
from mneme_indexer.extract.visibility import Standing, visibility_of
from mneme_indexer.languages.registry import Language
from mneme_indexer.model import Kind, Symbol

SIGNATURE_LIMIT = 300  # characters
_ONCE: frozenset[Kind] = frozenset({"const", "variable", "field", "type"})
_VALUES: frozenset[Kind] = frozenset({"const", "variable", "field"})
_FUNCTIONS: frozenset[Kind] = frozenset({"function", "method"})


def symbols_of(language: Language, found: Found, data: bytes) -> tuple[tuple[Symbol, ...], str]:
    """Return the symbols in order of the model, and the namespace of the whole file."""
    above = Above(found, data)
    rows = _ordered(_widened(found, above))
    package, scopes = _scopes(found.scopes, rows, adds_up=language.packages_add_up)
    nesting = _Nesting(language, found, data, package)
    everything: list[Definition | Scope | Section] = [*rows, *scopes, *found.sections]
    if len(everything) > len(rows):  # else they are in order
        everything.sort(key=_place)
    for row in everything:
        nesting.leave(row.span)
        if isinstance(row, Scope):
            nesting.enter_scope(row)
        elif isinstance(row, Section):
            nesting.begin_section(row)
        else:
            nesting.enter(row, above)
    return nesting.result(), package


def _place(row: Definition | Scope | Section) -> tuple[int, int, bool]:
    return row.span.start, -row.span.end, isinstance(row, Definition)


def _widened(found: Found, above: Above) -> Iterable[Definition]:
    for row in found.definitions:
        wrapper = found.wrappers.get(row.start)
        while wrapper is not None and (outer := found.wrappers.get(wrapper.start)) not in {None, wrapper}:
            wrapper = outer
        span = above.widened(row.span if wrapper is None or wrapper.end < row.span.end else wrapper)
        yield row if span is row.span else row._replace(span=span)


def _ordered(rows: Iterable[Definition]) -> list[Definition]:
    """Return one definition for each name node, and one for each body of the same name: the outer.

    Of several, the one with a body counts, then the one whose pattern stands first in the queries.
    """
    kept: dict[tuple[int, str], Definition] = {}
    for row in rows:
        known = kept.setdefault((row.name_start, row.name), row)
        if (row.body_start < 0, row.pattern) < (known.body_start < 0, known.pattern):
            kept[row.name_start, row.name] = row
    ordered = sorted(kept.values(), key=lambda row: (row.span.start, -row.span.end, row.name_start))
    bodies: dict[tuple[int, str], Definition] = {}
    return [
        row
        for row in ordered
        if row.body_start < 0 or bodies.setdefault((row.body_start, row.name), row) is row
    ]


def _scopes(scopes: Sequence[Scope], rows: Sequence[Definition], *, adds_up: bool) -> tuple[str, list[Scope]]:
    """Return the namespace of the file, and the scopes.

    A namespace line reaches to the next, or the end; where lines add up, each is inside the one before.
    """
    lines = [
        scope
        for scope in scopes
        if scope.is_namespace and not scope.is_block and not _holds_any(scope.span, rows)
    ]
    others = [scope for scope in scopes if scope not in lines]
    if lines and (adds_up or len(lines) == 1) and not any(scope.is_namespace for scope in others):
        return ".".join(line.name for line in lines), others
    reaching = []
    for index, line in enumerate(lines):
        end = lines[index + 1].span.start if index + 1 < len(lines) else 1 << 62
        reaching.append(line._replace(span=line.span._replace(end=end)))
    return "", [*others, *reaching]


def _holds_any(span: Span, rows: Sequence[Definition]) -> bool:
    return any(span.start < row.span.start and row.span.end <= span.end for row in rows)


def _documented(row: Symbol, docs: Mapping[tuple[str, Kind], str]) -> Symbol:
    doc = docs.get((row.qualified, row.kind))
    return replace(row, doc=doc) if doc else row


def _dotted(names: Sequence[str]) -> str:
    return ".".join([name for name in names if name])


class _Open(NamedTuple):
    """What is around: a symbol, or a scope."""

    span: Span
    name: str
    detail: str
    symbol: Symbol | None


class _Nesting:
    """A stack of what is open while definitions come by in order."""

    def __init__(self, language: Language, found: Found, data: bytes, package: str) -> None:
        self._language, self._data, self._package = language, data, package
        self._exports = Exports(found.exports)
        self._exported_names = found.exported_names
        self._stack: list[_Open] = []
        self._namespaces: list[tuple[Span, str]] = []
        self._once: set[str] = set()
        self._sections: dict[int, str] = {}
        self._known: dict[str, Symbol] = {}
        self._bodies: list[bool] = []
        self.symbols: list[Symbol] = []

    def result(self) -> tuple[Symbol, ...]:
        """Return what was made; where the language says so, signatures give way to what they announce."""
        if not self._language.signatures_yield:
            return tuple(self.symbols)
        rows = list(zip(self.symbols, self._bodies, strict=True))
        made = {(row.qualified, row.kind) for row, has_body in rows if has_body}
        docs = {(row.qualified, row.kind): row.doc for row, _ in reversed(rows) if row.doc}
        return tuple(
            row if row.doc or row.kind not in _FUNCTIONS else _documented(row, docs)
            for row, has_body in rows
            if has_body or row.kind not in _FUNCTIONS or (row.qualified, row.kind) not in made
        )

    def leave(self, span: Span) -> None:
        """Close what ends before ``span`` does; what has the very same span stands beside it."""
        stack, end = self._stack, span.end
        while stack and ((last := stack[-1].span).end < end or last == span):
            stack.pop()
        while self._namespaces and self._namespaces[-1][0].end < span.end:
            self._namespaces.pop()

    def enter_scope(self, scope: Scope) -> None:
        """Open a container that is no symbol."""
        if scope.is_namespace:
            outer = f"{self._namespaces[-1][1]}{self._language.namespace_joint}" if self._namespaces else ""
            self._namespaces.append((scope.span, outer + scope.name))
        else:
            self._open(_Open(scope.span, scope.name, scope.detail, None))

    def begin_section(self, section: Section) -> None:
        """Let a word hold for what follows in the innermost container."""
        self._sections[len(self._stack)] = section.word

    def _open(self, place: _Open) -> None:
        self._stack.append(place)
        self._sections.pop(len(self._stack), None)

    def enter(self, row: Definition, above: Above) -> None:
        """Make a symbol, and open it; a value that only a function's body knows is none."""
        around = self._around(row)
        kind = self._kind(row, around)
        symbol = around[-1].symbol if around else None
        if kind in _VALUES and symbol is not None and symbol.kind in _FUNCTIONS:
            return
        symbol = self._symbol(row, kind, around, above)
        if kind in _ONCE:
            name = f"{symbol.namespace}:{symbol.qualified}"
            if name in self._once:
                return
            self._once.add(name)
        self.symbols.append(symbol)
        self._known.setdefault(symbol.qualified, symbol)
        self._bodies.append(row.body_start >= 0)
        if row.detail in self._language.transparent:
            return
        name = f"{row.container}.{row.name}" if row.container else row.name
        self._open(_Open(row.span, name, row.detail, symbol))

    def _around(self, row: Definition) -> list[_Open]:
        """Return what holds a definition; what is hoisted stands outside of the functions around it."""
        if row.detail not in self._language.hoisted:
            return self._stack
        around = list(self._stack)
        while around:
            symbol = around[-1].symbol
            if symbol is None or symbol.kind not in _FUNCTIONS:
                break
            around.pop()
        return around

    def _kind(self, row: Definition, around: Sequence[_Open]) -> Kind:
        kind = self._language.kinds[row.detail]
        innermost = around[-1] if around else None
        is_member = bool(row.container) or (
            innermost is not None
            and (innermost.symbol is None or innermost.detail in self._language.class_like)
        )
        return self._language.members.get(kind, kind) if is_member else kind

    def _symbol(self, row: Definition, kind: Kind, around: Sequence[_Open], above: Above) -> Symbol:
        doc = clean_string(row.doc) if row.doc else ""
        if not doc and self._language.doc == "above":
            doc = above.doc(row.span, self._language.doc_marks)
        container = _dotted([*[place.name for place in around], row.container])
        announced = self._known.get(f"{container}.{row.name}") if row.container else None
        if announced is not None:
            visibility, exported = announced.visibility, announced.exported
        else:
            visibility, exported = visibility_of(self._language, self._standing(row, around, container))
        return Symbol(
            name=row.name,
            kind=kind,
            detail=row.detail,
            container=container,
            namespace=self._namespaces[-1][1] if self._namespaces else self._package,
            exported=exported,
            visibility=visibility,
            start_line=row.span.start_row + 1,
            end_line=row.span.end_row + 1,
            start_byte=row.span.start,
            end_byte=row.span.end,
            signature=self._signature(row),
            doc=doc,
        )

    def _standing(self, row: Definition, around: Sequence[_Open], container: str) -> Standing:
        symbols = [place.symbol for place in around if place.symbol is not None]
        outer = symbols[-1] if symbols else self._known.get(container) if row.container else None
        inside = around[-1].detail if around else outer.detail if outer else ""
        return Standing(
            name=row.name,
            modifiers=self._text(row.start, row.name_start),
            inside=inside,
            is_local=any(symbol.kind in _FUNCTIONS for symbol in symbols),
            is_marked=self._is_marked(row),
            has_list=bool(self._exported_names),
            is_container_exported=outer.exported if outer else True,
            section=self._sections.get(len(around), ""),
        )

    def _is_marked(self, row: Definition) -> bool:
        if not self._stack and row.name in self._exported_names:
            return True
        within = self._stack[-1].span.start if self._is_marked_inside() else -1
        return self._exports.cover(row.start, within)

    def _is_marked_inside(self) -> bool:
        innermost = self._stack[-1] if self._stack else None
        return innermost is not None and innermost.detail in self._language.marked_inside

    def _signature(self, row: Definition) -> str:
        """Return the code from the definition to its body on one line; without a body, its first line."""
        start = self._own_start(row)
        if row.body_start >= 0:
            text = self._code(start, row.body_start, row.comments)
        else:
            line_end = self._data.find(b"\n", row.name_start)
            end = min(row.span.end, line_end if line_end >= 0 else row.span.end)
            text = self._code(start, end, row.comments)
        if self._language.conditionals:
            text = without_directives(text)
        return " ".join(text.split()).rstrip("{= ")[:SIGNATURE_LIMIT]

    def _code(self, start: int, end: int, comments: Sequence[tuple[int, int]]) -> str:
        """Return a text without the comments in it."""
        kept = []
        for first, last in comments:
            if start <= first < end:
                kept.append(self._text(start, first))
                start = last
        return " ".join((*kept, self._text(start, end))) if start < end else " ".join(kept)

    def _own_start(self, row: Definition) -> int:
        """Return where the line of the name starts, or the definition if that is later."""
        line = self._data.rfind(b"\n", 0, row.name_start) + 1
        return max(row.span.start, line)

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "replace")
