"""How well a text fits a query: BM25 over the whole of it, then a closer look at where the words stand.

Times and lengths count in classes, so that a byte says all about a term in a document and a query
computes each value once. BM25: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from math import log

from msgspec import Struct

from mneme_git.text.english import FUNCTION_STEMS

# Raise it whenever the same text would give other classes: what was kept is then built anew.
VERSION = 1
K1, B = 1.2, 0.75
_FUNCTION_WORTH = 0.3
# Passages overlap by half; the best one of a text counts.
PASSAGE = 40
_STEP = PASSAGE // 2
_PASSAGE_K = 0.6
_PASSAGE_WORTH = 0.5
_PAIR_WORTH = 0.3
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


def weight(term: str, documents: int, having: int) -> float:
    """Return what a term of a query counts: its rarity, less if it only holds English sentences together.

    In a small store chance makes such words rare; they stay terms, and find what has nothing else.
    """
    return rarity(documents, having) * (_FUNCTION_WORTH if term in FUNCTION_STEMS else 1.0)


class Asked(Struct, frozen=True):
    """A query for the closer look: its terms in order, as numbers, 0 for what is not looked for.

    ``having`` tells how many of all ``documents`` have a term, ``length`` how long all are together.
    """

    sequence: Sequence[int]
    having: Mapping[int, int]
    documents: int
    length: int


def closeness(asked: Asked, streams: Sequence[Sequence[int]]) -> list[float]:
    """Return for each stream, 0 or more, how close together it has the terms of a query.

    That is BM25 (without length) of its best passage of ``PASSAGE`` terms, and the pairs of terms that follow
    one another as in the query. How many passages have a term is estimated from those of
    ``streams``, so that the answer does not hang on how many streams there are.
    """
    wanted = frozenset(asked.having)
    places = [[(at, term) for at, term in enumerate(stream) if term in wanted] for stream in streams]
    passages = [_passages(found, len(stream)) for found, stream in zip(places, streams, strict=True)]
    weights = _passage_weights(asked, passages)
    pairs = {pair for pair in pairwise(asked.sequence) if pair[0] in weights and pair[1] in weights}
    return [
        _PASSAGE_WORTH * _best_of(windows, weights) + _PAIR_WORTH * _pairs_in(found, pairs, weights)
        for windows, found in zip(passages, places, strict=True)
    ]


def _passages(places: Sequence[tuple[int, int]], length: int) -> dict[int, dict[int, int]]:
    """Return how often each term stands in the passages that have any, by the number of the passage."""
    last = max(0, -(-length // _STEP) - 2)
    found: dict[int, dict[int, int]] = {}
    for at, term in places:
        step = at // _STEP
        for number in (step - 1, step):
            if 0 <= number <= last:
                times = found.setdefault(number, {})
                times[term] = times.get(term, 0) + 1
    return found


def _passage_weights(asked: Asked, passages: Sequence[Mapping[int, Mapping[int, int]]]) -> dict[int, float]:
    in_documents: Counter[int] = Counter()
    in_passages: Counter[int] = Counter()
    for windows in passages:
        in_documents.update({term for times in windows.values() for term in times})
        for times in windows.values():
            in_passages.update(times.keys())
    total = max(asked.documents, asked.length // _STEP)
    weights = {}
    for term in sorted(in_documents):
        having = in_passages[term] * max(1.0, asked.having[term] / in_documents[term])
        weights[term] = log(1 + max(0.5, total - having + 0.5) / (having + 0.5))
    return weights


def _best_of(windows: Mapping[int, Mapping[int, int]], weights: Mapping[int, float]) -> float:
    return max(
        (
            sum(
                weights[term] * count * (1 + _PASSAGE_K) / (count + _PASSAGE_K)
                for term, count in times.items()
            )
            for times in windows.values()
        ),
        default=0.0,
    )


def _pairs_in(
    places: Sequence[tuple[int, int]], pairs: AbstractSet[tuple[int, int]], weights: Mapping[int, float]
) -> float:
    if not pairs:
        return 0.0
    met = {(left, right) for (at, left), (then, right) in pairwise(places) if then == at + 1}
    return sum(min(weights[left], weights[right]) for left, right in sorted(met & pairs))
