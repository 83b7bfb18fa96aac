"""What a writer is about to do in its work tree, so that a crash in between can be finished.

The intent of a work tree lies in its git folder, durable before the journal's ref moves, and after the
objects of the entry: if the ref holds the journal commit that the intent names, the write was
acknowledged and its files are due. If it can still come to hold it, because nothing was written since,
it is made to: the git program of a writer that was killed may be at work yet, and an entry that landed
later would be in the journal alone.
The file is written in place, which asks least of the disk: its first line tells the length and the
checksum of what follows, and begins with ``0`` when nothing is due. A torn one fails its checksum and
means that the ref cannot have moved.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from mneme_git.errors import MnemeError, ReadOnlyStore, StoreBusy
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.model.plan import ABSENT
from mneme_git.store.backend import GitBackend, Head
from mneme_git.store.journal import land_entry
from mneme_git.store.lock import Held, write_lock
from mneme_git.store.refs import sync_folders
from mneme_git.store.work_files import held_files, remove_files, remove_temporary, write_files
from mneme_git.text.canonical import sha256_hex

READER_WAIT_SECONDS = 0.1
_NOTHING = b"0"


class Change(Struct, frozen=True, kw_only=True):
    """One file: what it holds before and after, each a sha256 or ``absent``; ``blob`` has the bytes.

    ``before`` and ``after`` are equal where only staging is due.
    """

    path: str
    before: str
    after: str
    blob: str = ""


class Intent(Struct, frozen=True, kw_only=True):
    """The files that belong to one journal commit; ``branch`` and ``head`` say where they are due.

    ``changes`` stand in the order in which they are made.
    """

    journal: str
    branch: str
    head: str
    stage: bool
    changes: tuple[Change, ...]


class Done(Struct, frozen=True, kw_only=True):
    """What became of an intent."""

    paths: tuple[str, ...] = ()
    staged: bool = False
    notices: tuple[str, ...] = ()


def branch_in(head: Head) -> str:
    """Return the branch of HEAD as an intent names it, empty if detached; bytes that are no UTF-8 escaped."""
    return (head.branch or "").encode("utf-8", "backslashreplace").decode("utf-8")


def intent_path(backend: GitBackend) -> Path:
    """Return the path of the intent of this work tree."""
    return backend.git_dir / "mneme" / "intent"


def save_intent(backend: GitBackend, intent: Intent) -> None:
    """Make ``intent`` durable in the place of the one before it."""
    path = intent_path(backend)
    body = msgspec.json.encode(intent)
    head = f"{len(body)} {sha256_hex(body)}\n".encode("ascii")
    try:
        new = not path.exists()
        path.parent.mkdir(exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(head + body)
            file.flush()
            os.fsync(handle)
    except OSError as error:
        raise ReadOnlyStore(
            f"cannot write '{path}': {error.strerror}", hint="make the repository writable for this user"
        ) from error
    if new:
        sync_folders(path.parent, backend.git_dir)


def read_intent(backend: GitBackend) -> Intent | None:
    """Return the intent that is left, or None; a torn one is none."""
    try:
        head, _, rest = intent_path(backend).read_bytes().partition(b"\n")
        length, _, checksum = head.decode("ascii").partition(" ")
        body = rest[: int(length)]
        if not body or sha256_hex(body) != checksum:
            return None
        return msgspec.json.decode(body, type=Intent)
    except (OSError, ValueError, msgspec.DecodeError):
        return None


def clear_intent(backend: GitBackend) -> None:
    """Forget the intent; its work is done or no longer due."""
    try:
        with intent_path(backend).open("r+b") as file:
            file.write(_NOTHING)
    except FileNotFoundError:
        return


def is_pending(backend: GitBackend) -> bool:
    """Tell whether an intent is left, of a writer that died or is still at work."""
    try:
        with intent_path(backend).open("rb") as file:
            return file.read(1) not in {b"", _NOTHING}
    except OSError:
        return False


def finish_pending(backend: GitBackend) -> tuple[str, ...]:
    """Finish what a writer that died had begun in this work tree, and say what could not be done.

    Costs one look at a file where there is nothing to do. A reader that cannot have the lock, or may
    not write, goes on without: what it reads is complete but for the files of that write.
    """
    if not is_pending(backend):
        return ()
    try:
        with write_lock(backend, wait_seconds=READER_WAIT_SECONDS):
            return finish_under_lock(backend)
    except (StoreBusy, ReadOnlyStore):
        return ()
    except MnemeError as error:
        return (f"an earlier write is in the journal, but its files could not be written: {error.message}",)


def finish_under_lock(backend: GitBackend, held: Held | None = None) -> tuple[str, ...]:
    """Do as ``finish_pending``, by somebody who holds the lock; a writer gives ``held``, and has patience.

    Raises:
        StoreFault: the files cannot be written; the intent stays.
    """
    if not is_pending(backend):
        return ()
    intent = read_intent(backend)
    if intent is None or not land_entry(backend, ObjectId(intent.journal), held):
        clear_intent(backend)
        return ()
    if backend.work_tree is not None:
        remove_temporary(backend.work_tree, [change.path for change in intent.changes])
    head = backend.head()
    if (intent.branch, intent.head) != (branch_in(head), head.oid or ""):
        clear_intent(backend)
        return (_elsewhere(intent),)
    wanted = {c.path: backend.read(ObjectId(c.blob)).data for c in intent.changes if c.blob}
    done = carry_out(backend, intent, wanted)
    clear_intent(backend)
    return done.notices


def carry_out(backend: GitBackend, intent: Intent, wanted: Mapping[str, bytes]) -> Done:
    """Bring the files of ``intent`` into the work tree and stage them; ``wanted`` is bytes by path.

    A file that holds neither what it held before nor what it should hold was changed by somebody
    else in between: it is left alone, and a notice says so.

    Raises:
        StoreFault: a file cannot be written.
    """
    root = backend.work_tree
    if root is None:
        return Done()
    now = held_files(root, [change.path for change in intent.changes])
    left = [c.path for c in intent.changes if now[c.path] not in {c.before, c.after}]
    due = [c for c in intent.changes if now[c.path] == c.before != c.after]
    write_files(root, {c.path: wanted[c.path] for c in due if c.after != ABSENT})
    remove_files(root, [c.path for c in due if c.after == ABSENT])
    notices = [
        f"'{path}' was changed by somebody else meanwhile and left as it is; the journal has what was due"
        for path in left
    ]
    wanted_in_index = [c.path for c in intent.changes if c.path not in left] if intent.stage else []
    reason = _stage(backend, wanted_in_index) if wanted_in_index else ""
    if reason:
        notices.append(f"written but not staged: {reason}; `git add {ROOT}` stages it when that is over")
    return Done(
        paths=tuple(c.path for c in due),
        staged=bool(wanted_in_index) and not reason,
        notices=tuple(notices),
    )


def _stage(backend: GitBackend, paths: Sequence[str]) -> str:
    """Stage, and say why not; what was acknowledged is not taken back for a fault of staging."""
    try:
        return backend.stage(paths)
    except MnemeError as error:
        return error.message


def _elsewhere(intent: Intent) -> str:
    paths = ", ".join(change.path for change in intent.changes[:3])
    more = f" and {len(intent.changes) - 3} more" if len(intent.changes) > 3 else ""
    where = f"branch '{intent.branch}'" if intent.branch else "a detached HEAD"
    return (
        f"a write on {where} was cut short and HEAD has moved since, so its files were not written "
        f"({paths}{more}); the journal has them: `mneme restore` shows what is missing"
    )
