"""Bringing a view to the snapshot that its source has now."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import msgspec

from mneme_indexer.answers import Progress, Refreshed, Settings
from mneme_indexer.build import recipes
from mneme_indexer.build.keep import Keeper
from mneme_indexer.build.plan import CHANGED, Plan, distinct, plan
from mneme_indexer.db import upkeep, views, write
from mneme_indexer.db.connect import LOCK
from mneme_indexer.db.lock import CannotLock, exclusive
from mneme_indexer.db.session import Session
from mneme_indexer.db.views import Difference, View, ViewFile
from mneme_indexer.errors import Cancelled
from mneme_indexer.sources import History, Listing, SourceTree

Report = Callable[[Progress], None]
Stop = Callable[[], bool]


def refresh(
    session: Session,
    source: SourceTree,
    history: History | None,
    settings: Settings,
    progress: Report | None = None,
    cancelled: Stop | None = None,
) -> Refreshed:
    """Bring the session's view to the snapshot that ``source`` has now.

    Refreshes of one index take turns; one that finds its work done by another has nothing to do.

    Raises:
        Cancelled: ``cancelled`` said so; what was parsed is kept.
    """
    begun = time.monotonic()
    session.catch_up()
    (progress or _silent)(Progress("listing", 0, 0))
    listing = source.listing()
    how = f"{recipes.digest()}:{settings.max_file_bytes}"
    if (done := _unchanged(session.view, listing, how)) is None:
        run = _Run(session, source, settings, how, progress or _silent, cancelled or _never)
        with _turn(session, run.check):
            before = session.view.generation
            session.catch_up()
            if session.view.generation != before:  # another process was faster; time has passed
                listing = source.listing()
                done = _unchanged(session.view, listing, how)
            done = done or run.refresh(listing)
    if history is not None and listing.commit:
        _keep_history(session, history, listing.commit, settings.history, progress or _silent)
    return msgspec.structs.replace(done, took_ms=round((time.monotonic() - begun) * 1000))


def _unchanged(view: View, listing: Listing, how: str) -> Refreshed | None:
    if not view.generation or view.recipes != how or view.tree != listing.tree:
        return None
    return Refreshed(tree=view.tree, changed=False, files=len(view.files), skipped=len(view.skipped()))


@contextmanager
def _turn(session: Session, check: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of the index; where there are no locks, SQLite's own must do."""
    path = session.database.path
    with ExitStack() as stack:
        if path is not None:
            with suppress(CannotLock):
                stack.enter_context(exclusive(path.with_name(LOCK), check))
        yield


def _silent(_: Progress) -> None:
    return


def _never() -> bool:
    return False


class _Run:
    """One refresh that has something to do."""

    def __init__(
        self,
        session: Session,
        source: SourceTree,
        settings: Settings,
        how: str,
        progress: Report,
        cancelled: Stop,
    ) -> None:
        self._session = session
        self._source = source
        self._settings = settings
        self._how = how
        self._progress = progress
        self._cancelled = cancelled

    def check(self) -> None:
        if self._cancelled():
            raise Cancelled("the refresh was stopped", hint="the next one goes on where it ended")

    def refresh(self, listing: Listing) -> Refreshed:
        database, view = self._session.database, self._session.view
        all_anew = view.recipes != self._how
        todo = plan(listing, view.files, self._settings.max_file_bytes, all_anew=all_anew)
        with database.writing() as connection:
            number = write.next_refresh(connection)
            rows = write.recipe_ids(connection, recipes.versions())
        keeper = Keeper(self._session, self._source, self._settings, rows, number)
        keeper.keep(list(distinct(todo.read)), self.check, self._report)
        difference = _difference(listing, todo, keeper, self._how)
        done = _counts(view, difference, keeper.parsed)
        self._progress(Progress("storing", 0, 0))
        with database.writing() as connection:
            views.switch(connection, view, difference, number)
            if keeper.parsed:
                upkeep.merge_segments(connection)
                upkeep.prune(connection)
        self._session.switched(difference)
        return msgspec.structs.replace(
            done, tree=listing.tree, files=len(view.files), skipped=len(view.skipped())
        )

    def _report(self, done: int, total: int) -> None:
        self._progress(Progress("parsing", done, total))


def _keep_history(session: Session, history: History, head: str, depth: int, progress: Report) -> None:
    """Store the past of ``head`` unless it is known; what is slow in it is done without a transaction."""
    database = session.database
    with database.reading() as connection:
        if depth <= write.history_depth(connection, head):
            return
        known = frozenset(write.known_commits(connection))
    progress(Progress("history", 0, 0))
    oids, commits = history.commits(head, depth, known)
    found = list(commits)
    with database.writing() as connection:
        write.store_history(connection, head, depth, oids, found, write.next_refresh(connection))


def _difference(listing: Listing, todo: Plan, keeper: Keeper, how: str) -> Difference:
    put = dict(todo.unread)
    for change in todo.read:
        key, listed = keeper.key(change), change.listed
        reason = keeper.unread.get(key, "")
        put[listed.path] = ViewFile(listed.blob, 0 if reason else keeper.ids[key], listed.tracked, reason)
    is_whole = all(file.skipped != CHANGED for file in put.values())
    return Difference(listing.tree if is_whole else "", how, listing.commit, put, todo.removed)


def _counts(view: View, difference: Difference, parsed: int) -> Refreshed:
    dirty = 0
    for path, file in difference.put.items():
        old = view.files.get(path)
        dirty += old is None or old.oid != file.oid
    return Refreshed(
        tree="",
        changed=bool(dirty or difference.removed),
        dirty=dirty,
        parsed=parsed,
        removed=len(difference.removed),
    )
