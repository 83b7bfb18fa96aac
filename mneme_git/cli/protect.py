"""``mneme protect``: bind a rule to a decision that names what it bans, and take it off again."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import AtOption, JsonOption, MemoryOption
from mneme_git.cli.output import answer, answer_json, notice_line

if TYPE_CHECKING:
    from mneme_git.app.protect import Activation, Assessed
    from mneme_git.decisions.protection_tier import Token
    from mneme_git.model.enforced import Enforced

_IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a decision in force.")]
_RootOption = Annotated[
    str | None,
    typer.Option("--repo-root", metavar="DIR", help="Also look for CI files and declared tests below DIR."),
]
_LiteralOption = Annotated[
    str,
    typer.Option("--literal", metavar="TEXT", help="Forbid this spelling of a word that the decision bans."),
]
_MILD = 1


def register(app: typer.Typer) -> None:
    """Add ``mneme protect`` to ``app``."""
    group = typer.Typer(no_args_is_help=True, help="Bind rules to decisions that name what they ban.")
    group.command("list")(list_candidates)
    group.command("status")(status)
    group.command("validate")(validate)
    group.command("activate")(activate)
    group.command("deactivate")(deactivate)
    app.add_typer(group, name="protect")


def list_candidates(
    memory: MemoryOption = None,
    repo_root: _RootOption = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """List the decisions that a rule could protect, with the rule.

    Example: mneme protect list --repo-root .
    """
    from mneme_git.app.open import here
    from mneme_git.app.protect import assessed_in_fixed_words
    from mneme_git.decisions import protection_report as report

    found = assessed_in_fixed_words(here(), memory=memory, repo_root=repo_root, at=at)
    if json:
        rows = [report.row(one) for one in report.candidates(found.assessments)]
        answer_json({"counts": report.counts(found.assessments), "candidates": rows, "faults": found.faults})
        return
    _warn(found)
    answer(report.list_text(found.assessments))


def status(
    decision_id: _IdArgument,
    memory: MemoryOption = None,
    repo_root: _RootOption = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show how one decision is protected.

    Example: mneme protect status ADR-007
    """
    from mneme_git.app.open import here
    from mneme_git.app.protect import assessed_in_fixed_words
    from mneme_git.decisions import protection_report as report

    found = assessed_in_fixed_words(here(), memory=memory, repo_root=repo_root, at=at)
    one = found.find(decision_id)
    if json:
        answer_json(report.row(one))
        return
    _warn(found)
    answer(report.status_text(one))


def validate(
    decision_id: _IdArgument,
    memory: MemoryOption = None,
    repo_root: _RootOption = None,
    literal: _LiteralOption = "",
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Check what the proposed rule would block and what it would let through. Writes nothing.

    Example: mneme protect validate ADR-007
    """
    from mneme_git.app.open import here
    from mneme_git.app.protect import assessed_in_fixed_words
    from mneme_git.decisions import protection_report as report
    from mneme_git.decisions.protection import choose
    from mneme_git.decisions.protection import validate as checked

    found = assessed_in_fixed_words(here(), memory=memory, repo_root=repo_root, at=at)
    one = found.find(decision_id, where=False)
    choice = choose(one, literal=literal)
    if choice.token is None:
        code = "ALREADY_PROTECTED" if choice.is_done else "NOT_ELIGIBLE"
        _tell(
            code, decision_id, report.refusal_text(decision_id, choice, validating=True), json, choice.reason
        )
        raise typer.Exit(_MILD)
    result = checked(one.decision, choice.literal)
    if json:
        answer_json({"code": result.result, "decision_id": decision_id, "validation": result})
    else:
        answer(report.validation_text(one, result))
        _warn_spelling(one.decision, choice.token, choice.literal)
    if result.result != "VALID":
        raise typer.Exit(_MILD)


def activate(
    decision_id: _IdArgument,
    memory: MemoryOption = None,
    repo_root: _RootOption = None,
    literal: _LiteralOption = "",
    json: JsonOption = False,
) -> None:
    """Bind the proposed rule to a decision, after checking that it works.

    Example: mneme protect activate ADR-007
    """
    from mneme_git.app.open import here
    from mneme_git.app.protect import activate as use_case

    done = use_case(here(), decision_id, memory=memory, repo_root=repo_root, literal=literal)
    if done.receipt is None:
        _tell_refused(decision_id, done, json)
        if not done.choice.is_done:
            raise typer.Exit(_MILD)
        return
    _tell_activated(decision_id, done, json)
    if not done.observed:
        raise typer.Exit(_MILD)


def deactivate(
    decision_id: _IdArgument,
    rule: Annotated[
        str,
        typer.Option(
            "--rule", metavar="RULE_ID", help="Take off only this rule, as `decision show --json` names it."
        ),
    ] = "",
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Take the protections off a decision. Rules that its own text states stay.

    Example: mneme protect deactivate ADR-007
    """
    from mneme_git.app.open import here
    from mneme_git.app.protect import deactivate as use_case
    from mneme_git.decisions import protection_report as report

    done = use_case(here(), decision_id, memory=memory, rule_id=rule)
    for text in done.receipt.notices:
        notice_line(text)
    if json:
        answer_json(
            {
                "code": "DEACTIVATED",
                "decision_id": decision_id,
                "removed": done.removed,
                "protection_tier": done.tier.value,
                "receipt": done.receipt,
            }
        )
    else:
        answer(report.deactivated_text(decision_id, done.removed, done.tier))


def _tell_refused(decision_id: str, done: "Activation", json: bool) -> None:
    from mneme_git.decisions import protection_report as report

    if done.validation is not None:
        text = report.failed_text(decision_id, done.validation)
        _tell("VALIDATION_FAILED", decision_id, text, json, done.validation.result)
        return
    code = "ALREADY_PROTECTED" if done.choice.is_done else "NOT_ELIGIBLE"
    text = report.refusal_text(decision_id, done.choice, validating=False)
    _tell(code, decision_id, text, json, done.choice.reason)


def _tell_activated(decision_id: str, done: "Activation", json: bool) -> None:
    from mneme_git.decisions import protection_report as report

    for text in done.receipt.notices if done.receipt else ():
        notice_line(text)
    if json:
        answer_json(
            {
                "code": "ACTIVATED" if done.observed else "NOT_OBSERVED",
                "decision_id": decision_id,
                "literal": done.choice.literal,
                "installed": done.installed,
                "validation": done.validation,
                "receipt": done.receipt,
            }
        )
    elif done.observed:
        answer(report.activated_text(decision_id, done.choice.literal, installed=done.installed))
    else:
        answer(
            f"ERROR: activation artifact written for [{decision_id}], but the decision is not observed as "
            "protected"
        )
    if done.choice.token is not None and not json:
        _warn_spelling(done.decision, done.choice.token, done.choice.literal)


def _tell(code: str, decision_id: str, text: str, json: bool, reason: str) -> None:
    if json:
        answer_json({"code": code, "decision_id": decision_id, "reason": reason})
    else:
        answer(text)


def _warn(found: "Assessed") -> None:
    for fault in found.faults:
        notice_line(f"WARN  {fault.code} {fault.message}")


def _warn_spelling(decision: "Enforced", token: "Token", literal: str) -> None:
    from mneme_git.decisions.protection_report import spelling_notice

    text = spelling_notice(decision, token, literal)
    if text:
        notice_line(text)
