"""Verdicts in a git store: signed when they are given, and who vouches for them later."""

from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.desk import Desk
from mneme_git.errors import Refused
from mneme_git.model.codec import encode_verdict
from mneme_git.model.ids import ProposalId
from mneme_git.model.paths import signature_path
from mneme_git.model.plan import Plan, PutFile, PutVerdict
from mneme_git.model.proposal import Verdict
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.store.git_store import GitStore
from mneme_git.store.through_git import ThroughGit

SignatureState = Literal["good", "bad", "unknown", "unsigned"]


class Judgement(Struct, frozen=True, kw_only=True):
    """A verdict, and what the signature over it is worth here; unsigned it is as claimed.

    ``signer`` and ``doubt`` are what the signing program says.
    """

    verdict: Verdict
    signature: SignatureState
    signer: str = ""
    doubt: str = ""


def signed(desk: Desk, plan: Plan, wanted: bool | None) -> Plan:
    """Return ``plan`` with a signature over its verdict, if one is wanted.

    Without a word it is wanted where the user signs every commit.

    Raises:
        Refused: a signature was asked for, and the proposals are in a file, which has no place for it.
        SigningFailed: it could not be made.
    """
    from mneme_git.store.signing import sign, wants_signatures

    verdicts = [operation.verdict for operation in plan.operations if isinstance(operation, PutVerdict)]
    backend = _backend_of(desk)
    if backend is None:
        if wanted:
            raise Refused(
                "a proposal file has no place for a signature; nothing was written",
                hint="leave --sign out, or keep the proposals in the git store",
            )
        return plan
    if not verdicts or not (wants_signatures(backend.git) if wanted is None else wanted):
        return plan
    made = tuple(
        PutFile(
            path=signature_path(verdict.proposal_id),
            data=sign(backend.git, encode_verdict(verdict), who=backend.signature()),
        )
        for verdict in verdicts
    )
    return replace(plan, operations=plan.operations + made)


def judgements(store: GitStore, snapshot: Snapshot) -> tuple[Judgement, ...]:
    """Return the verdicts of a store with what their signatures are worth, by proposal id."""
    return tuple(judgement(store, snapshot.verdicts[name]) for name in sorted(snapshot.verdicts))


def judgement(store: GitStore, verdict: Verdict) -> Judgement:
    """Return a verdict with what its signature is worth."""
    from mneme_git.store.signing import check
    from mneme_git.store.verdict_files import read_signature

    signature = read_signature(store.backend, verdict.proposal_id, store.revision)
    if signature is None or not isinstance(store.backend, ThroughGit):
        return Judgement(verdict=verdict, signature="unsigned")
    found = check(store.backend.git, encode_verdict(verdict), signature, at=_unix(verdict.at))
    return Judgement(verdict=verdict, signature=found.state, signer=found.signer, doubt=found.reason)


def signature_faults(found: tuple[Judgement, ...]) -> tuple[Fault, ...]:
    """Return a fault for each signature that does not belong to its verdict."""
    return tuple(_fault(each.verdict.proposal_id, each.doubt) for each in found if each.signature == "bad")


def find_judgement(desk: Desk, proposal_id: ProposalId) -> Judgement | None:
    """Return the verdict on a proposal of a git store, None if there is none there."""
    store = desk.decisions
    if not desk.one_store or not isinstance(store, GitStore):
        return None
    verdict = store.load().verdicts.get(proposal_id)
    return judgement(store, verdict) if verdict else None


def _backend_of(desk: Desk) -> ThroughGit | None:
    if not desk.one_store or not isinstance(desk.decisions, GitStore):
        return None
    backend = desk.decisions.backend
    return backend if isinstance(backend, ThroughGit) else None


def _unix(stamp: str) -> int:
    """Return the time of a stamp; 0 for text that is none, which no key is valid at."""
    try:
        return int(datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())
    except ValueError:
        return 0


def _fault(proposal_id: ProposalId, reason: str) -> Fault:
    path = signature_path(proposal_id)
    return Fault(
        code="BAD_SIGNATURE",
        path=path,
        message=f"'{path}' is no signature over the verdict on proposal '{proposal_id}': {reason}",
        hint="ask whoever gave the verdict; git has the earlier states of both files",
        blocks=True,
    )
