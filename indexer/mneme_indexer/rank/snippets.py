"""The text that is shown of a symbol: whole, as an outline, cut at a line or in excerpts; no line twice."""

from collections.abc import Sequence
from json.encoder import encode_basestring

from msgspec import Struct

from mneme_indexer.model import Symbol
from mneme_indexer.rank.excerpts import chosen_lines, telling_lines

# A class of at most this many lines is shown whole, a longer one as an outline.
SMALL = 16
_MEMBER = 160  # characters of a member's signature in an outline
_LOOKED_THROUGH = 100  # lines of a symbol that is shown by its signature and one of them
_OPENING = 3  # first lines of an excerpt
_CONTAINERS = frozenset({"class", "interface", "enum", "type", "module"})


class Shown(Struct, frozen=True):
    """A snippet; ``lines`` are those that it shows in full."""

    text: str
    start: int
    end: int
    lines: frozenset[int]


class FileText:
    """The lines of one file, from 1, and which of them have been shown.

    ``words`` are what a question asks for, each with its worth: what is too long is cut so that they stay.
    """

    def __init__(
        self, path: str, data: bytes, symbols: Sequence[Symbol], words: Sequence[tuple[str, float]] = ()
    ) -> None:
        text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        self.path = path
        self.symbols = symbols
        self._words = words
        self._lines = text.replace("\r\n", "\n").split("\n")
        if len(self._lines) > 1 and not self._lines[-1]:
            self._lines.pop()
        self._shown: set[int] = set()

    @property
    def count(self) -> int:
        """Return the number of lines."""
        return len(self._lines)

    def show(self, position: int, room: int) -> Shown | None:
        """Return what fits of a symbol into ``room`` characters of JSON; position -1 is the whole file.

        None if nothing fits.
        """
        first, last = self.span(position)
        if position >= 0 and self._is_outlined(position, first, last):
            outline = self._outline(position, first, last, room)
            if outline is not None:
                return outline
        beginning = self._prefix(position, first, last, room)
        if beginning is None or not beginning.lines or beginning.end >= last:
            return beginning
        return self._excerpt(position, first, last, room, beginning) or beginning

    def brief(self, position: int, room: int) -> Shown | None:
        """Return the signature of a symbol and the line that bears most on the question, with its number.

        None if they do not fit.
        """
        first, last = self.span(position)
        text = self._signature(self.symbols[position])[:_MEMBER]
        if _cost(text) > room:
            return None
        inner = self._lines[first : min(last, first + _LOOKED_THROUGH)]
        for at in telling_lines(inner, self._words)[:1]:
            text += f"\n    {inner[at].strip()[:_MEMBER]}  [{first + 1 + at}]"
        return Shown(text, first, last, frozenset()) if _cost(text) <= room else None

    def is_shown(self, position: int) -> bool:
        """Tell whether all lines of a symbol have been shown."""
        first, last = self.span(position)
        return all(line in self._shown for line in range(first, last + 1))

    def mark(self, shown: Shown) -> None:
        """Note that a snippet is part of the reply."""
        self._shown |= shown.lines

    def span(self, position: int) -> tuple[int, int]:
        """Return the first and the last line of a symbol, inside of the file."""
        if position < 0:
            return 1, max(self.count, 1)
        symbol = self.symbols[position]
        first = min(max(symbol.start_line, 1), max(self.count, 1))
        return first, max(first, min(symbol.end_line, self.count))

    def _is_outlined(self, position: int, first: int, last: int) -> bool:
        is_container = self.symbols[position].kind in _CONTAINERS
        return is_container and last - first >= SMALL and bool(self._members(position))

    def _members(self, position: int) -> list[Symbol]:
        """Return the symbols directly inside of another; they follow it in order."""
        outer = self.symbols[position]
        found: list[Symbol] = []
        for symbol in self.symbols[position + 1 :]:
            if symbol.start_byte >= outer.end_byte:
                break
            if not found or symbol.start_byte >= found[-1].end_byte:
                found.append(symbol)
        return found

    def _outline(self, position: int, first: int, last: int, room: int) -> Shown | None:
        """Return the signature of a symbol and those of its members, with their lines."""
        text = self._signature(self.symbols[position])
        used = _cost(text)
        if used > room:
            return None
        members = self._members(position)
        for at, member in enumerate(members):
            row = f"    {self._signature(member)[:_MEMBER]}  [{_lines(member.start_line, member.end_line)}]"
            rest = f"    [{len(members) - at} more members]"
            spare = _cost(rest) if at + 1 < len(members) else 0
            if used + _cost(row) + spare > room:
                text += f"\n{rest}" if used + _cost(rest) <= room else ""
                break
            text += f"\n{row}"
            used += _cost(row)
        return Shown(text, first, last, frozenset())

    def _signature(self, symbol: Symbol) -> str:
        first = min(max(symbol.start_line, 1), max(self.count, 1))
        written = symbol.signature or (self._lines[first - 1].strip() if self._lines else "")
        return " ".join(written.split()) or symbol.name

    def _prefix(self, position: int, first: int, last: int, room: int) -> Shown | None:
        """Return the symbol's lines from the first one on, as many as fit; shown ones are passed over."""
        rows: list[str] = []
        used, at = 0, first
        shown: list[int] = []
        while at <= last:
            after = at
            while after <= last and after in self._shown:
                after += 1
            row = (
                self._lines[at - 1]
                if after == at
                else f"[lines {_lines(at, after - 1)} are shown on their own]"
            )
            upto = max(after - 1, at)
            rest = self._cut(position, at, last)
            if used + _cost(row) + (_cost(self._cut(position, upto + 1, last)) if upto < last else 0) > room:
                if used + _cost(rest) > room:
                    return None
                if not shown:
                    return self._first_line(position, at, last, room, rows)
                return Shown("\n".join([*rows, rest]), first, at - 1, frozenset(shown))
            rows.append(row)
            used += _cost(row)
            shown += [at] if after == at else []
            at = upto + 1
        return Shown("\n".join(rows), first, last, frozenset(shown)) if shown else None

    def _excerpt(self, position: int, first: int, last: int, room: int, beginning: Shown) -> Shown | None:
        """Return the first lines and those that bear on the question, with a marker for each gap.

        None if the beginning has all of those, or if some lines have been shown before.
        """
        if not self._shown.isdisjoint(range(first, last + 1)):
            return None
        lines = self._lines[first - 1 : last]
        best = [_OPENING + at for at in telling_lines(lines[_OPENING:], self._words)]
        if all(first + at <= beginning.end for at in best):
            return None
        gap = _cost(_left_out(last - 1, last))  # as long as any
        spare = _cost(self._cut(position, last - 1, last)) - gap
        rows = chosen_lines([_cost(line) for line in lines], best, gap, room - spare, _OPENING)
        numbers = [first + at for at in rows]
        if not numbers or numbers[-1] <= beginning.end:
            return None
        return Shown(self._joined(position, numbers, last), first, numbers[-1], frozenset(numbers))

    def _joined(self, position: int, numbers: Sequence[int], last: int) -> str:
        """Return some lines with a marker for each gap; that of the last gap says how to get the rest."""
        rows: list[str] = []
        gaps: list[tuple[int, int, int]] = []
        for number, after in zip(numbers, [*numbers[1:], last + 1], strict=True):
            rows.append(self._lines[number - 1])
            if after > number + 1:
                gaps.append((len(rows), number + 1, after - 1))
                rows.append(_left_out(number + 1, after - 1))
        place, start, end = gaps[-1]
        rows[place] = self._cut(position, start, end)
        return "\n".join(rows)

    def _first_line(self, position: int, at: int, last: int, room: int, rows: list[str]) -> Shown | None:
        """Return the beginning of a line that is longer than all the room."""
        rest = self._cut(position, at, last)
        left = room - _cost(rest) - sum(map(_cost, rows)) - 4
        line = self._lines[at - 1]
        kept = min(len(line), max(left, 0))
        while kept > 0 and _cost(line[:kept]) > left:
            kept //= 2
        if kept < 20:
            return None
        return Shown("\n".join([*rows, f"{line[:kept]}…", rest]), at, at, frozenset())

    def _cut(self, position: int, at: int, last: int) -> str:
        """Return the marker of a cut: what is left out from line ``at`` on and how to get it."""
        if position < 0:
            return f"[cut: read lines {_lines(at, last)} of this file]"
        name = self.symbols[position].name[:80]
        return f'[cut: read lines {_lines(at, last)} of this file, or mneme_lookup_symbol "{name}"]'


def _left_out(first: int, last: int) -> str:
    return f"[lines {_lines(first, last)} are left out]"


def _lines(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _cost(row: str) -> int:
    """Return the characters of a line in JSON with its line break."""
    return len(encode_basestring(row))
