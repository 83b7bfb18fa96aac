"""Committing what waits: the pending memories and marks of a branch, as one commit of the user's."""

from typing import Any

from mneme_git.app.memories import Memories
from mneme_git.model.memory import MemoryScope
from mneme_git.store.memories_taking import Taking

Row = dict[str, Any]


def committed(
    memories: Memories,
    *,
    scope: MemoryScope = MemoryScope.PROJECT,
    branch: str | None = None,
    message: str = "",
    verify: bool = True,
    dry_run: bool = False,
) -> Row:
    """Commit what waits for ``branch`` (None: that of the checkout; empty: a detached HEAD).

    Raises:
        Refused: a merge or the like is under way, or git ignores the files.
        CommitRefused: git did not commit; everything is as it was, and waits on.
        NoRepository, StoreBusy, NewerFormat: as ``store.memories_commit.commit_pending``.
    """
    side = next((side for side in memories.clone.look().sides if side.scope is scope), None)
    if side is None:  # there never was a global memory
        return {"code": "NOTHING", "dry_run": dry_run, "commit": None, **_told(Taking(branch="", onto=""))}
    taking = side.store.pending(branch)
    told = _told(taking)
    if dry_run or not taking.settled:
        return {"code": "PREVIEW" if dry_run else "NOTHING", "dry_run": dry_run, "commit": None, **told}
    written = side.store.commit_pending(branch=branch, message=message or _message, verify=verify)
    notices = [*written.notices, *memories.clone.notices()]
    done = {"code": "COMMITTED", "dry_run": False, "commit": written.commit or None, **told}
    done["paths"] = list(written.paths) or told["paths"]
    return {**done, "notices": notices} if notices else done


def _told(taking: Taking) -> Row:
    return {
        "branch": taking.branch or None,
        "memories": sum(row.record for row in taking.taken),
        "marks": sum(len(row.marks) for row in taking.taken),
        "names": [row.name for row in taking.taken],
        "left": list(taking.left),
        "unreadable": list(taking.unreadable),
        "paths": sorted(taking.files),
        "made_along": sorted(taking.layout),
    }


def _message(taking: Taking) -> str:
    """Return a subject that says what the commit is: how many memories, how many marks."""
    records = sum(row.record for row in taking.taken)
    marks = sum(len(row.marks) for row in taking.taken)
    parts = [f"{records} {'memory' if records == 1 else 'memories'}"] if records else []
    parts += [f"{marks} {'mark' if marks == 1 else 'marks'} on memories"] if marks else []
    return f"mneme: {' and '.join(parts) or 'memories'}\n"
