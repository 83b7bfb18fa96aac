"""Names as they are compared: without white space and arguments."""

import re


def plain(text: str) -> str:
    """Return a path of names without white space and with empty argument lists, or ``?``.

    >>> plain("self . store")
    'self.store'
    >>> plain("open(path).store")
    'open().store'
    >>> plain("a + b")
    '?'
    """
    if text.isidentifier():
        return text
    text = "".join(text.split())
    text = text.replace("?.", ".").replace("?->", "->").rstrip("!?") if "?" in text or "!" in text else text
    if "<" in text:
        text = without_type_arguments(text)
    if "(" in text:
        text = _without_arguments(text)
    return text if _PATH.fullmatch(text) else "?"


_PATH = re.compile(r"[\w.:\\$@#>?!()'-]+")


_TYPE_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")


def without_type_arguments(text: str) -> str:
    """Return ``text`` without what stands in angle brackets, a few levels deep."""
    for _ in range(5):  # levels of nesting
        text = _TYPE_ARGUMENTS.sub("", text)
    return text


def _without_arguments(text: str) -> str:
    kept: list[str] = []
    depth = 0
    for character in text:
        if character == ")":
            depth -= 1
        if depth <= 0:
            kept.append(character)
        if character == "(":
            depth += 1
    return "".join(kept)
