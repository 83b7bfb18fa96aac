"""Committing what waits: the pending memories and marks of a branch, as one commit of the user's."""

from collections.abc import Callable
from typing import Any

from mneme_git.app.memories import Memories
from mneme_git.app.memories_open import Side
from mneme_git.app.memories_waiting import waiting_text
from mneme_git.errors import NotFound
from mneme_git.memories.naming import Names
from mneme_git.model.memory import Memory, MemoryScope
from mneme_git.store.memories_taking import Taken, Taking, Waiting
from mneme_git.text.printable import one_line

Row = dict[str, Any]
_FIRST_LINE = 72
_LISTED = 200


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
        NotFound: nothing waits for ``branch``, and there is no such branch.
        Refused: a merge or the like is under way, or git ignores the files.
        CommitRefused: git did not commit; everything is as it was, and waits on.
        NoRepository, StoreBusy, NewerFormat: as ``store.memories_commit.commit_pending``.
    """
    side = _side(memories, scope)
    if side is None:  # there never was a global memory
        return {
            "code": "NOTHING",
            "dry_run": dry_run,
            "commit": None,
            **_told(Taking(branch="", onto=""), str),
        }
    taking = side.store.pending(branch)
    told = _told(taking, _short(side))
    if branch and not taking.settled and not taking.left:
        _require_branch(side, branch)
    if dry_run or not taking.settled:
        code = "PREVIEW" if dry_run else "NOTHING"
        others = [] if taking.settled else _others(side, taking)
        return {"code": code, "dry_run": dry_run, "commit": None, **told, "waiting": others}
    written = side.store.commit_pending(
        branch=branch,
        message=message or (lambda made: _message(made, _short(side))),
        verify=verify,
        anonymous=scope is MemoryScope.GLOBAL,
    )
    code = "COMMITTED" if written.commit else "SETTLED"
    done = {"code": code, "dry_run": False, "commit": written.commit or None, **told}
    done["paths"] = list(written.paths) or told["paths"]
    notices = [*written.notices, *_on_no_branch(taking, written.commit), *memories.clone.notices()]
    return {**done, "notices": notices} if notices else done


def committed_text(done: Row) -> str:
    """Return what a commit of memories took, or would take, a line for each."""
    where = done["onto"] or "a detached HEAD"
    lines = [one_line(f"  {row['what']:<9} {row['short']}  {row['line']}") for row in done["rows"]]
    along = (
        f"  with the {len(done['made_along'])} files that `mneme init` makes" if done["made_along"] else ""
    )
    lines += [along] if along else []
    if done["commit"]:
        head = f"Committed on {where} as {done['commit'][:12]}: {_count(done)}"
    elif done["rows"] and done["dry_run"]:
        head = f"To commit on {where}: {_count(done)}"
    elif done["settled"] or (done["rows"] and done["code"] == "SETTLED"):
        head = f"Nothing to commit: {where} has all that waited already"
    else:
        head = f"Nothing waits to be committed on {where}"
    return "\n".join([one_line(head), *lines, *_told_left(done)])


def _side(memories: Memories, scope: MemoryScope) -> Side | None:
    # A look notes what is seen for the first time, such as that a memory was forgotten.
    return next((side for side in memories.clone.look().sides if side.scope is scope), None)


def _short(side: Side) -> Callable[[str], str]:
    return Names(side.store.view().standings).short


def _require_branch(side: Side, branch: str) -> None:
    if side.backend.read_ref(f"refs/heads/{branch}") is not None or side.store.view().branch == branch:
        return
    waits = ", ".join(f"'{row.branch}'" for row in side.store.waiting() if row.branch)
    hint = f"something waits for: {waits}" if waits else "nothing waits for any branch"
    raise NotFound("branch with pending memories", branch, hint=hint)


def _others(side: Side, taking: Taking) -> list[str]:
    rows: list[Waiting] = [row for row in side.store.waiting() if row.branch != taking.branch]
    return list(waiting_text(rows, taking.onto))


def _told(taking: Taking, short: Callable[[str], str]) -> Row:
    return {
        "branch": taking.branch or None,
        "onto": taking.onto or None,
        "memories": sum(row.record for row in taking.taken),
        "marks": sum(len(row.marks) for row in taking.taken),
        "names": [row.name for row in taking.taken],
        "rows": [_row(row, taking, short) for row in taking.taken],
        "settled": [row.name for row in taking.there],
        "left": list(taking.left),
        "unreadable": list(taking.unreadable),
        "paths": sorted(taking.files),
        "made_along": sorted(taking.layout),
    }


def _row(row: Taken, taking: Taking, short: Callable[[str], str]) -> Row:
    memory = taking.memories.get(row.name)
    return {
        "name": row.name,
        "short": short(row.name),
        "kind": memory.kind.value if memory else None,
        "record": row.record,
        "marks": list(row.marks),
        "what": _what(row, memory),
        "line": _first_line(memory),
    }


def _what(row: Taken, memory: Memory | None) -> str:
    """Return the kind of a memory that gets into the commit, or what was done to one, in a word or two."""
    if row.record and memory is not None:
        return memory.kind.value
    return ", ".join(dict.fromkeys(row.marks))


def _message(taking: Taking, short: Callable[[str], str]) -> str:
    """Return a message that says what the commit is, with a line for each memory."""
    count = len(taking.taken)
    rows = [_row(row, taking, short) for row in taking.taken[:_LISTED]]
    lines = [one_line(f"{row['what']} {row['short']} {row['line']}".rstrip()) for row in rows]
    lines += [f"... and {count - _LISTED} more"] if count > _LISTED else []
    subject = f"mneme: {count} {'memory' if count == 1 else 'memories'}"
    return "\n".join([subject, "", *lines]) + "\n"


def _first_line(memory: Memory | None) -> str:
    text = " ".join(
        next((line for line in (memory.body if memory else "").split("\n") if line.strip()), "").split()
    )
    return text if len(text) <= _FIRST_LINE else f"{text[: _FIRST_LINE - 3].rstrip()}..."


def _on_no_branch(taking: Taking, commit: str) -> list[str]:
    if not commit or taking.onto:
        return []
    return ["HEAD is detached, so the commit is on no branch; `git switch -c NAME` makes one of it"]


def _told_left(done: Row) -> list[str]:
    left, unreadable = len(done["left"]), len(done["unreadable"])
    lines = []
    if left:
        whose = "forgotten before it was" if left == 1 else "forgotten before they were"
        lines.append(f"Left in the journal: {left}, {whose} committed, or waiting for another branch")
    if unreadable:
        lines.append(f"Cannot be read, and left in the journal: {unreadable}; see `mneme verify`")
    return [*lines, *done.get("waiting", ())]


def _count(done: Row) -> str:
    counts = ((done["memories"], "memory", "memories"), (done["marks"], "mark", "marks"))
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)
