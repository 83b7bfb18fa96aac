"""``mneme commit``: what is pending becomes files, and these files, nothing else, become a commit.

The git program makes the commit, so that the user's hooks and signature are part of it. The write
lock is not held while it works: a hook may take long, and may itself record something. What is recorded
meanwhile is not taken, and stays pending.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import CommitRefused, CorruptRecord, MnemeError, NewerFormat, NoRepository, Refused
from mneme_git.model.codec import FORMAT_NUMBER
from mneme_git.model.ids import ObjectId
from mneme_git.model.memory_view import Written
from mneme_git.model.paths import FORMAT, FORMAT_TEXT, ROOT
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.intent import finish_under_lock
from mneme_git.store.journal_entry import Note
from mneme_git.store.layout import missing_layout
from mneme_git.store.lock import file_lock, write_lock
from mneme_git.store.memories_here import FOLDER, flags_of_entries
from mneme_git.store.memories_standing import Sources
from mneme_git.store.memories_taking import Read, Taken, Taking, Waiting, due, take
from mneme_git.store.memories_undo import Before, bring, enter, put_back
from mneme_git.store.objects import blob, object_id
from mneme_git.store.partial_commit import commit_paths, refused
from mneme_git.store.pending import RECORD, PendingState
from mneme_git.store.through_git import ThroughGit
from mneme_git.store.traces import in_git
from mneme_git.store.under_way import require_quiet
from mneme_git.store.work_files import read_file
from mneme_git.store.writing import MAINTAIN_EVERY, worktree_name

VERB = "memory-commit"
_FILE_STORE = f"{ROOT}/project_memory.json"


class Door(Struct, frozen=True, kw_only=True):
    """What a commit needs beside git: what is known of memories, their bodies, and the time."""

    sources: Callable[[], Sources]
    read: Read
    now: Callable[[], int]


class How(Struct, frozen=True, kw_only=True):
    """How a commit is made.

    ``message`` is its message, or gives it. Without ``verify`` the hooks that may refuse do not run. If
    ``anonymous``, it is made in mneme's name where git knows none of the user's.
    """

    message: str | Callable[[Taking], str]
    verify: bool = True
    anonymous: bool = False


def waiting(backend: GitBackend, door: Door) -> tuple[Waiting, ...]:
    """Return what waits to be committed, that of this checkout first, then by branch; bodies are not read."""
    sources, head = door.sources(), head_flags(backend)
    here = sources.branch
    found: list[Waiting] = []
    for branch in sorted(sources.pending.branches(), key=lambda branch: (branch != here, branch)):
        rows, left = due(sources, head, branch)
        taken = [row for row in rows if row.files]
        counted = Waiting(
            branch=branch,
            memories=sum(row.record for row in taken),
            marks=sum(bool(row.marks) for row in taken),
            forgotten=sum(sources.pending.waits(name, branch) for name in left),
            gone=branch not in {"", here} and backend.read_ref(f"refs/heads/{branch}") is None,
        )
        if counted.memories or counted.marks or counted.forgotten:
            found.append(counted)
    return tuple(found)


def pending_of(backend: GitBackend, door: Door, branch: str | None = None) -> Taking:
    """Return what a commit would take of what waits for ``branch`` (None: that of HEAD). Writes nothing."""
    sources = door.sources()
    branch = sources.branch if branch is None else branch
    taking = take(sources, head_flags(backend), branch, door.read)
    if not taking.taken or backend.work_tree is None or is_laid_out(backend):
        return taking
    return replace(taking, layout=missing_layout(backend))


def commit_pending(backend: GitBackend, door: Door, branch: str | None, how: How) -> Written:
    """Commit what waits for ``branch`` (None: that of HEAD) on the branch of this checkout.

    Without anything to commit nothing is written but that what the branch has already is settled.

    Raises:
        NoRepository: the repository is bare.
        Refused: a merge or the like is under way, git ignores the files, or a memory file is in use.
        CommitRefused: git did not commit (a hook, the signature, no identity); all is as it was.
        StoreBusy: git's index is locked, or other writers held a lock for too long.
        NewerFormat: a newer mneme wrote the store.
        ReadOnlyStore: the repository cannot be written.
    """
    if backend.work_tree is None:
        raise NoRepository(
            f"'{backend.git_dir}' is a bare repository, in which nothing can be committed",
            hint="run this in a clone of it",
        )
    with file_lock(_lock(backend)):
        taking = pending_of(backend, door, branch)
        if not taking.taken:
            return _settle(backend, door, taking, "")
        require_quiet(backend)
        require_place(backend, taking.files)
        with write_lock(backend) as held:
            notices = finish_under_lock(backend, held)
            taking = pending_of(backend, door, branch)
            before = bring(backend, taking.files)
        head = backend.resolve("HEAD")
        with _taken_back(backend, before, taking):
            _enter(backend, before)
            _commit(backend, taking, how)
        written = _done(backend, door, taking, notices)
    return written if written.commit != head else replace(written, commit="")


def is_laid_out(backend: GitBackend) -> bool:
    """Tell whether the files of ``mneme init`` are there, in the work tree or in git's index."""
    root = backend.work_tree
    if root is not None and read_file(root, FORMAT) is not None:
        return True
    return bool(backend.index_entries(FORMAT))


def require_place(backend: GitBackend, files: Mapping[str, bytes | None]) -> None:
    """Refuse to put memories into files where these would do harm or be of no use.

    Raises:
        NewerFormat: a newer mneme wrote the store.
        CorruptRecord: its format number cannot be read.
        Refused: a memory file is in use, the store is staged for removal, or git ignores a file.
    """
    root = backend.work_tree
    assert root is not None
    _require_format(backend)
    if not is_laid_out(backend):
        head = backend.resolve("HEAD")
        if head is not None and backend.tree_files(head, FORMAT):
            raise Refused(
                f"'{ROOT}' is staged for removal; nothing was committed",
                hint="commit the removal, or unstage it; what is pending is kept",
            )
        if os.path.exists(root / _FILE_STORE) and not in_git(backend):  # noqa: PTH110 - a closed folder
            raise Refused(
                f"the decisions of this repository are in '{_FILE_STORE}'; beside memories in git they "
                "would no longer be read",
                hint="`mneme decision-index migrate --to-git` moves them into git; what is pending is kept",
            )
    rule = _ignoring(backend, files)
    if rule:
        raise Refused(
            f"git ignores {ROOT} ({rule}); nothing was committed",
            hint=f"add the line `!/{ROOT}/` after that rule, then run the command again",
        )


def _lock(backend: GitBackend) -> Path:
    folder = backend.git_dir / "mneme"
    with suppress(OSError):  # the lock says it better
        folder.mkdir(exist_ok=True)
    return folder / "commit.lock"


def head_flags(backend: GitBackend) -> dict[str, int]:
    """Return what the files of HEAD say of memories, by name."""
    head = backend.resolve("HEAD")
    return flags_of_entries(backend, backend.tree_files(head, FOLDER)) if head else {}


def _require_format(backend: GitBackend) -> None:
    root = backend.work_tree
    found = read_file(root, FORMAT) if root is not None else None
    if found is None or found == FORMAT_TEXT:
        return
    number = found.strip()
    if number.isdigit() and int(number[:9]) > FORMAT_NUMBER:
        raise NewerFormat(
            "a newer mneme wrote the store; nothing was written", hint="install the newer mneme"
        )
    raise CorruptRecord(f"'{FORMAT}' does not hold a format number", hint=f"restore '{FORMAT}' from git")


def _ignoring(backend: GitBackend, files: Mapping[str, bytes | None]) -> str:
    """Return the rule by which git ignores one of the files; those that it tracks it does not ignore."""
    known = {entry.path for entry in backend.index_entries(ROOT)}
    new = [path for path, data in files.items() if data is not None and path not in known]
    one_of_each = {path.rpartition(".")[2]: path for path in new}
    rules = (backend.ignored(path) for path in one_of_each.values())
    return next((rule for rule in rules if rule), "")


def _enter(backend: GitBackend, before: Before) -> None:
    reason = enter(backend, before)
    if reason:
        raise CommitRefused(f"git does not take the files: {reason}", hint="see `git status`")


def _commit(backend: GitBackend, taking: Taking, how: How) -> None:
    assert isinstance(backend, ThroughGit)
    paths = [*taking.layout, *(path for row in taking.taken for path in row.committed)]
    if not paths:
        return
    if (backend.head().branch or "") != taking.onto:
        raise Refused(
            "another branch was checked out meanwhile; nothing was committed", hint="run the command again"
        )
    message = how.message if isinstance(how.message, str) else how.message(taking)
    ran = commit_paths(backend, paths, message, verify=how.verify, anonymous=how.anonymous)
    if ran.code != 0 and not _has_all(backend, taking):
        raise refused(ran)


@contextmanager
def _taken_back(backend: GitBackend, before: Before, taking: Taking) -> Iterator[None]:
    """Take everything back if it fails or is stopped, unless the commit was made all the same."""
    head = backend.resolve("HEAD")
    try:
        yield
    except BaseException as error:
        if backend.resolve("HEAD") != head and _has_all(backend, taking):
            if isinstance(error, Exception):
                return
            raise
        try:
            put_back(backend, before)
        except MnemeError as fault:
            raise CommitRefused(
                f"{error}\nand not all of it could be taken back: {fault.message}", hint=fault.hint
            ) from error
        raise


def _has_all(backend: GitBackend, taking: Taking) -> bool:
    head = backend.resolve("HEAD")
    if head is None:
        return False
    there = {entry.path for entry in backend.tree_files(head, ROOT)}
    wanted = taking.files
    return all(
        (wanted[path] is not None) == (path in there) for row in taking.taken for path in row.committed
    )


def _done(backend: GitBackend, door: Door, taking: Taking, notices: tuple[str, ...]) -> Written:
    """Settle what HEAD has now; a hook may have kept a file out."""
    head = backend.resolve("HEAD")
    there = {entry.path: entry.oid for entry in backend.tree_files(head, ROOT)} if head else {}
    rest = [path for row in taking.taken for path in row.files if path not in row.committed]
    reason = backend.stage(rest) if rest else ""
    told = [f"not staged: {reason}"] if reason else []
    kept_out: list[Taken] = []
    for row in taking.taken:
        wanted = {path: row.files[path] for path in row.committed}
        if any((data is not None) != (path in there) for path, data in wanted.items()):
            kept_out.append(row)
        told += [
            f"'{path}' was committed with other bytes than mneme gave it: see to the hook or filter"
            for path, data in wanted.items()
            if data is not None and path in there and there[path] != _oid(backend, data)
        ]
    told += [f"memory '{row.name}' did not get into the commit, and stays pending" for row in kept_out]
    taking = replace(taking, taken=tuple(row for row in taking.taken if row not in kept_out))
    try:
        written = _settle(backend, door, taking, head or "")
    except MnemeError as error:
        told.append(f"committed, but not noted in the journal yet, which the next one does: {error.message}")
        written = Written(names=tuple(row.name for row in taking.settled), commit=head or "")
    return replace(written, paths=tuple(taking.files), notices=(*notices, *told, *written.notices))


def _oid(backend: GitBackend, data: bytes) -> ObjectId:
    return object_id(blob(data), backend.object_format)


def _settle(backend: GitBackend, door: Door, taking: Taking, commit: str) -> Written:
    """Say in the journal that these are settled; what was recorded of them since is said to be pending."""
    if not taking.settled:
        return Written(commit=commit)
    with write_lock(backend) as held:
        finish_under_lock(backend, held)
        rows, left = settling(door.sources().pending, taking.settled, taking.branch)
        if not rows:
            return Written(names=tuple(row.name for row in taking.settled), commit=commit)
        note = Note(
            verb=VERB,
            subject=rows[0].name if len(rows) == 1 else f"{len(rows)} memories",
            branch=taking.branch,
            head=backend.resolve("HEAD") or "",
            worktree=worktree_name(backend),
            settled=tuple(row.name for row in rows),
            pending=left,
        )
        appended = journal.append(backend, held, note, {}, now=door.now())
    if appended.sequence % MAINTAIN_EVERY == 0:
        backend.maintain()
    names = tuple(row.name for row in taking.settled)
    return Written(names=names, journal=appended.commit, commit=commit)


def settling(
    pending: PendingState, rows: Sequence[Taken], branch: str
) -> tuple[list[Taken], tuple[tuple[str, str], ...]]:
    """Return which of ``rows`` still wait, and what of them was recorded since they were taken.

    To settle a memory drops all that waits of it on the branch, so what came later is said again.
    """
    found: list[Taken] = []
    left: list[tuple[str, str]] = []
    for row in rows:
        marks = pending.marks_of(row.name, branch)
        if not marks and not pending.waits(row.name, branch):
            continue  # another command was faster
        found.append(row)
        is_more = marks[: len(row.marks)] == row.marks
        left += [(word, row.name) for word in (marks[len(row.marks) :] if is_more else marks)]
        if not row.record and pending.waits(row.name, branch):
            left.append((RECORD, row.name))
    return found, tuple(left)
