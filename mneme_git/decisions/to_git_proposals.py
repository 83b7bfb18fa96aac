"""Proposals of a file that go into a git store with the verdicts on them."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from mneme_git.model.decision import DecisionState, ProposalEvidence, active_evidence
from mneme_git.model.ids import DecisionId, ProposalId
from mneme_git.model.plan import ABSENT, Operation, PutProposal, PutVerdict, Read
from mneme_git.model.proposal import Verdict
from mneme_git.model.proposal_entry import ProposalEntry, forgery
from mneme_git.text.quoting import quoted

# Who gave a verdict, the file does not say.
_NOBODY = "unknown"


class ProposalMove(Struct, frozen=True, kw_only=True):
    """Operations on proposals with what they rest on; with ``problems`` none may be carried out.

    ``new`` counts proposals that git does not have yet, ``settled`` verdicts that it lacks.
    """

    operations: tuple[Operation, ...] = ()
    reads: tuple[Read, ...] = ()
    problems: tuple[str, ...] = ()
    new: int = 0
    settled: int = 0


def plan_proposals(
    file: Sequence[ProposalEntry],
    git: Sequence[ProposalEntry],
    states: Mapping[DecisionId, DecisionState],
) -> ProposalMove:
    """Return how the proposals of a file get into git.

    A verdict of git stands; one that git does not have yet comes with the time of the acceptance, if
    the decision of that name in ``states`` tells it. Unlike verdicts are a problem, and so is an
    entry that is not what its content says.
    """
    known = {entry.proposal_id: entry for entry in git}
    operations: list[Operation] = []
    reads: list[Read] = []
    problems: list[str] = []
    new = 0
    for entry in file:
        problem = _problem(entry, known)
        if problem:
            problems.append(problem)
            continue
        there = known.get(entry.proposal_id)
        wanted: list[Operation] = [] if there else [PutProposal(entry.proposal)]
        new += len(wanted)
        if entry.status != "proposed" and (there is None or there.status == "proposed"):
            wanted.append(PutVerdict(_verdict(entry, states)))
        if wanted:
            reads.append(Read("proposal", entry.proposal_id, there.status if there else ABSENT))
        operations += wanted
    return ProposalMove(
        operations=tuple(operations),
        reads=tuple(reads),
        problems=tuple(problems),
        new=new,
        settled=sum(isinstance(operation, PutVerdict) for operation in operations),
    )


def _problem(entry: ProposalEntry, known: Mapping[ProposalId, ProposalEntry]) -> str:
    named = f"proposal {quoted(entry.proposal_id)}"
    forged = forgery(entry)
    if forged:
        return f"{named} is not what its content says ({forged})"
    there = known.get(entry.proposal_id)
    if there is None or "proposed" in {entry.status, there.status}:
        return ""
    if (entry.status, entry.accepted_decision_id) != (there.status, there.accepted_decision_id):
        return f"{named} is {entry.status} in the file and {there.status} in git"
    return ""


def _verdict(entry: ProposalEntry, states: Mapping[DecisionId, DecisionState]) -> Verdict:
    made = entry.accepted_decision_id
    state = states.get(made) if made is not None else None
    evidence = active_evidence(state) if state is not None else ()
    times = [row.observed_at for row in evidence if isinstance(row, ProposalEvidence)]
    return Verdict(
        proposal_id=entry.proposal_id,
        verdict="rejected" if entry.status == "rejected" else "accepted",
        decision_id=made,
        by=_NOBODY,
        at=next(iter(times), ""),
    )
