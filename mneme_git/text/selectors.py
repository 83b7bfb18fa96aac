"""Path selectors: where a rule applies, in a deliberately small pattern language.

A selector and a path are split at ``/``. A plain segment matches itself, ``*`` inside a segment
matches any characters of that segment (none included), and a segment that is ``**`` matches any
number of whole segments (none included). Nothing else is special: ``{a,b}`` and ``~`` are
themselves. Case counts on every system.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from mneme_git.text.quoting import quoted

_DRIVE = re.compile(r"[A-Za-z]:/")
_UNSUPPORTED = re.compile(r"[?\[\]]")
_ANY_SEGMENTS = "**"
_ANY_CHARACTERS = "*"
_Item = TypeVar("_Item")


def selector_problem(text: str) -> str:
    """Return why ``text`` is no selector, in the words of the decision-index format; empty if it is one."""
    if not text:
        return "path selector must be a non-empty string"
    named = f"path selector {quoted(text)}"
    for is_bad, reason in _FAULTS:
        if is_bad(text):
            return f"{named} {reason}"
    return ""


def matches(selector: str, path: str) -> bool:
    """Tell whether ``selector`` covers ``path``, which is repository-relative with ``/``.

    The whole path counts. Time is at most the product of both lengths, whatever the stars.
    """
    return _covers(selector.split("/"), path.split("/"), star=_ANY_SEGMENTS, same=_segment_matches)


def _segment_matches(pattern: str, segment: str) -> bool:
    if _ANY_CHARACTERS not in pattern:
        return pattern == segment
    return _covers(pattern, segment, star=_ANY_CHARACTERS, same=str.__eq__)


def _covers(
    pattern: Sequence[_Item], items: Sequence[_Item], *, star: _Item, same: Callable[[_Item, _Item], bool]
) -> bool:
    """Match with stars that stand for any number of items.

    Only the last star seen is ever tried again: what an earlier star took cannot matter to what
    follows a later one. So there is no exponential case.
    """
    at = done = 0
    retry_at, retry_done = -1, 0
    while done < len(items):
        if at < len(pattern) and pattern[at] == star:
            retry_at, retry_done = at, done
            at += 1
        elif at < len(pattern) and same(pattern[at], items[done]):
            at, done = at + 1, done + 1
        elif retry_at >= 0:
            retry_done += 1
            at, done = retry_at + 1, retry_done
        else:
            return False
    return all(item == star for item in pattern[at:])


def _has_drive(text: str) -> bool:
    return text.startswith("/") or _DRIVE.match(text) is not None


def _has_empty_or_dot(text: str) -> bool:
    return any(segment in {"", ".", ".."} for segment in text.split("/"))


def _has_glued_stars(text: str) -> bool:
    return any("**" in segment and segment != _ANY_SEGMENTS for segment in text.split("/"))


# In the order in which the format names them: a text with several faults is named by the first.
_FAULTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda text: "\\" in text, "must use forward slashes"),
    (_has_drive, "must be repository-relative"),
    (lambda text: text.startswith("!"), "cannot use negation"),
    (lambda text: _UNSUPPORTED.search(text) is not None, "uses unsupported glob syntax"),
    (_has_empty_or_dot, "contains an empty or dot segment"),
    (_has_glued_stars, "may use ** only as a complete segment"),
)
