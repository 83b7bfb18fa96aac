"""Carrying out a plan whose read set was compared, under the lock: journal, files, staging."""

from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from mneme_git.errors import MnemeError
from mneme_git.model.plan import ABSENT, Plan, Receipt, plan_id
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend, Head
from mneme_git.store.guard import require_overwritable
from mneme_git.store.intent import Change, Intent, branch_in, carry_out, clear_intent, save_intent
from mneme_git.store.journal_entry import Note
from mneme_git.store.lock import Held
from mneme_git.store.objects import blob, object_id
from mneme_git.store.work_files import read_files
from mneme_git.store.write_set import WriteSet, journal_name, write_set
from mneme_git.text.canonical import sha256_hex

MAINTAIN_EVERY = 256


def write_plan(backend: GitBackend, root: Path, held: Held, plan: Plan, *, now: int, stage: bool) -> Receipt:
    """Write what ``plan`` says; acknowledged as soon as the journal has it.

    Files that hold what is wanted already are no write, but are staged if ``stage`` asks for it. What
    is overwritten or removed goes into the journal too.

    Raises:
        Refused: a file was changed by hand, or a record was erased on purpose.
        GuardMismatch: the plan never read what it would overwrite.
        StoreFault: a file cannot be read, or the journal cannot be written; nothing was written.
    """
    wanted = write_set(plan)
    before = read_files(root, wanted.files)
    for path, old in before.items():
        if old is not None and old != wanted.files[path]:
            require_overwritable(plan, path, old)
    head = backend.head()
    intent = Intent(
        journal="",
        branch=branch_in(head),
        head=head.oid or "",
        stage=stage,
        changes=tuple(_change(backend, path, before[path], new) for path, new in wanted.files.items()),
    )
    if not _is_news(backend, wanted, intent):
        return _finish(backend, intent, wanted)
    kept = {journal_name(path, old): old for path, old in before.items() if old is not None}
    try:
        appended = journal.append(
            backend,
            held,
            _note(backend, head, plan, wanted),
            kept | wanted.records,
            now=now,
            before_swap=lambda commit: save_intent(backend, replace(intent, journal=commit)),
        )
    except MnemeError:
        with suppress(OSError):  # who is told that nothing was written must not find it written later
            clear_intent(backend)
        raise
    receipt = _finish(backend, replace(intent, journal=appended.commit), wanted)
    if appended.sequence % MAINTAIN_EVERY == 0:
        backend.maintain()
    return receipt


def worktree_name(backend: GitBackend) -> str:
    """Return ``main``, or ``worktrees/<name>`` in a linked work tree; it survives a move of the folder."""
    if backend.git_dir == backend.common_dir:
        return "main"
    return backend.git_dir.relative_to(backend.common_dir).as_posix()


def _change(backend: GitBackend, path: str, old: bytes | None, new: bytes | None) -> Change:
    return Change(
        path=path,
        before=ABSENT if old is None else sha256_hex(old),
        after=ABSENT if new is None else sha256_hex(new),
        blob="" if new is None else object_id(blob(new), backend.object_format),
    )


def _is_news(backend: GitBackend, wanted: WriteSet, intent: Intent) -> bool:
    if any(change.before != change.after for change in intent.changes):
        return True
    gone = [change.path for change in intent.changes if change.after == ABSENT]
    if any(backend.index_entries(path) for path in gone):
        return True  # deleted by hand before: only now it is removed
    return any(journal.read_record(backend, name) is None for name in sorted(wanted.evidence))


def _note(backend: GitBackend, head: Head, plan: Plan, wanted: WriteSet) -> Note:
    states = {journal.state_name(state.digest) for state in wanted.states}
    return Note(
        verb=plan.verb,
        subject=plan.subject,
        plan=plan_id(plan),
        branch=head.branch or "",
        head=head.oid or "",
        worktree=worktree_name(backend),
        states=wanted.states,
        wrote=tuple(sorted(wanted.records.keys() - states)),
        removed=wanted.removed,
    )


def _finish(backend: GitBackend, intent: Intent, wanted: WriteSet) -> Receipt:
    """Bring the files into the work tree; a fault here takes nothing back, for the journal has them."""
    contents = {path: data for path, data in wanted.files.items() if data is not None}
    try:
        done = carry_out(backend, intent, contents)
    except MnemeError as error:
        if not intent.journal:
            raise
        told = f"the journal has it, but its files could not be written: {error.message}"
        return Receipt(journal=intent.journal, notices=(f"{told}; the next command tries again",))
    if intent.journal:
        clear_intent(backend)
    return Receipt(journal=intent.journal, paths=done.paths, staged=done.staged, notices=done.notices)
