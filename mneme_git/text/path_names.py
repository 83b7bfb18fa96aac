"""Names of files that are no text, told as text."""

import re

# Python reads bytes that are no UTF-8, as in a file's name, as these lone surrogates.
_BYTE = re.compile(r"[\udc80-\udcff]")


def is_text(path: str) -> bool:
    """Tell whether the name of a file is text."""
    return path.isascii() or not _BYTE.search(path)


def as_text(path: str) -> str:
    r"""Return ``path`` with each byte that is no text as ``\xNN``."""
    return _BYTE.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", path)
