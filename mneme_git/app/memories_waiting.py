"""What waits to be committed, told with the command that takes it."""

import shlex
from collections.abc import Iterable, Iterator

import msgspec

from mneme_git.app.workspace import Workspace
from mneme_git.errors import MnemeError
from mneme_git.store.git_store import GitStore
from mneme_git.store.journal import tip
from mneme_git.store.memories_taking import Waiting

_TRUTH = msgspec.msgpack.Decoder(bool)


def waiting(workspace: Workspace, store: GitStore) -> tuple[Waiting, ...]:
    """Return what waits in the journal of a repository, by branch; nothing where that cannot be read.

    Without a journal nothing is looked at, and that nothing waits is recalled.
    """
    from mneme_git.store.memories_store import MemoriesStore
    from mneme_git.store.pending_fold import PendingFold

    def nothing_waits() -> bool:
        fold = PendingFold(store.backend)
        fold.advance()
        return not fold.state.branches()

    try:
        newest = tip(store.backend)
        if newest is None or store.derived("nothing-waits", _TRUTH, nothing_waits, more=newest.encode()):
            return ()
        return MemoriesStore(store.backend, now=workspace.now).waiting()
    except (MnemeError, OSError):  # that the journal cannot be read is told where records are looked for
        return ()


def waiting_text(rows: Iterable[Waiting], branch: str) -> Iterator[str]:
    """Yield lines about what waits; ``branch`` is that of the checkout, empty for a detached HEAD."""
    for row in rows:
        counts = [_count(row.memories, "memory", "memories")] if row.memories else []
        counts += [f"{_count(row.marks, 'memory', 'memories')} marked"] if row.marks else []
        counts += [f"{row.forgotten} forgotten before being committed"] if row.forgotten else []
        if not row.memories and not row.marks:
            yield f"pending {_where(row)}: {counts[0]}, which stay in the journal"
        else:
            yield f"pending {_where(row)}: {', '.join(counts)}; `{command(row, branch)}` commits them"


def command(row: Waiting, branch: str) -> str:
    """Return the command that commits what waits for a branch, on the branch of the checkout."""
    if row.branch == branch:
        return "mneme commit"
    return f"mneme commit --from {shlex.quote(row.branch)}" if row.branch else "mneme commit --detached"


def _where(row: Waiting) -> str:
    if not row.branch:
        return "on a detached HEAD"
    return f"on {row.branch}, a branch that is gone" if row.gone else f"on {row.branch}"


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
