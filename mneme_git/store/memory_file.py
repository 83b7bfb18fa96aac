"""One ``project_memory.json`` of the existing format as a store of decisions.

This is a codec: it reads and verifies, and has no rules of its own. ``MemoryContents.document`` keeps
the whole file as it was parsed, unknown keys and key order included.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from mneme_git.errors import InvalidInput, InvalidMemory, Refused
from mneme_git.model.decision import TestEvidence
from mneme_git.model.enforced import Enforced
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.memory_agreement import project, verify_agreement
from mneme_git.store.memory_index import MemoryIndex, verify_index
from mneme_git.store.memory_rows import MemoryRow, Resolver, need_key, need_records, read_items, read_rows
from mneme_git.store.memory_snapshot import indexed_snapshot, rows_snapshot
from mneme_git.text.quoting import quoted

_INDEX = "decision_index"
_USUAL_NAME, _USUAL_FOLDER = "project_memory.json", ".mneme"


class MemoryContents(Struct, frozen=True, kw_only=True):
    """A memory file that was read and found good; ``index`` is None in a section-less file.

    ``rows`` are its decisions as enforcement sees them, in file order.
    """

    document: dict[str, Any]
    index: MemoryIndex | None
    rows: tuple[MemoryRow, ...]


class MemoryFile:
    """The decisions of one file; ``name`` is the path as the user gave it, for messages."""

    def __init__(self, path: Path, *, as_given: str = "") -> None:
        self.path = path
        self.name = as_given or str(path)

    def policy_root(self) -> Path:
        """Return the absolute folder that rule paths are relative to.

        For ``.mneme/project_memory.json`` it is the folder above ``.mneme``, for any other file its
        own folder.
        """
        resolved = self.path.resolve()
        usual = resolved.name == _USUAL_NAME and resolved.parent.name == _USUAL_FOLDER
        return resolved.parent.parent if usual else resolved.parent

    def read(self) -> MemoryContents:
        """Read and verify the file.

        Raises:
            InvalidInput: there is no such file, or it cannot be read.
            InvalidMemory: it is not what the format says; row and field are named.
        """
        data = self._bytes()
        try:
            return _contents(data, self.path)
        except InvalidMemory as error:
            raise error.at(self.name) from None
        except RecursionError:
            raise InvalidMemory("the JSON is nested too deeply", path=self.name) from None

    def load(self) -> Snapshot:
        """Return the decisions and versions of the file; a section-less one as its migration would be."""
        contents = self.read()
        if contents.index is None:
            return rows_snapshot(contents.rows, self.name)
        return indexed_snapshot(contents.index, self.name)

    def enforced(self) -> tuple[Enforced, ...]:
        """Return the decisions as enforcement sees them, in file order.

        An index puts only active decisions here. A section-less file has rows of any status; each
        carries its own.
        """
        return enforced_rows(self.read())

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Refuse: a memory file can only be read by this version."""
        raise Refused(
            f"this version reads memory file {self.name} but cannot write it: {plan.verb} {plan.subject}",
            hint="leave --memory out to use the git store (`mneme init` makes one)",
        )

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            raise InvalidInput(f"memory file {self.name} does not exist") from None
        except OSError as error:
            raise InvalidInput(
                f"memory file {self.name} cannot be read: {error.strerror}", hint="name a file of JSON"
            ) from error


def enforced_rows(contents: MemoryContents) -> tuple[Enforced, ...]:
    """Return the rows of ``contents`` in the words of enforcement."""
    return tuple(
        Enforced(
            id=row.id,
            statement=row.statement,
            rationale=row.rationale,
            scope=row.scope,
            constraints=row.constraints,
            anti_patterns=row.anti_patterns,
            rules=row.rules,
            test_evidence=tuple(TestEvidence(selector=name, sha=sha) for name, sha in row.test_evidence),
            status=row.status,
            source=row.source,
            source_as_stored=row.stated.path if row.stated else "",
            source_sha256=row.stated.sha256 if row.stated else "",
        )
        for row in contents.rows
    )


def parse_document(data: bytes) -> Any:
    """Return the JSON value of a memory file; the last of equal keys wins, as the format has it.

    Raises:
        InvalidMemory: not UTF-8, a byte order mark, or not JSON.
    """
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError as error:
        raise InvalidMemory(str(error), detail=f"it is not UTF-8 JSON: {error}") from error


def _contents(data: bytes, path: Path) -> MemoryContents:
    document = parse_document(data)
    if not isinstance(document, dict):
        raise InvalidMemory(_subscripting(document), detail="it must hold a JSON object")
    _verify_head(document)
    resolver = Resolver(path.parent)
    items = read_items(document)
    if _INDEX in document:
        index = verify_index(document[_INDEX])
        rows = read_rows(document, resolver)
        verify_agreement(rows, project(index, Resolver(path.resolve().parent)))
        return MemoryContents(document=document, index=index, rows=rows)
    rows = (*read_rows(document, resolver), *items)
    _verify_unique(rows)
    return MemoryContents(document=document, index=None, rows=rows)


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
