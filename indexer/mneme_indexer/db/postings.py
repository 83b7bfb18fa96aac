"""How postings are packed: fixed-width numbers, one for each document (or symbol) that has the term.

BODY and USE: document, times. HEAD: document, symbol, where in its head. NAME: document, symbol, kind.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from mneme_indexer.model import Kind

BODY, HEAD, NAME, USE = 0, 1, 2, 3
FIELDS = (BODY, HEAD, NAME, USE)

# The bits of a HEAD weight: the term is part of the symbol's name, of its container's or namespace's
# name, of its signature, and how often (up to 31 times) it stands in its doc.
IN_NAME, IN_CONTAINER, IN_SIGNATURE = 0x80, 0x40, 0x20
DOC_TIMES = 0x1F

MOST_TIMES = (1 << 10) - 1
KINDS: tuple[Kind, ...] = (
    "function", "class", "method", "interface", "type", "enum", "const",
    "field", "variable", "module", "heading",
)  # fmt: skip

_CODES = {BODY: "I", USE: "I", HEAD: "Q", NAME: "Q"}
# How far the position of the document stands to the left.
SHIFTS = {BODY: 10, USE: 10, HEAD: 28, NAME: 28}
SYMBOL_SHIFT = 8
_BLOCK_TERMS = 64
_BLOCK_NUMBERS = 800
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[list[str], list[int], bytes]).decode
_LOW = (1 << SYMBOL_SHIFT) - 1
_SYMBOL = (1 << (SHIFTS[HEAD] - SYMBOL_SHIFT)) - 1


def unpack(field: int, data: bytes) -> "array[int]":
    """Return the numbers of one term."""
    numbers = array(_CODES[field])
    numbers.frombytes(data)
    return numbers


def counted(field: int, data: bytes, documents: Sequence[int]) -> list[tuple[int, int]]:
    """Return (blob, times) for BODY or USE; ``documents`` has 0 at the positions that are left out."""
    return [
        (blob, number & MOST_TIMES) for number in unpack(field, data) if (blob := documents[number >> 10])
    ]


def placed(field: int, data: bytes, documents: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return (blob, symbol, weight or kind) for HEAD or NAME; see ``counted``."""
    return [
        (blob, number >> SYMBOL_SHIFT & _SYMBOL, number & _LOW)
        for number in unpack(field, data)
        if (blob := documents[number >> 28])
    ]


def moved(field: int, data: bytes, positions: Sequence[int]) -> list[int]:
    """Return the numbers with each document's position replaced; position -1 drops the document."""
    shift = SHIFTS[field]
    low = (1 << shift) - 1
    return [
        positions[number >> shift] << shift | number & low
        for number in unpack(field, data)
        if positions[number >> shift] >= 0
    ]


class Block(Struct, frozen=True, array_like=True):
    """Some terms that follow one another in a segment; ``first`` is the first of them.

    ``data`` is the msgpack of the terms, how many numbers each has, and the packed numbers of all. A row
    for each term would cost more time than all the rest of a build.
    """

    field: int
    first: str
    data: bytes


def blocks(field: int, rows: Iterable[tuple[str, list[int]]]) -> Iterator[Block]:
    """Yield the blocks of a segment's field; ``rows`` are (term, numbers) by term."""
    terms: list[str] = []
    counts: list[int] = []
    numbers: list[int] = []
    code = _CODES[field]
    for term, of_term in rows:
        terms.append(term)
        counts.append(len(of_term))
        numbers += of_term
        if len(terms) >= _BLOCK_TERMS or len(numbers) >= _BLOCK_NUMBERS:
            yield Block(field, terms[0], _encode((terms, counts, array(code, numbers).tobytes())))
            terms, counts, numbers = [], [], []
    if terms:
        yield Block(field, terms[0], _encode((terms, counts, array(code, numbers).tobytes())))


def unpack_block(block: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the terms of a block, in order, with their packed numbers."""
    terms, counts, numbers = _decode(block)
    width = len(numbers) // max(1, sum(counts))
    start = 0
    for term, count in zip(terms, counts, strict=True):
        end = start + count * width
        yield term, numbers[start:end]
        start = end


def find(block: bytes, term: str) -> bytes | None:
    """Return the packed numbers of a term, None if the block does not have it."""
    terms, counts, numbers = _decode(block)
    place = bisect_left(terms, term)
    if place == len(terms) or terms[place] != term:
        return None
    width = len(numbers) // sum(counts)
    start = sum(counts[:place]) * width
    return numbers[start : start + counts[place] * width]


def pack_ids(ids: Iterable[int]) -> bytes:
    """Return row ids as bytes, in their order."""
    return array("I", ids).tobytes()


def unpack_ids(data: bytes) -> "array[int]":
    """Return the ids that ``pack_ids`` was given."""
    ids = array("I")
    ids.frombytes(data)
    return ids
