"""One view of the index kept open between questions, whatever other processes do to the file meanwhile."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mneme_indexer.db import views
from mneme_indexer.db.connect import Database, Note, is_damage, open_database, rebuild
from mneme_indexer.db.read import Reader
from mneme_indexer.db.views import Difference, View


class Session:
    """The open file, the view ``key`` in memory, and a reader of it. One thread at a time is served."""

    def __init__(self, folder: Path, key: str, note: Note) -> None:
        self.folder = folder
        self.key = key
        self.note = note
        self._database = open_database(folder, note)
        try:
            self._attach(self._database)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self.start_anew()

    @property
    def database(self) -> Database:
        """The open file; another one after ``catch_up`` or ``start_anew``."""
        return self._database

    @property
    def view(self) -> View:
        """The view in memory."""
        return self.reader.view

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """See one state of the file, and the view as it is in this state."""
        with self._database.reading() as connection:
            self._follow(connection)
            yield self.reader

    def catch_up(self) -> None:
        """Open the file again if another process has replaced it; take over the view that it switched."""
        if not self._database.is_still_there():
            self._database.close()
            self._attach(open_database(self.folder, self.note))
        with self._database.reading() as connection:
            self._follow(connection)

    def start_anew(self, reason: str = "is damaged") -> None:
        """Replace the file by an empty one; without a ``reason`` nothing is noted."""
        self._attach(rebuild(self._database, self.note, reason=reason))

    def switched(self, difference: Difference) -> None:
        """Take over the difference that the stored view has just taken over."""
        self.view.switched(self._database.connection, difference)
        self.reader.segments_changed()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _attach(self, database: Database) -> None:
        self._database = database
        with database.reading() as connection:
            self._version = _data_version(connection)
            self.reader = Reader(connection, views.load(connection, self.key))

    def _follow(self, connection: sqlite3.Connection) -> None:
        """Forget what other connections have changed since the last look."""
        version = _data_version(connection)
        if version == self._version:
            return
        self._version = version
        generation, head = views.state(connection, self.key)
        if generation != self.view.generation:
            self.reader.view = views.load(connection, self.key)
        self.view.head = head
        self.reader.segments_changed()


def _data_version(connection: sqlite3.Connection) -> int:
    """Return a number that changes whenever another connection has changed the file."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version
