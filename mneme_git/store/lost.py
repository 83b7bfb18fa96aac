"""What the journal has and this checkout has not: lost, or kept by a commit or another work tree.

*Lost* is a version, proposal, verdict or memory in the journal that is in no commit reachable from a
ref or reflog, in no index and in no work tree of this clone. Of a decision's states only the last one
that was written on a branch can be lost. A signature goes with its verdict. A memory that waits to be
committed is where it should be, also if it was forgotten before.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import CorruptRecord, MnemeError
from mneme_git.model.codec import state_digest
from mneme_git.model.ids import DecisionId, ObjectId, ProposalId, VersionId
from mneme_git.model.paths import (
    ROOT,
    decision_path,
    memory_path,
    proposal_path,
    verdict_path,
    version_path,
)
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.journal_entry import JournalEntry
from mneme_git.store.objects import blob, object_id
from mneme_git.store.pending import PendingState
from mneme_git.store.soundness import named_version, sound_state
from mneme_git.store.work_files import read_file

Kind = Literal["decision", "version", "proposal", "verdict", "memory"]
_KINDS: tuple[Kind, ...] = ("decision", "version", "proposal", "verdict", "memory")
_VERDICT = ".verdict."
_FOLDERS: dict[str, Kind] = {"versions": "version", "proposals": "proposal", "memories": "memory"}


class Kept(Struct, frozen=True, kw_only=True):
    """A record that the journal has and this checkout has not.

    ``name`` is the decision id, the version id, the 32 hex digits of a proposal or memory, or for a
    verdict the id of its proposal;
    ``digest`` is a decision's state. ``entry`` is what wrote it last, None where the journal came
    from elsewhere. ``lost`` is false where a commit or another work tree of this clone has it.
    ``replaced`` tells that the decision is here in another state, or that another verdict is here.
    """

    kind: Kind
    name: str
    digest: str = ""
    place: str
    blob: ObjectId
    branch: str = ""
    entry: JournalEntry | None = None
    lost: bool = True
    replaced: bool = False


def kept(backend: GitBackend) -> tuple[Kept, ...]:
    """Return the records that only the journal, or something beside this checkout, has.

    The order is by kind, then name, then branch. Nothing is read of history if this checkout has
    everything.
    """
    listed = tuple(journal.entries(backend))
    held = journal.contents(backend)
    waiting = _waiting(listed)
    rows = [row for row in _records(listed, held) if row.kind != "memory" or row.name not in waiting]
    missing = _not_here(backend, [*_states(listed, held), *rows])
    if not missing:
        return ()
    others = _kept_elsewhere(backend)
    rows = [replace(row, lost=row.blob not in others) for row in missing]
    wanted = [row for row in rows if row.lost or not row.replaced]
    return tuple(sorted(wanted, key=lambda row: (_KINDS.index(row.kind), row.name, row.branch)))


def path_of(kind: Kind, name: str) -> str:
    """Return the path of the file that a record has on a branch."""
    match kind:
        case "decision":
            return decision_path(DecisionId(name))
        case "version":
            return version_path(VersionId(name))
        case "proposal":
            return proposal_path(name)
        case "verdict":
            return verdict_path(ProposalId(name))
        case "memory":
            return memory_path(name)


def work_trees(backend: GitBackend) -> tuple[Path, ...]:
    """Return the folders of all work trees of this clone that are there, this one first."""
    found = [backend.work_tree] if backend.work_tree is not None else []
    if backend.common_dir.name == ".git":
        found.append(backend.common_dir.parent)
    linked = backend.common_dir / "worktrees"
    for pointer in sorted(linked.glob("*/gitdir")):
        try:
            target = pointer.read_text("utf-8", "surrogateescape").strip()
        except OSError:
            continue
        found.append((pointer.parent / target).parent)  # a relative pointer starts at its own folder
    return tuple(dict.fromkeys(folder.resolve() for folder in found if folder.is_dir()))


def _waiting(listed: Sequence[JournalEntry]) -> Container[str]:
    """Return the memories that wait to be committed on some branch."""
    state = PendingState()
    for entry in reversed(listed):
        state.take(entry.note)
    return state.records


def _states(listed: Iterable[JournalEntry], held: Mapping[str, ObjectId]) -> Iterator[Kept]:
    for last in journal.last_states(listed).values():
        place = journal.state_name(last.digest)
        if last.digest and place in held:
            yield Kept(
                kind="decision",
                name=last.decision_id,
                digest=last.digest,
                place=place,
                blob=held[place],
                branch=last.branch,
                entry=last.entry,
            )


def _records(listed: Iterable[JournalEntry], held: Mapping[str, ObjectId]) -> Iterator[Kept]:
    wrote: dict[str, JournalEntry] = {}
    for entry in listed:
        for place in entry.note.wrote:
            wrote.setdefault(place, entry)
    for place, oid in held.items():
        found = record_at(place)
        if found is None:
            continue
        kind, name = found
        writer = wrote.get(place)
        branch = writer.note.branch if writer is not None else ""
        yield Kept(kind=kind, name=name, place=place, blob=oid, branch=branch, entry=writer)


def record_at(place: str) -> tuple[Kind, str] | None:
    """Return the kind and the name of the record at a path of the journal; None for anything else."""
    kind = _FOLDERS.get(place.partition("/")[0])
    name, _, ending = place.rpartition("/")[2].rpartition(".")
    if kind is None or ending != "json":
        return None
    if _VERDICT in f"{name}.":
        return "verdict", name.partition(_VERDICT)[0]
    return (kind, name) if "." not in name else None


def _not_here(backend: GitBackend, candidates: Iterable[Kept]) -> list[Kept]:
    indexed = {entry.path: entry.oid for entry in backend.index_entries(ROOT)}
    blobs = frozenset(indexed.values())
    root = backend.work_tree
    missing: list[Kept] = []
    for row in candidates:
        if row.blob in blobs:
            continue
        path = path_of(row.kind, row.name)
        data = _bytes_at(root, path) if root is not None else None
        if not _is_here(row, data, backend.object_format):
            there = data is not None or path in indexed
            missing.append(replace(row, replaced=row.kind in {"decision", "verdict"} and there))
    return missing


def _bytes_at(root: Path, path: str) -> bytes | None:
    try:
        return read_file(root, path)
    except MnemeError:
        return None


def _is_here(row: Kept, data: bytes | None, object_format: str) -> bool:
    if data is None:
        return False
    if object_id(blob(data), object_format) == row.blob:
        return True
    try:
        if row.kind == "decision":
            return state_digest(sound_state(data)[0]) == row.digest
        if row.kind == "version":
            return bool(named_version(row.name, data))
    except CorruptRecord:
        return False
    return False


def _kept_elsewhere(backend: GitBackend) -> frozenset[ObjectId]:
    """Return the blobs that commits, reflogs, indexes and work trees of this clone have."""
    found = set(backend.reachable_blobs(ROOT))
    for tree in work_trees(backend):
        for file in sorted((tree / ROOT).rglob("*")):
            if file.is_file() and not file.is_symlink():
                try:
                    found.add(object_id(blob(file.read_bytes()), backend.object_format))
                except OSError:
                    continue
    return frozenset(found)
