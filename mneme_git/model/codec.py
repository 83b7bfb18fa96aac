"""Records to the bytes of their files, and back.

The specification of these bytes is ``docs/reference/storage-format.md``; its examples are taken
from ``tests/mneme_git/model/test_codec.py``. Every ``decode_*`` refuses bytes that ``encode_*``
would not have written for the same record, unless ``canonical`` is false in the answer.
"""

from typing import TypeVar

import msgspec
from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.decision import DecisionState, Version
from mneme_git.model.ids import DecisionId, Digest, VersionId
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.model.proposal import Proposal, Provenance, Verdict
from mneme_git.text.canonical import file_json, sha256_hex, split_digest, strict_json, with_digest
from mneme_git.text.lines import from_lines, to_lines

FORMAT_NUMBER = 1
_Record = TypeVar("_Record")
_NAME_DIGITS = 32
# What people read stands in files as a list of lines; all other fields stand as they are.
_DECIDED_TEXTS = ("statement", "rationale")
_MEMORY_TEXTS = ("body",)


class _VersionFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision_id: DecisionId
    statement: tuple[str, ...]
    rationale: tuple[str, ...]
    scope: tuple[str, ...]
    constraints: tuple[str, ...]
    anti_patterns: tuple[str, ...]
    occurrence: tuple[str, ...]
    predecessor: VersionId | None


class _ProposalFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: str
    statement: tuple[str, ...]
    rationale: tuple[str, ...]
    provenance: Provenance | None
    scope_hints: tuple[str, ...]
    architecture_context: dict[str, str]
    related_decision_ids: tuple[str, ...]
    proposed_at: str


class _MemoryFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: MemoryKind
    scope: MemoryScope
    body: tuple[str, ...]
    task: str
    files: tuple[FileAnchor, ...]
    identifiers: tuple[SymbolAnchor, ...]
    tags: tuple[str, ...]
    source: str
    supersedes: tuple[str, ...]
    created_at: str
    author: str
    branch: str


class _DecisionFile(DecisionState, frozen=True, kw_only=True, forbid_unknown_fields=True):
    digest: str = ""


def encode_version(version: Version) -> bytes:
    """Return the bytes of a version file."""
    return file_json(_as_stored(version, _VersionFile, _DECIDED_TEXTS))


def decode_version(data: bytes) -> tuple[Version, bool]:
    """Return the version in ``data`` and whether the bytes are canonical.

    Raises:
        CorruptRecord: the bytes hold no version; a repeated key is damage.
    """
    stored = _decode(data, _VERSION)
    version = _as_recorded(stored, Version, _DECIDED_TEXTS)
    return version, _is_canonical(data, file_json(stored))


def encode_state(state: DecisionState) -> bytes:
    """Return the bytes of a decision file, its digest line first."""
    return with_digest(state)


def state_digest(state: DecisionState) -> Digest:
    """Return the digest that stands in the decision file of ``state``."""
    return Digest(sha256_hex(file_json(state)))


def decode_state(data: bytes) -> tuple[DecisionState, bool]:
    """Return the state in ``data`` and whether it agrees with its digest.

    Disagreement means a hand edit or a mixture made by a merge: the record is what the bytes say,
    but it must not be served as good.

    Raises:
        CorruptRecord: the bytes hold no decision state; a repeated key is damage.
    """
    stored = _decode(data, _DECISION)
    plain = {name: getattr(stored, name) for name in DecisionState.__struct_fields__}
    state = DecisionState(**plain)
    try:
        claimed, found = split_digest(data)
    except CorruptRecord:
        return state, False
    if claimed != found:
        strict_json(data)
        return state, False
    return state, True


def encode_proposal(proposal: Proposal) -> bytes:
    """Return the bytes of a proposal file; its name is the first 32 hex digits of their sha256."""
    return file_json(_as_stored(proposal, _ProposalFile, _DECIDED_TEXTS))


def decode_proposal(data: bytes) -> tuple[Proposal, bool]:
    """Return the proposal in ``data`` and whether the bytes are canonical.

    Raises:
        CorruptRecord: the bytes hold no proposal; a repeated key is damage.
    """
    stored = _decode(data, _PROPOSAL)
    proposal = _as_recorded(stored, Proposal, _DECIDED_TEXTS)
    return proposal, _is_canonical(data, file_json(stored))


def encode_verdict(verdict: Verdict) -> bytes:
    """Return the bytes of a verdict file."""
    return file_json(verdict)


def decode_verdict(data: bytes) -> tuple[Verdict, bool]:
    """Return the verdict in ``data`` and whether the bytes are canonical.

    Raises:
        CorruptRecord: the bytes hold no verdict; a repeated key is damage.
    """
    stored = _decode(data, _VERDICT)
    return stored, _is_canonical(data, file_json(stored))


def encode_memory(memory: Memory) -> bytes:
    """Return the bytes of a memory file; its name is the first 32 hex digits of their sha256."""
    return file_json(_as_stored(memory, _MemoryFile, _MEMORY_TEXTS))


def decode_memory(data: bytes) -> tuple[Memory, bool]:
    """Return the memory in ``data`` and whether the bytes are canonical.

    Raises:
        CorruptRecord: the bytes hold no memory; a repeated key is damage.
    """
    stored = _decode(data, _MEMORY)
    memory = _as_recorded(stored, Memory, _MEMORY_TEXTS)
    return memory, _is_canonical(data, file_json(stored))


def name_of_bytes(data: bytes) -> str:
    """Return the 32 hex digits that name a memory or proposal file with these bytes."""
    return sha256_hex(data)[:_NAME_DIGITS]


_VERSION = msgspec.json.Decoder(_VersionFile)
_DECISION = msgspec.json.Decoder(_DecisionFile)
_PROPOSAL = msgspec.json.Decoder(_ProposalFile)
_VERDICT = msgspec.json.Decoder(Verdict)
_MEMORY = msgspec.json.Decoder(_MemoryFile)


def _as_stored(record: Struct, stored: type[_Record], texts: tuple[str, ...]) -> _Record:
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    return stored(**{**fields, **{name: to_lines(fields[name]) for name in texts}})


def _as_recorded(stored: Struct, record: type[_Record], texts: tuple[str, ...]) -> _Record:
    fields = {name: getattr(stored, name) for name in stored.__struct_fields__}
    return record(**{**fields, **{name: from_lines(fields[name]) for name in texts}})


def _decode(data: bytes, decoder: "msgspec.json.Decoder[_Record]") -> _Record:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CorruptRecord(str(error), hint="restore the file from git") from error


def _is_canonical(data: bytes, canonical: bytes) -> bool:
    if data == canonical:
        return True
    strict_json(data)
    return False
