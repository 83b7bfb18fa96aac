"""Which positions of a file an export statement covers."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from mneme_indexer.extract.found import Span


class Exports:
    """The spans of export statements; one may stand inside another."""

    def __init__(self, spans: Iterable[Span]) -> None:
        rows = sorted(spans)
        self._starts = [row.start for row in rows]
        self._ends = [row.end for row in rows]
        self._reach = list(accumulate(self._ends, max))

    def cover(self, at: int, within: int) -> bool:
        """Tell whether a span that starts behind byte ``within`` holds byte ``at``."""
        index = bisect_right(self._starts, at) - 1
        while index >= 0 and self._starts[index] > within and self._reach[index] > at:
            if self._ends[index] > at:
                return True
            index -= 1
        return False
