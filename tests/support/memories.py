"""Memories and views of them, made in a line."""

from mneme_git.memories.content import content_key
from mneme_git.memories.record import name_of
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.model.memory_view import MemoryView, Place, Standing

NOON = "2026-01-02T12:00:00Z"
NOON_SECONDS = 1_767_355_200


def memory(body="prices are whole cents", /, **fields):
    """Return a memory; ``files``, ``identifiers`` and ``tags`` may be plain texts."""
    given = {"kind": MemoryKind.LEARNING, "created_at": NOON, "branch": "main", **fields}
    given["files"] = tuple(_anchor(FileAnchor, "path", item) for item in given.get("files", ()))
    given["identifiers"] = tuple(_anchor(SymbolAnchor, "name", item) for item in given.get("identifiers", ()))
    given["tags"] = tuple(given.get("tags", ()))
    return Memory(body=body, **given)


def global_memory(body="prices are whole cents", /, **fields):
    return memory(body, scope=MemoryScope.GLOBAL, **fields)


def named(*memories):
    """Return the memories by their names."""
    return {name_of(one): one for one in memories}


def view(*standings, branch="main"):
    """Return a view; a standing is a Standing, or the name of a memory that is here."""
    rows = [here(row) if isinstance(row, str) else row for row in standings]
    return MemoryView(
        standings={row.name: row for row in sorted(rows, key=lambda row: row.name)}, branch=branch
    )


def here(name, **fields):
    return Standing(name=name, place=Place.HERE, **fields)


def pending(name, branch="main", **fields):
    return Standing(name=name, place=Place.PENDING, branch=branch, **fields)


def elsewhere(name, branch="other", **fields):
    return Standing(name=name, place=Place.ELSEWHERE, branch=branch, **fields)


def lost(name):
    return Standing(name=name, place=Place.LOST)


def equals_in(memories):
    """Return the function that gives the names of equal content."""
    keys = {name: content_key(one) for name, one in memories.items()}
    return lambda name: {other for other, key in keys.items() if key == keys.get(name)}


def contents_of(memories):
    return {name: content_key(one) for name, one in memories.items()}


def _anchor(kind, field, item):
    return kind(**{field: item}) if isinstance(item, str) else item
