"""Protections told: to people in the words of the decision-index format, and as rows for programs."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from mneme_git.decisions.protection import Choice, Removed, Validation
from mneme_git.decisions.protection_evidence import Assessment
from mneme_git.decisions.protection_tier import RULE_TYPE, Tier, Token
from mneme_git.model.enforced import Enforced
from mneme_git.text.printable import text_of

_RULER = "=" * 60
_SENTENCE = (
    "FORBID_LITERAL fails on an exact case-sensitive match, enforced independently of retrieval score; "
    "canonical policy sources are exempt (ADR-019/ADR-020)"
)
_TIERS = (
    ("Protected", Tier.PROTECTED),
    ("Mneme-ready", Tier.MNEME_READY),
    ("Requires modelling", Tier.REQUIRES_MODELLING),
    ("Guidance", Tier.GUIDANCE),
)


class Row(Struct, frozen=True, kw_only=True):
    """One decision's protection for programs.

    ``proposal`` is the literal that a protection would forbid, ``not_caught`` another spelling of it
    that the decision or its readers may mean; both empty if there is none.
    """

    decision_id: str
    statement: str
    lifecycle_status: str
    protection_tier: str
    guardrail: str | None
    evidence: str
    sources: tuple[str, ...]
    rule_installed: bool
    proposal: str
    not_caught: str
    source: str


def row(assessment: Assessment) -> Row:
    """Return what is known of one decision."""
    decision, token = assessment.decision, assessment.standing.proposal
    return Row(
        decision_id=decision.id,
        statement=decision.statement,
        lifecycle_status=decision.status,
        protection_tier=assessment.tier.value,
        guardrail=assessment.standing.guardrail,
        evidence=assessment.evidence,
        sources=assessment.sources,
        rule_installed=assessment.has_rule,
        proposal=token.literal if token else "",
        not_caught=token.other_spelling if token else "",
        source=decision.source_as_stored,
    )


def counts(assessments: Sequence[Assessment]) -> dict[str, int]:
    """Return how many active decisions each tier has, every tier named; sides of one decision are one."""
    tiers = {one.decision.id: one.tier for one in reversed(assessments) if one.decision.status == "active"}
    found = Counter(tiers.values())
    return {tier.value: found[tier] for _, tier in _TIERS}


def candidates(assessments: Sequence[Assessment]) -> tuple[Assessment, ...]:
    """Return the active decisions that could be protected, in their order; contested ones are not."""
    return tuple(
        one
        for one in assessments
        if one.tier is Tier.MNEME_READY and one.decision.status == "active" and not one.decision.side
    )


def list_text(assessments: Sequence[Assessment]) -> str:
    """Return the tiers in numbers, and each candidate with the rule that it would get."""
    numbers, ready = counts(assessments), candidates(assessments)
    lines = [
        "Protection activation candidates",
        _RULER,
        "  ".join(f"{name}: {numbers[tier.value]}" for name, tier in _TIERS),
        f"Candidates: {len(ready)}",
        "",
    ]
    if not ready:
        return text_of([*lines, "(no activation candidates)"])
    for number, one in enumerate(ready, 1):
        lines += _candidate(number, one)
    return text_of(
        [
            *lines,
            "",
            "Validate before activating:  mneme protect validate <decision-id>",
            "Activate (explicit):         mneme protect activate <decision-id>",
        ]
    )


def _candidate(number: int, one: Assessment) -> list[str]:
    decision, token = one.decision, one.standing.tokens[0]
    source = [f"    source: {decision.source}"] if decision.source else []
    return [
        f"[{number}] {decision.id}: {decision.statement}",
        *source,
        f"    guardrail: {one.standing.guardrail}",
        f'    rule to install: {RULE_TYPE} "{token.literal}"',
        "    applies to: global applicability (canonical policy sources exempt)",
        f"    enforcement: {_SENTENCE}",
    ]


def status_text(one: Assessment) -> str:
    """Return how one decision is protected."""
    decision, standing = one.decision, one.standing
    lines = [
        f"Decision [{decision.id}] {decision.statement}",
        f"  lifecycle status: {decision.status}",
        f"  protection tier:  {one.tier.value}",
    ]
    if standing.guardrail is not None:
        lines.append(f"  guardrail:        {standing.guardrail}")
    lines.append(f"  evidence:         {one.evidence}")
    lines += [f"      {source}" for source in one.sources]
    lines.append(f"  rule installed:   {'yes' if one.has_rule else 'no'}")
    if one.tier is Tier.MNEME_READY:
        lines.append(f'  proposal:         {RULE_TYPE} "{standing.tokens[0].literal}"')
    return text_of(lines)


def spelling_notice(decision: Enforced, token: Token, literal: str) -> str:
    """Return what a rule for ``literal`` will not catch, and how to have it; empty if nothing is known."""
    others = sorted({token.term, token.written} - {literal} - {rule.value for rule in decision.rules})
    if not others:
        return ""
    return (
        f"WARN  LITERAL_SPELLING [{decision.id}] matching is exact: '{literal}' is forbidden, "
        f"'{others[0]}' is not (--literal {others[0]} forbids that spelling)"
    )


def validation_text(one: Assessment, validation: Validation) -> str:
    """Return what was checked of a proposed rule, and the result."""
    return text_of(
        [
            f"Validating proposed protection for [{one.decision.id}]",
            f"  decision:  {one.decision.statement}",
            f'  proposal:  {RULE_TYPE} "{validation.literal}"',
            "  checks:",
            *check_lines(validation),
            f"Result: {validation.result}",
            "Validation never activates protection.",
        ]
    )


def check_lines(validation: Validation, *, failed_only: bool = False) -> list[str]:
    """Return one line for each check."""
    return [
        f"    {'PASS' if check.passed else 'FAIL'} {check.name}: {check.detail}"
        for check in validation.checks
        if not (failed_only and check.passed)
    ]


def refusal_text(decision_id: str, choice: Choice, *, validating: bool) -> str:
    """Return why a decision gets no protection."""
    if choice.is_done and not validating:
        return text_of(
            [f"Already Protected: [{decision_id}]", f"  {choice.reason}", "  Nothing to activate."]
        )
    told = [f"NOT ELIGIBLE: [{decision_id}] {choice.reason}"]
    return text_of([*told, "Protection was not validated and nothing was activated."] if validating else told)


def failed_text(decision_id: str, validation: Validation) -> str:
    """Return which checks a rule failed, so that it was not bound."""
    return text_of(
        [
            f"VALIDATION FAILED: [{decision_id}] {validation.result}",
            *check_lines(validation, failed_only=True),
            "Nothing was written.",
        ]
    )


def activated_text(decision_id: str, literal: str, *, installed: bool) -> str:
    """Return that a decision is protected now."""
    how = "installed" if installed else "already present"
    return text_of(
        [
            f"Protection activated and verified: [{decision_id}] (rule {how})",
            f'  rule: {RULE_TYPE} "{literal}"',
            "  verification: canonical assessment reports protected",
            "Re-run `mneme audit` to observe the new Protected decision.",
        ]
    )


def deactivated_text(decision_id: str, removed: Sequence[Removed], tier: Tier) -> str:
    """Return which rules are no longer bound, and where the decision stands without them."""
    return text_of(
        [
            f"Protection deactivated: [{decision_id}]",
            *(f'  removed: {rule.type} "{rule.value}" ({rule.rule_id})' for rule in removed),
            f"  protection tier:  {tier.value}",
            f"To have it again: mneme protect activate {decision_id}",
        ]
    )
