"""The marks that git leaves in a file that it could not merge."""

import re

_MARKS = tuple(re.compile(mark, re.MULTILINE) for mark in (rb"^<{7} ", rb"^={7}\r?$", rb"^>{7} "))


def conflict_at(data: bytes) -> int | None:
    """Return where git's three marks begin, if they stand in their order at starts of lines."""
    start, found = 0, -1
    for mark in _MARKS:
        match = mark.search(data, start)
        if match is None:
            return None
        found = match.start() if found < 0 else found
        start = match.end()
    return found
