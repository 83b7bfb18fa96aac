"""The bytes of a memory file read and verified: the document word for word, and what it amounts to."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from mneme_git.errors import InvalidInput, InvalidMemory
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.memory_agreement import project, verify_agreement
from mneme_git.store.memory_index import MemoryIndex, verify_index
from mneme_git.store.memory_rows import MemoryRow, Resolver, need_key, need_records, read_items, read_rows
from mneme_git.store.memory_snapshot import indexed_snapshot, rows_snapshot
from mneme_git.text.quoting import quoted

INDEX = "decision_index"


class MemoryContents(Struct, frozen=True, kw_only=True):
    """A memory file that was read and found good; ``index`` is None in a section-less file.

    ``document`` is the whole file as it was parsed, unknown keys and key order included. ``rows``
    are its decisions as enforcement sees them, in file order.
    """

    document: dict[str, Any]
    index: MemoryIndex | None
    rows: tuple[MemoryRow, ...]


def parse_document(data: bytes) -> Any:
    """Return the JSON value of a memory file; the last of equal keys wins, as the format has it.

    Raises:
        InvalidMemory: not UTF-8, a byte order mark, nested too deeply, or not JSON.
    """
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError as error:
        raise InvalidMemory(str(error), detail=f"it is not UTF-8 JSON: {error}") from error
    except RecursionError:
        raise InvalidMemory("the JSON is nested too deeply") from None


def contents_of(
    data: bytes, path: Path, *, need_head: bool, resolver: Resolver | None = None
) -> MemoryContents:
    """Return what the bytes of the memory file at ``path`` hold.

    ``need_head`` false passes over ``meta`` and ``examples``, which a change of decisions does not
    need, and over the ``items`` of an indexed file, which make no decisions. ``resolver`` is one for the
    folder of ``path``.

    Raises:
        InvalidMemory: they are not what the format says; row and field are named.
    """
    document = parse_document(data)
    if not isinstance(document, dict):
        reason = _subscripting(document) if need_head else "project memory must be an object"
        raise InvalidMemory(reason, detail="it must hold a JSON object")
    if need_head:
        _verify_head(document)
    resolver = resolver or Resolver(path.parent)
    if INDEX in document:
        if need_head:
            read_items(document)
        index = verify_index(document[INDEX])
        rows = read_rows(document, resolver)
        verify_agreement(rows, project(index, _resolver_of_target(path, resolver)))
        return MemoryContents(document=document, index=index, rows=rows)
    items = read_items(document)
    rows = (*read_rows(document, resolver), *items)
    _verify_unique(rows)
    return MemoryContents(document=document, index=None, rows=rows)


def snapshot_of(contents: MemoryContents, origin: str) -> Snapshot:
    """Return the decisions and versions of a file; a section-less one as its migration would be."""
    if contents.index is None:
        return rows_snapshot(contents.rows, origin)
    return indexed_snapshot(contents.index, origin)


def missing(name: str) -> InvalidInput:
    """Return the error for a memory file that is not there."""
    return InvalidInput(f"memory file {name} does not exist")


def _resolver_of_target(path: Path, resolver: Resolver) -> Resolver:
    """Return the resolver for the folder in which the file really is: mostly the one that we have."""
    return Resolver(path.resolve().parent) if path.is_symlink() else resolver


def _verify_head(document: Mapping[str, Any]) -> None:
    if "meta" not in document:
        raise InvalidMemory("'meta'", detail="the required key 'meta' is missing")
    meta = document["meta"]
    if not isinstance(meta, dict):
        raise InvalidMemory(_subscripting(meta), detail="meta must be an object")
    for key in ("name", "description"):
        need_key(meta, key, "meta")
    need_records(document, "examples", ("id", "task", "decision", "rationale"))


def _verify_unique(rows: tuple[MemoryRow, ...]) -> None:
    """Refuse a second decision of one id: only one of them could be in force, and nobody would know which."""
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            kind = "item" if row.is_item else "decision"
            raise InvalidMemory(f"duplicate decision id {quoted(row.id)} ({kind})")
        seen.add(row.id)


def _subscripting(value: Any) -> str:
    """Return the interpreter's own text for taking a key of ``value``, which other commands pin."""
    try:
        value["key"]
    except TypeError as error:
        return str(error)
    return "project memory must be an object"
