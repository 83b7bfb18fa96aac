"""list_decisions, add_decision, and the reading commands of ``mneme decision``."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import AtOption, JsonOption, MemoryOption
from mneme_git.cli.output import answer, answer_json, answer_line, notice_line
from mneme_git.cli.proposals import ProposalsOption, show_proposal
from mneme_git.errors import NotFound
from mneme_git.model.decision import id_of
from mneme_git.model.ids import PROPOSAL_PREFIX
from mneme_git.store.instants import utc_shown

if TYPE_CHECKING:
    from mneme_git.model.snapshot import Snapshot

_IdArgument = Annotated[str, typer.Argument(metavar="ID", help="A decision id, or its first characters.")]


def register(app: typer.Typer) -> None:
    """Add the flat commands to ``app``."""
    app.command("list_decisions")(list_decisions)
    app.command("add_decision")(add_decision)


def register_group(group: typer.Typer) -> None:
    """Add the commands of ``mneme decision``."""
    group.command("show")(show)
    group.command("log")(log)
    group.command("diff")(diff)


def list_decisions(memory: MemoryOption = None, at: AtOption = None, json: JsonOption = False) -> None:
    """List the decisions in force.

    Example: mneme list_decisions --at v1.2
    """
    from mneme_git.app.listing import listed
    from mneme_git.app.open import here, overridden
    from mneme_git.decisions.listing import listing_rows, listing_text

    workspace = here()
    faults, decisions = listed(workspace, memory=memory, at=at)
    note = "" if memory else overridden(workspace)
    if note:
        notice_line(f"note: {note}")
    if json:
        answer_json({"decisions": listing_rows(decisions), "faults": faults})
        return
    for fault in faults:
        notice_line(f"WARN  {fault.code} {fault.message}")
    answer(listing_text(decisions))


def add_decision(
    decision_id: Annotated[str, typer.Option("--id", help="The id of the new decision.")],
    decision: Annotated[str, typer.Option("--decision", help="What was decided, in one sentence.")],
    rationale: Annotated[str, typer.Option("--rationale", help="Why.")] = "",
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="A topic it is about; repeatable.")
    ] = None,
    constraint: Annotated[
        list[str] | None, typer.Option("--constraint", help="What follows from it, as `no X`; repeatable.")
    ] = None,
    anti_pattern: Annotated[
        list[str] | None, typer.Option("--anti-pattern", help="What must not appear; repeatable.")
    ] = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Record a new decision by hand; checks enforce it from now on.

    Example: mneme add_decision --id use-sqlite --decision "Use SQLite" --anti-pattern redis
    """
    from mneme_git.app.decisions import add, unenforced
    from mneme_git.app.open import here, open_store
    from mneme_git.decisions.record import Draft
    from mneme_git.errors import Taken

    draft = Draft(
        decision_id=decision_id,
        statement=decision,
        rationale=rationale,
        scope=tuple(scope or ()),
        constraints=tuple(constraint or ()),
        anti_patterns=tuple(anti_pattern or ()),
    )
    workspace = here()
    opened = open_store(workspace, memory=memory)
    try:
        receipt = add(opened, draft)
    except Taken as error:
        if json:
            raise
        answer_line(f"ERROR: {error.message}")  # the existing format has this one on stdout
        raise typer.Exit(error.exit_code) from error
    for text in receipt.notices if receipt else ():
        notice_line(text)
    if opened.kind == "git" and not workspace.env.quiet:  # the existing format has fixed words only
        for text in unenforced(draft):
            notice_line(f"note: {text}")
    if json:
        code = "ADDED" if receipt else "ALREADY_THERE"
        answer_json({"code": code, "decision_id": decision_id, "receipt": receipt})
    elif receipt is None:
        answer_line(f"Decision [{decision_id}] already exists with identical content; nothing was written")
    else:
        answer_line(f"Added decision [{decision_id}]")


def show(
    decision_id: Annotated[
        str, typer.Argument(metavar="ID", help="A decision or proposal id, or its first characters.")
    ],
    memory: MemoryOption = None,
    proposals: ProposalsOption = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show one decision: what it says, its rules, its links and its versions; or one proposal.

    Example: mneme decision show ADR-007
    """
    from mneme_git.app.decisions import show as use_case
    from mneme_git.app.open import chosen_file, here

    if proposals is not None or decision_id.startswith(PROPOSAL_PREFIX):
        show_proposal(decision_id, proposals=proposals, memory=memory, at=at, json=json)
        return
    try:
        snapshot, found = use_case(here(), decision_id, memory=memory, at=at)
    except NotFound as error:
        if error.kind != "decision" or at is not None or not chosen_file(here(), memory):
            raise
        # Ids in a proposal file are what somebody wrote there: any of them may be one.
        show_proposal(decision_id, memory=memory, json=json)
        return
    _show_decision(snapshot, found, json=json)


def _show_decision(snapshot: "Snapshot", found: str, *, json: bool) -> None:
    from mneme_git.decisions import showing

    contest, state = snapshot.contest(found), snapshot.state(found)
    if contest is not None:
        sides = [{"label": side.label, "state": side.state} for side in contest.sides]
        if json:
            answer_json({"decision_id": found, "contested": contest.why, "sides": sides})
        else:
            answer(showing.contested_text(snapshot, contest))
            answer_line(f"  settle it: mneme decision resolve {contest.decision_id}")
    elif state is not None and json:
        answer_json(showing.shown(snapshot, state))
    elif state is not None:
        answer(showing.shown_text(snapshot, state))


def log(decision_id: _IdArgument, at: AtOption = None, json: JsonOption = False) -> None:
    """Tell the history of one decision on this branch, newest change first.

    Example: mneme decision log ADR-007
    """
    from mneme_git.app.decisions import log as use_case
    from mneme_git.app.open import here, open_git
    from mneme_git.decisions import showing

    store = open_git(here(), at=at)
    snapshot = store.load()
    found = showing.find_id(snapshot, decision_id)
    entries = use_case(store, snapshot, found)
    if json:
        answer_json({"decision_id": found, "entries": entries})
        return
    for entry in entries:
        if entry.commit:
            when = utc_shown(entry.time)
            answer_line(f"commit {entry.commit[:12]}  {when}  {entry.author}")
            answer_line(f"    {entry.subject}")
        else:
            answer_line("not committed")
        for line in entry.changes:
            answer_line(f"      {line}")
        if entry.history_ends:
            answer_line("      history ends here (shallow clone): older changes are not in it")


def diff(
    old: Annotated[
        str, typer.Argument(metavar="V1", help="A version id or a decision id, or its beginning.")
    ],
    new: Annotated[
        str | None, typer.Argument(metavar="V2", help="The newer one; without it V1 against its predecessor.")
    ] = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Compare two versions of decisions.

    Example: mneme decision diff dver-9d64eddc dver-98fe8339
    """
    from mneme_git.app.decisions import difference
    from mneme_git.app.open import here, open_git

    found = difference(open_git(here(), at=at).load(), old, new)
    if json:
        answer_json(
            {
                "code": "DIFFERENT" if found.text else "SAME",
                "old": {"decision_id": found.old.decision_id, "version_id": id_of(found.old)},
                "new": {"decision_id": found.new.decision_id, "version_id": id_of(found.new)},
                "diff": found.text.split("\n") if found.text else [],
            }
        )
    elif found.text:
        answer(found.text)
    else:
        notice_line("the two versions say the same")
