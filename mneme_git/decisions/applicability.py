"""Whether a typed rule applies to the file that is judged."""

from typing import Literal

from msgspec import Struct

from mneme_git.model.enforced import Enforced, TypedRule
from mneme_git.text.quoting import quoted
from mneme_git.text.selectors import matches

Outcome = Literal["APPLIED", "EXCLUDED", "UNKNOWN"]
POLICY_SOURCE = "<canonical-policy-source>"


class Target(Struct, frozen=True, kw_only=True):
    """The file that a text belongs to.

    ``given`` is the path as the user wrote it, None if there is no path (text from standard
    input). ``resolved`` is absolute and free of symbolic links. ``relative`` is ``resolved`` below
    the policy root, with ``/``; None outside it, ``.`` for the root itself. ``policy_file`` tells
    that the path is the file that holds the decisions. ``linked`` tells that a symbolic link inside
    the repository leads from ``given`` to ``resolved``: what is exempt there is not exempt here.
    """

    given: str | None = None
    resolved: str = ""
    relative: str | None = None
    policy_file: bool = False
    linked: bool = False


class RuleTrace(Struct, frozen=True, kw_only=True):
    """What was decided about one typed rule, and why; the fields of the JSON report in its order."""

    decision_id: str
    rule_type: str
    rule_value: str
    rule_index: int
    path_scoped: bool
    input_path: str | None
    outcome: Outcome
    selector: str | None
    reason: str


def declares(decision: Enforced, target: Target) -> bool:
    """Tell whether ``target`` is the ADR that ``decision`` was read from, not a link to it."""
    return bool(decision.source) and decision.source == target.resolved and not target.linked


def trace(decision: Enforced, index: int, target: Target) -> RuleTrace:
    """Decide whether rule number ``index`` of ``decision`` applies to ``target``.

    The first that fits: the file that declares the rule is excluded; a rule without paths applies;
    a path that is unknown, outside the policy root or the root itself leaves a scoped rule
    undecided; then exclude selectors, then include selectors, in their order.
    """
    rule = decision.rules[index]
    outcome, selector, reason = _decided(decision, rule, target)
    path = None if target.relative == "." else target.relative
    return RuleTrace(
        decision_id=decision.id,
        rule_type=rule.type,
        rule_value=rule.value,
        rule_index=index,
        path_scoped=rule.include_paths is not None,
        input_path=path,
        outcome=outcome,
        selector=selector,
        reason=reason,
    )


def _decided(decision: Enforced, rule: TypedRule, target: Target) -> tuple[Outcome, str | None, str]:
    if target.policy_file or declares(decision, target):
        return "EXCLUDED", POLICY_SOURCE, "the input is this rule's declaring ADR or policy memory"
    if rule.include_paths is None:
        return "APPLIED", None, "the rule has global applicability"
    if target.given is None:
        return "UNKNOWN", None, "a scoped rule requires an input path"
    if target.relative is None:
        where = f"input path {quoted(target.given)}"
        return "UNKNOWN", None, f"{where} is outside or cannot be resolved against policy root"
    if target.relative == ".":
        return "UNKNOWN", None, "input path resolves to the policy root, not an artifact"
    return _selected(rule, target.relative)


def _selected(rule: TypedRule, path: str) -> tuple[Outcome, str | None, str]:
    for selector in rule.exclude_paths:
        if matches(selector, path):
            return "EXCLUDED", selector, "an exclude selector matched"
    for selector in rule.include_paths or ():
        if matches(selector, path):
            return "APPLIED", selector, "an include selector matched"
    return "EXCLUDED", None, "no include selector matched"
