"""Is what a plan was based on still so? Asked under the lock, at the price of what the plan read."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mneme_git.errors import CorruptRecord, GuardMismatch, NewerFormat, Refused
from mneme_git.model.codec import decode_state, state_digest
from mneme_git.model.ids import DecisionId
from mneme_git.model.paths import CONFIG, FORMAT, FORMAT_TEXT, ROOT, classify, decision_path
from mneme_git.model.plan import ABSENT, Plan, Read
from mneme_git.model.proposal_entry import entries_of, status_of
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.backend import GitBackend
from mneme_git.store.objects import blob, object_id
from mneme_git.store.soundness import sound_state
from mneme_git.store.work_files import held, read_file
from mneme_git.store.work_tree import names_in
from mneme_git.text.quoting import quoted

CONTESTED = "contested"
_FEW = 2
# Files that a newer content may take the place of: their names say what they must hold, or they
# are marks. Whatever they held goes to the journal.
_REPLACEABLE = frozenset({"version", "proposal", "memory", "forgotten", "pinned", "keep"})


def require_format(backend: GitBackend, root: Path, plan: Plan, load: Callable[[], Snapshot]) -> None:
    """Refuse to write into a store of a newer format, or where there is no store yet.

    Raises:
        NewerFormat: a newer mneme wrote the store.
        CorruptRecord: the format number cannot be read.
        Refused: ``mneme init`` has not been run.
    """
    if read_file(root, FORMAT) == FORMAT_TEXT:
        return
    faults = {fault.code: fault for fault in load().faults}
    if "NEWER_WRITER" in faults:
        raise NewerFormat(
            faults["NEWER_WRITER"].message, hint="install the newer mneme; this one only reads here"
        )
    if "FORMAT_UNREADABLE" in faults:
        raise CorruptRecord(faults["FORMAT_UNREADABLE"].message, hint=f"restore '{FORMAT}' from git")
    known = backend.index_entries(FORMAT) or any(getattr(op, "path", "") == FORMAT for op in plan.operations)
    if not known and "FORMAT_MISSING" in faults:
        raise Refused(
            f"'{FORMAT}' is gone, but records are there; nothing was written",
            hint="bring it back from git, or run `mneme init`, which makes what is missing",
        )
    if not known:
        raise Refused(f"this repository has no '{FORMAT}' yet; nothing was written", hint="run `mneme init`")


def index_stamp(backend: GitBackend) -> tuple[int, int, int] | None:
    """Return what changes whenever git writes the index; None where another index is in use."""
    if "GIT_INDEX_FILE" in os.environ:
        return None
    try:
        found = (backend.git_dir / "index").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def check_reads(
    backend: GitBackend,
    root: Path,
    plan: Plan,
    load: Callable[[], Snapshot],
    *,
    known: frozenset[str] | None = None,
) -> None:
    """Compare the read set of ``plan`` with what is there now; ``load`` reads the whole store.

    ``known`` are the decisions that were there when the index was as it is now, no merge open in it.

    Raises:
        Refused: a decision that was read is contested.
        GuardMismatch: something that was read is different now; every difference is in it.
    """
    decisions = [read for read in plan.reads if read.what == "decision"]
    proposals = [read for read in plan.reads if read.what == "proposal"]
    found: dict[Read, str] = {}
    if proposals or not _plainly_unchanged(backend, root, decisions, known):
        snapshot = load()
        entries = entries_of(snapshot.proposals, snapshot.verdicts)
        found = {read: _decision_value(snapshot, read.name) for read in decisions}
        for read, value in found.items():
            if value == CONTESTED != read.value:
                raise contested(read.name)
        found |= {read: status_of(entries, read.name, absent=ABSENT) for read in proposals}
    sources = [read for read in plan.reads if read.what in {"adr", "file"}]
    found |= _source_values(backend, root, sources)
    found |= {read: held(root, read.name or CONFIG) for read in plan.reads if read.what == "config"}
    found |= {read: names_in(root, read.name) for read in plan.reads if read.what == "folder"}
    changed = [
        (f"{r.what} {r.name}", r.value, found[r]) for r in plan.reads if found.get(r, r.value) != r.value
    ]
    if changed:
        raise GuardMismatch(changed)


def contested(decision_id: str) -> Refused:
    """Return the refusal of a change of a decision on which branches disagree."""
    return Refused(
        f"decision {quoted(decision_id)} is contested: branches disagree on it; nothing was written",
        hint=f"run `mneme decision resolve {decision_id}` first",
    )


def require_overwritable(plan: Plan, path: str, before: bytes) -> None:
    """Refuse to overwrite or remove a file whose content the plan does not know.

    ``before`` differs from what the plan wants.

    Raises:
        Refused: the file was changed by hand.
        GuardMismatch: the plan never read what the file holds.
    """
    kind = classify(path).kind
    if kind in _REPLACEABLE:
        return
    reads: dict[tuple[str, str], str] = {(read.what, read.name): read.value for read in plan.reads}
    if any((what, path) in reads for what in ("file", "config")):
        return  # compared already
    if kind == "decision":
        _require_decision_known(reads, path, before)
    else:
        raise GuardMismatch([(path, "not read", "a file of other content")])


def _require_decision_known(reads: Mapping[tuple[str, str], str], path: str, before: bytes) -> None:
    if CONTESTED in reads.values():
        return  # a resolution: what the file holds is one of the sides, or a mixture of them
    try:
        state, good = sound_state(before)[0], True
    except CorruptRecord:
        try:
            state, good = decode_state(before)[0], False
        except CorruptRecord:
            raise _edited(path) from None
    value = reads.get(("decision", state.decision_id))
    if value == state_digest(state):
        return
    if not good:
        raise _edited(path)
    raise GuardMismatch([(f"decision {state.decision_id}", value or "not read", state_digest(state))])


def _edited(path: str) -> Refused:
    return Refused(
        f"'{path}' was changed by hand and does not agree with its digest; nothing was written",
        hint="`mneme verify` says what is wrong with it, `mneme restore ID` brings back its last good state",
    )


def _plainly_unchanged(
    backend: GitBackend, root: Path, reads: Iterable[Read], known: frozenset[str] | None
) -> bool:
    """Tell at little cost whether all decisions are as they were read; False means: look closely."""
    wanted = list(reads)
    if not wanted:
        return True
    if any(not _file_agrees(root, read) for read in wanted):
        return False
    names = {read.name for read in wanted if read.value == ABSENT}
    if known is not None:
        # The files were looked at above; the index can hold no more than it held then.
        return names.isdisjoint(known)
    if backend.unmerged(ROOT):
        return False
    absent = {decision_path(DecisionId(name)) for name in names}
    # One question for each of a few paths is cheaper than one for the whole folder.
    asked = absent if len(absent) <= _FEW else {f"{ROOT}/decisions"}
    return not any(entry.path in absent for path in asked for entry in backend.index_entries(path))


def _file_agrees(root: Path, read: Read) -> bool:
    data = read_file(root, decision_path(DecisionId(read.name)))
    if data is None or read.value == ABSENT:
        return data is None and read.value == ABSENT
    try:
        state, _ = sound_state(data)
    except CorruptRecord:
        return False
    return state.decision_id == read.name and state_digest(state) == read.value


def _decision_value(snapshot: Snapshot, decision_id: str) -> str:
    if snapshot.contest(decision_id) is not None:
        return CONTESTED
    state = snapshot.state(decision_id)
    return ABSENT if state is None else state_digest(state)


def _source_values(backend: GitBackend, root: Path, reads: Iterable[Read]) -> dict[Read, str]:
    wanted = list(reads)
    there = sorted({read.name for read in wanted if (root / read.name).exists()})
    data = backend.clean_files(there) if there else {}
    blobs = {path: object_id(blob(found), backend.object_format) for path, found in data.items()}
    return {read: blobs.get(read.name, ABSENT) for read in wanted}
