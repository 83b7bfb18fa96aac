"""Which lines to show of what is too long: its beginning, and what bears on the question."""

from collections.abc import Iterable, Sequence

# A line that has this share of what the best line has is worth a place.
_TELLING = 0.5
_AROUND = 1  # lines before and after it that are shown as well


def telling_lines(lines: Sequence[str], words: Sequence[tuple[str, float]]) -> list[int]:
    """Return the positions of the lines that say most about ``words``, best first; ties go by position."""
    lowered = [line.lower() for line in lines]
    worths = [round(sum(worth for word, worth in words if word in line), 9) for line in lowered]
    least = max(worths, default=0.0) * _TELLING
    return sorted((at for at, worth in enumerate(worths) if worth >= least > 0), key=lambda at: -worths[at])


class Choice:
    """Lines that are chosen, by position, within ``room``; each gap between them costs ``gap``."""

    def __init__(self, costs: Sequence[int], gap: int, room: int) -> None:
        self.lines: set[int] = set()
        self._costs = costs
        self._gap = gap
        self._room = room

    def add(self, lines: Iterable[int]) -> bool:
        """Add all of some lines if there is room for them; tell whether there was."""
        new = [at for at in lines if 0 <= at < len(self._costs) and at not in self.lines]
        wider = self.lines.union(new)
        runs = sum(at - 1 not in wider for at in wider) - sum(at - 1 not in self.lines for at in self.lines)
        cost = sum(self._costs[at] for at in new) + runs * self._gap
        if cost > self._room:
            return False
        self.lines, self._room = wider, self._room - cost
        return True


def chosen_lines(costs: Sequence[int], best: Iterable[int], gap: int, room: int, opening: int) -> list[int]:
    """Return the positions of lines to show, in order: the opening, the best ones, what follows the opening.

    At most ``room`` is used, ``gap`` for each run of lines included. Empty if the opening has no room.
    """
    choice = Choice(costs, gap, room)
    if not choice.add(range(opening)):
        return []
    for at in best:
        choice.add(range(at - _AROUND, at + _AROUND + 1))
    for at in range(opening, len(costs)):
        if not choice.add([at]):
            break
    return sorted(choice.lines)
