"""From definitions as found to symbols: their order, containers, visibility, signature and doc."""

from collections.abc import Iterable, Sequence

from mneme_indexer.extract.captures import Definition, Found, Scope, Span
from mneme_indexer.extract.docs import Above, clean_string
from mneme_indexer.extract.visibility import Standing, visibility_of
from mneme_indexer.languages.registry import Language
from mneme_indexer.model import Kind, Symbol

SIGNATURE_LIMIT = 300  # characters
_ONCE: frozenset[Kind] = frozenset({"const", "variable", "field", "type"})
_FUNCTIONS: frozenset[Kind] = frozenset({"function", "method"})


def symbols_of(language: Language, found: Found, data: bytes) -> tuple[tuple[Symbol, ...], str]:
    """Return the symbols in order of the model, and the namespace of the whole file."""
    above = Above(found, data)
    rows = _ordered(_widened(found, above))
    package, scopes = _scopes(found.scopes, rows)
    nesting = _Nesting(language, found, data, package)
    everything: list[Definition | Scope] = [*rows, *scopes]
    for row in sorted(everything, key=_place):
        nesting.leave(row.span)
        if isinstance(row, Scope):
            nesting.enter_scope(row)
        else:
            nesting.enter(row, above)
    return tuple(nesting.symbols), package


def _place(row: Definition | Scope) -> tuple[int, int, bool]:
    return row.span.start, -row.span.end, isinstance(row, Definition)


def _widened(found: Found, above: Above) -> Iterable[Definition]:
    for row in found.definitions:
        wrapper = found.wrappers.get(row.span.start)
        while wrapper is not None and (outer := found.wrappers.get(wrapper.start)) not in {None, wrapper}:
            wrapper = outer
        span = above.widened(row.span if wrapper is None or wrapper.end < row.span.end else wrapper)
        yield row._replace(span=span)


def _ordered(rows: Iterable[Definition]) -> list[Definition]:
    """Return one definition for each name node: of several, the one with a body, then the first found."""
    kept: dict[tuple[int, str], Definition] = {}
    for row in rows:
        known = kept.get((row.name_start, row.name))
        if known is None or (row.body_start >= 0 > known.body_start):
            kept[row.name_start, row.name] = row
    return sorted(kept.values(), key=lambda row: (row.span.start, -row.span.end, row.name_start))


def _scopes(scopes: Sequence[Scope], rows: Sequence[Definition]) -> tuple[str, list[Scope]]:
    """Return the namespace of the file, and the scopes; a namespace line reaches to the next, or the end."""
    lines = [scope for scope in scopes if scope.is_namespace and not _holds_any(scope.span, rows)]
    others = [scope for scope in scopes if scope not in lines]
    if len(lines) == 1 and not any(scope.is_namespace for scope in others):
        return lines[0].name, others
    reaching = []
    for index, line in enumerate(lines):
        end = lines[index + 1].span.start if index + 1 < len(lines) else 1 << 62
        reaching.append(line._replace(span=line.span._replace(end=end)))
    return "", [*others, *reaching]


def _holds_any(span: Span, rows: Sequence[Definition]) -> bool:
    return any(span.start < row.span.start and row.span.end <= span.end for row in rows)


class _Nesting:
    """A stack of what is open while definitions come by in order."""

    def __init__(self, language: Language, found: Found, data: bytes, package: str) -> None:
        self._language, self._data, self._package = language, data, package
        self._exports = sorted(found.exports)
        self._exported_names = found.exported_names
        self._stack: list[tuple[Span, str, Symbol | None]] = []
        self._namespaces: list[tuple[Span, str]] = []
        self._once: set[tuple[str, str]] = set()
        self.symbols: list[Symbol] = []

    def leave(self, span: Span) -> None:
        """Close what ends before ``span`` does; what has the very same span stands beside it."""
        while self._stack and (self._stack[-1][0].end < span.end or self._stack[-1][0] == span):
            self._stack.pop()
        while self._namespaces and self._namespaces[-1][0].end < span.end:
            self._namespaces.pop()

    def enter_scope(self, scope: Scope) -> None:
        """Open a container that is no symbol."""
        if scope.is_namespace:
            outer = f"{self._namespaces[-1][1]}." if self._namespaces else ""
            self._namespaces.append((scope.span, outer + scope.name))
        else:
            self._stack.append((scope.span, scope.name, None))

    def enter(self, row: Definition, above: Above) -> None:
        """Make a symbol, and open it."""
        names = [name for _, name, _ in self._stack]
        container = ".".join(names)
        if row.container:
            container = f"{container}.{row.container}" if container else row.container
        outer = next((symbol for _, _, symbol in reversed(self._stack) if symbol is not None), None)
        kind = self._kind(row, outer)
        if kind in _ONCE:
            if (container, row.name) in self._once:
                return
            self._once.add((container, row.name))
        symbol = self._symbol(row, kind, container, outer, above)
        self.symbols.append(symbol)
        self._stack.append((row.span, row.name, symbol))

    def _kind(self, row: Definition, outer: Symbol | None) -> Kind:
        kind = self._language.kinds[row.detail]
        is_member = bool(row.container) or (bool(self._stack) and self._is_class_like(outer))
        return self._language.members.get(kind, kind) if is_member else kind

    def _is_class_like(self, outer: Symbol | None) -> bool:
        innermost = self._stack[-1][2]
        return innermost is None or innermost.detail in self._language.class_like

    def _symbol(
        self, row: Definition, kind: Kind, container: str, outer: Symbol | None, above: Above
    ) -> Symbol:
        language = self._language
        standing = Standing(
            name=row.name,
            modifiers=self._text(row.span.start, row.name_start),
            inside=outer.detail if outer else ("scope" if self._stack else ""),
            is_local=any(symbol is not None and symbol.kind in _FUNCTIONS for _, _, symbol in self._stack),
            is_marked=self._is_marked(row),
            is_container_exported=outer.exported if outer else True,
        )
        visibility, exported = visibility_of(language, standing)
        doc = clean_string(row.doc) if row.doc else ""
        if not doc and language.doc == "above":
            doc = above.doc(row.span, language.doc_marks)
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

    def _is_marked(self, row: Definition) -> bool:
        if not self._stack and row.name in self._exported_names:
            return True
        return any(span.start <= row.span.start and row.name_start < span.end for span in self._exports)

    def _signature(self, row: Definition) -> str:
        """Return the text from the definition to its body on one line; without a body, its first line."""
        start = self._own_start(row)
        if row.body_start >= 0:
            text = self._text(start, row.body_start)
        else:
            line_end = self._data.find(b"\n", row.name_start)
            text = self._text(start, min(row.span.end, line_end if line_end >= 0 else row.span.end))
        return " ".join(text.split()).rstrip("{ ")[:SIGNATURE_LIMIT]

    def _own_start(self, row: Definition) -> int:
        """Return where the line of the name starts, or the definition if that is later."""
        line = self._data.rfind(b"\n", 0, row.name_start) + 1
        return max(row.span.start, line)

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "replace")
