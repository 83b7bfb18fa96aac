"""``mneme decision deprecate`` and ``decision supersede``, for decisions without an ADR."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import DryRunOption, JsonOption, MemoryOption
from mneme_git.cli.output import answer, answer_json, notice_line

if TYPE_CHECKING:
    from mneme_git.app.retire import Retired


def register(group: typer.Typer) -> None:
    """Add the commands to ``mneme decision``."""
    group.command("deprecate")(deprecate)
    group.command("supersede")(supersede)


def deprecate(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="The whole id of a decision.")],
    memory: MemoryOption = None,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Take a decision that has no ADR out of force; its history stays.

    Example: mneme decision deprecate use-redis
    """
    from mneme_git.app.open import here
    from mneme_git.app.retire import deprecate as use_case

    done = use_case(here(), decision_id, memory=memory, dry_run=dry_run)
    _tell(done, {"decision_id": decision_id}, "DEPRECATED", f"decision [{decision_id}] is deprecated", json)


def supersede(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The whole id of the decision that gives way.")],
    by: Annotated[str, typer.Option("--by", metavar="NEW", help="The decision that takes its place.")],
    memory: MemoryOption = None,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Let one decision take the place of another that has no ADR.

    Example: mneme decision supersede use-redis --by use-sqlite
    """
    from mneme_git.app.open import here
    from mneme_git.app.retire import supersede as use_case

    done = use_case(here(), old, by, memory=memory, dry_run=dry_run)
    said = f"decision [{old}] is superseded by [{by}]"
    _tell(done, {"decision_id": old, "superseded_by": by}, "SUPERSEDED", said, json)


def _tell(done: "Retired", about: dict[str, str], code: str, said: str, json: bool) -> None:
    codes = {"done": code, "already": "ALREADY_SO", "dry_run": "DRY_RUN"}
    lead = {"done": "Done: ", "already": "Already so: ", "dry_run": "Would be written: "}
    for text in done.receipt.notices if done.receipt else ():
        notice_line(text)
    if json:
        answer_json({"code": codes[done.outcome], **about, "receipt": done.receipt})
    else:
        answer(lead[done.outcome] + said)
