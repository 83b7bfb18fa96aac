"""The best documents for weighted terms, exactly, without scoring every document that has a common one.

If little has to be gone through, each posting is scored. Otherwise one byte for each document is an upper
bound of its score: these bytes are added as one large number, and only documents whose bound can reach the
best are scored. Both ways add the same values in the same order, so they give the same scores.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heappushpop

from msgspec import Struct

from mneme_git.store.recall_postings import Mask, Postings

MOST_TERMS = 64
_FEW_STEPS = 4_000
_TOP = 255


class Weighted(Struct, frozen=True):
    """A term that is asked for: what each posting byte adds to a score, in 256 values."""

    postings: Postings
    adds: Sequence[float]


def best(
    terms: Sequence[Weighted], mask: Mask, order: Callable[[int], tuple[int, str]], limit: int
) -> list[tuple[int, float]]:
    """Return up to ``limit`` documents of ``mask`` with their scores, best first.

    Scores are the sums over the terms, added in their order; ties go by ``order``, the smaller first.
    There may be up to ``MOST_TERMS`` terms.
    """
    if not terms or limit < 1:
        return []
    steps = sum(term.postings.size() for term in terms)
    scored = _all(terms, mask) if steps <= _FEW_STEPS else _promising(terms, mask, limit)
    if len(scored) > limit:
        least = sorted((score for _, score in scored), reverse=True)[limit - 1]
        scored = [pair for pair in scored if pair[1] >= least]
    return sorted(scored, key=lambda pair: (-pair[1], order(pair[0])))[:limit]


def _all(terms: Sequence[Weighted], mask: Mask) -> list[tuple[int, float]]:
    scores: dict[int, float] = {}
    so_far = scores.get
    flags = mask.flags
    for term in terms:
        adds = term.adds
        for document, kind in term.postings.as_mapping().items():
            if flags[document]:
                scores[document] = so_far(document, 0.0) + adds[kind]
    return list(scores.items())


def _promising(terms: Sequence[Weighted], mask: Mask, limit: int) -> list[tuple[int, float]]:
    """Return the scores of all documents that can be among the best ``limit``."""
    size = len(mask.flags)
    columns = [term.postings.as_bytes(size) for term in terms]
    tables = [term.adds for term in terms]
    pairs = list(zip(columns, tables, strict=True))
    scored: list[tuple[int, float]] = []
    leaders: list[float] = []
    for bound, documents in _by_bound(columns, tables, mask):
        if len(leaders) == limit and bound < leaders[0]:
            break
        for document in documents:
            score = 0.0
            for column, table in pairs:
                score += table[column[document]]
            scored.append((document, score))
            if len(leaders) < limit:
                heappush(leaders, score)
            else:
                heappushpop(leaders, score)
    return scored


def _by_bound(
    columns: Sequence[bytes], tables: Sequence[Sequence[float]], mask: Mask
) -> Iterator[tuple[float, list[int]]]:
    """Yield documents with a bound of their score, in groups, the greatest bound first."""
    size = len(mask.flags)
    # Rounding up adds less than 1 for each term, so the sum of all stays within a byte.
    unit = sum(map(max, tables)) / (_TOP - len(tables))
    total = 0
    for column, table in zip(columns, tables, strict=True):
        steps = bytes([int(value / unit) + 1 if value else 0 for value in table])
        total += int.from_bytes(column.translate(steps), "little")
    bounds = (total & mask.number * _TOP).to_bytes(size, "little")
    for level in range(max(bounds, default=0), 0, -1):
        if bounds.count(level):
            found = re.finditer(re.escape(bytes((level,))), bounds)
            # A hair more than the unit: the sums of scores are rounded too.
            yield level * unit * (1 + 1e-9), [match.start() for match in found]
