"""Opening the file of the recall index: made if it is missing, made anew if it is not ours or damaged."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from mneme_git.errors import ReadOnlyStore, StoreBusy
from mneme_git.store.lock import file_lock
from mneme_git.text import recall_score, recall_words

FILE = "recall.db"
LOCK = "recall.lock"
APPLICATION_ID = 0x6D6E7263  # "mnrc"
SCHEMA_VERSION = 1
_BUSY_SECONDS = 60.0
_SIDECARS = ("-wal", "-shm", "-journal")
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNWRITABLE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
)
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class RecallDatabase:
    """An open file; ``path`` is None if it is kept in memory, because its folder cannot be written."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.connection = connection
        self.path = path
        self._file = _identity(path)

    def is_still_there(self) -> bool:
        """Tell whether the file under its name is the one that is open; another process may rebuild it."""
        return self.path is None or _identity(self.path) == self._file

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold one write transaction, undone if the block raises."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """See one state of the file in all of the block, whatever others write."""
        self.connection.execute("BEGIN")
        try:
            yield self.connection
        finally:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    def reopened(self) -> "RecallDatabase":
        """Return what is under the name now."""
        self.connection.close()
        return self if self.path is None else open_recall(self.path.parent)

    def in_memory(self) -> "RecallDatabase":
        """Return an empty one that needs no file."""
        self.connection.close()
        return _in_memory()

    def rebuilt(self) -> "RecallDatabase":
        """Return a new, empty file in the place of this one, whose pages turned out to be damaged."""
        path = self.path
        self.connection.close()
        if path is None:
            return _in_memory()
        with suppress(ReadOnlyStore, StoreBusy, OSError), file_lock(path.with_name(LOCK)):
            if _identity(path) == self._file:
                _remove(path)
        return open_recall(path.parent)


def open_recall(folder: Path) -> RecallDatabase:
    """Open the file in ``folder``; what cannot be kept there is kept in memory, and never an error."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return RecallDatabase(_ours(path) or _made(path), path)
    except (OSError, sqlite3.Error, ReadOnlyStore, StoreBusy):
        return _in_memory()


def is_damage(error: Exception) -> bool:
    """Tell whether the file is damaged, or is another one than was thought; not that it is in use."""
    code = _code(error)
    return code in _DAMAGE or (code == sqlite3.SQLITE_ERROR and "no such" in str(error))


def is_unwritable(error: Exception) -> bool:
    """Tell whether the disk is full or faulty, or the file may not be written."""
    return _code(error) in _UNWRITABLE


def _code(error: Exception) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _ours(path: Path) -> sqlite3.Connection | None:
    """Return the open file if it is an index of this version, else None."""
    if not path.is_file() or path.stat().st_size == 0:
        return None
    connection = None
    try:
        connection = _connect(path)
        if _signature(connection) == (APPLICATION_ID, SCHEMA_VERSION, _expected()):
            return connection
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if _code(error) in _IN_USE:
            raise
        return None
    connection.close()
    return None


def _made(path: Path) -> sqlite3.Connection:
    with file_lock(path.with_name(LOCK)):
        if (connection := _ours(path)) is not None:  # another process was faster
            return connection
        _remove(path)
        connection = _connect(path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            _create(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _in_memory() -> RecallDatabase:
    connection = _connect(":memory:")
    _create(connection)
    return RecallDatabase(connection, None)


def _connect(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    try:
        connection.executescript(
            "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768;"
            "PRAGMA journal_size_limit = 33554432;"
        )
    except sqlite3.Error:  # what is no database shows already here
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    # One transaction: a process that is killed here leaves an empty file, which is made anew.
    connection.executescript(
        f"BEGIN IMMEDIATE; {_schema()} PRAGMA user_version = {SCHEMA_VERSION};"
        f"PRAGMA application_id = {APPLICATION_ID};"
    )
    rows = (("made", _expected()), ("documents", 0), ("fresh", 0), ("dropped", 0))
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    connection.execute("COMMIT")


def _signature(connection: sqlite3.Connection) -> tuple[int, int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID or version != SCHEMA_VERSION:
        return application, version, 0
    row = connection.execute("SELECT value FROM meta WHERE key = 'made'").fetchone()
    return application, version, row[0] if row else 0


@cache
def _expected() -> int:
    """Return what must be equal for a file to be of use: byte order, schema, terms and classes."""
    made = f"{sys.byteorder} {recall_words.VERSION} {recall_score.VERSION} {_schema()}"
    return int.from_bytes(sha256(made.encode()).digest()[:7], "big")


def _schema() -> str:
    return Path(__file__).with_name("recall.sql").read_text("utf-8")


def _remove(path: Path) -> None:
    for name in (path.name, *(path.name + suffix for suffix in _SIDECARS)):
        path.with_name(name).unlink(missing_ok=True)


def _identity(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
