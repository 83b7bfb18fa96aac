"""``mneme decision proposals|accept|reject`` and ``mneme decision-mcp``."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import AtOption, JsonOption, MemoryOption
from mneme_git.cli.output import answer, answer_json, answer_line, notice_line
from mneme_git.text.printable import text_of

if TYPE_CHECKING:
    from mneme_git.app.verdicts import Judgement
    from mneme_git.decisions.acceptance import Acceptance
    from mneme_git.model.plan import Receipt
    from mneme_git.model.proposal_entry import ProposalEntry

ProposalsOption = Annotated[
    str | None,
    typer.Option("--proposals", metavar="FILE", help="Use this decision_proposals.json for the proposals."),
]
_SignOption = Annotated[
    bool | None,
    typer.Option(
        "--sign/--no-sign", help="Sign the verdict as git signs commits; else as commit.gpgSign says."
    ),
]
_IdArgument = Annotated[str, typer.Argument(metavar="ID", help="A proposal id, or its first characters.")]
_HEADS = {
    "accepted": "Accepted proposal {0}",
    "already_accepted": "Already accepted: {0}",
    "recovered": "Recovered accepted proposal: {0}",
}
_SIGNATURES = {
    "good": "good",
    "unknown": "there, but nothing here vouches for its key",
    "bad": "BAD: not over this verdict",
    "unsigned": "none; person and time are as claimed",
}
_NOTE = (
    "Note: acceptance materializes an active decision; it does not activate protection or assign an Audit "
    "tier."
)


def register(app: typer.Typer) -> None:
    """Add the flat command to ``app``."""
    app.command("decision-mcp")(decision_mcp)


def register_group(group: typer.Typer) -> None:
    """Add the commands to ``mneme decision``."""
    group.command("proposals")(proposals)
    group.command("accept")(accept)
    group.command("reject")(reject)


def proposals(
    proposals: ProposalsOption = None,
    memory: MemoryOption = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """List the proposals with what became of them.

    Example: mneme decision proposals
    """
    from mneme_git.app.desk import open_desk
    from mneme_git.app.open import here
    from mneme_git.decisions.index_records import proposal_record
    from mneme_git.decisions.proposal_showing import proposals_text

    entries = open_desk(here(), memory=memory, proposals=proposals, at=at).book.entries()
    for entry in entries:
        _warn_of_forgery(entry)
    if json:
        answer_json({"proposals": [proposal_record(entry) for entry in entries]})
    else:
        answer(proposals_text(entries))


def show_proposal(
    given: str,
    *,
    proposals: str | None = None,
    memory: str | None = None,
    at: str | None = None,
    json: bool = False,
) -> None:
    """Show one proposal in full. Raises ProposalNotFound."""
    from mneme_git.app.desk import open_desk
    from mneme_git.app.open import here
    from mneme_git.app.proposals import find
    from mneme_git.app.verdicts import find_judgement
    from mneme_git.decisions.index_records import proposal_record
    from mneme_git.decisions.proposal_showing import proposal_text

    desk = open_desk(here(), memory=memory, proposals=proposals, at=at)
    entry = find(desk, given)
    judged = find_judgement(desk, entry.proposal_id)
    _warn_of_forgery(entry)
    if json:
        answer_json({**proposal_record(entry), "judgement": judged})
        return
    answer(proposal_text(entry))
    for line in _judgement_lines(judged) if judged else ():
        answer_line(line)


def accept(
    proposal_id: _IdArgument,
    decision_id: Annotated[
        str | None,
        typer.Option(
            "--decision-id", metavar="ID", help="The id of the decision; else it follows from the proposal."
        ),
    ] = None,
    sign: _SignOption = None,
    proposals: ProposalsOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Accept a proposal: it becomes an active decision, in your name.

    It brings no rule: `mneme protect` or an ADR does that. Example: mneme decision accept dprop-8f681929
    """
    from mneme_git.app.desk import open_desk
    from mneme_git.app.open import here
    from mneme_git.app.proposals import accept as use_case

    workspace = here()
    desk = open_desk(workspace, memory=memory, proposals=proposals)
    done = use_case(workspace, desk, proposal_id, decision_id=decision_id, sign=sign)
    _tell(*done.receipts)
    if json:
        answer_json(_accepted_row(done.acceptance, done.receipts))
    else:
        answer(_accepted_text(done.acceptance))


def reject(
    proposal_id: _IdArgument,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept with the verdict in a git store.")] = "",
    sign: _SignOption = None,
    proposals: ProposalsOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Reject a proposal, in your name; that is final.

    Example: mneme decision reject dprop-8f681929 --reason "one store is enough"
    """
    from mneme_git.app.desk import open_desk
    from mneme_git.app.open import here
    from mneme_git.app.proposals import reject as use_case

    workspace = here()
    desk = open_desk(workspace, memory=memory, proposals=proposals)
    done = use_case(workspace, desk, proposal_id, reason=reason, sign=sign)
    _tell(*([done.receipt] if done.receipt else []))
    name = done.entry.proposal_id
    if json:
        code = "REJECTED" if done.receipt else "ALREADY_REJECTED"
        answer_json({"code": code, "proposal_id": name, "receipt": done.receipt})
    else:
        answer_line(f"Rejected proposal {name}" if done.receipt else f"Already rejected: {name}")


def decision_mcp(
    memory: MemoryOption = None,
    proposals: Annotated[
        str | None,
        typer.Option(
            "--proposals", metavar="FILE", help="Keep the proposals in this file; empty: in memory only."
        ),
    ] = None,
    adr_dir: Annotated[
        str | None,
        typer.Option(
            "--adr-dir", metavar="DIR", help="Refuse to start if the ADRs in this folder are not sound."
        ),
    ] = None,
) -> None:
    """Serve the decision index to an agent over MCP, on stdin and stdout, until stdin closes.

    Example: mneme decision-mcp
    """
    from mneme_git.app.index_tools import start
    from mneme_git.app.open import here
    from mneme_git.cli.servers import run_server

    # A client's log takes the words of the format; a person at a terminal is told what to do next too.
    hints = sys.stderr.isatty()
    tools = start(here(), memory=memory, proposals=proposals, adr_dir=adr_dir, hints=hints)
    run_server("decision-mcp", tools)


def _judgement_lines(judged: "Judgement") -> list[str]:
    verdict = judged.verdict
    lines = [f"  {verdict.verdict} by: {verdict.by}", f"  {verdict.verdict} at: {verdict.at}"]
    lines += [f"  reason: {verdict.reason}"] if verdict.reason else []
    worth = _SIGNATURES[judged.signature]
    told = "; ".join(text for text in (judged.signer, judged.doubt) if text)
    return [*lines, f"  signature: {worth}" + (f" ({told})" if told else "")]


def _warn_of_forgery(entry: "ProposalEntry") -> None:
    from mneme_git.model.proposal_entry import forgery

    forged = forgery(entry)
    if forged:
        notice_line(f"WARN  FORGED_PROPOSAL {entry.proposal_id} is not what its content says: {forged}")


def _tell(*receipts: "Receipt") -> None:
    for receipt in receipts:
        for text in receipt.notices:
            notice_line(text)


def _accepted_text(done: "Acceptance") -> str:
    request = done.request
    return text_of(
        [
            _HEADS[done.outcome].format(request.entry.proposal_id),
            f"Decision: {request.decision_id}",
            f"Materialized: {'yes' if done.materialized else 'no'}",
            "Verified: yes",
            "",
            _NOTE,
        ]
    )


def _accepted_row(done: "Acceptance", receipts: "tuple[Receipt, ...]") -> dict[str, object]:
    return {
        "code": done.outcome.upper(),
        "proposal_id": done.request.entry.proposal_id,
        "decision_id": done.request.decision_id,
        "materialized": done.materialized,
        "verified": True,
        "receipts": receipts,
    }
