"""Whether the code that a memory names is still as it was when the memory was recorded."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from mneme_git.model.memory import Memory

GONE = ""
_What = Literal["file", "symbol"]
_Word = Literal["changed", "vanished", "moved", "unknown"]


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one thing that a memory names; ``to`` is where a file has gone that moved."""

    what: _What
    name: str
    change: _Word
    to: str = ""


class Present(Struct, frozen=True, kw_only=True):
    """The code as it is, as far as one memory names it.

    ``blobs`` has the blob id of each file and ``texts`` the hash of each symbol, as at recording;
    GONE if there is none, and no entry if it is not known. ``moved`` has where files have gone.
    """

    blobs: Mapping[str, str] = {}
    texts: Mapping[str, str] = {}
    moved: Mapping[str, str] = {}


def changes(memory: Memory, present: Present, *, unknown: bool = False) -> tuple[Change, ...]:
    """Return what has changed, files before symbols, each in the order of the memory.

    What had no hash when the memory was recorded is compared with nothing. With ``unknown``, what
    cannot be compared is told as well.
    """
    found = [
        Change(what="file", name=anchor.path, change=word, to=present.moved.get(anchor.path, ""))
        if word == "moved"
        else Change(what="file", name=anchor.path, change=word)
        for anchor in memory.files
        if (word := _file_word(anchor.path, anchor.blob, present)) is not None
    ]
    found += [
        Change(what="symbol", name=anchor.name, change=word)
        for anchor in memory.identifiers
        if (word := _word(anchor.text_sha256, present.texts.get(anchor.name))) is not None
    ]
    return tuple(change for change in found if unknown or change.change != "unknown")


def _file_word(path: str, before: str, present: Present) -> _Word | None:
    word = _word(before, present.blobs.get(path))
    return "moved" if word == "vanished" and path in present.moved else word


def _word(before: str, now: str | None) -> _Word | None:
    if not before or now is None:
        return "unknown"
    if now == GONE:
        return "vanished"
    return None if now == before else "changed"
