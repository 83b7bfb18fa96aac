"""Where proposals and decisions are, for the commands and tools that need both."""

from pathlib import Path
from typing import Protocol

from msgspec import Struct

from mneme_git.app.open import chosen_file, open_store
from mneme_git.app.workspace import DecisionStore, Workspace
from mneme_git.decisions.index_records import CanonicalIndex
from mneme_git.errors import InvalidInput
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.proposal_entry import ProposalEntry, entries_of
from mneme_git.store.memory_plain import needs_migration

PROPOSALS_NAME = "decision_proposals.json"
_DEFAULT_PROPOSALS = f".mneme/{PROPOSALS_NAME}"


class ProposalBook(Protocol):
    """A store of proposals with their verdicts."""

    def entries(self) -> tuple[ProposalEntry, ...]:
        """Return the proposals, in the order of the store."""
        ...

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Carry out the operations on proposals. Raises GuardMismatch if what was read has changed."""
        ...


class GitBook:
    """The proposals of a git store."""

    def __init__(self, store: DecisionStore) -> None:
        self._store = store

    def entries(self) -> tuple[ProposalEntry, ...]:
        """Return the proposals by their times, then by the names of their files."""
        snapshot = self._store.load()
        return entries_of(snapshot.proposals, snapshot.verdicts)

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Carry out ``plan``. Raises GuardMismatch if what it read has changed."""
        return self._store.commit(plan, stage=stage)


class Desk(Struct, frozen=True, kw_only=True):
    """A book of proposals and the store of decisions beside it.

    ``one_store`` tells that both are one git store, where a verdict and its decision are one write.
    """

    book: ProposalBook
    decisions: DecisionStore
    one_store: bool


def open_desk(
    workspace: Workspace, *, memory: str | None = None, proposals: str | None = None, at: str | None = None
) -> Desk:
    """Open the stores that a command of authority uses; a proposal file must be there.

    In a git store the proposals are among its files, unless ``proposals`` names a file. Beside a
    memory file they are in ``decision_proposals.json``.

    Raises:
        InvalidInput: the proposal file is not there, or its path is empty.
    """
    from mneme_git.store.proposal_file import ProposalFile

    if proposals == "":
        raise InvalidInput(
            "--proposals requires a path to an existing decision-proposals file (default: "
            f"{_DEFAULT_PROPOSALS}); an authority command never switches to an in-memory store"
        )
    desk = _desk(workspace, memory, proposals, at)
    if isinstance(desk.book, ProposalFile) and not desk.book.exists():
        raise InvalidInput(f"proposal store {desk.book.name} does not exist")
    return desk


def open_tool_desk(workspace: Workspace, *, memory: str | None = None, proposals: str | None = None) -> Desk:
    """Open the stores that the index tools use; a proposal file comes with the first proposal.

    Empty ``proposals`` keeps them in memory only.
    """
    from mneme_git.store.proposal_file import HeldProposals

    if proposals != "":
        return _desk(workspace, memory, proposals, None)
    opened = open_store(workspace, memory=memory)
    return Desk(book=HeldProposals(), decisions=opened.store, one_store=False)


def canonical_index(decisions: DecisionStore, *, need_head: bool = True) -> CanonicalIndex:
    """Read the decisions of a store, with what a memory file records beside them.

    Raises:
        Refused: the memory file has no index; how to migrate it is told.
        InvalidInput, InvalidMemory: there is no such file, or it is not what its format says.
    """
    from mneme_git.store.memory_file import MemoryFile
    from mneme_git.store.memory_recorded import recorded_in
    from mneme_git.store.memory_snapshot import indexed_snapshot

    if not isinstance(decisions, MemoryFile):
        return CanonicalIndex(decisions.load())
    contents = decisions.read(need_head=need_head)
    if contents.index is None:
        raise needs_migration(decisions.name)
    return CanonicalIndex(indexed_snapshot(contents.index, decisions.name), recorded_in(contents.index))


def _desk(workspace: Workspace, memory: str | None, proposals: str | None, at: str | None) -> Desk:
    from mneme_git.store.proposal_file import ProposalFile

    opened = open_store(workspace, memory=memory, at=at)
    named = proposals or (_beside(workspace, memory) if opened.kind == "file" else "")
    if at is not None and (named or opened.kind == "file"):
        raise InvalidInput(
            f"--at {at} is for the proposals of a git store, but this command reads the file '{named}'",
            hint="leave --at out",
        )
    if not named:
        return Desk(book=GitBook(opened.store), decisions=opened.store, one_store=True)
    book = ProposalFile(workspace.cwd / named, as_given=named)
    return Desk(book=book, decisions=opened.store, one_store=False)


def _beside(workspace: Workspace, memory: str | None) -> str:
    """Return the proposal file that goes with the memory file in use.

    A file that was named says nothing of where its proposals are; one that was found in a ``.mneme``
    has them beside it.
    """
    if memory or workspace.env.memory:
        return _DEFAULT_PROPOSALS
    return str(Path(chosen_file(workspace)).with_name(PROPOSALS_NAME))
