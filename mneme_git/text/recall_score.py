"""How well a text fits a query: BM25 over the whole of it, then a closer look at where the words stand.

Times and lengths count in classes, so that a byte says all about a term in a document and a query
computes each value once. BM25: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import log

# Raise it whenever the same text would give other classes: what was kept is then built anew.
VERSION = 1
K1, B = 1.2, 0.75
# A byte of a posting: the class of the times (1 to 7) above the class of the length (0 to 31).
LENGTH_BITS = 5
_TIMES = (1, 2, 3, 4, 6, 9, 16)
_TIMES_FROM = (1, 2, 3, 4, 5, 8, 13)
LENGTHS = tuple(round(4 * 2 ** (step * 10 / 31)) for step in range(32))
_LENGTHS_FROM = tuple((low + high) / 2 for low, high in pairwise(LENGTHS))


def length_class(terms: int) -> int:
    """Return the class (0 to 31) of a text with that many terms; ``LENGTHS`` has what it counts as."""
    return bisect_right(_LENGTHS_FROM, terms)


def posting_byte(times: int, length: int) -> int:
    """Return the byte, never 0, of a term that stands ``times`` in a text of that length class."""
    return bisect_right(_TIMES_FROM, times) << LENGTH_BITS | length


def rarity(documents: int, having: int) -> float:
    """Return what a term says that ``having`` of ``documents`` have: more than 0."""
    return log(1 + (documents - having + 0.5) / (having + 0.5))


def worths(mean_length: float) -> list[float]:
    """Return for each posting byte the share of its rarity that a term adds; 0 for byte 0."""
    saturations = [K1 * (1 - B + B * length / max(mean_length, 1.0)) for length in LENGTHS]
    found = [0.0] * (1 << LENGTH_BITS)
    for times in _TIMES:
        found += [times * (K1 + 1) / (times + saturation) for saturation in saturations]
    return found


def passage_score(stream: Sequence[int], rarities: dict[int, float]) -> float:
    """Return placeholder."""
    return 0.0
