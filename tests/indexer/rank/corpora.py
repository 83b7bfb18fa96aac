"""A corpus in memory: real files and symbols in a few lines of Python."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from mneme_indexer.model import Symbol
from mneme_indexer.rank.corpus import DOC_TIMES, IN_CONTAINER, IN_NAME, IN_SIGNATURE
from mneme_indexer.words import count_terms, terms_of

_DEFINITION = re.compile(rb"^( *)(def|class) (\w+)[^\n]*", re.MULTILINE)


class MemoryCorpus:
    """Files by path; their symbols are what Python's ``def`` and ``class`` define, unless given."""

    def __init__(self, files: Mapping[str, bytes], symbols: Mapping[str, Sequence[Symbol]] | None = None):
        self.paths = sorted(files)
        self._texts = [files[path] for path in self.paths]
        self._counts = [count_terms(text) for text in self._texts]
        self.lengths = [sum(counts.values()) for counts in self._counts]
        self.languages = ["python" if path.endswith(".py") else "" for path in self.paths]
        given = symbols or {}
        self._symbols = [
            tuple(given[path])
            if path in given
            else python_symbols(files[path])
            if path.endswith(".py")
            else ()
            for path in self.paths
        ]

    def body(self, term: str) -> Sequence[tuple[int, int]]:
        return [(file, counts[term]) for file, counts in enumerate(self._counts) if term in counts]

    def heads(self, term: str) -> Sequence[tuple[int, int, int]]:
        return [
            (file, at, weight)
            for file, symbols in enumerate(self._symbols)
            for at, symbol in enumerate(symbols)
            if (weight := _weight(symbol, term))
        ]

    def named(self, name: str) -> Sequence[tuple[int, int]]:
        return [
            (file, at)
            for file, symbols in enumerate(self._symbols)
            for at, symbol in enumerate(symbols)
            if symbol.name == name
        ]

    def symbols(self, file: int) -> Sequence[Symbol]:
        return self._symbols[file]

    def text(self, file: int) -> bytes:
        return self._texts[file]

    def content(self, file: int) -> str:
        return str(hash(self._texts[file]))


def _weight(symbol: Symbol, term: str) -> int:
    weight = IN_NAME if term in terms_of(symbol.name) else 0
    weight |= IN_CONTAINER if term in terms_of(symbol.container) else 0
    weight |= IN_SIGNATURE if term in terms_of(symbol.signature) else 0
    return weight | min(Counter(terms_of(symbol.doc))[term], DOC_TIMES)


def python_symbols(data: bytes) -> tuple[Symbol, ...]:
    """Return what ``def`` and ``class`` define, by their indentation; good enough for tests."""
    lines = data.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: list[Symbol] = []
    outer: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        match = _DEFINITION.match(line)
        if match is None:
            continue
        depth = len(match[1])
        last = number
        for later in range(number + 1, len(lines)):
            if lines[later].strip() and len(lines[later]) - len(lines[later].lstrip()) <= depth:
                break
            if lines[later].strip():
                last = later
        outer = [entry for entry in outer if entry[0] < depth]
        name = match[3].decode("utf-8", "replace")
        is_class = match[2] == b"class"
        found.append(
            Symbol(
                name=name,
                kind="class" if is_class else "method" if outer else "function",
                detail="",
                container=".".join(entry[1] for entry in outer),
                namespace="",
                exported=not name.startswith("_"),
                visibility="public",
                start_line=number + 1,
                end_line=last + 1,
                start_byte=starts[number],
                end_byte=starts[last + 1] - 1,
                signature=line.strip().decode("utf-8", "replace"),
            )
        )
        outer.append((depth, name))
    return tuple(found)
