"""Postings of one segment, collected by token and turned into terms once, at the end.

A token is met thousands of times and split once: what is done for each of its places must be little.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import (
    BODY,
    DOC_TIMES,
    HEAD,
    IN_CONTAINER,
    IN_NAME,
    IN_SIGNATURE,
    KINDS,
    MOST_TIMES,
    NAME,
    SHIFTS,
    SYMBOL_SHIFT,
    USE,
    Block,
)
from mneme_indexer.model import ParsedFile, Symbol
from mneme_indexer.words import fold, terms_of_token, tokens

_LONGEST_NAME = 200  # characters of a name by which it is found
_KIND_CODES = {kind: code for code, kind in enumerate(KINDS)}
_NAME_ONLY = frozenset(("field", "variable"))


class Gatherer:
    """Collects what documents contain; the first one added has the position 0."""

    def __init__(self) -> None:
        self._documents = 0
        self._body: defaultdict[bytes, list[int]] = defaultdict(list)
        self._heads: defaultdict[bytes, list[int]] = defaultdict(list)
        self._names: defaultdict[str, list[int]] = defaultdict(list)
        self._uses: defaultdict[str, list[int]] = defaultdict(list)

    def skip(self) -> None:
        """Add a document that has nothing."""
        self._documents += 1

    def add(self, data: bytes, parsed: ParsedFile) -> int:
        """Add a document; return its length in tokens."""
        place = self._documents << SHIFTS[BODY]
        body, found = self._body, tokens(data)
        for token, times in Counter(found).items():
            body[token].append(place | (times if times < MOST_TIMES else MOST_TIMES))
        self._add_symbols(parsed.symbols)
        uses = self._uses
        for name, times in Counter(_used(parsed)).items():
            uses[name[:_LONGEST_NAME]].append(place | min(times, MOST_TIMES))
        self._documents += 1
        return len(found)

    def blocks(self) -> list[Block]:
        """Return the postings of all documents; nothing may be added afterwards."""
        fields: tuple[tuple[int, Iterable[tuple[str, list[int]]]], ...] = (
            (BODY, _by_term(self._body, _summed_times)),
            (HEAD, _by_term(self._heads, _joined_weights)),
            (NAME, sorted(self._names.items())),
            (USE, sorted(self._uses.items())),
        )
        return [block for field, rows in fields for block in packed.blocks(field, rows)]

    def _add_symbols(self, symbols: Iterable[Symbol]) -> None:
        names, heads = self._names, self._heads
        place = self._documents << SHIFTS[HEAD]
        for number, symbol in enumerate(symbols):
            here = place | number << SYMBOL_SHIFT
            names[fold(symbol.name)[:_LONGEST_NAME]].append(here | _KIND_CODES[symbol.kind])
            for token, weight in _head(symbol).items():
                heads[token].append(here | weight)


def _used(parsed: ParsedFile) -> list[str]:
    """Return the names that a file uses, and those that it imports under another name."""
    renamed = [row.name for row in parsed.imports if row.name and row.alias]
    return [*(row.name for row in parsed.references), *renamed]


def _head(symbol: Symbol) -> dict[bytes, int]:
    """Return the weight of each token in the head of a symbol; see ``db.postings``."""
    name = symbol.name.encode()
    # What is one token, as most names are, need not be looked for.
    head = {name: IN_NAME} if name.isalnum() else dict.fromkeys(tokens(name), IN_NAME)
    if symbol.kind in _NAME_ONLY:
        return head
    weight_of = head.get
    for place, text in ((IN_CONTAINER, symbol.namespace), (IN_CONTAINER, symbol.container)):
        if text:
            for token in _tokens(text):
                head[token] = weight_of(token, 0) | place
    for token in tokens(symbol.signature.encode()):
        head[token] = weight_of(token, 0) | IN_SIGNATURE
    if symbol.doc:
        for token in tokens(symbol.doc.encode()):
            weight = weight_of(token, 0)
            if weight & DOC_TIMES < DOC_TIMES:
                head[token] = weight + 1
    return head


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[bytes, ...]:
    return tuple(tokens(text.encode()))


def _by_term(
    by_token: dict[bytes, list[int]], joined: Callable[[list[int]], list[int]]
) -> Iterator[tuple[str, list[int]]]:
    """Yield the numbers of each term, by term; ``joined`` makes one number of those of one place."""
    of_one: dict[str, list[int]] = {}  # lists that several terms may have in common
    of_several: dict[str, list[int]] = {}
    for token, numbers in by_token.items():
        for term in terms_of_token(token):
            if term not in of_one:
                of_one[term] = numbers
            elif term in of_several:
                of_several[term] += numbers
            else:
                of_several[term] = of_one[term] + numbers
    for term in sorted(of_one):
        several = of_several.get(term)
        yield term, of_one[term] if several is None else joined(several)


def _summed_times(numbers: list[int]) -> list[int]:
    """Return (document, times) with the times of equal documents added."""
    numbers.sort()
    summed: list[int] = []
    last = -1
    for number in numbers:
        document = number >> 10
        if document == last:
            total = summed[-1] + (number & MOST_TIMES)
            summed[-1] = total if total >> 10 == document else number | MOST_TIMES
        else:
            summed.append(number)
            last = document
    return summed


def _joined_weights(numbers: list[int]) -> list[int]:
    """Return (document, symbol, weight) with the weights of equal symbols joined."""
    numbers.sort()
    joined: list[int] = []
    last = -1
    for number in numbers:
        symbol = number >> SYMBOL_SHIFT
        if symbol == last:
            before = joined[-1]
            times = (before & DOC_TIMES) + (number & DOC_TIMES)
            joined[-1] = (before | number) & ~DOC_TIMES | (times if times < DOC_TIMES else DOC_TIMES)
        else:
            joined.append(number)
            last = symbol
    return joined
