"""How postings are packed: fixed-width numbers, one for each document (or symbol) that has the term.

BODY and USE: document, times. HEAD: document, symbol, where in its head. NAME: document, symbol, kind.
"""

from array import array
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
_BLOCK_BYTES = 3000
_encode = msgspec.msgpack.Encoder().encode
# The terms of a block with their packed numbers.
unpack_block = msgspec.msgpack.Decoder(dict[str, bytes]).decode
_LOW = (1 << SYMBOL_SHIFT) - 1
_SYMBOL = (1 << (SHIFTS[HEAD] - SYMBOL_SHIFT)) - 1


def pack(field: int, numbers: Iterable[int]) -> bytes:
    """Return the numbers of one term as bytes."""
    return array(_CODES[field], numbers).tobytes()


def unpack(field: int, data: bytes) -> "array[int]":
    """Return the numbers that ``pack`` was given."""
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

    ``data`` is the msgpack of a map from term to packed numbers. A row for each term would cost more
    time than all the rest of a build.
    """

    field: int
    first: str
    data: bytes


def blocks(field: int, rows: Iterable[tuple[str, bytes]]) -> Iterator[Block]:
    """Yield the blocks of a segment's field; ``rows`` are (term, packed numbers) by term."""
    block: dict[str, bytes] = {}
    size = 0
    for term, data in rows:
        block[term] = data
        size += len(data)
        if size >= _BLOCK_BYTES or len(block) >= _BLOCK_TERMS:
            yield Block(field, next(iter(block)), _encode(block))
            block, size = {}, 0
    if block:
        yield Block(field, next(iter(block)), _encode(block))


def pack_ids(ids: Iterable[int]) -> bytes:
    """Return row ids as bytes, in their order."""
    return array("I", ids).tobytes()


def unpack_ids(data: bytes) -> "array[int]":
    """Return the ids that ``pack_ids`` was given."""
    ids = array("I")
    ids.frombytes(data)
    return ids
