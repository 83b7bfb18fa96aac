"""Exact, case-sensitive text with free edges, found in one pass for any number of values.

Where the first or last character of a value could be part of an identifier, the neighbouring
character of a hit must not be: ``redis`` is not in ``rediss``, ``my-redis`` or ``redisé``, and
``eval(`` is not in ``safe_eval(``. Identifier characters are ASCII letters, digits, ``_`` and ``-``,
and the letters, digits and marks of other scripts. Scripts that are written without spaces, or that
put their particles directly after a name, are left out: ``日本`` is in ``日本語``, ``Redis`` in ``Redis를``.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

_RUN = re.compile(r"[A-Za-z0-9_]+")
_ASCII_JOINING = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
# Thai to Lao, Myanmar, Hangul Jamo, Khmer, Han and kana with their neighbours, Hangul, Han again.
_RUNNING = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0xA4CF),
    (0xA960, 0xA97F), (0xAA60, 0xAA7F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF66, 0xFFDC),
    (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip

_Shape = tuple[int, int]
_Shapes = dict[_Shape, set[str]]


def joins(char: str) -> bool:
    """Tell whether ``char`` beside an identifier makes it another identifier."""
    if char.isascii():
        return char in _ASCII_JOINING
    if any(low <= ord(char) <= high for low, high in _RUNNING):
        return False
    return char.isalnum() or unicodedata.category(char).startswith("M")


def edges_are_free(text: str, start: int, end: int) -> bool:
    """Tell whether no character around ``text[start:end]`` extends an identifier at its edges."""
    if start > 0 and joins(text[start]) and joins(text[start - 1]):
        return False
    return not (end < len(text) and joins(text[end - 1]) and joins(text[end]))


def find_anchored(text: str, values: Iterable[str], runs: Mapping[str, int]) -> dict[str, int]:
    """Return the offset of the first free hit of each of ``values`` in ``text``; empty values have none.

    ``runs`` counts the ASCII identifier runs of ``text``. Every run inside a value is a whole run
    of the text wherever the value occurs (inside it stands between other characters, at an edge
    the edge must be free), so the rarest one is its anchor. Values with the same anchor are told
    apart by one look-up for each place and length, not one for each value.
    """
    by_run: dict[str, _Shapes] = {}
    by_char: dict[str, _Shapes] = {}
    for value in values:
        inside = [(match[0], match.start()) for match in _RUN.finditer(value)]
        if not inside:
            _anchor_at_char(text, value, by_char)
        elif all(run in runs for run, _ in inside):
            run, at = min(inside, key=lambda found: (runs[found[0]], found[1]))
            by_run.setdefault(run, {}).setdefault((at, len(value)), set()).add(value)
    found: dict[str, int] = {}
    if by_run:
        _collect(text, _RUN.finditer(text), by_run, found)
    if by_char:
        listed = "".join(map(re.escape, sorted(by_char)))
        _collect(text, re.finditer(f"[{listed}]", text), by_char, found)
    return found


def _anchor_at_char(text: str, value: str, by_char: dict[str, _Shapes]) -> None:
    """Anchor a value without identifier runs at its first visible character."""
    if not value:
        return
    at = len(value) - len(value.lstrip())
    at = at if at < len(value) else 0
    if value[at] in text:
        by_char.setdefault(value[at], {}).setdefault((at, len(value)), set()).add(value)


def _collect(
    text: str, places: Iterator[re.Match[str]], anchors: dict[str, _Shapes], found: dict[str, int]
) -> None:
    for place in places:
        shapes = anchors.get(place[0])
        if shapes is None:
            continue
        for (at, length), waiting in list(shapes.items()):
            start = place.start() - at
            hit = text[start : start + length] if start >= 0 else ""
            if hit in waiting and edges_are_free(text, start, start + length):
                found[hit] = start
                waiting.discard(hit)
                if not waiting:
                    del shapes[at, length]
        if not shapes:
            del anchors[place[0]]
            if not anchors:
                return
