"""The type that a function gives, read from its signature."""

import re
from collections.abc import Callable

from mneme_indexer.languages.registry import ReturnPlace

_NAME = re.compile(r"[A-Za-z_\\$\u0080-\uffff](?:[\w\\.$]|::)*")
_WRAPPERS = frozenset(
    {
        "Promise", "Awaitable", "Coroutine", "Optional", "Option", "Result", "Task", "ValueTask",
        "Box", "Arc", "Rc", "Union", "Annotated", "Future", "impl", "dyn", "mut", "const",
        "typing.Optional", "readonly", "unique_ptr", "shared_ptr", "std::unique_ptr",
        "std::shared_ptr", "Ref", "RefMut", "Mutex", "RwLock",
    }
)  # fmt: skip
_MODIFIERS = frozenset(
    {
        "public", "private", "protected", "internal", "static", "final", "abstract", "virtual",
        "override", "async", "sealed", "extern", "inline", "const", "constexpr", "synchronized",
        "native", "default", "new", "partial", "unsafe", "readonly", "struct", "export", "explicit",
        "friend", "volatile", "register", "signed", "unsigned",
    }
)  # fmt: skip


def returned_type(signature: str, name: str, place: ReturnPlace) -> str:
    """Return the name of the type that a signature promises, empty if it names none.

    Wrappers around one type (a promise, an option) are looked through.

    >>> returned_type("func Open(name string) *Store", "Open", "after")
    'Store'
    >>> returned_type("async load(): Promise<Cart>", "load", "colon")
    'Cart'
    """
    return _PLACES[place](signature, name) if place != "none" else ""


def _arrow(signature: str, name: str) -> str:
    return _first(signature.rpartition("->")[2]) if "->" in signature else ""


def _colon(signature: str, name: str) -> str:
    end = _parameters_end(signature, name)
    rest = signature[end:].lstrip() if end >= 0 else ""
    return _first(rest[1:]) if rest.startswith(":") else ""


def _after(signature: str, name: str) -> str:
    end = _parameters_end(signature, name)
    return _first(signature[end:]) if end >= 0 else ""


def _before(signature: str, name: str) -> str:
    found = re.search(rf"(?<![\w.]){re.escape(name)}\s*[(<]", signature)
    words = [
        word for word in _NAME.findall(signature[: found.start()] if found else "") if word not in _MODIFIERS
    ]
    inner = [word for word in words if word not in _WRAPPERS]
    return inner[0] if inner else ""


_PLACES: dict[ReturnPlace, Callable[[str, str], str]] = {
    "arrow": _arrow,
    "colon": _colon,
    "after": _after,
    "before": _before,
}


def _first(text: str) -> str:
    """Return the first name that is no wrapper, if nothing but wrappers and signs stands before it."""
    for found in _NAME.finditer(text):
        if found.group() not in _WRAPPERS:
            return found.group() if not set(text[: found.start()]) & set("{=") else ""
    return ""


def _parameters_end(signature: str, name: str) -> int:
    """Return where the parameters behind the name end, -1 if there are none."""
    at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", signature)
    start = signature.find("(", at.end() if at else 0)
    depth = 0
    for position in range(start, len(signature)) if start >= 0 else ():
        depth += (signature[position] == "(") - (signature[position] == ")")
        if depth == 0:
            return position + 1
    return -1
