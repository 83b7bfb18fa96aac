"""What the index is asked and what it answers. Records only.

Those without ``array_like`` are shown to people and programs as they are: their keys, in their order,
are the keys of the tools' results.
"""

import json
from typing import Any, Literal

from msgspec import Struct, to_builtins

from mneme_indexer.model import EdgeKind, Kind, Visibility

KindFilter = Literal["any", "function", "class", "method", "interface", "type", "enum", "const"]
Phase = Literal["listing", "parsing", "storing", "history"]

BUDGET = 6000
BUDGETS = (500, 50_000)
HOPS = (1, 5)
LIMIT = 20
RELATED_LIMIT = 100


class Settings(Struct, frozen=True, kw_only=True):
    """What a caller may choose. ``workers`` 0 means one for each core, 1 parses in this process.

    ``history`` is the number of past commits that vote in the ranking, 0 for none.
    """

    workers: int = 0
    max_file_bytes: int = 2_000_000
    history: int = 3000


class Progress(Struct, frozen=True):
    """How far a refresh is; ``total`` is 0 where it is not known yet."""

    phase: Phase
    done: int
    total: int


class Refreshed(Struct, frozen=True, kw_only=True):
    """What a refresh did.

    ``dirty`` counts the files whose content is not that of the refresh before, ``parsed`` those of
    them that no cache knew, ``skipped`` the files whose content is not read.
    """

    tree: str
    changed: bool
    dirty: int = 0
    parsed: int = 0
    removed: int = 0
    files: int = 0
    skipped: int = 0
    took_ms: int = 0


class Query(Struct, frozen=True, kw_only=True):
    """A task in words; ``hint`` names files or things. ``budget`` is in tokens of four characters."""

    task: str
    hint: str = ""
    budget: int = BUDGET
    use_discovery_model: bool = True


class ContextSymbol(Struct, frozen=True, kw_only=True):
    """One symbol that bears on the task; ``lines`` are those of the symbol, not of its snippet."""

    name: str
    kind: str
    file: str
    lines: tuple[int, int]
    reasons: tuple[str, ...]
    exported: bool
    signature: str | None = None
    container: str | None = None


class Snippet(Struct, frozen=True):
    """The text of the symbol at the same position, perhaps an outline or cut with a marker."""

    file: str
    start: int
    end: int
    text: str


class ContextAnswer(Struct, frozen=True, kw_only=True):
    """The part of a reply that is the same for the same tree, task and budget, byte for byte.

    ``token_estimate`` is of the whole reply, with room for what the door adds behind it: at most
    ``TAIL`` characters.
    """

    symbols: tuple[ContextSymbol, ...]
    snippets: tuple[Snippet, ...]
    token_estimate: int
    fallback_reason: str | None = None


TAIL = 400  # characters of project_hash, validated, context_id and took_ms with their keys


class Match(Struct, frozen=True, kw_only=True):
    """One symbol that a lookup found."""

    name: str
    kind: Kind
    file: str
    lines: tuple[int, int]
    signature: str | None
    exported: bool
    container: str | None
    detail: str = ""


class Related(Struct, frozen=True, kw_only=True):
    """One symbol that calls, or is called by, another; ``path`` holds the names from start to it.

    ``confidence`` is the smallest one along the path.
    """

    name: str
    file: str
    lines: tuple[int, int]
    path: tuple[str, ...]
    kind: str = ""
    container: str | None = None
    hops: int = 1
    confidence: float = 1.0


class Skipped(Struct, frozen=True, order=True):
    """A file whose content is not in the index, and why."""

    path: str
    reason: str


class IndexStatus(Struct, frozen=True, kw_only=True):
    """What the index holds of one view; ``skipped`` by path, ``languages`` files by language, by name.

    The files that are read as text because no grammar is theirs are counted under the empty name.
    """

    tree: str
    files: int
    symbols: int
    edges: int
    languages: dict[str, int]
    skipped: tuple[Skipped, ...]
    with_errors: int
    schema_version: int
    size_bytes: int


class OutlineRow(Struct, frozen=True, kw_only=True):
    """One definition of a file; ``depth`` counts the definitions around it."""

    name: str
    kind: Kind
    detail: str
    container: str | None
    lines: tuple[int, int]
    signature: str
    exported: bool
    depth: int


class DumpedSymbol(Struct, frozen=True, kw_only=True):
    """A symbol as ``index dump`` shows it."""

    name: str
    kind: Kind
    detail: str
    container: str | None
    exported: bool
    visibility: Visibility
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str
    doc: str


class DumpedEdge(Struct, frozen=True, kw_only=True):
    """An edge as ``index dump`` shows it."""

    kind: EdgeKind
    src: str
    dst: str
    line: int
    confidence: float


class DumpedFile(Struct, frozen=True, kw_only=True):
    """All that the index has of one file; ``skipped`` is why it has nothing."""

    file: str
    language: str
    symbols: tuple[DumpedSymbol, ...]
    edges: tuple[DumpedEdge, ...]
    skipped: str = ""


def serialised(value: Any) -> str:
    """Return a reply as the text that a client is sent and that budgets are counted in."""
    return json.dumps(to_builtins(value), ensure_ascii=False)
