"""The decisions that a query is about, as the text that goes into an agent's context."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from mneme_git.decisions.retrieve import Scored, best, rank
from mneme_git.model.enforced import Enforced, TypedRule

HEADER = "[Mneme decisions applied]"


def context_text(chosen: Iterable[Enforced]) -> str:
    """Return the block for ``chosen``, in their order; empty text if there are none."""
    blocks = [_block(decision) for decision in chosen]
    return "\n\n".join([HEADER, *blocks]) if blocks else ""


def query_text(decisions: Sequence[Enforced], query: str, top: int) -> str:
    """Return what ``test_query`` shows: every decision by score, and the block of the best ``top``."""
    ranked = rank(decisions, query)
    listed = [f"  [{row.decision.id}] score={row.score:.2f} matched={_matched(row)}" for row in ranked]
    block = context_text(row.decision for row in best(ranked, top))
    return "\n".join(
        [
            f"Query: {query}",
            "",
            "All decisions (ranked by score):",
            *listed,
            "",
            f"Injected (top {top}):",
            block or "(none)",
        ]
    )


class RankedRow(Struct, frozen=True, kw_only=True):
    """One decision in ``test_query --json``."""

    id: str
    score: float
    matched: tuple[str, ...]


class QueryAnswer(Struct, frozen=True, kw_only=True):
    """The answer of ``test_query --json``; ``context`` is the text that an agent would be given."""

    query: str
    top: int
    decisions: tuple[RankedRow, ...]
    injected: tuple[str, ...]
    context: str


def query_rows(decisions: Sequence[Enforced], query: str, top: int) -> QueryAnswer:
    """Return for programs what ``query_text`` shows to people."""
    ranked = rank(decisions, query)
    chosen = [row.decision for row in best(ranked, top)]
    return QueryAnswer(
        query=query,
        top=top,
        decisions=tuple(
            RankedRow(id=row.decision.id, score=row.score, matched=row.matched) for row in ranked
        ),
        injected=tuple(dict.fromkeys(decision.id for decision in chosen)),
        context=context_text(chosen),
    )


def _matched(row: Scored) -> str:
    return ", ".join(row.matched) or "(no match)"


def _block(decision: Enforced) -> str:
    lines = [f"DECISION [{decision.id}]: {decision.statement}"]
    if decision.side:
        lines.append(f"  Contested:    this is the side of {decision.side}")
    if decision.rationale:
        lines.append(f"  Why:          {decision.rationale}")
    if decision.scope:
        lines.append(f"  Scope:        {', '.join(decision.scope)}")
    if decision.constraints:
        lines += ["  Constraints:", *(f"    - {text}" for text in decision.constraints)]
    if decision.anti_patterns:
        lines += ["  Avoid:", *(f"    - {text}" for text in decision.anti_patterns)]
    if decision.rules:
        lines.append("  Typed rules:")
        lines += [line for rule in decision.rules for line in _rule(rule)]
    return "\n".join(lines)


def _rule(rule: TypedRule) -> list[str]:
    lines = [f"    - {rule.type}: {rule.value}"]
    if rule.include_paths is not None:
        lines.append(f"      Applies to: {', '.join(rule.include_paths)}")
    if rule.exclude_paths:
        lines.append(f"      Except: {', '.join(rule.exclude_paths)}")
    return lines
