"""What the bytes of a record's file are worth: sound as they stand, sound in content, or damage.

Each ``sound_*`` returns the record and whether the bytes are exactly the canonical ones. Bytes
that a tool reformatted (line endings, a byte order mark, another layout) still hold their record if
its content agrees with its digest or name, for both are hashes of all of it.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mneme_git.errors import CorruptRecord, InvalidInput
from mneme_git.model.codec import (
    decode_memory,
    decode_proposal,
    decode_state,
    decode_verdict,
    decode_version,
    encode_memory,
    encode_proposal,
    encode_state,
    encode_verdict,
    name_of_bytes,
    state_digest,
)
from mneme_git.model.decision import DecisionState, Version, id_of
from mneme_git.model.ids import ProposalId, VersionId
from mneme_git.model.memory import Memory
from mneme_git.model.paths import classify, memory_path, proposal_path, verdict_path, version_path
from mneme_git.model.proposal import Proposal, Verdict
from mneme_git.text.canonical import strict_json

_BOM = b"\xef\xbb\xbf"
_MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?: |\r?$)", re.MULTILINE)
_SECTION = re.compile(rb"(<{7}|={7}|>{7}|\|{7})(?: .*)?")
_SIDE_AFTER = {b"<" * 7: "ours", b"|" * 7: "", b"=" * 7: "theirs", b">" * 7: ""}
_DIGEST_LINE = re.compile(rb'^\s*"digest": "([0-9a-f]{64})",\r?$', re.MULTILINE)
_RESTORE = "restore the file from git"

_VERSION_NAME = re.compile(r"dver-[0-9a-f]{32}\.json", re.ASCII)
_VERDICT_NAME = re.compile(r"dprop-[0-9a-f]{32}\.verdict\.json", re.ASCII)
_HASH_NAME = re.compile(r"[0-9a-f]{32}\.json", re.ASCII)


def kind_of(path: str) -> str:
    """Return the kind of record that ``path`` holds, whatever folder it stands in.

    A file of the decisions' folder is a decision whatever its name is like: an id may look like the
    name of another record. Beside the kinds of ``classify``: ``hashed`` is a memory or a proposal in
    neither's folder, ``stray`` is a ``.json`` file that may be a decision that was moved.
    """
    name = path.rsplit("/", 1)[-1]
    found = classify(path).kind
    if found == "decision":
        return found
    if _VERSION_NAME.fullmatch(name):
        return "version"
    if _VERDICT_NAME.fullmatch(name):
        return "verdict"
    if found != "foreign" or not name.endswith(".json"):
        return found
    if _HASH_NAME.fullmatch(name):
        return "hashed"
    return "stray" if path.count("/") > 1 else "foreign"


def kind_in(path: str, data: bytes) -> str:
    """Return ``kind_of(path)``, corrected by the content where a record may be in another kind's folder."""
    kind, name = kind_of(path), path.rsplit("/", 1)[-1].removesuffix(".json")
    if kind == "decision" and _VERSION_NAME.fullmatch(f"{name}.json"):
        return "version" if _holds(lambda: named_version(name, data)) else kind
    if kind == "decision" and _VERDICT_NAME.fullmatch(f"{name}.json"):
        return "verdict" if _holds(lambda: sound_verdict(name.removesuffix(".verdict"), data)) else kind
    if kind == "version" and classify(path).kind != "version":
        return "stray" if _holds(lambda: sound_state(data)) else kind
    return kind


def _holds(read: Callable[[], object]) -> bool:
    try:
        read()
    except CorruptRecord:
        return False
    return True


def sound_state(data: bytes) -> tuple[DecisionState, bool]:
    """Return the decision state in ``data`` and whether the bytes are exact.

    Raises:
        CorruptRecord: the bytes hold no state, repeat a key, or disagree with their digest.
    """
    with _damage():
        state, _ = decode_state(data.removeprefix(_BOM))
        if encode_state(state) == data:
            return state, True
        claimed = strict_json(data.removeprefix(_BOM)).get("digest")
        if claimed == state_digest(state):
            return state, False
    raise CorruptRecord("its content does not agree with its digest", hint=_RESTORE)


def sound_version(data: bytes) -> tuple[Version, bool]:
    """Return the version in ``data`` and whether the bytes are exact; its name is the caller's to compare.

    Raises:
        CorruptRecord: the bytes hold no version, or repeat a key.
    """
    with _damage():
        version, exact = decode_version(data.removeprefix(_BOM))
    return version, exact and not data.startswith(_BOM)


def named_version(name: str, data: bytes) -> tuple[Version, bool]:
    """Return the version that is called ``name`` and whether the bytes are exact.

    Raises:
        CorruptRecord: the bytes hold no version, or one with another id.
    """
    version, exact = sound_version(data)
    found = id_of(version)
    if found != name:
        raise CorruptRecord(f"its content is that of '{found}'", hint=_RESTORE)
    return version, exact


def sound_proposal(name: str, data: bytes) -> tuple[Proposal, bool]:
    """Return the proposal that is called ``name``. Raises CorruptRecord."""
    with _damage():
        proposal, exact = decode_proposal(data.removeprefix(_BOM))
        return proposal, _named(name, data, exact, encode_proposal(proposal))


def sound_memory(name: str, data: bytes) -> tuple[Memory, bool]:
    """Return the memory that is called ``name``. Raises CorruptRecord."""
    with _damage():
        memory, exact = decode_memory(data.removeprefix(_BOM))
        return memory, _named(name, data, exact, encode_memory(memory))


def sound_verdict(proposal_id: str, data: bytes) -> tuple[Verdict, bool]:
    """Return the verdict on ``proposal_id``. Raises CorruptRecord."""
    with _damage():
        verdict, _ = decode_verdict(data.removeprefix(_BOM))
        exact = data == encode_verdict(verdict)
    if verdict.proposal_id != proposal_id:
        raise CorruptRecord(f"it is the verdict on '{verdict.proposal_id}'", hint=_RESTORE)
    return verdict, exact


def has_markers(data: bytes) -> bool:
    """Tell whether git's conflict markers stand in ``data``.

    Canonical JSON has no line that begins like one.
    """
    return _MARKER.search(data) is not None


def claimed_digests(data: bytes) -> tuple[str, ...]:
    """Return the digests that lines of ``data`` claim, in the order of the file."""
    return tuple(match.decode("ascii") for match in dict.fromkeys(_DIGEST_LINE.findall(data)))


def sides_of_markers(data: bytes) -> dict[str, str]:
    """Return, by the digest that it claims, which side of git's conflict markers a part is.

    What the ``diff3`` style shows between the two sides is their base, and no side.
    """
    found: dict[str, str] = {}
    side = ""
    for line in data.splitlines():
        mark = _SECTION.fullmatch(line)
        if mark is not None:
            side = _SIDE_AFTER[mark[1]]
        elif side and (claim := _DIGEST_LINE.match(line)):
            found.setdefault(claim[1].decode("ascii"), side)
    return found


def home_of(kind: str, name: str) -> str:
    """Return the path that a record named by its content should have; empty for other kinds."""
    home = _HOMES.get(kind)
    return home(name) if home else ""


_HOMES: dict[str, Callable[[str], str]] = {
    "version": lambda name: version_path(VersionId(name)),
    "verdict": lambda name: verdict_path(ProposalId(name)),
    "proposal": proposal_path,
    "memory": memory_path,
}


@contextmanager
def _damage() -> Iterator[None]:
    """Turn text that no file of ours can hold (a lone surrogate) into damage."""
    try:
        yield
    except InvalidInput as error:
        raise CorruptRecord(error.message, hint=_RESTORE) from error


def _named(name: str, data: bytes, exact: bool, canonical: bytes) -> bool:
    found = name_of_bytes(canonical)
    if found != name:
        raise CorruptRecord(f"its content is that of '{found}'", hint=_RESTORE)
    return exact and not data.startswith(_BOM)
