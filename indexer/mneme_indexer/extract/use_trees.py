r"""Imports that are written as one tree.

``a::{b, c::{self, d as e}, f::*}``, ``A\{B, function c}``, ``a.{b => c, _}``.
"""

import re
from collections.abc import Iterator

from mneme_indexer.model import Import

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_LEAD = re.compile(r"^(?:(?:use|import|static|function|const)\s+)+")
_ALIAS = re.compile(r"^(.*?)(?:\s+as\s+|\s*=>\s*)(\S+)$", re.S)
_LAST = re.compile(r"^(.*)(?:::|\\|\.)([^:\\.]*)$", re.S)
_EVERYTHING = frozenset({"_", "given"})  # other words for a star
_DEPTH_LIMIT = 50  # lists inside lists; hand-written ones have three or four


def imports_of_tree(text: str, line: int, *, reexport: bool) -> list[Import]:
    """Return one import for each leaf, in the order of the text.

    >>> [(row.module, row.name, row.alias) for row in imports_of_tree("a::{self, b as c}", 1, reexport=False)]
    [('a', '', ''), ('a', 'b', 'c')]
    """
    text = _COMMENT.sub(" ", text).strip().rstrip(";")
    return [
        Import(module, name, alias, line, reexport)
        for module, name, alias in _leaves(text, "", _DEPTH_LIMIT)
        if module
    ]


def _leaves(text: str, prefix: str, depth: int) -> Iterator[tuple[str, str, str]]:
    for written in _parts(_LEAD.sub("", text.strip())):
        part = _LEAD.sub("", written.strip())
        opening = part.find("{")
        if opening >= 0 and part.endswith("}"):
            if depth:
                yield from _leaves(part[opening + 1 : -1], prefix + _tight(part[:opening]), depth - 1)
        elif part:
            yield _leaf(part, prefix)


def _leaf(part: str, prefix: str) -> tuple[str, str, str]:
    written = _ALIAS.match(part)
    path, alias = (written.group(1), written.group(2)) if written else (part, "")
    path = prefix + _tight(path)
    path = path.removeprefix("::").removeprefix("\\")
    for itself in ("::self", "\\self"):
        if path.endswith(itself) and prefix:
            return path[: -len(itself)], "", alias
    divided = _LAST.match(path)
    if not divided:
        return path, "", alias
    module, name = divided.groups()
    return module, "*" if name in _EVERYTHING else name, alias


def _tight(text: str) -> str:
    return "".join(text.split())


def _parts(text: str) -> Iterator[str]:
    """Split at the commas that are outside of braces."""
    depth = start = 0
    for at, character in enumerate(text):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]
