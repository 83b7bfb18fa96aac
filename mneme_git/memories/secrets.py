"""Texts that look as if they held a secret: tokens by their shape, keys, passwords that are given.

What is found is told by its kind and line; the text itself is never repeated. Ids, checksums and
placeholders are no secrets. The time taken grows with the length of the text, whatever is in it.
"""

import re
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from mneme_git.memories.secret_shapes import SHAPES, Shape
from mneme_git.memories.secret_values import (
    SHORTEST_PASSWORD,
    is_bare_password,
    is_quoted_password,
    is_secret_value,
    names_a_secret,
    stands_for_another,
)

_URL = re.compile(r"://(?P<user>[^\s/:@\"'`<>]{0,64}):(?P<password>[^\s/@\"'`<>]{1,128})@[^\s/@]")
_HEADER = re.compile(
    r"(?i)authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:basic|bearer|token)\s{1,4}([A-Za-z0-9+/_.=~-]{12,}+)"
)
_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9_.-])(?P<name>[A-Za-z0-9_.-]{1,128}+)(?:[\"'`\]]{0,2}[ \t]{0,8}"
    r"(?::[ \t]{0,4}[A-Za-z]{3,20}(?:\[[A-Za-z]{1,20}\])?[ \t]{1,4}=(?!=)|=>|:=|={1,3}|:)"
    r"|[ \t]{1,2}is:?(?=[ \t]))[ \t]{0,8}(?=[\"'`]|[^\s\"'`<>(){}\[\],;|:=]{6})"
)
_OPTION = re.compile(r"(?<![A-Za-z0-9_-])--(?P<name>[A-Za-z][A-Za-z0-9-]{0,60}+)[ \t]{1,4}")
_VALUE = re.compile(
    r"\"(?P<double>[^\"\n]{1,4096}+)\"|'(?P<single>[^'\n]{1,4096}+)'|`(?P<tick>[^`\n]{1,4096}+)`"
    r"|(?P<bare>[^\s\"'`<>(){}\[\],;|:=]{1,300}+={0,2})(?![(\[{<])"
)
_NAMING_WORDS = ("pass", "pwd", "secret", "token", "key", "credential", "bearer")
_NAMING = re.compile("|".join(_NAMING_WORDS), re.IGNORECASE)
_BEFORE = ("api ", "access ", "secret ", "private ", "auth ", "signing ", "encryption ")
_BLANK = re.compile(r"\s")
_EMPTY = frozenset("xX*.-_0#?")


class Secret(Struct, frozen=True):
    """Something that looks like a secret: its kind in words, and the line, from 1, where it begins."""

    kind: str
    line: int


def find_secret(text: str) -> Secret | None:
    """Return the first thing in ``text`` that looks like a secret, None if nothing does.

    Where two begin at one place, the more special kind is told.
    """
    found = [*_by_shape(text), *_in_urls(text), *_in_headers(text), *_assigned(text)]
    if not found:
        return None
    at, _, kind = min((at, rank, kind) for rank, (at, kind) in enumerate(found))
    return Secret(kind, text.count("\n", 0, at) + 1)


def _by_shape(text: str) -> Iterator[tuple[int, str]]:
    for shape in SHAPES:
        if any(needle in text for needle in shape.needles):
            yield from _first(shape, text)


def _first(shape: Shape, text: str) -> Iterator[tuple[int, str]]:
    """Yield the first match that is more than a row of crosses or dots."""
    for match in shape.pattern.finditer(text):
        needle = next((needle for needle in shape.needles if match[0].startswith(needle)), "")
        if not _EMPTY.issuperset(match[0][len(needle) :]):
            yield match.start(), shape.kind
            return


def _in_urls(text: str) -> Iterator[tuple[int, str]]:
    if "://" not in text or "@" not in text:
        return
    for match in _URL.finditer(text):
        password = match["password"]
        if len(password) >= 3 and password != match["user"] and not stands_for_another(password):
            yield match.start(), "a password in a URL"
            return


def _in_headers(text: str) -> Iterator[tuple[int, str]]:
    if "uthorization" not in text and "UTHORIZATION" not in text:
        return
    for match in _HEADER.finditer(text):
        if is_secret_value(match[1], shortest=12):
            yield match.start(), "credentials in a header"
            return


def _assigned(text: str) -> Iterator[tuple[int, str]]:
    """Yield the first name of a secret to which something like one is given."""
    folded = text.lower()
    if not any(word in folded for word in _NAMING_WORDS):
        return
    judged: set[tuple[str, str]] = set()
    for match in chain(_ASSIGNED.finditer(text), _OPTION.finditer(text)):
        if not _NAMING.search(match["name"]):
            continue
        value = _VALUE.match(text, match.end())
        if value is None or not _is_worth_a_look(value) or (match["name"], value[0]) in judged:
            continue
        judged.add((match["name"], value[0]))
        kind = names_a_secret(_whole(text, match))
        if kind and _is_given(value, is_password=kind == "password"):
            yield match.start(), f"an assigned {kind}"
            return


def _is_worth_a_look(value: re.Match[str]) -> bool:
    """Tell whether a value is long enough to be a secret, and in one word; names cost more to judge."""
    return value.end() - value.start() >= SHORTEST_PASSWORD and not _BLANK.search(value[0])


def _whole(text: str, match: re.Match[str]) -> str:
    """Return the name, with the word before it that makes a key a secret one."""
    name = match["name"]
    if name[:1] not in "kK":
        return name
    before = text[max(0, match.start() - 11) : match.start()].lower()
    return next((word + name for word in _BEFORE if before.endswith(word)), name)


def _is_given(value: re.Match[str], *, is_password: bool) -> bool:
    bare = value["bare"]
    if bare is not None:
        bare = bare.rstrip(".!?")
        return is_bare_password(bare) if is_password else is_secret_value(bare)
    quoted = value["double"] or value["single"] or value["tick"] or ""
    return is_quoted_password(quoted) if is_password else is_secret_value(quoted)
