"""What this clone alone knows of its memories: numbers, recall counts, and when what was first seen.

A memory is meant by its scope and name. None of this is in git: it is about one clone, and lies in
``local.db`` of its common folder, shared by all its work trees.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from mneme_git.store.local_connect import (
    NAME,
    Connected,
    connect,
    file_stamp,
    is_busy,
    is_damage,
)

Key = tuple[str, str]
"""Scope and name."""

_COUNT = (
    "INSERT INTO counters VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE "
    "SET recalls = recalls + excluded.recalls, last = max(last, excluded.last)"
)
_TAKEN_OVER = (
    "INSERT INTO counters VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE "
    "SET recalls = max(recalls, excluded.recalls), last = max(last, excluded.last)"
)
_LIVE_AGAIN = "DELETE FROM forgotten WHERE scope = ? AND name = ? AND branch = ?"


class Known(Struct, frozen=True):
    """The number of a memory, its alias for clients of integer ids, and when this clone first saw it."""

    number: int
    first_seen: int


class Count(Struct, frozen=True):
    """How often a memory was recalled in this clone, and when last (unix seconds)."""

    recalls: int
    last: int


def next_numbers(known: Collection[Key], highest: int, order: Iterable[Key]) -> dict[Key, int]:
    """Return the numbers of those in ``order`` that have none yet: one more than ever given, in turn.

    A function of the order alone: what a crash took off the end is given again in the same way.
    """
    fresh = dict.fromkeys(key for key in order if key not in known)
    return {key: highest + place for place, key in enumerate(fresh, 1)}


# For so few memories the database is asked one by one.
_FEW = 50


class LocalDb:
    """The local database of one clone; nothing in it is worth failing an answer for.

    Where it cannot be read or written, numbers and counts hold to the end of the process. ``now`` gives
    unix seconds; another process that writes is waited for ``wait_seconds``. One thread at a time.
    """

    def __init__(self, folder: Path, *, now: Callable[[], int], wait_seconds: float = 5.0) -> None:
        self._path = folder / NAME
        self._wait_seconds = wait_seconds
        self._now = now
        self._open: Connected | None = None
        self._told: list[str] = []
        self._seen: tuple[int, dict[Key, Known]] | None = None
        self._by_number: dict[int, Key] = {}
        self._unsaved: dict[Key, tuple[int, int]] = {}

    def notices(self) -> tuple[str, ...]:
        """Return what people should know and were not told yet."""
        told = tuple(self._told)
        self._told.clear()
        return told

    @property
    def born(self) -> int:
        """When this database began to count (unix seconds)."""
        row = self._ask("SELECT value FROM meta WHERE key = 'born'")
        return int(row[0][0]) if row else self._now()

    def known(self) -> Mapping[Key, Known]:
        """Return every memory that has a number; not to be changed."""
        told = self._ask("PRAGMA data_version")
        version = int(told[0][0]) if told else 0
        if self._seen is None or self._seen[0] != version:
            rows = self._ask("SELECT scope, name, number, first_seen FROM known ORDER BY number")
            self._seen = (version, {(scope, name): Known(number, at) for scope, name, number, at in rows})
            self._by_number.clear()
        return self._seen[1]

    def meet(self, order: Iterable[Key]) -> None:
        """Give a number to each memory of ``order`` that has none, in this order."""
        asked = tuple(order)
        before = self.known()
        if all(key in before for key in asked):
            return
        at, given = self._now(), dict[Key, int]()

        def give(connection: sqlite3.Connection) -> None:
            there = _there(connection, asked)
            top = connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence").fetchone()[0]
            given.update(next_numbers(there, top, asked))
            connection.executemany(
                "INSERT INTO known (number, scope, name, first_seen) VALUES (?, ?, ?, ?)",
                [(number, *key, at) for key, number in given.items()],
            )

        if not self._write(give):  # for this process they are numbered all the same
            top = max((row.number for row in before.values()), default=0)
            given = next_numbers(before, top, asked)
        if self._seen is not None:
            self._seen[1].update({key: Known(number, at) for key, number in given.items()})

    def counts(self) -> dict[Key, Count]:
        """Return the counts of all that was ever recalled here."""
        rows = self._ask("SELECT scope, name, recalls, last FROM counters")
        found = {(scope, name): Count(recalls, last) for scope, name, recalls, last in rows}
        for key, (more, at) in self._unsaved.items():
            before = found.get(key, Count(0, 0))
            found[key] = Count(before.recalls + more, max(before.last, at))
        return found

    def count(self, recalled: Iterable[Key]) -> None:
        """Count one recall of each; what cannot be written now is added by the next call."""
        at = self._now()
        for key in recalled:
            self._unsaved[key] = (self._unsaved.get(key, (0, 0))[0] + 1, at)
        if not self._unsaved:
            return
        rows = [(*key, more, last) for key, (more, last) in self._unsaved.items()]
        if self._write(lambda connection: connection.executemany(_COUNT, rows)):
            self._unsaved.clear()

    def take_over(self, counts: Mapping[Key, Count]) -> bool:
        """Take counts that were kept elsewhere; where more is counted here, that stays.

        Return false if the database cannot be written now; then nothing is taken.
        """
        rows = [(*key, count.recalls, count.last) for key, count in counts.items()]
        return not rows or self._write(lambda connection: connection.executemany(_TAKEN_OVER, rows))

    def forgotten(self, branch: str) -> dict[Key, int]:
        """Return since when each memory is known to be forgotten on ``branch`` (unix seconds)."""
        rows = self._ask("SELECT scope, name, first_seen FROM forgotten WHERE branch = ?", (_text(branch),))
        return {(scope, name): at for scope, name, at in rows}

    def numbered(self, number: int) -> Key | None:
        """Return the memory that has a number."""
        known = self.known()
        if len(self._by_number) != len(known):
            self._by_number = {row.number: key for key, row in known.items()}
        return self._by_number.get(number)

    def see_forgotten(
        self, branch: str, scope: str, names: Collection[str], *, among: Iterable[str] | None = None
    ) -> None:
        """Note what is forgotten on ``branch`` now: its time stays, what is live again loses it.

        ``among`` are the memories that were looked at, None for all.
        """
        before = {name for was, name in self.forgotten(branch) if was == scope}
        if among is not None:
            before &= set(among)
        fresh, gone = set(names) - before, before - set(names)
        if not (fresh or gone):
            return
        at = self._now()
        added = [(scope, name, _text(branch), at) for name in sorted(fresh)]
        taken = [(scope, name, _text(branch)) for name in sorted(gone)]

        def note(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?, ?)", added)
            connection.executemany(_LIVE_AGAIN, taken)

        self._write(note)

    def close(self) -> None:
        """Let go of the file; the next question opens it again."""
        if self._open is not None:
            self._open.connection.close()
        self._open = self._seen = None

    def _connection(self) -> sqlite3.Connection:
        """Return the open database; one whose file was taken away or replaced is opened anew."""
        if self._open is not None and self._open.saved and file_stamp(self._path) != self._open.stamp:
            self.close()
        if self._open is None:
            self._open = connect(self._path, now=self._now(), tell=self._told.append)
        return self._open.connection

    def _ask(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            return self._connection().execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                return []
            self.close()
            return self._connection().execute(sql, values).fetchall()

    def _write(self, change: Callable[[sqlite3.Connection], object]) -> bool:
        """Write in one transaction; return false if the database is held, full or damaged."""
        connection = self._connection()
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                change(connection)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            if is_damage(error):
                self.close()
            elif is_busy(error):  # who holds it may hold it for long: it is not waited for twice
                _wait_at_most(connection, 0.02)
            return False
        _wait_at_most(connection, self._wait_seconds)
        return True


def _wait_at_most(connection: sqlite3.Connection, seconds: float) -> None:
    connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")


def _there(connection: sqlite3.Connection, asked: Collection[Key]) -> set[Key]:
    """Return the memories that have a number by now: all, or of a few only those."""
    if len(asked) > _FEW:
        return set(connection.execute("SELECT scope, name FROM known"))
    one = "SELECT scope, name FROM known WHERE scope = ? AND name = ?"
    return {key for asked_one in asked for key in connection.execute(one, asked_one)}


def _text(branch: str) -> str:
    """Return the name of a branch as SQLite takes it, also where its bytes are no UTF-8."""
    return branch.encode("utf-8", "backslashreplace").decode("utf-8")
