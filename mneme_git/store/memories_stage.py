"""Recording and marking with files at once, staged for the user's own next commit.

The journal comes first here, too: it has the memory, says that it is settled, and finishes the files if
this is cut short.
"""

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from mneme_git.errors import MnemeError, NoRepository, Refused
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import MemoryPlan, Written
from mneme_git.model.plan import ABSENT
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend, Head
from mneme_git.store.intent import (
    Change,
    Intent,
    branch_in,
    carry_out,
    clear_intent,
    finish_under_lock,
    save_intent,
)
from mneme_git.store.journal_entry import Note
from mneme_git.store.layout import missing_layout
from mneme_git.store.lock import write_lock
from mneme_git.store.memories_commit import Door, head_flags, is_laid_out, require_place
from mneme_git.store.memories_read import journal_path
from mneme_git.store.memories_taking import Read, Taking, take
from mneme_git.store.objects import blob, object_id
from mneme_git.store.pending import RECORD, PendingState
from mneme_git.store.under_way import branch_of_work
from mneme_git.store.work_files import read_files
from mneme_git.store.write_set import journal_name
from mneme_git.store.writing import worktree_name
from mneme_git.text.canonical import sha256_hex

_MADE_ALONG = "the files of `mneme init` were made along and staged, too"


def write_staged(backend: GitBackend, door: Door, plan: MemoryPlan) -> Written | str:
    """Record, mark, write the files and stage them; the reason if the files cannot be, and nothing is done.

    What else waits of these memories on the branch gets into files with it.

    Raises:
        NoRepository: the repository is bare.
        NewerFormat: a newer mneme wrote the store.
        StoreBusy: other writers held the lock for too long.
        StoreFault: a file cannot be read, or the journal cannot be written; nothing was written.
    """
    root = backend.work_tree
    if root is None:
        raise NoRepository(
            f"'{backend.git_dir}' is a bare repository, in which nothing can be staged",
            hint="leave --stage out, or run this in a clone of it",
        )
    head = backend.head()
    if plan.branch not in {None, branch_of_work(backend)}:
        return f"it is for branch '{plan.branch}', which is not checked out here"
    if (backend.git_dir / "index.lock").exists():
        return "git's index is locked"
    with write_lock(backend) as held:
        notices = finish_under_lock(backend, held)
        taking = _taking(backend, door, plan, head)
        try:
            require_place(backend, taking.files)
        except Refused as error:
            return error.message
        records, intent = _intent(backend, head, taking)
        try:
            appended = journal.append(
                backend,
                held,
                _note(backend, plan, head, taking),
                _bodies(plan) | records,
                now=door.now(),
                before_swap=lambda commit: save_intent(backend, replace(intent, journal=commit)),
            )
        except MnemeError:
            clear_intent(backend)
            raise
        done = carry_out(backend, intent, {path: d for path, d in taking.files.items() if d is not None})
        clear_intent(backend)
    return Written(
        names=tuple(name_of_bytes(encode_memory(memory)) for memory in plan.memories),
        journal=appended.commit,
        paths=tuple(taking.files),
        notices=(*notices, *([_MADE_ALONG] if taking.layout else []), *done.notices),
    )


def _taking(backend: GitBackend, door: Door, plan: MemoryPlan, head: Head) -> Taking:
    """Return what is taken of the memories of ``plan``, as if it were pending already."""
    sources = door.sources()
    old = sources.pending
    state = PendingState(records=dict(old.records), marks=dict(old.marks), known=dict(old.known))
    state.take(Note(verb=plan.verb, subject="", branch=branch_of_work(backend), pending=_pending(plan)))
    names = dict.fromkeys(name for _, name in _pending(plan))
    read = _reader(plan, door.read)
    found = take(replace(sources, pending=state), head_flags(backend), sources.branch, read, only=names)
    if not found.taken or is_laid_out(backend):
        return found
    return replace(found, layout=missing_layout(backend))


def _pending(plan: MemoryPlan) -> tuple[tuple[str, str], ...]:
    records = [(RECORD, name_of_bytes(encode_memory(memory))) for memory in plan.memories]
    return (*records, *((mark.action, mark.name) for mark in plan.marks))


def _bodies(plan: MemoryPlan) -> dict[str, bytes]:
    return {journal_path(name_of_bytes(data)): data for data in map(encode_memory, plan.memories)}


def _reader(plan: MemoryPlan, read: Read) -> Callable[[Iterable[str]], Mapping[str, Memory]]:
    mine = {name_of_bytes(encode_memory(memory)): memory for memory in plan.memories}

    def read_both(names: Iterable[str]) -> Mapping[str, Memory]:
        asked = tuple(names)
        return {**read([name for name in asked if name not in mine]), **mine}

    return read_both


def _note(backend: GitBackend, plan: MemoryPlan, head: Head, taking: Taking) -> Note:
    settled = {row.name for row in taking.settled}
    return Note(
        verb=plan.verb,
        subject=plan.subject,
        branch=branch_of_work(backend),
        head=head.oid or "",
        worktree=worktree_name(backend),
        wrote=tuple(_bodies(plan)),
        settled=tuple(settled),
        pending=tuple((word, name) for word, name in _pending(plan) if name not in settled),
    )


def _intent(backend: GitBackend, head: Head, taking: Taking) -> tuple[dict[str, bytes], Intent]:
    """Return what the journal has to keep for the files, and what is due of them."""
    assert backend.work_tree is not None
    before = read_files(backend.work_tree, taking.files)
    kept = {journal_name(path, old): old for path, old in before.items() if old is not None}
    new = {journal_name(path, data): data for path, data in taking.files.items() if data is not None}
    changes = tuple(
        Change(
            path=path,
            before=_hash(before[path]),
            after=_hash(data),
            blob="" if data is None else object_id(blob(data), backend.object_format),
        )
        for path, data in taking.files.items()
    )
    intent = Intent(journal="", branch=branch_in(head), head=head.oid or "", stage=True, changes=changes)
    return kept | new, intent


def _hash(data: bytes | None) -> str:
    return ABSENT if data is None else sha256_hex(data)
