"""Files whose parser may take for ever: they are parsed alone, and where it can be killed.

With some grammars the time grows with the square of a term's length, and nothing but the end of its process
stops a parser: `a<b<c<` in Java takes 5 seconds for 15 kB.
"""

_SAFE_BYTES = 60_000  # a larger file is odd whatever is in it
_SMALL = 6000  # bytes; below, even the square is small
_LONG_LINE = 3000  # bytes
_SHARE = 4  # of every four pieces one is new in what people write, and more; of a repeated term hardly any is


def is_odd(data: bytes) -> bool:
    """Tell whether a file is large, has a very long line, or says the same again and again."""
    if len(data) < _SMALL:
        return False
    return len(data) > _SAFE_BYTES or _is_long_or_repeats(data)


def _is_long_or_repeats(data: bytes) -> bool:
    pieces = memoryview(data)[: len(data) // 8 * 8].cast("Q")
    return len(set(pieces)) * _SHARE < len(pieces) or max(map(len, data.split(b"\n"))) >= _LONG_LINE
