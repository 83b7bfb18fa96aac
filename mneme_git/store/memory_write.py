"""Writing a memory file: the bytes, and a plan carried out without losing what others write.

Our writers take turns. A plan names the decisions it was made from, and under the turn these are
compared with what the file then holds; so writers of different decisions never stand in each other's
way. A program that takes no turns is noticed by the bytes, and the plan is carried out again on top
of what it wrote.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mneme_git.errors import GuardMismatch, InvalidMemory, InvalidResult
from mneme_git.model.activation import activated
from mneme_git.model.codec import state_digest
from mneme_git.model.plan import ABSENT, Plan, Read
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.backend import GitObject
from mneme_git.store.foreign_file import read_foreign, replace_foreign, turn
from mneme_git.store.memory_change import change_index
from mneme_git.store.memory_plain import change_rows
from mneme_git.store.memory_read import contents_of, missing, snapshot_of
from mneme_git.store.objects import object_id

WAIT_SECONDS = 60.0
_TRIES = 20
# The format rewrites the file for this verb even if nothing is imported.
ALWAYS_FORMATS = frozenset({"adr import"})
# The format builds all rows of `decisions` anew, but for this verb, which only adds its own.
_KEEPS_ROWS = frozenset({"accept"})
_SHA256_DIGITS = 64


def encode_document(document: Any) -> bytes:
    """Return the bytes of a memory file: indent 2, ASCII, keys in their order, one LF at the end."""
    return (json.dumps(document, indent=2, ensure_ascii=True) + "\n").encode("ascii")


def write_memory(path: Path, name: str, make: Callable[[bytes], bytes | None]) -> tuple[bytes, bytes] | None:
    """Replace the file by what ``make`` makes of its bytes; return both, or None if nothing changes.

    ``make`` may be asked several times: whenever another program was faster. ``name`` is the file as
    the user gave it.

    Raises:
        InvalidInput: there is no such file.
        GuardMismatch: other programs wrote all the time.
        StoreBusy, ReadOnlyStore, StoreFault: the file cannot be written.
    """
    if not path.exists():
        raise missing(name)
    with turn(path, wait_seconds=WAIT_SECONDS):
        for attempt in range(1, _TRIES + 1):
            before = read_foreign(path)
            if before is None:
                raise missing(name)
            after = make(before)
            if after is None or after == before:
                return None
            try:
                replace_foreign(path, after, expected=before)
            except GuardMismatch:
                if attempt == _TRIES:
                    raise
                continue
            return before, after
    return None


def carried_out(data: bytes, plan: Plan, *, path: Path, name: str, now: str) -> bytes:
    """Return the bytes of the memory file ``data`` with ``plan`` carried out.

    ``now`` is UTC, ``YYYY-MM-DDTHH:MM:SSZ``, for the activation record.

    Raises:
        InvalidMemory: the file is not what the format says.
        GuardMismatch: something that the plan read is no longer so.
        Refused: the format has no place for the change, or its result would not be valid.
    """
    before = contents_of(data, path, need_head=False)
    snapshot = snapshot_of(before, name)
    _check_reads(plan.reads, snapshot, data, path)
    document = before.document
    if before.index is None:
        change_rows(document, plan.operations, snapshot, name)
    else:
        change_index(document, plan.operations, keep_row=lambda _: plan.verb in _KEEPS_ROWS)
    if plan.activates:
        _activate(document, name, now)
    after = encode_document(document)
    _verify(after, path)
    return after


def edited(data: bytes, edit: Callable[[dict[str, Any]], bool], path: Path) -> bytes | None:
    """Return the bytes of the memory file ``data`` after ``edit``; None if it says that it did nothing.

    Raises:
        InvalidMemory: the file is not what the format says.
        Refused: the result would not be valid.
    """
    document = contents_of(data, path, need_head=False).document
    if not edit(document):
        return None
    after = encode_document(document)
    _verify(after, path)
    return after


def _verify(data: bytes, path: Path) -> None:
    try:
        contents_of(data, path, need_head=False)
    except InvalidMemory as error:
        detail = error.detail if error.detail != error.reason else ""
        raise InvalidResult(error.reason, detail=detail) from error


def _activate(document: dict[str, Any], name: str, now: str) -> None:
    record = activated(document.get("activation"), present="activation" in document, path=name, now=now)
    if record is not None:
        document["activation"] = record


def _check_reads(reads: Iterable[Read], snapshot: Snapshot, data: bytes, path: Path) -> None:
    changed = [
        (f"{read.what} {read.name}", read.value, found)
        for read in reads
        if (found := _present(read, snapshot, data, path)) != read.value
    ]
    if changed:
        raise GuardMismatch(changed)


def _present(read: Read, snapshot: Snapshot, data: bytes, path: Path) -> str:
    """Return the present value of what was read; ADR paths are relative to the folder of the file."""
    if read.what == "decision":
        state = snapshot.state(read.name)
        return ABSENT if state is None else state_digest(state)
    if read.what == "file":
        return blob_id(data, read.value)
    if read.what == "adr":
        found = read_foreign(path.resolve().parent / read.name)
        return ABSENT if found is None else blob_id(found, read.value)
    return read.value


def blob_id(data: bytes, like: str = "") -> str:
    """Return the git blob id of ``data``, in the object format that ``like`` is in."""
    object_format = "sha256" if len(like) == _SHA256_DIGITS else "sha1"
    return object_id(GitObject("blob", data), object_format)
