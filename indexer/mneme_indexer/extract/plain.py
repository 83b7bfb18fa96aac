"""Names as they are compared: without white space and arguments."""

import re


def plain(text: str) -> str:
    """Return a path of names without white space and with empty argument lists, or ``?``.

    What makes an instance is written as a call of its class, whatever the language writes.

    >>> plain("self . store")
    'self.store'
    >>> plain("open(path).store")
    'open().store'
    >>> plain("new Store(path)")
    'Store()'
    >>> plain("(&Store{path: path})")
    'Store()'
    >>> plain("a + b")
    '?'
    """
    if text.isidentifier():
        return text
    text = _called(text) if _MAKING.match(text) else text
    text = "".join(text.split())
    text = text.replace("?.", ".").replace("?->", "->").rstrip("!?") if "?" in text or "!" in text else text
    if "<" in text:
        text = without_type_arguments(text)
    if "(" in text:
        text = _without_arguments(text)
    return text if _PATH.fullmatch(text) else "?"


_PATH = re.compile(r"[\w.:\\$@#>?!()'-]+")


# An instance as it is made: ``new A(x)``, ``new(A)``, ``A{x}``, in parentheses or not.
_MAKING = re.compile(r"[(&\s]*(?:(?:new|await)\b[\s(]|(?:\w+[.:]+)*[A-Z]\w*\s*\{|[a-z]\w*(?:\.\w+)?\{)")
_WORD = re.compile(r"(new|await)\b\s*|&\s*")
_PARENTHESISED = re.compile(r"\(([\w.:\\]+)\)")
_CLASS = re.compile(r"[\w.:\\$]+(?:<[^{}()]*>)?")


def _called(text: str) -> str:
    """Return a text that begins with the making of an instance with a call in its place."""
    text = text.strip()
    if text.startswith("("):
        end = _closing(text, 0)
        return _called(text[1:end]) + text[end + 1 :] if _MAKING.match(text[1:end]) else text
    word = _WORD.match(text)
    if word is not None:
        text = text[word.end() :]
        if word.group(1) == "await":
            return text
        if word.group(1) == "new":
            text = _PARENTHESISED.sub(r"\1", text, count=1) if text.startswith("(") else text
    made = _CLASS.match(text)
    if made is None:
        return text
    at, is_called = made.end(), False
    while (opening := text[at:].lstrip()[:1]) in {"(", "{"} and opening:
        at = _closing(text, text.index(opening, at)) + 1
        is_called = True
    return f"{made.group()}()" + text[at:] if is_called or word is not None else text


def _closing(text: str, start: int) -> int:
    """Return where the bracket at ``start`` is closed, or the last place of the text."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return len(text) - 1


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
