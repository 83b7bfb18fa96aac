"""Opening the index file: made if it is missing, made anew if it is not ours or damaged, else in memory."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from mneme_indexer.db.lock import CannotLock, exclusive
from mneme_indexer.errors import IndexUnusable

FILE = "index.db"
LOCK = "index.lock"
APPLICATION_ID = 0x6D6E6978  # "mnix"
SCHEMA_VERSION = 1
_BUSY_MS = 60_000
_SIDECARS = ("-wal", "-shm", "-journal")

_HINTS = {
    sqlite3.SQLITE_FULL: "make room on this disk, then run the command again",
    sqlite3.SQLITE_IOERR: "look after this disk, then run the command again",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable for this user",
    sqlite3.SQLITE_CANTOPEN: "make the file and its folder writable for this user",
    sqlite3.SQLITE_BUSY: "end the program that holds it, then run the command again",
    sqlite3.SQLITE_LOCKED: "end the program that holds it, then run the command again",
}

Note = Callable[[str], None]


class Database:
    """An open index. ``path`` is None if it is kept in memory."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.connection = connection
        self.path = path
        self._file = _identity(path)

    def is_still_there(self) -> bool:
        """Tell whether the file under its name is the one that is open; another process may rebuild it."""
        return self.path is None or _identity(self.path) == self._file

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold one write transaction, undone if the block raises.

        Raises:
            IndexUnusable: the disk is full, cannot be written, or another program holds the file.
        """
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error) and (told := self._explained(error)) is not None:
                raise told from error
            raise

    def _explained(self, error: sqlite3.Error) -> IndexUnusable | None:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if code not in _HINTS:
            return None
        return IndexUnusable(f"the code index '{self.path}' cannot be written: {error}", hint=_HINTS[code])

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """See one state of the file in all of the block, whatever others write."""
        if self.connection.in_transaction:
            yield self.connection
            return
        self.connection.execute("BEGIN")
        try:
            yield self.connection
        finally:
            self.connection.execute("ROLLBACK")

    def size_bytes(self) -> int:
        """Return how large the index is, in pages of the file."""
        (pages,) = self.connection.execute("PRAGMA page_count").fetchone()
        (size,) = self.connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


def open_database(folder: Path, note: Note) -> Database:
    """Open the index in ``folder``, which is made if it is missing.

    ``note`` is told in words what a person should know: that the file was made anew and why, or that
    the index is in memory because the folder cannot be written.

    Raises:
        IndexUnusable: this SQLite cannot hold an index at all, or the file stays locked.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _open_file(path, note)
    except (OSError, sqlite3.Error, CannotLock) as error:
        if _is_busy(error):
            raise IndexUnusable(
                f"the code index '{path}' is locked by another process",
                hint="end the program that holds it, then run the command again",
            ) from error
        note(f"the code index is kept in memory for this run: cannot write '{path}' ({_words(error)})")
        return _in_memory(path)


def open_to_read(path: Path) -> sqlite3.Connection | None:
    """Open an index that another process keeps, never to write it; None if it is not of this version.

    Raises:
        sqlite3.Error: it is no database, or cannot be read.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1, check_same_thread=False
    )
    try:
        if _signature(connection) == _expected():
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def rebuild(database: Database, note: Note, *, reason: str = "is damaged") -> Database:
    """Return a new, empty index in the place of one whose pages turned out to be damaged.

    Without a ``reason`` nothing is noted: somebody asked for it.
    """
    path = database.path
    database.close()
    if path is None:
        return _in_memory(None)
    with exclusive(path.with_name(LOCK)):
        if _identity(path) == database._file:
            if reason:
                note(f"the code index '{path}' {reason}; it is built anew")
            _remove(path)
    return open_database(path.parent, note)


def _open_file(path: Path, note: Note) -> Database:
    if (connection := _ours(path)) is not None:
        return Database(connection, path)
    with exclusive(path.with_name(LOCK)):
        if (connection := _ours(path)) is not None:  # another process was faster
            return Database(connection, path)
        if (reason := _fault(path)) is not None:
            note(f"the code index '{path}' {reason}; it is built anew")
        _remove(path)
        connection = _connect(path)
        try:
            _create(connection)
        except BaseException:
            connection.close()
            raise
        return Database(connection, path)


def _ours(path: Path) -> sqlite3.Connection | None:
    """Return the open file if it is an index of this version, else None."""
    if not path.is_file() or path.stat().st_size == 0:
        return None
    try:
        connection = _connect(path)
        try:
            if _signature(connection) == _expected():
                connection.execute("SELECT 1 FROM views LIMIT 1").fetchone()
                return connection
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        if _is_busy(error):
            raise
        return None
    connection.close()
    return None


def _fault(path: Path) -> str | None:
    """Return what is wrong with a file that is not ours, None if there is none."""
    if not path.exists() or path.stat().st_size == 0:
        return None
    try:
        with closing(_connect(path)) as connection:
            application, _, _ = _signature(connection)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        return "is damaged"
    if application != APPLICATION_ID:
        return "is not an index"
    return "was made by another version"


def _signature(connection: sqlite3.Connection) -> tuple[int, int, str]:
    """Return application, version, and what else must be equal for the file to be of use here."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    row = None
    if application == APPLICATION_ID and version == SCHEMA_VERSION:
        row = connection.execute("SELECT value FROM meta WHERE key = 'made'").fetchone()
    return application, version, row[0] if row else ""


def _expected() -> tuple[int, int, str]:
    return APPLICATION_ID, SCHEMA_VERSION, _made()


@cache
def _made() -> str:
    """Return the byte order of packed numbers and a digest of the schema."""
    return f"{sys.byteorder}-{sha256(_schema().encode()).hexdigest()[:16]}"


def _schema() -> str:
    return Path(__file__).with_name("schema.sql").read_text("utf-8")


def _connect(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    try:
        connection.executescript(
            "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768;"
            "PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;"
        )
    except sqlite3.Error:  # what is no database shows already here
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection, *, in_memory: bool = False) -> None:
    if not in_memory:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise sqlite3.OperationalError("its file system has no shared memory")
    # One transaction: a process that is killed here leaves an empty file, which is made anew.
    connection.executescript(
        f"BEGIN IMMEDIATE; {_schema()} PRAGMA user_version = {SCHEMA_VERSION};"
        f"PRAGMA application_id = {APPLICATION_ID};"
    )
    connection.execute("INSERT INTO meta VALUES ('made', ?), ('refreshes', 0)", (_made(),))
    connection.execute("COMMIT")


def _in_memory(path: Path | None) -> Database:
    """Return an index in memory, filled from the file as far as that can be read."""
    connection = _connect(":memory:")
    try:
        if path is None or not _copied(path, connection):
            _create(connection, in_memory=True)
    except sqlite3.Error as error:
        raise IndexUnusable(
            f"this SQLite ({sqlite3.sqlite_version}) cannot hold the code index: {error}",
            hint="use a Python with SQLite 3.37 or newer",
        ) from error
    return Database(connection, None)


def _copied(path: Path, connection: sqlite3.Connection) -> bool:
    """Copy a file that cannot be written into memory; False if it cannot be read either."""
    try:
        # Without a log the file is whole, and can be read where not even its shared memory can be made.
        has_log = path.with_name(path.name + "-wal").exists()
        address = f"{path.absolute().as_uri()}?mode=ro{'' if has_log else '&immutable=1'}"
        with closing(sqlite3.connect(address, uri=True)) as source:
            if _signature(source) != _expected():
                return False
            source.backup(connection)
    except (sqlite3.Error, OSError):
        return False
    return True


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


def is_damage(error: Exception) -> bool:
    """Tell whether an error means that the file is damaged, not that it was asked wrongly or is in use."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _is_busy(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _words(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
