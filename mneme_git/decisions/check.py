"""Judging a text against the decisions in force. Pure: decisions and text in, verdict out."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.applicability import RuleTrace, Target, declares, trace
from mneme_git.decisions.matching import Found, Gate, Hit, Prose, Severity, find, prose_of
from mneme_git.decisions.retrieve import best, rank
from mneme_git.model.enforced import Enforced
from mneme_git.text.places import Places

Verdict = Literal["PASS", "WARN", "FAIL"]
_SEVERITY: dict[str, Severity] = {"anti_pattern": "FAIL", "constraint": "WARN"}


class Violation(Struct, frozen=True, kw_only=True):
    """One rule that a text breaks, at the first place where it does.

    The first nine fields are those of ``mneme.check/v1`` in its order. ``line`` and ``column``
    count from 1; ``source`` is the locator of the decision's ADR; ``side`` names the side of a
    contested decision.
    """

    decision_id: str
    decision_text: str
    severity: Severity
    rule: str
    trigger: str
    kind: Literal["typed_rule", "anti_pattern", "constraint"]
    rule_type: str | None
    input_path: str | None
    selector: str | None
    line: int
    column: int
    snippet: str
    source: str
    side: str


class Judged(Struct, frozen=True, kw_only=True):
    """What was found in one text. ``complete`` is false if a rule's applicability is unknown."""

    verdict: Verdict
    complete: bool
    applicability: tuple[RuleTrace, ...] = ()
    violations: tuple[Violation, ...] = ()


class Ready(Struct, frozen=True, kw_only=True):
    """One decision in the order of evaluation, its prose rules read and its gate set."""

    decision: Enforced
    gate: Gate
    prose: tuple[Prose, ...]


def make_ready(
    decisions: Sequence[Enforced], query: str | None, top: int, *, whole_names: bool = False
) -> tuple[Ready, ...]:
    """Return ``decisions`` in the order of evaluation: the gated ones by score, then the others.

    ``query`` gates the best ``top`` decisions: all their rules are looked for. Without a query
    (None) the order stays and nothing depends on the name of a file: anti-patterns of several words
    are looked for in every decision, since a phrase names its own topic, and constraints of several
    words in none, since any one of their words would fire. With ``whole_names`` a constraint on one
    name with marks in it (``no react-dom``) is looked for as that name, in every decision.
    """
    if query is None:
        gate = Gate(phrases=True, loose=False)
        return tuple(
            Ready(decision=row, gate=gate, prose=prose_of(row, whole_names=whole_names)) for row in decisions
        )
    ranked = rank(decisions, query)
    gated = {row.decision.id for row in best(ranked, top)}
    ordered = sorted(ranked, key=lambda row: row.decision.id not in gated)
    return tuple(
        Ready(
            decision=row.decision,
            gate=Gate(row.decision.id in gated, row.decision.id in gated),
            prose=prose_of(row.decision, whole_names=whole_names),
        )
        for row in ordered
    )


def judge(ready: Sequence[Ready], text: str, target: Target, *, exempt_prose: bool) -> Judged:
    """Judge ``text``; violations stand in the order of evaluation, one at most for each rule.

    Inside a decision typed rules come first, then anti-patterns, then constraints. Typed rules
    never fire on the ADR that declares them; with ``exempt_prose`` the other rules do not either.
    """
    traces = [
        [trace(row.decision, index, target) for index in range(len(row.decision.rules))] for row in ready
    ]
    prose = [_open_prose(row, target, exempt=exempt_prose) for row in ready]
    found = find(
        text,
        {rule.rule_value for rules in traces for rule in rules if rule.outcome == "APPLIED"},
        [rule for rules in prose for rule in rules],
    )
    places = Places(text)
    found_all = [
        violation
        for row, rules, others in zip(ready, traces, prose, strict=True)
        for violation in _violations(row.decision, rules, others, found, places)
    ]
    violations = _sides_joined(found_all)
    return Judged(
        verdict=worst(violation.severity for violation in violations),
        complete=all(rule.outcome != "UNKNOWN" for rules in traces for rule in rules),
        applicability=tuple(rule for rules in traces for rule in rules),
        violations=tuple(violations),
    )


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return FAIL if there is one, else WARN if there is one, else PASS."""
    seen = set(verdicts)
    return "FAIL" if "FAIL" in seen else "WARN" if "WARN" in seen else "PASS"


def _open_prose(row: Ready, target: Target, *, exempt: bool) -> tuple[Prose, ...]:
    if exempt and declares(row.decision, target):
        return ()
    return tuple(rule for rule in row.prose if row.gate.opens(rule))


def _violations(
    decision: Enforced, rules: Sequence[RuleTrace], prose: Sequence[Prose], found: Found, places: Places
) -> Iterable[Violation]:
    for rule in rules:
        offset = found.literals.get(rule.rule_value) if rule.outcome == "APPLIED" else None
        if offset is not None:
            yield _typed(decision, rule, offset, places)
    for other in prose:
        hit = found.hit(other)
        if hit is not None:
            yield _worded(decision, other, hit, places)


def _sides_joined(violations: Sequence[Violation]) -> list[Violation]:
    """Return ``violations`` with what several sides of a contested decision forbid alike said once."""
    joined: list[Violation] = []
    places: dict[tuple[str, str, str, str | None], int] = {}
    for found in violations:
        key = (found.decision_id, found.kind, found.rule, found.selector)
        if found.side and key in places:
            before = joined[places[key]]
            joined[places[key]] = replace(before, side=f"{before.side}, {found.side}")
        else:
            places[key] = len(joined)
            joined.append(found)
    return joined


def _typed(decision: Enforced, rule: RuleTrace, offset: int, places: Places) -> Violation:
    line, column = places.line_column(offset)
    return Violation(
        decision_id=decision.id,
        decision_text=decision.statement,
        severity="FAIL",
        rule=rule.rule_value,
        trigger=rule.rule_value,
        kind="typed_rule",
        rule_type=rule.rule_type,
        input_path=rule.input_path,
        selector=rule.selector,
        line=line,
        column=column,
        snippet=places.snippet(offset),
        source=decision.source_as_stored,
        side=decision.side,
    )


def _worded(decision: Enforced, prose: Prose, hit: Hit, places: Places) -> Violation:
    line, column = places.line_column(hit.offset)
    return Violation(
        decision_id=decision.id,
        decision_text=decision.statement,
        severity=_SEVERITY[prose.kind],
        rule=prose.text,
        trigger=hit.trigger,
        kind=prose.kind,
        rule_type=None,
        input_path=None,
        selector=None,
        line=line,
        column=column,
        snippet=places.snippet(hit.offset),
        source=decision.source_as_stored,
        side=decision.side,
    )
