"""The order in which people expect names: numbers inside them count as numbers."""

import re

_DIGITS = re.compile(r"([0-9]+)", re.ASCII)


def natural_key(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Return a sort key by which ``ADR-2`` comes before ``ADR-10``.

    Runs of ASCII digits compare as integers and before other text; names that differ only in
    leading zeros are ordered by code point.
    """
    return tuple(_part(part) for part in _DIGITS.split(text) if part), text


def _part(part: str) -> tuple[int, int, str]:
    if not (part[0].isdecimal() and part.isascii()):
        return 1, 0, part
    digits = part.lstrip("0")  # compared without int(), which refuses numbers of thousands of digits
    return 0, len(digits), digits
