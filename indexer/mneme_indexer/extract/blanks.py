"""Texts with lines blanked that no grammar knows: conditional compilation, and the marks of a merge.

A blanked line keeps its length in bytes, so that every offset and every line number stays what it was.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b")
_OPENING = re.compile(rb"^[ \t]*#[ \t]*if", re.M)
_NEVER = re.compile(rb"[ \t]*#[ \t]*if[ \t(]+(?:0|false)[ \t)]*(?:/[/*].*)?\r?$")
_MARK = re.compile(rb"(<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)(?: .*)?\r?$")
_CONFLICT = re.compile(rb"^<<<<<<<(?: |\r?$)", re.M)
_TEXT = re.compile(rb"[^\r]")


class Blanked(NamedTuple):
    """A text of the same length as the one it was made of, and the rows (from 0) that are blank in it.

    ``code`` are those of the rows that held code of a branch that is not kept.
    """

    data: bytes
    rows: frozenset[int]
    code: frozenset[int] = frozenset()


class _Group(NamedTuple):
    """An ``#if`` to its ``#endif``: its first and last row, and those that are no code of its kept branch."""

    first: int
    last: int
    rows: tuple[int, ...]
    code: tuple[int, ...]


def without_conditionals(data: bytes, error_rows: Iterable[int]) -> Iterator[Blanked]:
    """Yield ``data`` with one branch kept of the groups at which errors are, then of all.

    The first branch is kept, or the second where the condition of the first is a plain 0.
    """
    if not _OPENING.search(data):
        return
    lines = data.split(b"\n")
    groups = _groups(lines)
    at = sorted(error_rows)
    touched = [group for group in groups if _is_touched(group, at)]
    if touched and len(touched) < len(groups):
        yield _without(lines, touched)
    if groups:
        yield _without(lines, groups)


def _without(lines: Sequence[bytes], groups: Sequence[_Group]) -> Blanked:
    code = frozenset(row for group in groups for row in group.code)
    return _blanked(lines, (row for group in groups for row in group.rows))._replace(code=code)


def _is_touched(group: _Group, rows: Sequence[int]) -> bool:
    index = bisect_left(rows, group.first - 1)
    return index < len(rows) and rows[index] <= group.last + 1


class _Open:
    """A group whose end is not yet seen."""

    def __init__(self, row: int, *, is_kept: bool) -> None:
        self.first = self._start = row
        self._is_kept = self._has_kept = is_kept
        self._directives: list[int] = []
        self._code: list[int] = []

    def turn(self, row: int) -> None:
        """Begin the next branch."""
        self._end_branch(row)
        self._start, self._is_kept = row, not self._has_kept
        self._has_kept = True

    def _end_branch(self, row: int) -> None:
        self._directives.append(self._start)
        if not self._is_kept:
            self._code += range(self._start + 1, row)

    def closed(self, row: int, lines: Sequence[bytes]) -> _Group:
        """End the group with the row of its last directive."""
        self._end_branch(row)
        directives = _continued(lines, (*self._directives, row))
        return _Group(self.first, row, (*directives, *self._code), tuple(self._code))


def _groups(lines: Sequence[bytes]) -> list[_Group]:
    found: list[_Group] = []
    opened: list[_Open] = []
    for row, line in enumerate(lines):
        directive = _DIRECTIVE.match(line)
        if directive is None:
            continue
        word = directive.group(1)
        if word.startswith(b"if"):
            opened.append(_Open(row, is_kept=not _NEVER.match(line)))
        elif opened and word == b"endif":
            found.append(opened.pop().closed(row, lines))
        elif opened:
            opened[-1].turn(row)
    return found


def _continued(lines: Sequence[bytes], rows: Iterable[int]) -> tuple[int, ...]:
    """Add the lines on which directives go on behind a backslash."""
    found = dict.fromkeys(rows)
    for row in tuple(found):
        following = row
        while lines[following].rstrip(b"\r").endswith(b"\\") and following + 1 < len(lines):
            following += 1
            found[following] = None
    return tuple(found)


def without_conflicts(data: bytes) -> Iterator[Blanked]:
    """Yield ``data`` without the marks of unfinished merges, both sides kept, then the first side only."""
    if not _CONFLICT.search(data):
        return
    lines = data.split(b"\n")
    marks, others = _conflicts(lines)
    if marks:
        yield _blanked(lines, marks)
        yield _blanked(lines, (*marks, *others))


def _conflicts(lines: Sequence[bytes]) -> tuple[list[int], list[int]]:
    """Return the rows of marks, with what both sides began from, and the rows of second sides."""
    marks: list[int] = []
    others: list[int] = []
    seen: dict[bytes, int] = {}
    for row, line in enumerate(lines):
        mark = _MARK.match(line)
        if mark is None:
            continue
        word = mark.group(1)[:1]
        if word == b"<":
            seen = {}
        seen.setdefault(word, row)
        if word == b">" and b"<" in seen and b"=" in seen:
            middle = seen[b"="]
            marks += [seen[b"<"], *range(seen.get(b"|", middle), middle + 1), row]
            others += range(middle + 1, row)
            seen = {}
    return marks, others


def _blanked(lines: Sequence[bytes], rows: Iterable[int]) -> Blanked:
    blank = frozenset(rows)
    texts = (_TEXT.sub(b" ", line) if row in blank else line for row, line in enumerate(lines))
    return Blanked(b"\n".join(texts), blank)


def without_directives(text: str) -> str:
    """Return a text of a few lines without those that are directives of conditional compilation."""
    if "#" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not _DIRECTIVE.match(line.encode()))
