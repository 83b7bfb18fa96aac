"""Markdown as far as ADRs need it: headings, and which lines are prose.

Not a renderer: no inline markup, no tables, no link definitions. Lines count from 1. Every
function is linear in its input, whatever the input is.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

LineKind = Literal["text", "code", "comment"]


class Heading(Struct, frozen=True):
    """A heading: its level 1-6, its text without marks and comments, and where it stands.

    ``underlined`` is true for the two-line form (``===`` or ``---`` below the text).
    """

    level: int
    text: str
    line: int
    underlined: bool = False


class Unclosed(Struct, frozen=True):
    """A code fence or an HTML comment that hides everything from ``line`` to the end."""

    kind: Literal["code fence", "HTML comment"]
    line: int


class Document(Struct, frozen=True, kw_only=True):
    """A Markdown text by lines; the four tuples have one entry for each line.

    ``shown`` is the line without HTML comments, empty where nothing of it is prose. ``kinds`` says
    ``text`` where some of it is. ``first_line`` is the number of ``lines[0]`` in its file.
    """

    lines: tuple[str, ...]
    shown: tuple[str, ...]
    kinds: tuple[LineKind, ...]
    headings: tuple[Heading, ...]
    first_line: int = 1
    unclosed: Unclosed | None = None

    def number(self, index: int) -> int:
        """Return the line number in the file of ``lines[index]``."""
        return self.first_line + index


class FrontMatter(Struct, frozen=True, kw_only=True):
    """The YAML block at the start of a file, and what follows it.

    ``yaml_line`` and ``body_line`` are the numbers of the first line of each part. ``is_closed`` is
    false when the end mark is missing: then ``yaml`` is the whole rest and ``body`` is empty.
    """

    yaml: str
    body: str
    yaml_line: int
    body_line: int
    is_closed: bool = True


def normal_newlines(text: str) -> str:
    """Return ``text`` with every CRLF and every lone CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split_front_matter(text: str) -> FrontMatter | None:
    """Split off the YAML block of a text with normal newlines; None if the text has none.

    The block begins if the first line is ``---`` and ends at the next line that is, blanks around
    it allowed. Lines end at every Unicode line boundary here, as in the existing format, so that
    both readers cut a file at the same place; line numbers count LF alone, as editors do.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].strip() != "---":
        return None
    first = 1 + lines[0].count("\n")
    end = next((at for at in range(1, len(lines)) if lines[at].strip() == "---"), None)
    yaml = "".join(lines[1:end])
    if end is None:
        return FrontMatter(yaml=yaml, body="", yaml_line=first, body_line=first, is_closed=False)
    return FrontMatter(
        yaml=yaml,
        body="".join(lines[end + 1 :]),
        yaml_line=first,
        body_line=first + yaml.count("\n") + lines[end].count("\n"),
    )


def parse(text: str, *, first_line: int = 1) -> Document:
    """Return the lines of a text with normal newlines, and its headings."""
    lines = text.split("\n")
    scan = _Scan(lines)
    unclosed = scan.run()
    return Document(
        lines=tuple(lines),
        shown=tuple(scan.shown),
        kinds=tuple(scan.kinds),
        headings=_headings(scan.shown, scan.kinds, first_line),
        first_line=first_line,
        unclosed=Unclosed(unclosed.kind, unclosed.line + first_line) if unclosed else None,
    )


# The blanks, quote marks and list marks that may stand before a fence.
_CONTAINER = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*", re.ASCII)
_FENCE = re.compile(r"`{3,}|~{3,}")
_BACKTICKS = re.compile(r"`+")
_TOKEN = re.compile(r"`+|<!--")
_COMMENT_END = "-->"
_CODE_INDENT = 4


class _Fence(Struct, frozen=True):
    mark: str
    length: int
    quoted: bool
    at: int


class _Cut(Struct, frozen=True):
    """A line without the comments that it closes itself; ``open_at`` is where one stays open, or -1."""

    shown: str
    open_at: int = -1
    had_comment: bool = False


class _Scan:
    """One pass over the lines; what lies ahead is computed beforehand, so nothing is read twice."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.shown: list[str] = []
        self.kinds: list[LineKind] = []
        self._longest_ahead = _longest_fences_ahead(lines)
        self._close_at = _next_index(lines, lambda line: _COMMENT_END in line)
        self._blank_at = _next_index(lines, lambda line: not line.strip())

    def run(self) -> Unclosed | None:
        """Fill ``shown`` and ``kinds``; return what was never closed, its line counted from 0."""
        fence: _Fence | None = None
        comment_at = -1
        for at, line in enumerate(self._lines):
            if fence is not None and fence.quoted and not line.lstrip().startswith(">"):
                fence = None
            if comment_at >= 0:
                comment_at = self._in_comment(line, at, comment_at)
            elif fence is not None:
                self._put("", "code")
                fence = None if _closes(line, fence) else fence
            elif (fence := self._fence(line, at)) is not None:
                self._put("", "code")
            else:
                comment_at = self._prose(line, at)
        if comment_at >= 0:
            return Unclosed("HTML comment", comment_at)
        return Unclosed("code fence", fence.at) if fence else None

    def _put(self, shown: str, kind: LineKind) -> None:
        self.shown.append(shown)
        self.kinds.append(kind)

    def _in_comment(self, line: str, at: int, comment_at: int) -> int:
        end = line.find(_COMMENT_END)
        if end < 0:
            self._put("", "comment")
            return comment_at
        return self._prose(line[end + len(_COMMENT_END) :], at, after_comment=True)

    def _fence(self, line: str, at: int) -> _Fence | None:
        prefix = _CONTAINER.match(line)
        run = _FENCE.match(line, prefix.end() if prefix else 0)
        if prefix is None or run is None:
            return None
        mark, length = run[0][0], len(run[0])
        if mark == "`" and "`" in line[run.end() :]:
            return None
        is_indented = not prefix[0].strip() and len(prefix[0].expandtabs(_CODE_INDENT)) >= _CODE_INDENT
        if is_indented and self._longest_ahead[mark][at] < length:
            return None  # indented code that shows one fence: nothing would ever close it
        return _Fence(mark, length, ">" in prefix[0], at)

    def _prose(self, line: str, at: int, *, after_comment: bool = False) -> int:
        """Put ``line`` without comments; return ``at`` if one stays open over the lines below, else -1."""
        cut = _cut_comments(line)
        runs_on = cut.open_at >= 0 and self._runs_on(line, cut.open_at, at)
        shown = cut.shown if runs_on or cut.open_at < 0 else cut.shown + line[cut.open_at :]
        is_comment = not shown.strip() and (cut.had_comment or runs_on or after_comment)
        self._put("" if is_comment else shown, "comment" if is_comment else "text")
        return at if runs_on else -1

    def _runs_on(self, line: str, start: int, at: int) -> bool:
        """Tell whether a comment that its own line does not close hides the lines below.

        At the start of a line it does, to the end of the text if need be; within a paragraph
        only if the paragraph closes it.
        """
        close = self._close_at[at + 1]
        if line[:start].strip():
            return close < self._blank_at[at + 1]
        return start < _CODE_INDENT or close < len(self._lines)


def _cut_comments(line: str) -> _Cut:
    """Take out the comments of one line; ``<!--`` in a code span or after a backslash is text."""
    if "<!--" not in line:
        return _Cut(line)
    spans = _starts_by_length(line)
    kept: list[str] = []
    at = done = 0
    while token := _TOKEN.search(line, at):
        start, at = token.span()
        if token[0] != "<!--":
            at = _end_of_span(spans[at - start], start, at)
        elif line[start - 1 : start] != "\\":
            end = _end_of_comment(line, at)
            kept.append(line[done:start])
            if end < 0:
                return _Cut("".join(kept), start, True)
            at = done = end
    return _Cut("".join([*kept, line[done:]]), had_comment=bool(kept))


def _end_of_comment(line: str, at: int) -> int:
    for whole in (">", "->"):  # ``<!-->`` and ``<!--->`` are comments without content
        if line.startswith(whole, at):
            return at + len(whole)
    end = line.find(_COMMENT_END, at)
    return end + len(_COMMENT_END) if end >= 0 else -1


def _starts_by_length(line: str) -> dict[int, list[int]]:
    starts: dict[int, list[int]] = {}
    for run in _BACKTICKS.finditer(line):
        starts.setdefault(len(run[0]), []).append(run.start())
    return starts


def _end_of_span(starts: list[int], start: int, after: int) -> int:
    """Return where a code span that begins at ``start`` ends; ``after`` if nothing closes it."""
    closing = bisect_right(starts, start)
    return starts[closing] + (after - start) if closing < len(starts) else after


def _closes(line: str, fence: _Fence) -> bool:
    bare = line.strip(" \t>") if fence.quoted else line.strip()
    return len(bare) >= fence.length and bare == fence.mark * len(bare)


def _longest_fences_ahead(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return, for each line, the length of the longest closing fence of either mark below it."""
    ahead = {mark: [0] * len(lines) for mark in "`~"}
    longest = dict.fromkeys(ahead, 0)
    for at in range(len(lines) - 1, -1, -1):
        for mark, column in ahead.items():
            column[at] = longest[mark]
        bare = lines[at].strip()
        if bare and bare[0] in longest and bare == bare[0] * len(bare):
            longest[bare[0]] = max(longest[bare[0]], len(bare))
    return ahead


def _next_index(lines: Sequence[str], wanted: Callable[[str], bool]) -> list[int]:
    """Return, for each index and one beyond, the first wanted index from there; the count if none."""
    found = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        found[at] = at if wanted(lines[at]) else found[at + 1]
    return found


_NO_PARAGRAPH = re.compile(r"[ ]{0,3}(?:[-*+][ \t]|[0-9]{1,9}[.)][ \t]|>|#|\|)|[ ]{4}|\t", re.ASCII)
_MAX_LEVEL = 6


def _headings(shown: Sequence[str], kinds: Sequence[LineKind], first_line: int) -> tuple[Heading, ...]:
    found: list[Heading] = []
    for at, line in enumerate(shown):
        if kinds[at] != "text":
            continue
        marked = _marked_heading(line)
        if marked is not None:
            found.append(Heading(marked[0], marked[1], first_line + at))
        elif level := _underline_level(line) if at else 0:
            above = shown[at - 1]
            alone = at == 1 or not shown[at - 2].strip()
            if above.strip() and alone and kinds[at - 1] == "text" and not _NO_PARAGRAPH.match(above):
                found.append(Heading(level, above.strip(), first_line + at - 1, underlined=True))
    return tuple(found)


def _marked_heading(line: str) -> tuple[int, str] | None:
    bare = line.lstrip(" ")
    text = bare.lstrip("#")
    level = len(bare) - len(text)
    if not 1 <= level <= _MAX_LEVEL or len(line) - len(bare) >= _CODE_INDENT:
        return None
    if text and text[0] not in " \t":
        return None
    text = text.strip()
    unmarked = text.rstrip("#")
    return level, text if unmarked and unmarked[-1] not in " \t" else unmarked.rstrip()


def _underline_level(line: str) -> int:
    bare = line.strip()
    if len(line) - len(line.lstrip(" ")) >= _CODE_INDENT:
        return 0
    if len(bare) >= 2 and bare == "=" * len(bare):
        return 1
    return 2 if len(bare) >= 3 and bare == "-" * len(bare) else 0
