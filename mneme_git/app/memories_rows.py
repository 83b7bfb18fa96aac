"""Memories as programs get them, on the command line and over MCP alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from mneme_git.app.memories_open import Look
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import Place, Standing
from mneme_git.store.local_db import Count
from mneme_git.text.instants import epoch_milliseconds

Row = dict[str, Any]


def recalled_row(
    look: Look, name: str, memory: Memory, *, score: float, stale: Sequence[Row] | None = None
) -> Row:
    """Return one match of a recall. Lists are null when they are empty, as existing clients expect."""
    standing = look.standing(name) or Standing(name=name, place=Place.LOST)
    return {
        **_text_row(look, name, memory),
        "score": round(score, 4),
        "place": standing.place.value,
        "branch": standing.branch or None,
        "pinned": standing.pinned,
        "stale": list(stale) if stale else None,
        "superseded_by": replaced_by(look, name),
    }


def listed_row(
    look: Look, name: str, memory: Memory, *, count: Count | None, forgotten_at: int | None
) -> Row:
    """Return one memory of a listing, with what this clone counted of it; times are in milliseconds."""
    standing = look.standing(name) or Standing(name=name, place=Place.LOST)
    return {
        **_text_row(look, name, memory),
        "place": standing.place.value,
        "branch": standing.branch or None,
        "pinned": standing.pinned,
        "superseded_by": replaced_by(look, name),
        "forgotten": standing.forgotten or standing.purged,
        "forgotten_at": None if forgotten_at is None else forgotten_at * 1000,
        "last_recalled_at": count.last * 1000 if count else None,
        "recall_count": count.recalls if count else 0,
    }


def shown_row(row: Row, memory: Memory, standing: Standing) -> Row:
    """Return a listed memory with all that is recorded of it."""
    return {
        **row,
        "short": row["short"],
        "author": memory.author or None,
        "recorded_on": memory.branch or None,
        "supersedes": list(memory.supersedes) or None,
        "forgotten": standing.forgotten,
        "purged": standing.purged,
        "pending_marks": list(standing.unsettled) or None,
    }


def replaced_by(look: Look, name: str) -> int | None:
    """Return the number of the memory that replaces one, None if none does."""
    new = look.shown.replaced.get(name, ())
    return look.number(new[0]) if new else None


def moment(memory: Memory) -> int:
    """Return when a memory was recorded, in milliseconds; 0 if its time is no time."""
    return epoch_milliseconds(memory.created_at) or 0


def newest_first(memories: Mapping[str, Memory]) -> list[str]:
    """Return the names of memories, the newest first, then by name."""
    return sorted(memories, key=lambda name: (-moment(memories[name]), name))


def _text_row(look: Look, name: str, memory: Memory) -> Row:
    return {
        "id": look.number(name),
        "name": name,
        "short": look.names.short(name),
        "kind": memory.kind.value,
        "body": memory.body,
        "scope": memory.scope.value,
        "task": memory.task or None,
        "files": [anchor.path for anchor in memory.files] or None,
        "identifiers": [anchor.name for anchor in memory.identifiers] or None,
        "tags": list(memory.tags) or None,
        "source": memory.source,
        "created_at": moment(memory),
    }
