"""Opening ``local.db``: what this clone alone knows, and what is never to be lost or waited for in vain.

The file is truth, not a cache. One that is damaged is moved aside with its own name kept, never deleted;
one that cannot be written is read into the memory of the process, where it serves until the end.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from mneme_git.errors import MnemeError
from mneme_git.store.lock import file_lock

NAME = "local.db"
VERSION = 1
WAIT_SECONDS = 5.0
_POLL_SECONDS = 0.01
_BESIDE = ("-wal", "-shm", "-journal")
_BUSY = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_DAMAGE = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE known (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    UNIQUE (scope, name)
) STRICT;
CREATE TABLE counters (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    recalls INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    branch TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    PRIMARY KEY (branch, scope, name)
) STRICT, WITHOUT ROWID;
"""


class Connected:
    """An open database; ``saved`` is false where it lives in the memory of this process only."""

    def __init__(self, connection: sqlite3.Connection, *, saved: bool, stamp: tuple[int, int]) -> None:
        self.connection = connection
        self.saved = saved
        self.stamp = stamp


def connect(path: Path, *, now: int, tell: Callable[[str], None]) -> Connected:
    """Open the database, making it at the first time; what people should know is told."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _patiently(lambda: _written(path, now))
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return _anew(path, now, tell)
        return _in_memory(path, now, tell, str(error))
    except OSError as error:
        return _in_memory(path, now, tell, error.strerror or str(error))


def file_stamp(path: Path) -> tuple[int, int]:
    """Return what tells a file from another that has taken its place; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether another process held the database."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _BUSY


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether the file is no sound database."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _DAMAGE


def _patiently(attempt: Callable[[], Connected]) -> Connected:
    """Try again while another process makes the file: SQLite itself does not wait for that."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > end:
                raise
            time.sleep(_POLL_SECONDS)


def _written(path: Path, now: int) -> Connected:
    connection = sqlite3.connect(
        path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        _prepare(connection, now)
        connection.execute("COMMIT")
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise _damaged()
    except BaseException:
        connection.close()
        raise
    return Connected(connection, saved=True, stamp=file_stamp(path))


def _prepare(connection: sqlite3.Connection, now: int) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise sqlite3.DatabaseError(f"it was written by a newer mneme (version {version})")
    if version == 0:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('born', ?)", (now,))
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _damaged() -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _anew(path: Path, now: int, tell: Callable[[str], None]) -> Connected:
    """Move the damaged file aside and begin a new one; of several processes one does it."""
    try:
        with file_lock(path.with_name("local.lock")):
            try:
                return _patiently(lambda: _written(path, now))  # another process has done it meanwhile
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
            aside = _move_aside(path, now)
            made = _patiently(lambda: _written(path, now))
    except (OSError, sqlite3.DatabaseError, MnemeError) as error:
        return _in_memory(None, now, tell, f"it is damaged and cannot be moved aside ({error})")
    tell(
        f"WARN  LOCAL_DB_DAMAGED '{path}' cannot be read; it was kept as '{aside.name}'. Recall counts "
        "and the times at which memories were first seen begin anew; no memory is concerned"
    )
    return made


def _move_aside(path: Path, now: int) -> Path:
    aside = path.with_name(f"{path.name}.damaged-{now}")
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{now}-{number}")
    path.rename(aside)
    for ending in _BESIDE:
        beside = path.with_name(path.name + ending)
        if os.path.lexists(beside):
            beside.rename(aside.with_name(aside.name + ending))
    return aside


def _in_memory(path: Path | None, now: int, tell: Callable[[str], None], why: str) -> Connected:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    if path is not None:
        _copy(path, connection)
    try:
        _prepare(connection, now)
    except sqlite3.DatabaseError:  # of a newer mneme
        connection.close()
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _prepare(connection, now)
    tell(f"recall counts and numbers of memories are not kept: {why}")
    return Connected(connection, saved=False, stamp=file_stamp(path) if path else (0, 0))


def _copy(path: Path, target: sqlite3.Connection) -> None:
    """Read a file that cannot be opened for writing; what is in its WAL alone is left out."""
    if not path.is_file():
        return
    source = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1", uri=True)
    try:
        source.backup(target)
    except sqlite3.DatabaseError:
        target.rollback()
    finally:
        source.close()
