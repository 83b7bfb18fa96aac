"""Proposals outside a git store: in one file of the existing format, or in memory only."""

from collections.abc import Iterable
from pathlib import Path

from mneme_git.errors import CorruptRecord, GuardMismatch, InvalidInput
from mneme_git.model.plan import ABSENT, Plan, Read, Receipt
from mneme_git.model.proposal_entry import ProposalEntry, status_of
from mneme_git.store.foreign_file import read_foreign, replace_foreign, turn
from mneme_git.store.proposal_document import (
    ProposalDocument,
    changed_document,
    empty_document,
    parse_document,
    write_document,
)

_TRIES = 5


class ProposalFile:
    """One ``decision_proposals.json``; ``name`` is the path as the user gave it, for messages."""

    def __init__(self, path: Path, *, as_given: str = "") -> None:
        self.path = path
        self.name = as_given or str(path)

    def exists(self) -> bool:
        """Tell whether the file is there."""
        return self.path.exists()

    def entries(self) -> tuple[ProposalEntry, ...]:
        """Return the proposals in the order of the file; none if there is no file.

        Raises:
            CorruptRecord: the file is not what its format says.
            StoreFault: it cannot be read.
        """
        return self._document(read_foreign(self.path)).entries

    def commit(self, plan: Plan, *, stage: bool = False) -> Receipt:
        """Carry out the operations on proposals if the proposals that ``plan`` read are as they were.

        The file and its folder are made when the first proposal comes. Another program that writes
        in between is waited out a few times. Nothing is ever staged.

        Raises:
            GuardMismatch: a proposal is not as it was read; nothing was written.
            CorruptRecord: the file is not what its format says.
            StoreBusy: other writers held their turn for too long.
            ReadOnlyStore, StoreFault: the file cannot be written.
        """
        if not plan.operations:
            return Receipt()
        with turn(self.path):
            for attempt in range(1, _TRIES + 1):
                before = read_foreign(self.path)
                document = self._document(before)
                require_unchanged(document.entries, plan.reads)
                after = write_document(changed_document(document, plan))
                try:
                    replace_foreign(self.path, after, expected=before)
                    break
                except GuardMismatch:
                    if attempt == _TRIES:
                        raise
        return Receipt(paths=(self.name,))

    def _document(self, data: bytes | None) -> ProposalDocument:
        if data is None:
            return empty_document()
        try:
            return parse_document(data, self.name)
        except InvalidInput as error:
            raise CorruptRecord(
                f"proposal store {self.name} is unreadable or corrupt: {error.message}"
            ) from error


class HeldProposals:
    """Proposals that live as long as the process does."""

    def __init__(self) -> None:
        self._document = empty_document()

    def entries(self) -> tuple[ProposalEntry, ...]:
        """Return the proposals in the order in which they came."""
        return self._document.entries

    def commit(self, plan: Plan, *, stage: bool = False) -> Receipt:
        """Carry out the operations on proposals. Raises GuardMismatch as ``ProposalFile``."""
        require_unchanged(self._document.entries, plan.reads)
        self._document = changed_document(self._document, plan)
        return Receipt()


def require_unchanged(entries: Iterable[ProposalEntry], reads: Iterable[Read]) -> None:
    """Raise GuardMismatch if a proposal among ``reads`` has another status now."""
    there = tuple(entries)
    asked = [read for read in reads if read.what == "proposal"]
    found = {read: status_of(there, read.name, absent=ABSENT) for read in asked}
    changed = [(f"proposal {r.name}", r.value, now) for r, now in found.items() if now != r.value]
    if changed:
        raise GuardMismatch(changed)
