"""The memories of one repository: what is known, the bodies, and recording.

What is recorded, and what is done to a memory, waits in the journal until it is committed; no file and
no index changes by it.
"""

from collections.abc import Callable, Iterable

from mneme_git.errors import NewerFormat, Refused
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import MemoryPlan, MemoryView, Written
from mneme_git.model.paths import FORMAT, FORMAT_TEXT
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.intent import finish_under_lock
from mneme_git.store.journal_entry import Note
from mneme_git.store.lock import write_lock
from mneme_git.store.memories_read import journal_path, read_memories
from mneme_git.store.memories_view import Viewer, view_of_revision
from mneme_git.store.pending import RECORD
from mneme_git.store.work_files import read_file
from mneme_git.store.writing import MAINTAIN_EVERY, worktree_name


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
        return self._viewer.now()

    def read(self, names: Iterable[str]) -> dict[str, Memory]:
        """Return memories by name, verified; what cannot be read anywhere is left out."""
        return read_memories(self.backend, names, self.revision)

    def write(self, plan: MemoryPlan, *, stage: bool = False) -> Written:
        """Record memories and make marks; acknowledged and durable when this returns.

        Raises:
            Refused: the store is a past state, or a memory was erased on purpose.
            NewerFormat: a newer mneme wrote the files of this repository.
            StoreBusy: other writers held the lock for too long.
            ReadOnlyStore: the repository cannot be written.
        """
        if self.revision is not None:
            raise Refused(
                f"'{self.revision}' is a past state, which cannot be changed", hint="leave --at out"
            )
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

    def _note(self, plan: MemoryPlan, names: tuple[str, ...]) -> Note:
        head = self.backend.head()
        branch = (head.branch or "") if plan.branch is None else plan.branch
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
