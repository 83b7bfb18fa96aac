"""The memories of one repository: what is known, the bodies, and recording.

What is recorded, and what is done to a memory, waits in the journal until it is committed; no file and
no index changes by it.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mneme_git.errors import NewerFormat, Refused
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import MemoryPlan, MemoryView, Written
from mneme_git.model.paths import FORMAT, FORMAT_TEXT
from mneme_git.model.snapshot import Fault
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.intent import finish_pending, finish_under_lock
from mneme_git.store.journal_entry import Note
from mneme_git.store.lock import write_lock
from mneme_git.store.memories_read import journal_path, read_memories
from mneme_git.store.memories_view import Viewer, view_of_revision
from mneme_git.store.pending import RECORD
from mneme_git.store.under_way import branch_of_work
from mneme_git.store.work_files import read_file
from mneme_git.store.writing import MAINTAIN_EVERY, worktree_name

if TYPE_CHECKING:
    from mneme_git.store.memories_commit import Door
    from mneme_git.store.memories_taking import Taking, Waiting


class MemoriesStore:
    """Memories in a repository, seen from its work tree or from ``revision`` (reading only).

    ``now`` gives UTC unix seconds, for the journal.
    """

    def __init__(self, backend: GitBackend, *, now: Callable[[], int], revision: str | None = None) -> None:
        self.backend = backend
        self.revision = revision
        self._now = now
        self._viewer = Viewer(backend)

    def view(self) -> MemoryView:
        """Return how every memory that is known here stands now.

        Raises:
            NotFound: the revision names no commit.
        """
        if self.revision is not None:
            return view_of_revision(self.backend, self.revision)
        notices = finish_pending(self.backend)  # files of a write that was cut short count, too
        view = self._viewer.now()
        faults = tuple(Fault(code="UNFINISHED_WRITE", message=notice) for notice in notices)
        return replace(view, faults=faults) if faults else view

    def read(self, names: Iterable[str]) -> dict[str, Memory]:
        """Return memories by name, verified; what cannot be read anywhere is left out."""
        return read_memories(self.backend, names, self.revision)

    def write(self, plan: MemoryPlan, *, stage: bool = False) -> Written:
        """Record memories and make marks; acknowledged and durable when this returns.

        With ``stage`` they get into files at once, staged for the user's next commit. Where these would
        be of no use (git ignores them, its index is locked) they wait as ever, and a notice says so.

        Raises:
            Refused: the store is a past state, or a memory was erased on purpose.
            NoRepository: it is to be staged, and the repository is bare.
            NewerFormat: a newer mneme wrote the files of this repository.
            StoreBusy: other writers held the lock for too long.
            ReadOnlyStore: the repository cannot be written.
        """
        self._require_present()
        if stage and (plan.memories or plan.marks):
            from mneme_git.store.memories_stage import write_staged

            staged = write_staged(self.backend, self._door(), plan)
            if not isinstance(staged, str):
                return staged
            written = self.write(plan)
            told = f"kept, but not staged: {staged}; it waits for `mneme commit`"
            return replace(written, notices=(*written.notices, told))
        bodies = {name_of_bytes(data): data for data in map(encode_memory, plan.memories)}
        if not bodies and not plan.marks:
            return Written()
        with write_lock(self.backend) as held:
            notices = finish_under_lock(self.backend, held)
            self._require_format()
            records = {journal_path(name): data for name, data in bodies.items()}
            appended = journal.append(
                self.backend, held, self._note(plan, tuple(bodies)), records, now=self._now()
            )
        if appended.sequence % MAINTAIN_EVERY == 0:
            self.backend.maintain()
        return Written(names=tuple(bodies), journal=appended.commit, notices=notices)

    def pending(self, branch: str | None = None) -> "Taking":
        """Return what a commit would take that waits for a branch; None is that of HEAD, "" a detached HEAD.

        Raises:
            Refused: the store is a past state.
        """
        from mneme_git.store.memories_commit import pending_of

        self._require_present()
        return pending_of(self.backend, self._door(), branch)

    def commit_pending(
        self,
        *,
        branch: str | None = None,
        message: "str | Callable[[Taking], str]",
        verify: bool = True,
        anonymous: bool = False,
    ) -> Written:
        """Commit what waits for a branch on the branch of this checkout; see ``memories_commit``."""
        from mneme_git.store.memories_commit import How, commit_pending

        self._require_present()
        how = How(message=message, verify=verify, anonymous=anonymous)
        return commit_pending(self.backend, self._door(), branch, how)

    def waiting(self) -> "tuple[Waiting, ...]":
        """Return what waits to be committed, by branch; that of this checkout comes first, if it has any."""
        from mneme_git.store.memories_commit import waiting

        return waiting(self.backend, self._door())

    def _door(self) -> "Door":
        from mneme_git.store.memories_commit import Door

        return Door(sources=self._viewer.sources, read=self.read, now=self._now)

    def _require_present(self) -> None:
        if self.revision is not None:
            raise Refused(
                f"'{self.revision}' is a past state, which cannot be changed", hint="leave --at out"
            )

    def _note(self, plan: MemoryPlan, names: tuple[str, ...]) -> Note:
        head = self.backend.head()
        branch = branch_of_work(self.backend) if plan.branch is None else plan.branch
        return Note(
            verb=plan.verb,
            subject=plan.subject,
            branch=branch,
            head=head.oid or "",
            worktree=worktree_name(self.backend),
            wrote=tuple(journal_path(name) for name in names),
            pending=(
                *((RECORD, name) for name in names),
                *((mark.action, mark.name) for mark in plan.marks),
            ),
        )

    def _require_format(self) -> None:
        root = self.backend.work_tree
        found = read_file(root, FORMAT) if root is not None else None
        if found is not None and found != FORMAT_TEXT:
            raise NewerFormat("a newer mneme wrote the store", hint="install the newer mneme")
