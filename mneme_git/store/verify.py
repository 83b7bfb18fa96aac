"""Every digest and name of the index and of the journal, computed again.

The work tree (or a revision) is verified by reading it; this looks at what else is kept.
"""

from collections.abc import Callable, Iterator, Mapping

from mneme_git.errors import CorruptRecord, MissingObject
from mneme_git.model.codec import name_of_bytes, state_digest
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.model.snapshot import Fault
from mneme_git.store.backend import GitBackend
from mneme_git.store.journal import contents
from mneme_git.store.objects import blob, object_id
from mneme_git.store.soundness import (
    kind_in,
    kind_of,
    named_version,
    sound_memory,
    sound_proposal,
    sound_state,
    sound_verdict,
)
from mneme_git.store.work_files import read_file
from mneme_git.text.canonical import sha256_hex

_CHUNK = 512
_Check = Callable[[str, bytes], object]


def index_faults(backend: GitBackend) -> tuple[int, tuple[Fault, ...]]:
    """Return how many records the index holds, and its damaged ones that are not in the work tree too."""
    entries = {
        entry.path: entry.oid
        for entry in backend.index_entries(ROOT)
        if entry.stage == 0 and kind_of(entry.path) in _BY_KIND
    }
    faults = [
        _fault(f"'{path}' in git's index", path, reason)
        for path, oid, reason in _damaged(backend, entries, _staged_reason)
        if not _is_in_work_tree(backend, path, oid)
    ]
    return len(entries), tuple(faults)


def journal_faults(backend: GitBackend) -> tuple[int, tuple[Fault, ...]]:
    """Return how many records the journal holds, and the damaged ones."""
    records = contents(backend)
    faults = [
        _fault(f"'{name}' in the journal", name, reason)
        for name, _, reason in _damaged(backend, records, _journal_reason)
    ]
    return len(records), tuple(faults)


def _damaged(
    backend: GitBackend, records: Mapping[str, ObjectId], reason_of: Callable[[str, bytes], str]
) -> Iterator[tuple[str, ObjectId, str]]:
    names = sorted(records)
    for start in range(0, len(names), _CHUNK):
        for name in names[start : start + _CHUNK]:
            try:
                reason = reason_of(name, backend.read(records[name]).data)
            except MissingObject:
                reason = "git does not have the object"
            if reason:
                yield name, records[name], reason


def _staged_reason(path: str, data: bytes) -> str:
    name = path.rsplit("/", 1)[-1].removesuffix(".json").removesuffix(".verdict")
    kind = kind_in(path, data)
    return "" if kind == "stray" else _reason(_BY_KIND[kind], name, data)


def _journal_reason(path: str, data: bytes) -> str:
    folder, _, rest = path.partition("/")
    name = rest.rpartition("/")[2]
    check = _IN_JOURNAL.get(folder)
    if check is None:
        return "the journal has no such folder"
    return _reason(check, name, data)


def _reason(check: _Check, name: str, data: bytes) -> str:
    try:
        check(name, data)
    except CorruptRecord as error:
        return error.message
    return ""


def _require(is_so: bool, problem: str) -> None:
    if not is_so:
        raise CorruptRecord(problem)


def _state_named(name: str, data: bytes) -> None:
    found = state_digest(sound_state(data)[0])
    _require(found == name, f"its digest is '{found}'")


def _hash_named(name: str, data: bytes) -> None:
    found = sha256_hex(data)
    _require(found == name, f"the sha256 of its bytes is '{found}'")


def _proposal_or_verdict(name: str, data: bytes) -> None:
    stem, verdict, digest = name.removesuffix(".json").removesuffix(".sig").partition(".verdict.")
    if verdict:
        _require(name_of_bytes(data) == digest, "its bytes have another hash")
    else:
        sound_proposal(stem, data)


_BY_KIND: dict[str, _Check] = {
    "decision": lambda _, data: sound_state(data),
    "version": named_version,
    "proposal": sound_proposal,
    "verdict": sound_verdict,
    "memory": sound_memory,
}
_IN_JOURNAL: dict[str, _Check] = {
    "states": _state_named,
    "versions": lambda name, data: named_version(name.removesuffix(".json"), data),
    "proposals": _proposal_or_verdict,
    "memories": lambda name, data: sound_memory(name.removesuffix(".json"), data),
    "evidence": _hash_named,
    "files": _hash_named,
}


def _is_in_work_tree(backend: GitBackend, path: str, oid: ObjectId) -> bool:
    """Tell whether the work tree has the same bytes: then their damage was told there."""
    if backend.work_tree is None:
        return False
    data = read_file(backend.work_tree, path)
    return data is None or object_id(blob(data), backend.object_format) == oid


def _fault(what: str, path: str, reason: str) -> Fault:
    return Fault(
        code="DAMAGED_ENTRY",
        path=path,
        message=f"{what} cannot be trusted: {reason}",
        hint="run `git fsck`; a good copy may be in another clone or in a commit",
        blocks=True,
    )
