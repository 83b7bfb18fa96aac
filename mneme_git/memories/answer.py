"""Matches packed into a budget of tokens: the best whole, the rest cut at lines, never a token too many.

The budget holds for the whole serialised answer, keys, notices and all. A token is four characters.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
CHARACTERS = 4
# A head of fewer characters says too little to be worth its frame.
_LEAST_HEAD = 40


def serialised(reply: object) -> str:
    """Return an answer as the text that a client is sent and that budgets are counted in."""
    return json.dumps(reply, ensure_ascii=False)


def packed(
    reply: Mapping[str, Any], budget: int | None, rest: Callable[[Row], str], *, key: str = "matches"
) -> Row:
    """Return the answer with its rows, under ``key`` and the best first, cut to ``budget`` tokens.

    Bodies stay whole while they fit. From the first that does not, the room that is left is shared by
    the rows that are left: each is whole, or cut at the end of a line with a marker (``rest`` says how
    to read the rest) and ``truncated``, or left out. ``omitted`` counts those, if there are any. A
    budget that not even the frame fits in gives the frame. None is no budget.
    """
    rows: Sequence[Row] = reply[key]
    if budget is None or len(serialised(reply)) <= budget * CHARACTERS:
        return dict(reply)
    frame = serialised({**reply, key: [], "omitted": len(rows)})
    room = budget * CHARACTERS - len(frame)
    kept: list[Row] = []
    sharing = False
    for place, row in enumerate(rows):
        sharing = sharing or _cost(row) > room
        chosen = _within(row, room // (len(rows) - place), room, rest) if sharing else row
        if chosen is not None:
            kept.append(chosen)
            room -= _cost(chosen)
    omitted = len(rows) - len(kept)
    return {**reply, key: kept, **({"omitted": omitted} if omitted else {})}


def _cost(row: Row) -> int:
    """Return what a row takes in a list, with the comma and the blank behind it."""
    return len(serialised(row)) + 2


def _within(row: Row, share: int, room: int, rest: Callable[[Row], str]) -> Row | None:
    """Return a row, whole or cut, as its share holds it; else a head as ``room`` holds it; else None."""
    if _cost(row) <= share:
        return row
    if len(row["body"]) <= _LEAST_HEAD:
        return row if _cost(row) <= room else None
    length = _longest(row, share, rest)
    if length >= _LEAST_HEAD:
        return _with_head(row, length, rest)
    head = _with_head(row, _LEAST_HEAD, rest)
    return head if _cost(head) <= room else None


def _longest(row: Row, most: int, rest: Callable[[Row], str]) -> int:
    """Return how much of the body ``most`` characters of the answer hold: whole lines, or part of the first.

    The answer grows with the head, so the greatest is found by halving.
    """
    body: str = row["body"]
    low, high = 0, min(len(body) - 1, max(most, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(_with_head(row, middle, rest)) <= most:
            low = middle
        else:
            high = middle - 1
    line_end = body.rfind("\n", 0, low + 1)
    return line_end if line_end >= _LEAST_HEAD else low


def _with_head(row: Row, length: int, rest: Callable[[Row], str]) -> Row:
    body: str = row["body"]
    left = len(body) - length
    marker = f"\n[{left} more characters: {rest(row)}]"
    return {**row, "body": body[:length] + marker, "truncated": True}
