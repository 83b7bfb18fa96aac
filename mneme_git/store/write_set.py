"""What a plan means in files and in journal records. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.codec import (
    encode_proposal,
    encode_state,
    encode_verdict,
    encode_version,
    name_of_bytes,
    state_digest,
)
from mneme_git.model.decision import id_of
from mneme_git.model.ids import Digest
from mneme_git.model.paths import (
    Kind,
    RecordPath,
    classify,
    decision_path,
    proposal_path,
    verdict_path,
    version_path,
)
from mneme_git.model.plan import (
    Operation,
    Plan,
    PutEvidence,
    PutFile,
    PutProposal,
    PutState,
    PutVerdict,
    PutVersion,
    RemoveFile,
)
from mneme_git.store.journal import evidence_name, file_name, state_name, version_name
from mneme_git.store.journal_entry import StateWritten
from mneme_git.store.soundness import sound_state, sound_version
from mneme_git.text.canonical import sha256_hex

# A reader that comes in between must never see a decision whose versions are not there yet.
_ORDER: dict[Kind, int] = {"decision": 2}
_REMOVED_LAST = 3
_NAMED_BY_BYTES = {"proposal": "proposals", "memory": "memories"}


class WriteSet(Struct, frozen=True, kw_only=True):
    """``files`` maps each path to its bytes, None to remove it, in the order of writing.

    ``records`` maps journal paths to bytes, ``evidence`` are those of them that have no file.
    """

    files: dict[str, bytes | None]
    records: dict[str, bytes]
    evidence: frozenset[str]
    states: tuple[StateWritten, ...]
    removed: tuple[str, ...]


def write_set(plan: Plan) -> WriteSet:
    """Return what carrying out ``plan`` writes and removes."""
    files = dict(_file(operation) for operation in plan.operations if not isinstance(operation, PutEvidence))
    found = [op.data for op in plan.operations if isinstance(op, PutEvidence)]
    evidence = {evidence_name(sha256_hex(data)): data for data in found}
    records = {journal_name(path, data): data for path, data in files.items() if data is not None}
    return WriteSet(
        files=dict(sorted(files.items(), key=_order)),
        records=records | evidence,
        evidence=frozenset(evidence),
        states=tuple(_states(files.items())),
        removed=tuple(sorted(path for path, data in files.items() if data is None)),
    )


def journal_name(path: str, data: bytes) -> str:
    """Return where the journal keeps the bytes of a file below ``.mneme/``.

    Bytes that do not agree with the name or digest of their record are kept by their own hash.
    """
    place = classify(path)
    digest = _digest_in(place, data)
    if digest:
        return state_name(digest)
    return _record_name(place, data) or file_name(sha256_hex(data))


def _file(operation: Operation) -> tuple[str, bytes | None]:
    match operation:
        case PutVersion(version):
            return version_path(id_of(version)), encode_version(version)
        case PutState(state):
            return decision_path(state.decision_id), encode_state(state)
        case PutProposal(proposal):
            data = encode_proposal(proposal)
            return proposal_path(name_of_bytes(data)), data
        case PutVerdict(verdict):
            return verdict_path(verdict.proposal_id), encode_verdict(verdict)
        case PutFile():
            return operation.path, operation.data
        case RemoveFile():
            return operation.path, None
        case _:
            raise AssertionError(f"{type(operation).__name__} has no file")


def _order(row: tuple[str, bytes | None]) -> tuple[int, str]:
    path, data = row
    return (_REMOVED_LAST if data is None else _ORDER.get(classify(path).kind, 1)), path


def _states(files: Iterable[tuple[str, bytes | None]]) -> Iterable[StateWritten]:
    for path, data in files:
        if data is not None and classify(path).kind == "decision":
            try:
                state, exact = sound_state(data)
            except CorruptRecord:
                continue
            if exact:
                yield StateWritten(state.decision_id, state_digest(state))


def _digest_in(place: RecordPath, data: bytes) -> Digest | None:
    if place.kind != "decision":
        return None
    try:
        state, exact = sound_state(data)
    except CorruptRecord:
        return None
    return state_digest(state) if exact else None


def _record_name(place: RecordPath, data: bytes) -> str:
    name = place.name
    if place.kind == "version":
        try:
            version, exact = sound_version(data)
        except CorruptRecord:
            return ""
        return version_name(id_of(version)) if exact and id_of(version) == name else ""
    if place.kind in _NAMED_BY_BYTES and name_of_bytes(data) == name:
        return f"{_NAMED_BY_BYTES[place.kind]}/{name[:2]}/{name}.json"
    if place.kind in {"verdict", "signature"}:
        # A verdict's file is named after its proposal, so two unlike ones need names of their own.
        ending = "json" if place.kind == "verdict" else "sig"
        return f"proposals/{name[6:8]}/{name}.verdict.{name_of_bytes(data)}.{ending}"
    return ""
