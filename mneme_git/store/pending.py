"""What waits to be committed, as the entries of the journal tell it. Pure.

A memory is recorded, and marks are made, for a branch: they are pending there until an entry says
that they are settled. The state follows from the entries, oldest first; going on with newer entries
comes to the same as beginning anew.
"""

from typing import get_args

from msgspec import Struct

from mneme_git.model.memory_view import Action
from mneme_git.store.journal_entry import Note

RECORD = "record"
_ACTIONS: dict[str, Action] = {action: action for action in get_args(Action)}
_MEMORIES = "memories/"


class PendingMark(Struct, frozen=True, array_like=True):
    """A mark that waits to be committed on a branch (empty for a detached HEAD)."""

    branch: str
    action: Action


class PendingState(Struct, kw_only=True):
    """What is pending.

    ``records`` are the branches for which a memory waits, by its name, the latest last. ``marks`` are
    those of a memory in the order of their making, of whatever branch. ``known`` has every memory
    that the journal tells of, in the order of their first coming.
    """

    records: dict[str, tuple[str, ...]] = {}
    marks: dict[str, tuple[PendingMark, ...]] = {}
    known: dict[str, None] = {}

    def take(self, note: Note) -> set[str]:
        """Go on with the next entry, and return the names for which something may be different now."""
        touched = set(note.settled)
        for name in note.settled:
            self._settle(name, note.branch)
        for path in note.wrote:
            if path.startswith(_MEMORIES):
                name = path.rpartition("/")[2].removesuffix(".json")
                touched.add(name)
                self.known.setdefault(name)
        for word, name in note.pending:
            touched.add(name)
            self._add(word, name, note.branch)
        return touched

    def waits(self, name: str, branch: str) -> bool:
        """Tell whether the memory itself waits to be committed on ``branch``."""
        return branch in self.records.get(name, ())

    def marks_of(self, name: str, branch: str | None) -> tuple[Action, ...]:
        """Return the pending marks of a memory in order: those of one branch, or of all for None."""
        marks = self.marks.get(name, ())
        return tuple(mark.action for mark in marks if branch is None or mark.branch == branch)

    def names(self, branch: str) -> tuple[str, ...]:
        """Return the memories of which something waits on ``branch``: records first, as they came."""
        found = dict.fromkeys(name for name, branches in self.records.items() if branch in branches)
        for name, marks in self.marks.items():
            if any(mark.branch == branch for mark in marks):
                found.setdefault(name)
        return tuple(found)

    def branches(self) -> tuple[str, ...]:
        """Return the branches on which something waits, sorted."""
        found = {branch for branches in self.records.values() for branch in branches}
        found |= {mark.branch for marks in self.marks.values() for mark in marks}
        return tuple(sorted(found))

    def _add(self, word: str, name: str, branch: str) -> None:
        if word == RECORD:
            others = (other for other in self.records.get(name, ()) if other != branch)
            self.records[name] = (*others, branch)
            self.known.setdefault(name)
        elif word in _ACTIONS:  # a newer writer may know others
            self.marks[name] = (*self.marks.get(name, ()), PendingMark(branch, _ACTIONS[word]))

    def _settle(self, name: str, branch: str) -> None:
        branches = tuple(other for other in self.records.pop(name, ()) if other != branch)
        if branches:
            self.records[name] = branches
        marks = tuple(mark for mark in self.marks.pop(name, ()) if mark.branch != branch)
        if marks:
            self.marks[name] = marks
