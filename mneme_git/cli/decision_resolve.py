"""``mneme decision resolve``."""

from typing import Annotated

import typer

from mneme_git.cli.options import DryRunOption, JsonOption
from mneme_git.cli.output import answer, answer_json, answer_line, notice_line
from mneme_git.errors import InvalidInput


def register(group: typer.Typer) -> None:
    """Add the command to ``mneme decision``."""
    group.command("resolve")(resolve)


def resolve(
    decision_id: Annotated[
        str, typer.Argument(metavar="ID", help="A contested decision's id, or its first characters.")
    ],
    ours: Annotated[bool, typer.Option("--ours", help="Take the side of the branch you are on.")] = False,
    theirs: Annotated[bool, typer.Option("--theirs", help="Take the side that is being merged in.")] = False,
    take: Annotated[
        str | None, typer.Option("--take", metavar="LABEL", help="Take the side with this label.")
    ] = None,
    as_merged: Annotated[
        bool,
        typer.Option("--import", help="Import its ADR file as merged, on top of the side (ours if none)."),
    ] = False,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Settle a decision on which branches disagree; without a side, show the sides.

    Exit status 1 means that it was shown and is still contested. In a rebase git calls the branch
    that is rebased onto "ours".

    Example: mneme decision resolve ADR-007 --theirs
    """
    chosen = [label for label, given in (("ours", ours), ("theirs", theirs)) if given]
    chosen += [take] if take is not None else []
    if len(chosen) > 1:
        raise InvalidInput("more than one side was chosen", hint="give one of --ours, --theirs and --take")
    if chosen or as_merged:
        take = chosen[0] if chosen else None
        _settle(decision_id, take, as_merged=as_merged, dry_run=dry_run, json=json)
    else:
        _show(decision_id, json=json)
        raise typer.Exit(1)


def _show(decision_id: str, *, json: bool) -> None:
    from mneme_git.app.open import here
    from mneme_git.app.resolve import sides

    contest, text = sides(here(), decision_id)
    if not json:
        answer(text)
        return
    answer_json(
        {
            "code": "CONTESTED",
            "decision_id": contest.decision_id,
            "why": contest.why,
            "proposed": contest.continued_by,
            "sides": [{"label": side.label, "state": side.state} for side in contest.sides],
        }
    )


def _settle(decision_id: str, take: str | None, *, as_merged: bool, dry_run: bool, json: bool) -> None:
    from mneme_git.app.open import here
    from mneme_git.app.resolve import resolve as use_case
    from mneme_git.model.plan import plan_id

    resolution, receipt = use_case(here(), decision_id, take, as_merged=as_merged, dry_run=dry_run)
    for text in receipt.notices if receipt else ():
        notice_line(text)
    if json:
        answer_json(
            {
                "code": "WOULD_SETTLE" if receipt is None else "SETTLED",
                "chosen": resolution.chosen,
                "also": resolution.also,
                "plan": plan_id(resolution.plan),
                "receipt": receipt,
            }
        )
        return
    will = "would be " if receipt is None else ""
    for row in (resolution.chosen, *resolution.also):
        what = "removed" if row.deleted else "settled"
        merged = " with its ADR as merged on top" if as_merged and row is resolution.chosen else ""
        answer_line(f"Decision [{row.decision_id}] {will}{what} as {row.label} has it{merged}")
    if receipt is not None and receipt.staged:
        answer_line("The result is staged; go on with git (commit, rebase --continue, ...)")
