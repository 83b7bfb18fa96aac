"""Bringing a view to the snapshot that its source has now."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

from mneme_indexer.answers import Progress, Refreshed, Settings
from mneme_indexer.build import recipes
from mneme_indexer.build.plan import CHANGED, UNREADABLE, Plan, distinct, plan
from mneme_indexer.db import upkeep, views, write
from mneme_indexer.db.connect import LOCK
from mneme_indexer.db.lock import CannotLock, exclusive
from mneme_indexer.db.session import Session
from mneme_indexer.db.views import Difference, View, ViewFile
from mneme_indexer.errors import Cancelled
from mneme_indexer.sources import History, Listing, SourceTree

if TYPE_CHECKING:
    from mneme_indexer.build.keep import Keeper

Report = Callable[[Progress], None]
Stop = Callable[[], bool]


def refresh(
    session: Session,
    source: SourceTree,
    history: History | None,
    settings: Settings,
    progress: Report | None = None,
    cancelled: Stop | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Refreshed:
    """Bring the session's view to the snapshot that ``source`` has now.

    ``meanwhile`` is called once, after the look at the files has begun; the view is still the last one.
    Refreshes of one index take turns; one that finds its work done by another has nothing to do.

    Raises:
        Cancelled: ``cancelled`` said so; what was parsed is kept.
    """
    begun = time.monotonic()
    session.catch_up()
    (progress or _silent)(Progress("listing", 0, 0))
    with source.looking() as seen:
        if meanwhile is not None:
            meanwhile()
        listing = seen()
    run = _Run(session, source, history, settings, progress or _silent, cancelled or _never)
    done = run.done(listing)
    if done is None:
        with _turn(session, run.check):
            before = session.view.generation
            session.catch_up()
            if session.view.generation != before:  # another process was faster; time has passed
                listing = source.listing()
            done = run.done(listing) or run.refresh(listing)
    return msgspec.structs.replace(done, took_ms=round((time.monotonic() - begun) * 1000))


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
    """One refresh."""

    def __init__(
        self,
        session: Session,
        source: SourceTree,
        history: History | None,
        settings: Settings,
        progress: Report,
        cancelled: Stop,
    ) -> None:
        self._session = session
        self._source = source
        self._history = history
        self._settings = settings
        self._how = f"{recipes.digest()}:{settings.max_file_bytes}"
        self._progress = progress
        self._cancelled = cancelled

    def check(self) -> None:
        """Raise Cancelled if somebody wants that."""
        if self._cancelled():
            raise Cancelled("the refresh was stopped", hint="the next one goes on where it ended")

    def done(self, listing: Listing) -> Refreshed | None:
        """Return the answer if there is nothing to do: equal trees are equal files."""
        if not self._has_files(listing) or self._session.view.head != listing.commit:
            return None
        return None if self._lacks_history(listing.commit) else self._nothing_changed()

    def refresh(self, listing: Listing) -> Refreshed:
        """Store what is missing, then let the view show it."""
        with self._session.database.writing() as connection:
            number = write.next_refresh(connection)
        if self._lacks_history(listing.commit):
            self._keep_history(listing.commit, number)
        if not self._has_files(listing):
            return self._switch(listing, number)
        with self._session.database.writing() as connection:
            views.move_head(connection, self._session.view, listing.commit, number)
        self._session.view.head = listing.commit
        return self._nothing_changed()

    def _has_files(self, listing: Listing) -> bool:
        view = self._session.view
        return bool(view.generation) and view.recipes == self._how and view.tree == listing.tree

    def _nothing_changed(self) -> Refreshed:
        view = self._session.view
        return Refreshed(tree=view.tree, changed=False, files=len(view.files), skipped=len(view.skipped()))

    def _switch(self, listing: Listing, number: int) -> Refreshed:
        from mneme_indexer.build.keep import Keeper  # with all that parses, when there is something to do

        database, view = self._session.database, self._session.view
        all_anew = view.recipes != self._how
        todo = plan(listing, view.files, self._settings.max_file_bytes, all_anew=all_anew)
        with database.writing() as connection:
            rows = write.recipe_ids(connection, recipes.versions())
        keeper = Keeper(self._session, self._source, self._settings, rows, number)
        keeper.keep(list(distinct(todo.read)), self.check, self._report)
        difference = _difference(view, listing, todo, keeper, self._how)
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

    def _lacks_history(self, head: str) -> bool:
        if self._history is None or not head:
            return False
        with self._session.database.reading() as connection:
            return write.history_depth(connection, head) < self._settings.history

    def _keep_history(self, head: str, number: int) -> None:
        """Store the past of ``head``; what is slow in it is done without a transaction."""
        assert self._history is not None
        database, depth = self._session.database, self._settings.history
        with database.reading() as connection:
            known = frozenset(write.known_commits(connection))
        self._progress(Progress("history", 0, 0))
        oids, commits = self._history.commits(head, depth, known)
        found = []
        for commit in commits:
            self.check()
            found.append(commit)
        with database.writing() as connection:
            write.store_history(connection, head, depth, oids, found, number)


def _difference(view: View, listing: Listing, todo: Plan, keeper: "Keeper", how: str) -> Difference:
    put = dict(todo.unread)
    for change in todo.read:
        key, listed = keeper.key(change), change.listed
        reason = keeper.unread.get(key, "")
        old = view.files.get(listed.path)
        if reason == CHANGED and old is not None and old.oid == listed.blob and not old.blob:
            reason = UNREADABLE
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
