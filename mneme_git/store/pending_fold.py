"""What waits in the journal, gone on with from where it was last known.

The state is kept in ``<common directory>/mneme/pending``; it follows from the journal, so a file that is
damaged, old or of another journal is made again.
"""

import msgspec
from msgspec import Struct

from mneme_git.errors import CorruptRecord, MissingObject
from mneme_git.model.ids import ObjectId
from mneme_git.store import journal
from mneme_git.store.backend import CommitInfo, GitBackend
from mneme_git.store.journal_entry import entry_of
from mneme_git.store.objects import decode_commit
from mneme_git.store.pending import PendingState
from mneme_git.store.projection import keep, key_of, recall

# So many newer entries are read one by one; with more, git lists all of them.
_FEW = 2_000
# What was folded is kept for the next process from so many entries on.
_WORTH = 64
_MEANING = b"pending 1"


class _Kept(Struct):
    tip: str
    state: PendingState


_DECODER = msgspec.msgpack.Decoder(_Kept)


class PendingFold:
    """What waits in the journal of one clone."""

    def __init__(self, backend: GitBackend) -> None:
        self._backend = backend
        self._path = backend.common_dir / "mneme" / "pending"
        self._unsaved = 0
        kept = recall(self._path, key_of(_MEANING), _DECODER)
        self.tip: ObjectId | None = ObjectId(kept.tip) if kept else None
        self.state = kept.state if kept else PendingState()

    def advance(self) -> frozenset[str] | None:
        """Go on to the newest entry; return the memories for which something may differ, None for all."""
        newest = journal.tip(self._backend)
        if newest == self.tip:
            return frozenset()
        newer = self._newer(newest) if newest is not None and self.tip is not None else None
        touched: frozenset[str] | None = None
        if newer is not None:
            touched = frozenset().union(*[self.state.take(entry_of(commit).note) for commit in newer])
        else:
            self.state = PendingState()
            newer = list(journal.commits(self._backend, newest))[::-1]
            for commit in newer:
                self.state.take(entry_of(commit).note)
        self.tip = newest
        self._save(len(newer))
        return touched

    def _newer(self, newest: ObjectId) -> list[CommitInfo] | None:
        """Return the entries after the last known one, oldest first; None if it is not below them."""
        found: list[CommitInfo] = []
        at = newest
        while at != self.tip:
            try:
                commit = decode_commit(at, self._backend.read(at).data)
            except (MissingObject, CorruptRecord):
                return None
            if len(commit.parents) != 1 or len(found) >= _FEW:  # the first of all, or two journals joined
                return None
            found.append(commit)
            at = commit.parents[0]
        return found[::-1]

    def _save(self, folded: int) -> None:
        self._unsaved += folded
        if self._unsaved >= _WORTH and self.tip is not None:
            keep(self._path, key_of(_MEANING), _Kept(self.tip, self.state))
            self._unsaved = 0
