"""A change that can be shown before it is made, and that knows what it was based on."""

from typing import Literal

from msgspec import Struct

from mneme_git.model import proposal as proposals
from mneme_git.model.codec import encode_proposal, encode_state, encode_verdict, encode_version
from mneme_git.model.decision import DecisionState, Version, id_of
from mneme_git.model.ids import Digest
from mneme_git.model.proposal import Proposal, Verdict
from mneme_git.text.canonical import ascii_hash, sha256_hex

ABSENT = "absent"
_ID_DIGITS = 16


class Read(Struct, frozen=True, order=True):
    """One thing a plan was based on.

    ``value`` is the state digest of a decision, the blob id of an ADR or a memory file, the sha256
    of a configuration, the hash of the file names of a folder, the status of a proposal, or ``absent``.
    """

    what: Literal["decision", "adr", "config", "file", "folder", "proposal"]
    name: str
    value: str


class PutVersion(Struct, frozen=True, tag="put_version"):
    """Add an immutable version.

    ``created_at`` is for a memory file, which has a place for it; in a git store git tells the time.
    """

    version: Version
    created_at: str = ""


class PutState(Struct, frozen=True, tag="put_state"):
    """Make ``state`` the present state of its decision; ``updated_at`` is for a memory file."""

    state: DecisionState
    updated_at: str = ""


class PutProposal(Struct, frozen=True, tag="put_proposal"):
    """Add an immutable proposal."""

    proposal: Proposal


class PutVerdict(Struct, frozen=True, tag="put_verdict"):
    """Add the verdict on a proposal, which has none yet."""

    verdict: Verdict


class PutEvidence(Struct, frozen=True, tag="put_evidence", kw_only=True):
    """Keep the bytes an ADR had (as git stores them) in the journal."""

    locator: str
    sha256: Digest
    data: bytes


class PutFile(Struct, frozen=True, tag="put_file", kw_only=True):
    """Write exactly these bytes at a path below ``.mneme/`` (used to settle a contest)."""

    path: str
    data: bytes


class RemoveFile(Struct, frozen=True, tag="remove_file", kw_only=True):
    """Remove a path below ``.mneme/`` from the branch; the journal keeps what it held."""

    path: str


Operation = PutVersion | PutState | PutProposal | PutVerdict | PutEvidence | PutFile | RemoveFile


class Plan(Struct, frozen=True, kw_only=True):
    """Operations and the read set they rest on.

    ``verb`` and ``subject`` name the journal entry: ``mneme: <verb> <subject>``. ``activates`` is
    true of a plan that puts a protection in force: a memory file then completes its ``activation``
    record, of which a git store keeps none.
    """

    verb: str
    subject: str
    operations: tuple[Operation, ...] = ()
    reads: tuple[Read, ...] = ()
    activates: bool = False


class Receipt(Struct, frozen=True, kw_only=True):
    """What a commit of a plan did.

    ``journal`` is the journal commit that acknowledged it (empty in a memory file). ``paths`` were
    written or removed in the work tree; ``staged`` tells whether git's index has them.
    """

    journal: str = ""
    paths: tuple[str, ...] = ()
    staged: bool = False
    notices: tuple[str, ...] = ()


def plan_id(plan: Plan) -> str:
    """Return 16 hex digits of the hash of the operations and the sorted read set of ``plan``."""
    operations = [_fingerprint(operation) for operation in plan.operations]
    reads = [[read.what, read.name, read.value] for read in sorted(plan.reads)]
    return ascii_hash([operations, reads])[:_ID_DIGITS]


def _fingerprint(operation: Operation) -> list[str]:
    match operation:
        case PutVersion(version, at):
            return ["put_version", id_of(version), sha256_hex(encode_version(version)), *_stated(at)]
        case PutState(state, at):
            return ["put_state", state.decision_id, sha256_hex(encode_state(state)), *_stated(at)]
        case PutProposal(proposal):
            return ["put_proposal", proposals.id_of(proposal), sha256_hex(encode_proposal(proposal))]
        case PutVerdict(verdict):
            return ["put_verdict", verdict.proposal_id, sha256_hex(encode_verdict(verdict))]
        case PutEvidence():
            return ["put_evidence", operation.locator, operation.sha256]
        case PutFile():
            return ["put_file", operation.path, sha256_hex(operation.data)]
        case RemoveFile():
            return ["remove_file", operation.path]


def _stated(time: str) -> list[str]:
    return [time] if time else []
