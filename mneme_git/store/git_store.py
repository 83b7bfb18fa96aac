"""The git store: the files of a branch, and the journal behind them, through the one port."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from mneme_git.errors import NoRepository, Refused
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.store import guard
from mneme_git.store.assemble import assemble
from mneme_git.store.backend import GitBackend
from mneme_git.store.branch_files import origin_of, read_branch
from mneme_git.store.intent import finish_pending, finish_under_lock
from mneme_git.store.kept_snapshots import (
    Sight,
    derived,
    keep_snapshot,
    recalled,
    sight_of_commit,
    sight_of_work_tree,
)
from mneme_git.store.lock import write_lock
from mneme_git.store.memory_divergence import divergence

if TYPE_CHECKING:
    import msgspec

_Value = TypeVar("_Value")
_HINT = "run `mneme restore` to see what the journal has and the branch has not"


class GitStore:
    """Decisions in a repository: of its work tree, or of ``revision`` if one is given (reading only).

    ``now`` gives UTC unix seconds, for the journal.
    """

    def __init__(self, backend: GitBackend, *, now: Callable[[], int], revision: str | None = None) -> None:
        self.backend = backend
        self.revision = revision
        self._now = now
        self._last: tuple[tuple[int, int, int], frozenset[str]] | None = None
        self._sight: Sight | None = None

    def load(self, *, anew: bool = False) -> Snapshot:
        """Return what the store holds now; a write that was cut short is finished first.

        ``anew`` reads every file, where else a large store is recalled if nothing of it has changed.

        Raises:
            NotFound: the revision names no commit.
        """
        notices = finish_pending(self.backend) if self.revision is None else ()
        self._sight = None if anew else self._seen()
        snapshot = self._recalled(self._sight) if self._sight else self._read()
        if self.revision is not None:
            return snapshot
        root = self.backend.work_tree
        faults = (*map(_unfinished, notices), *(divergence(root) if root is not None else ()))
        return replace(snapshot, faults=(*snapshot.faults, *faults)) if faults else snapshot

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Carry out ``plan`` if what it read is still so.

        When the journal has it, it is acknowledged: what then goes wrong with a file or with
        staging is told in the notices, and the next command tries again.

        Raises:
            GuardMismatch: what the plan read is no longer so.
            Refused: a decision that it read is contested, or a file was changed by hand.
            NewerFormat: a newer mneme wrote the store.
            StoreBusy: other writers held the lock for too long.
            ReadOnlyStore: the repository cannot be written.
        """
        from mneme_git.store.writing import write_plan  # a command that only reads does not load it

        if not plan.operations:
            return Receipt()
        root = self._writable_root()
        with write_lock(self.backend) as held:
            earlier = finish_under_lock(self.backend, held)
            guard.require_format(self.backend, root, plan, self._read)
            guard.check_reads(self.backend, root, plan, self._read, known=self._known())
            receipt = write_plan(self.backend, root, held, plan, now=self._now(), stage=stage)
        return _with_notices(receipt, earlier)

    def derived(
        self,
        name: str,
        decoder: "msgspec.msgpack.Decoder[_Value]",
        make: Callable[[], _Value],
        *,
        more: bytes = b"",
        newest_ns: int = 0,
    ) -> _Value:
        """Return what ``make`` gives, which for a large store may be recalled from an earlier command.

        It must follow from what was loaded last, from git's index and from ``more`` alone, and be
        called ``name`` by nothing else. If ``more`` tells of files by their times, ``newest_ns`` is the
        last of them.
        """
        if self._sight is None:
            return make()
        return derived(self._sight, name, decoder, make, more=more, newest_ns=newest_ns)

    def adr_files(self, folder: str) -> tuple[AdrSource, ...]:
        """Return every file directly in ``folder`` (repository-relative), by path.

        Raises:
            NotFound: there is no such folder.
            InvalidInput: it is not inside the work tree.
        """
        from mneme_git.store.adr_folder import adr_sources

        return adr_sources(self.backend, folder, self.revision)

    def _read(self) -> Snapshot:
        stamp = guard.index_stamp(self.backend)
        files = read_branch(self.backend, self.revision)
        snapshot = assemble(files)
        names = frozenset(state.decision_id for state in snapshot.decisions)
        self._last = None if stamp is None or files.stages else (stamp, names)
        return snapshot

    def _seen(self) -> Sight | None:
        if self.revision is not None:
            return sight_of_commit(self.backend, self.revision)
        return sight_of_work_tree(self.backend, guard.index_stamp(self.backend))

    def _recalled(self, sight: Sight) -> Snapshot:
        """Return what was read before if nothing has changed since, or else read and keep it."""
        found = recalled(sight, origin_of(self.revision))
        if found is None:
            found = self._read()
            if not keep_snapshot(sight, found):
                self._sight = None
        elif sight.index_stamp is not None:
            self._last = (sight.index_stamp, frozenset(state.decision_id for state in found.decisions))
        return found

    def _known(self) -> frozenset[str] | None:
        """Return the decisions read last, if git wrote no index since and no merge was open in it."""
        if self._last is None or self._last[0] != guard.index_stamp(self.backend):
            return None
        return self._last[1]

    def _writable_root(self) -> Path:
        if self.revision is not None:
            raise Refused(
                f"'{self.revision}' is a past state, which cannot be changed", hint="leave --at out"
            )
        if self.backend.work_tree is None:
            raise NoRepository(
                f"'{self.backend.git_dir}' is a bare repository, which has no files to change",
                hint="work in a clone of it",
            )
        return self.backend.work_tree


def _with_notices(receipt: Receipt, earlier: tuple[str, ...]) -> Receipt:
    return replace(receipt, notices=(*earlier, *receipt.notices)) if earlier else receipt


def _unfinished(notice: str) -> Fault:
    return Fault(code="UNFINISHED_WRITE", message=notice, hint=_HINT)
