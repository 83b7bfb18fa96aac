"""Memories: what was learned, verbatim."""

import enum

from msgspec import Struct


class MemoryKind(enum.Enum):
    """What sort of thing a memory is."""

    DECISION = "decision"
    GOTCHA = "gotcha"
    LEARNING = "learning"
    TODO = "todo"


class MemoryScope(enum.Enum):
    """Whom a memory is for."""

    PROJECT = "project"
    GLOBAL = "global"


class FileAnchor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file a memory is about, and the blob id it had; ``blob`` is empty if it had none."""

    path: str
    blob: str = ""


class SymbolAnchor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A symbol a memory is about, and the sha256 of its text; empty if it was not found."""

    name: str
    text_sha256: str = ""


class Memory(Struct, frozen=True, kw_only=True):
    """One immutable memory; its file is named by the hash of its bytes.

    ``supersedes`` names memories (32 hex digits) that this one replaces. ``created_at`` is UTC,
    ``YYYY-MM-DDTHH:MM:SSZ``.
    """

    kind: MemoryKind
    scope: MemoryScope = MemoryScope.PROJECT
    body: str
    task: str = ""
    files: tuple[FileAnchor, ...] = ()
    identifiers: tuple[SymbolAnchor, ...] = ()
    tags: tuple[str, ...] = ()
    source: str = ""
    supersedes: tuple[str, ...] = ()
    created_at: str
    author: str = ""
    branch: str = ""
