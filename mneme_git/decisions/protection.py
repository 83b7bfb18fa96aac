"""Putting a protection in force and taking it out: what may, whether it would work, and the plans.

A protection is one literal rule that a person binds to the active version of a decision, beside
the rules that the decision's own text derives. It changes neither the version nor any id.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.applicability import Target
from mneme_git.decisions.check import judge, make_ready
from mneme_git.decisions.protection_evidence import Assessment
from mneme_git.decisions.protection_tier import RULE_TYPE, Tier, Token, literal_tokens
from mneme_git.decisions.settled import settled
from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import Authority, DecisionState, RuleBinding, active_rules, rule_id_of
from mneme_git.model.enforced import Enforced, TypedRule
from mneme_git.model.plan import Plan, PutState, Read
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted

Result = Literal["VALID", "INVALID", "UNSUPPORTED"]


class Choice(Struct, frozen=True, kw_only=True):
    """Whether a protection can be put in force, and which literal; ``reason`` says why not.

    ``is_done`` is true where nothing is left to do because the decision is protected already.
    """

    token: Token | None = None
    literal: str = ""
    reason: str = ""
    is_done: bool = False


class Check(Struct, frozen=True, kw_only=True):
    """One of the four checks on a proposed rule."""

    name: str
    passed: bool
    detail: str


class Validation(Struct, frozen=True, kw_only=True):
    """The checks on a proposed rule, and what they come to."""

    literal: str
    result: Result
    checks: tuple[Check, ...]


class Removed(Struct, frozen=True, kw_only=True):
    """A rule that is no longer bound."""

    rule_id: str
    type: str
    value: str


def choose(assessment: Assessment, *, literal: str = "") -> Choice:
    """Return which literal a protection of the decision would forbid, or why there can be none.

    ``literal`` asks for one of the words that the decision bans, in the spelling wanted; with it a
    protected decision can get a further rule.

    Raises:
        InvalidInput: the decision bans no such word.
    """
    status = assessment.decision.status
    if status != "active":
        return Choice(reason=f"decision status is {quoted(status)}; only active decisions can be activated")
    if literal and assessment.tier in {Tier.MNEME_READY, Tier.PROTECTED}:
        return _asked_for(assessment, literal)
    if assessment.tier is Tier.PROTECTED:
        return Choice(reason="already Protected under the canonical assessment", is_done=True)
    token = assessment.standing.proposal
    if token is None:
        return Choice(reason=f"canonical tier is {assessment.tier.value}; not Mneme-ready")
    return Choice(token=token, literal=token.literal)


def _asked_for(assessment: Assessment, literal: str) -> Choice:
    tokens = literal_tokens(assessment.decision)
    token = next((token for token in tokens if token.term == literal.lower()), None)
    if token is None:
        listed = ", ".join(token.term for token in tokens) or "none"
        raise InvalidInput(
            f"decision {quoted(assessment.decision.id)} bans no word {quoted(literal)}",
            hint=f"a protection forbids what the decision's own words ban, in any spelling: {listed}",
        )
    if any(_is_global(rule) and rule.value == literal for rule in assessment.decision.rules):
        return Choice(reason="already Protected under the canonical assessment", is_done=True)
    return Choice(token=token, literal=literal)


def _is_global(rule: TypedRule) -> bool:
    return rule.type == RULE_TYPE and rule.include_paths is None


_ROOT = "/policy"
_ARTIFACT, _UNRELATED = "src/component.py", "docs/notes.md"
# The first that does not hold the literal is the text that must pass.
_HARMLESS = ("A plain remark about nothing in particular.", "All is well.", "0 1 2")


def validate(decision: Enforced, literal: str) -> Validation:
    """Check, by judging texts, that forbidding ``literal`` blocks what it should and nothing else.

    The rule is judged alone: what else the decision forbids is not the proposal's doing.
    """
    probe = replace(
        decision,
        rules=(TypedRule(type=RULE_TYPE, value=literal),),
        anti_patterns=(),
        constraints=(),
        side="",
    )
    bad = f"This line uses {literal} on purpose."
    good = next((text for text in _HARMLESS if literal.lower() not in text.lower()), "")
    sources = [Target(given=_ROOT, resolved=f"{_ROOT}/policy", policy_file=True)]
    if decision.source:
        sources.append(Target(given=decision.source, resolved=decision.source))
    enforced = _fires(probe, bad, _target(_ARTIFACT))
    exempt = not any(_fires(probe, bad, source) for source in sources)
    blocked = _fires(probe, good, _target(_ARTIFACT))
    elsewhere = _fires(probe, bad, _target(_UNRELATED))
    blocked_elsewhere = _fires(probe, good, _target(_UNRELATED))
    checks = _checks(literal, enforced, blocked, exempt, elsewhere, blocked_elsewhere)
    result: Result = "VALID" if all(check.passed for check in checks) else "INVALID"
    return Validation(literal=literal, result=result if literal.strip() else "UNSUPPORTED", checks=checks)


def _checks(
    literal: str, enforced: bool, blocked: bool, exempt: bool, elsewhere: bool, blocked_elsewhere: bool
) -> tuple[Check, ...]:
    name = quoted(literal)
    caught = "is a typed FAIL" if enforced else "is not caught"
    passes = "is blocked" if blocked else "is not blocked"
    return (
        Check(
            name="prohibited_detected",
            passed=enforced,
            detail=f"input containing {name} {caught}",
        ),
        Check(
            name="permitted_allowed",
            passed=not blocked,
            detail=f"permitted input without {name} {passes}",
        ),
        Check(
            name="path_scope_respected",
            passed=enforced and exempt,
            detail=f"artifact path enforced={enforced}, canonical policy source exempt={exempt}",
        ),
        Check(
            name="unrelated_paths_unaffected",
            passed=elsewhere and not blocked_elsewhere,
            detail=f"unrelated artifact path enforced={elsewhere}, "
            f"permitted content blocked={blocked_elsewhere}",
        ),
    )


def _target(path: str) -> Target:
    return Target(given=path, resolved=f"{_ROOT}/{path}", relative=path)


def _fires(decision: Enforced, text: str, target: Target) -> bool:
    ready = make_ready([decision], None, 1)
    return judge(ready, text, target, exempt_prose=True).verdict == "FAIL"


def plan_activate(snapshot: Snapshot, decision_id: str, literal: str) -> Plan:
    """Plan one binding that forbids ``literal`` everywhere; no operations if it is bound already.

    Raises:
        NotFound: there is no such decision.
        Refused: branches disagree on it.
    """
    state = settled(snapshot, decision_id)
    bound = active_rules(state)
    rule = RuleBinding(
        version_id=state.active_version_id,
        sequence=max((row.sequence for row in bound), default=-1) + 1,
        type=RULE_TYPE,
        value=literal,
        authority=Authority.PROTECTION,
    )
    present = {rule_id_of(state.decision_id, row) for row in bound}
    if rule_id_of(state.decision_id, rule) in present:
        return Plan(verb="protect", subject=decision_id)
    return _plan("protect", state, replace(state, rules=_in_order(state, (*state.rules, rule))), True)


def plan_deactivate(
    snapshot: Snapshot, decision_id: str, *, rule_id: str = ""
) -> tuple[Plan, tuple[Removed, ...]]:
    """Plan to unbind the protections of the active version, or only the rule ``rule_id``.

    A rule that a migration carried over goes only when it is named: nobody knows who wanted it.

    Raises:
        NotFound: there is no such decision, or it has no such rule.
        Refused: branches disagree on the decision, or no protection is bound.
    """
    state = settled(snapshot, decision_id)
    bound = {str(rule_id_of(state.decision_id, rule)): rule for rule in active_rules(state)}
    if rule_id and rule_id not in bound:
        raise NotFound("rule of the active version", rule_id, hint=_listed(bound) or "it has no rules")
    wanted = {rule_id: bound[rule_id]} if rule_id else bound
    allowed = {Authority.PROTECTION, Authority.LEGACY_UNKNOWN} if rule_id else {Authority.PROTECTION}
    gone = {name: rule for name, rule in wanted.items() if rule.authority in allowed}
    if not gone:
        raise Refused(_why_not(decision_id, wanted), hint=_hint(decision_id, wanted))
    kept = tuple(rule for rule in state.rules if rule not in gone.values())
    removed = tuple(Removed(rule_id=name, type=rule.type, value=rule.value) for name, rule in gone.items())
    return _plan("unprotect", state, replace(state, rules=kept), False), removed


def _why_not(decision_id: str, rules: dict[str, RuleBinding]) -> str:
    if not rules:
        return f"no rule is bound to the active version of decision {quoted(decision_id)}"
    named = ", ".join(f'{rule.type} "{rule.value}" ({rule.authority.value})' for rule in rules.values())
    return f"no protection is bound to the active version of decision {quoted(decision_id)}, only {named}"


def _hint(decision_id: str, rules: dict[str, RuleBinding]) -> str:
    authorities = {rule.authority for rule in rules.values()}
    if Authority.LEGACY_UNKNOWN in authorities:
        return f"a rule that was carried over goes when it is named with --rule: {_listed(rules)}"
    if authorities:
        return (
            "a rule of authority `version` comes from the decision's text: edit its ADR and import it again"
        )
    return f"run `mneme protect status {decision_id}`"


def _listed(rules: dict[str, RuleBinding]) -> str:
    return ", ".join(rules)


def _plan(verb: str, before: DecisionState, after: DecisionState, activates: bool) -> Plan:
    return Plan(
        verb=verb,
        subject=before.decision_id,
        operations=(PutState(after),),
        reads=(Read("decision", before.decision_id, state_digest(before)),),
        activates=activates,
    )


def _in_order(state: DecisionState, rules: tuple[RuleBinding, ...]) -> tuple[RuleBinding, ...]:
    """Return rules in the order of the lineage and then by sequence, as a state keeps them."""
    places = {entry.version_id: at for at, entry in enumerate(state.versions)}
    return tuple(sorted(rules, key=lambda rule: (places.get(rule.version_id, len(places)), rule.sequence)))
