"""Views: which blob each path of a work tree or a revision has, and the facts of these blobs."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

_FACTS = (
    "SELECT id, oid, language, package, skipped, size, words, symbols, uses, has_errors FROM blobs WHERE id"
)


class Blob(Struct, frozen=True, array_like=True, gc=False):
    """The facts of one blob; ``words`` is its length in tokens."""

    id: int
    oid: str
    language: str
    package: str
    skipped: str
    size: int
    words: int
    symbols: int
    uses: int
    has_errors: int


class ViewFile(Struct, frozen=True, array_like=True, gc=False):
    """One file of a view. ``blob`` is 0 where its content is not read, for the reason in ``skipped``."""

    oid: str
    blob: int
    tracked: bool
    skipped: str


class View:
    """One view in memory. Nobody but ``apply`` changes it.

    ``paths`` has the sorted paths of each blob, ``blobs`` the facts. Row ids are only for looking up:
    no order and no tie-break may rest on them.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.id = 0
        self.tree = ""
        self.recipes = ""
        self.head = ""
        self.generation = 0
        self.files: dict[str, ViewFile] = {}
        self.paths: dict[int, tuple[str, ...]] = {}
        self.blobs: dict[int, Blob] = {}
        self._skipped: dict[str, str] | None = None

    def apply(self, put: Mapping[str, ViewFile], removed: Sequence[str], facts: Iterable[Blob]) -> None:
        """Take over a difference; ``facts`` holds at least the blobs that were not there before."""
        self.blobs.update((blob.id, blob) for blob in facts)
        for path in removed:
            if (gone := self.files.pop(path, None)) is not None:
                self._forget(path, gone)
        for path, file in put.items():
            old = self.files.get(path)
            if old is not None and old.blob != file.blob:
                self._forget(path, old)
            self.files[path] = file
            if file.blob and (old is None or old.blob != file.blob):
                known = self.paths.get(file.blob)
                self.paths[file.blob] = (path,) if known is None else tuple(sorted((*known, path)))
        self._follow_skipped(put, removed)

    def switched(self, connection: sqlite3.Connection, difference: "Difference") -> None:
        """Take over the difference that the file has just taken over."""
        facts = facts_of(connection, {file.blob for file in difference.put.values()} - self.blobs.keys())
        self.apply(difference.put, difference.removed, facts)
        self.tree, self.recipes, self.head = difference.tree, difference.recipes, difference.head
        self.generation += 1

    def blob_of(self, path: str) -> Blob | None:
        """Return the facts of the file at ``path``; None if there is none or its content is not read."""
        file = self.files.get(path)
        return self.blobs.get(file.blob) if file else None

    def skipped(self) -> dict[str, str]:
        """Return why each file is not parsed that is not, by path."""
        if self._skipped is None:
            self._skipped = dict(sorted(self._reasons(self.files)))
        return self._skipped

    def _reasons(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        for path in paths:
            file = self.files[path]
            reason = file.skipped or (self.blobs[file.blob].skipped if file.blob else "")
            if reason:
                yield path, reason

    def _follow_skipped(self, put: Collection[str], removed: Sequence[str]) -> None:
        """Bring ``skipped`` up to date with a difference, without a look at all files."""
        if self._skipped is None:
            return
        changed = dict(self._reasons(put))
        if changed or any(path in self._skipped for path in (*put, *removed)):
            left = {path: reason for path, reason in self._skipped.items() if path in self.files}
            for path in put:
                left.pop(path, None)
            self._skipped = dict(sorted((left | changed).items()))

    def _forget(self, path: str, file: ViewFile) -> None:
        if not file.blob:
            return
        left = tuple(other for other in self.paths[file.blob] if other != path)
        if left:
            self.paths[file.blob] = left
        else:
            # The facts stay: ``put`` may name the blob again, and a blob without a path is in no answer.
            del self.paths[file.blob]


def state(connection: sqlite3.Connection, key: str) -> tuple[int, str]:
    """Return how often the view has been switched, and its commit; (0, "") if the file does not have it."""
    row = connection.execute("SELECT generation, head FROM views WHERE key = ?", (key,)).fetchone()
    return (row[0], row[1]) if row else (0, "")


def load(connection: sqlite3.Connection, key: str) -> View:
    """Read a view; an empty one if the file has none of this key."""
    view = View(key)
    query = "SELECT id, tree, recipes, head, generation FROM views WHERE key = ?"
    row = connection.execute(query, (key,)).fetchone()
    if row is None:
        return view
    view.id, view.tree, view.recipes, view.head, view.generation = row
    rows = connection.execute(
        "SELECT path, oid, blob, tracked, skipped FROM view_files WHERE view = ? ORDER BY path", (view.id,)
    )
    for path, oid, blob, tracked, skipped in rows:
        view.files[path] = ViewFile(oid, blob, bool(tracked), skipped)
        if blob:
            known = view.paths.get(blob)
            view.paths[blob] = (path,) if known is None else (*known, path)
    facts = connection.execute(
        f"{_FACTS} IN (SELECT blob FROM view_files WHERE view = ?)",  # noqa: S608 - all of it is ours
        (view.id,),
    )
    view.blobs = {row[0]: Blob(*row) for row in facts}
    return view


class Difference(Struct, frozen=True):
    """What makes another snapshot of a view; ``recipes`` is the digest of how its blobs are read.

    ``tree`` is empty if the snapshot is not whole, so that the next refresh looks again.
    """

    tree: str
    recipes: str
    head: str
    put: dict[str, ViewFile]
    removed: tuple[str, ...]


def switch(connection: sqlite3.Connection, view: View, difference: Difference, refresh: int) -> None:
    """Bring the stored view to another snapshot, inside the caller's transaction.

    The view in memory stays as it is; ``View.switched`` does the same there when the transaction has
    ended well.
    """
    put, removed = difference.put, difference.removed
    (row_id,) = connection.execute(
        "INSERT INTO views (key, tree, recipes, head, generation, used) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET tree = excluded.tree, recipes = excluded.recipes,"
        " head = excluded.head, generation = excluded.generation, used = excluded.used RETURNING id",
        (view.key, difference.tree, difference.recipes, difference.head, view.generation + 1, refresh),
    ).fetchone()
    connection.executemany(
        "DELETE FROM view_files WHERE view = ? AND path = ?", ((row_id, path) for path in removed)
    )
    connection.executemany(
        "INSERT OR REPLACE INTO view_files (view, path, oid, blob, tracked, skipped)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((row_id, path, row.oid, row.blob, row.tracked, row.skipped) for path, row in sorted(put.items())),
    )
    _mark_unused(connection, view, difference, refresh)


def move_head(connection: sqlite3.Connection, view: View, head: str, refresh: int) -> None:
    """Note the commit that the unchanged tree of a view rests on now."""
    connection.execute("UPDATE views SET used = ?, head = ? WHERE key = ?", (refresh, head, view.key))


def facts_of(connection: sqlite3.Connection, blobs: Iterable[int]) -> list[Blob]:
    """Return the facts of some blobs."""
    query = f"{_FACTS} = ?"
    rows = (connection.execute(query, (blob,)).fetchone() for blob in sorted(set(blobs)))
    return [Blob(*row) for row in rows if row is not None]


def _mark_unused(connection: sqlite3.Connection, view: View, difference: Difference, refresh: int) -> None:
    """Keep ``blobs.unused``: which refresh let go of the last path of a blob."""
    changed = (*difference.removed, *difference.put)
    before = {view.files[path].blob for path in changed if path in view.files}
    after = {file.blob for file in difference.put.values()}
    connection.executemany(
        "UPDATE blobs SET unused = 0 WHERE id = ? AND unused > 0", ((blob,) for blob in sorted(after))
    )
    connection.executemany(
        "UPDATE blobs SET unused = ?1 WHERE id = ?2"
        " AND NOT EXISTS (SELECT 1 FROM view_files WHERE blob = ?2)",
        ((refresh, blob) for blob in sorted(before - after - {0})),
    )
