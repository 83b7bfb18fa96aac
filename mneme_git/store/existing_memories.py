"""The memories in a database of the existing engine, read from a copy of it.

The database itself is never opened: to read one in WAL mode SQLite makes files beside it and may move
what the log holds into it.
"""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from mneme_git.errors import CorruptRecord, InvalidInput, NotFound, StoreBusy, StoreFault

_MOST_BYTES = 4 << 30
_MOST_ROWS = 200_000
_BESIDE = ("-wal", "-journal")
_TRIES = 5
_NEEDED = frozenset({"id", "kind", "body", "created_at"})
_TEXTS = ("kind", "scope", "task", "source")
_LISTS = ("files", "identifiers", "tags")
_NUMBERS = ("created_at", "forgotten_at", "last_recalled_at", "recall_count")


class ExistingMemory(Struct, frozen=True, kw_only=True):
    """One row; times are in milliseconds, None if there is none. ``notes`` say what was not as it should be.

    ``body`` is None if it is no text.
    """

    number: int
    kind: str
    scope: str
    body: str | None
    task: str
    source: str
    files: tuple[str, ...]
    identifiers: tuple[str, ...]
    tags: tuple[str, ...]
    created_at: int | None
    forgotten_at: int | None
    last_recalled_at: int | None
    recall_count: int
    notes: tuple[str, ...] = ()


class ExistingDatabase(Struct, frozen=True, kw_only=True):
    """What a database holds; ``root`` is the folder of the project it was made for, if it says so."""

    path: Path
    root: str
    memories: tuple[ExistingMemory, ...]


def read_existing_memories(path: Path) -> ExistingDatabase:
    """Return the memories of a database, forgotten ones too, by their numbers.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is no database of that engine, or far too large for one.
        StoreBusy: it is being written all the time.
        CorruptRecord: it is damaged.
        StoreFault: it cannot be read, or there is no place for a copy.
    """
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        copy = Path(folder) / "copy.db"
        _copied(path, copy)
        try:
            connection = sqlite3.connect(copy)
            try:
                return _read(connection, path)
            finally:
                connection.close()
        except sqlite3.Error as error:
            if "not a database" in str(error):
                raise InvalidInput(f"'{path}' is no SQLite database", hint=_HINT) from error
            raise CorruptRecord(
                f"'{path}' is damaged: {error}",
                hint="let the engine, or `sqlite3 FILE .recover`, repair a copy",
            ) from error


_HINT = "name a file index.db or global.db of the existing engine"


def _copied(path: Path, copy: Path) -> None:
    """Copy a database with what belongs to it, as it is at one moment."""
    try:
        for _ in range(_TRIES):
            before = _stamps(path)
            if before[0] is None:
                raise NotFound("database", str(path), hint=_HINT)
            if sum(stamp[0] for stamp in before if stamp) > _MOST_BYTES:
                raise InvalidInput(f"'{path}' is too large to be copied", hint=_HINT)
            for end, stamp in zip(("", *_BESIDE), before, strict=True):
                made = copy.with_name(copy.name + end)
                made.unlink(missing_ok=True)
                if stamp is not None:
                    with suppress(FileNotFoundError):  # gone meanwhile, as the stamps will tell
                        shutil.copyfile(f"{path}{end}", made)
            if _stamps(path) == before:
                return
    except OSError as error:
        raise StoreFault(
            f"'{path}' cannot be copied to be read: {error.strerror or error}",
            hint="check its permissions, and the space on the disk",
        ) from error
    raise StoreBusy(
        f"'{path}' is being written", hint="end the sessions of the existing engine and try again"
    )


def _stamps(path: Path) -> list[tuple[int, int, int] | None]:
    return [_stamp(Path(f"{path}{end}")) for end in ("", *_BESIDE)]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        seen = path.stat()
    except FileNotFoundError:
        return None
    if not path.is_file():
        raise InvalidInput(f"'{path}' is no regular file", hint=_HINT)
    return seen.st_size, seen.st_mtime_ns, seen.st_ino


def _read(connection: sqlite3.Connection, path: Path) -> ExistingDatabase:
    # As bytes: what is no UTF-8 is told with its row, and does not end the reading.
    connection.text_factory = bytes
    columns = [row[1].decode("utf-8", "replace") for row in connection.execute("PRAGMA table_info(memory)")]
    if not _NEEDED.issubset(columns):
        lacking = ", ".join(sorted(_NEEDED - set(columns))) if columns else "a table 'memory'"
        raise InvalidInput(f"'{path}' is a database of something else: it lacks {lacking}", hint=_HINT)
    (count,) = connection.execute("SELECT count(*) FROM memory").fetchone()
    if count > _MOST_ROWS:
        raise InvalidInput(
            f"'{path}' has {count} memories, more than {_MOST_ROWS}", hint="import it in several parts"
        )
    rows = connection.execute("SELECT * FROM memory ORDER BY id")
    found = tuple(_memory(dict(zip(columns, row, strict=True))) for row in rows)
    return ExistingDatabase(path=path, root=_root(connection), memories=found)


def _root(connection: sqlite3.Connection) -> str:
    try:
        row = connection.execute("SELECT value FROM meta WHERE key = 'project_root'").fetchone()
    except sqlite3.Error:
        return ""
    return row[0].decode("utf-8", "surrogateescape") if row and isinstance(row[0], bytes) else ""


def _memory(row: Mapping[str, Any]) -> ExistingMemory:
    notes: list[str] = []
    texts = {name: _text(row.get(name), name, notes) or "" for name in _TEXTS}
    lists = {name: _list(_text(row.get(name), name, notes), name, notes) for name in _LISTS}
    numbers = {name: _whole(row.get(name), name, notes) for name in _NUMBERS}
    if row.get("superseded_by") is not None:
        notes.append(f"it says that memory {row['superseded_by']} replaces it; that is not taken over")
    return ExistingMemory(
        number=int(row["id"]),
        kind=texts["kind"],
        scope=texts["scope"],
        body=_text(row.get("body"), "body", notes),
        task=texts["task"],
        source=texts["source"],
        files=lists["files"],
        identifiers=lists["identifiers"],
        tags=lists["tags"],
        created_at=numbers["created_at"],
        forgotten_at=numbers["forgotten_at"],
        last_recalled_at=numbers["last_recalled_at"],
        recall_count=max(0, numbers["recall_count"] or 0),
        notes=tuple(notes),
    )


def _text(value: Any, name: str, notes: list[str]) -> str | None:
    """Return the text of a column, which may have any type in SQLite."""
    if value is None:
        return None
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError as error:
            notes.append(f"{name} is not UTF-8 at byte {error.start}")
            return None
    return str(value)


def _whole(value: Any, name: str, notes: list[str]) -> int | None:
    if value is None:
        return None
    try:
        return int(value)
    except (ValueError, TypeError, OverflowError):
        notes.append(f"{name} is no number")
        return None


def _list(text: str | None, name: str, notes: list[str]) -> tuple[str, ...]:
    """Return a list that is kept as JSON; what is none is kept as one text, and that is said."""
    if text is None or not text.strip():
        return ()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        notes.append(f"{name} are no JSON: kept as one text")
        return (text,)
    if found is None:
        return ()
    if isinstance(found, list):
        return tuple(map(_as_text(name, notes), found))
    notes.append(f"{name} are no list: kept as one text")
    return (_as_text(name, notes)(found),)


def _as_text(name: str, notes: list[str]) -> Callable[[Any], str]:
    def told(item: Any) -> str:
        if isinstance(item, str):
            return item
        note = f"{name} hold what is no text: kept as JSON"
        if note not in notes:
            notes.append(note)
        return json.dumps(item, ensure_ascii=False)

    return told
