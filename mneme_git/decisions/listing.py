"""The list of decisions in force, as text and as rows for programs."""

from collections.abc import Sequence

from msgspec import Struct

from mneme_git.model.enforced import Enforced, TypedRule
from mneme_git.text.printable import text_of


class ListedRule(Struct, frozen=True, kw_only=True):
    """A rule in ``list_decisions --json``."""

    type: str
    value: str
    include_paths: tuple[str, ...] | None
    exclude_paths: tuple[str, ...]


class Listed(Struct, frozen=True, kw_only=True):
    """A decision in ``list_decisions --json``."""

    id: str
    decision: str
    scope: tuple[str, ...]
    constraints: tuple[str, ...]
    anti_patterns: tuple[str, ...]
    rules: tuple[ListedRule, ...]
    source: str
    side: str


def listing_text(decisions: Sequence[Enforced]) -> str:
    """Return the list for people, in the order given; ``(no decisions)`` if there are none.

    A contested decision stands once for each side, with a line that names it.
    """
    if not decisions:
        return "(no decisions)"
    return text_of(line for decision in decisions for line in _lines(decision))


def listing_rows(decisions: Sequence[Enforced]) -> tuple[Listed, ...]:
    """Return the list for programs, in the order given."""
    return tuple(
        Listed(
            id=decision.id,
            decision=decision.statement,
            scope=decision.scope,
            constraints=decision.constraints,
            anti_patterns=decision.anti_patterns,
            rules=tuple(
                ListedRule(
                    type=rule.type,
                    value=rule.value,
                    include_paths=rule.include_paths,
                    exclude_paths=rule.exclude_paths,
                )
                for rule in decision.rules
            ),
            source=decision.source_as_stored,
            side=decision.side,
        )
        for decision in decisions
    )


def _lines(decision: Enforced) -> list[str]:
    lines = [f"[{decision.id}] {decision.statement}"]
    if decision.side:
        lines.append(f"    contested: this is the side of {decision.side}")
    named = (
        ("scope", decision.scope),
        ("constraints", decision.constraints),
        ("avoid", decision.anti_patterns),
    )
    lines += [f"    {name}: {', '.join(texts)}" for name, texts in named if texts]
    for rule in decision.rules:
        lines += rule_lines(rule, "    ")
    return lines


def rule_lines(rule: TypedRule, indent: str) -> list[str]:
    """Return a rule as one line, and its paths as further lines below it."""
    lines = [f"{indent}rule: {rule.type} {rule.value}"]
    if rule.include_paths is not None:
        lines.append(f"{indent}  applies to: {', '.join(rule.include_paths)}")
    if rule.exclude_paths:
        lines.append(f"{indent}  except: {', '.join(rule.exclude_paths)}")
    return lines
