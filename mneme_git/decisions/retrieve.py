"""Which decisions a query is about: a score for each, and the best few."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from mneme_git.model.enforced import Enforced
from mneme_git.text.words import retrieval_matches, retrieval_terms

DEFAULT_TOP = 3
_FLOOR = 1.0
# In the order in which matches are listed. Neither the id nor typed rules are scored.
_FIELDS: tuple[tuple[str, float, Callable[[Enforced], Sequence[str]]], ...] = (
    ("decision", 1.0, lambda decision: (decision.statement,)),
    ("scope", 2.0, lambda decision: decision.scope),
    ("constraints", 1.5, lambda decision: decision.constraints),
    ("anti_patterns", 1.5, lambda decision: decision.anti_patterns),
    ("rationale", 0.5, lambda decision: (decision.rationale,)),
)


class Scored(Struct, frozen=True):
    """A decision, its score for a query (>= 0, larger is better) and the fields that matched."""

    decision: Enforced
    score: float
    matched: tuple[str, ...] = ()


def rank(decisions: Iterable[Enforced], query: str) -> tuple[Scored, ...]:
    """Return every decision with its score, best first; ties keep the given order.

    The score is the sum over the fields of weight times the number of distinct query terms in the
    field (decision 1, scope 2, constraints and anti-patterns 1.5, rationale 0.5). A query without
    a usable term gives every decision the score 1.
    """
    terms = retrieval_terms(query)
    if not terms:
        return tuple(Scored(decision, _FLOOR) for decision in decisions)
    scored = [_scored(decision, terms) for decision in decisions]
    return tuple(sorted(scored, key=lambda row: -row.score))


def best(ranked: Iterable[Scored], top: int) -> tuple[Scored, ...]:
    """Return the rows of the first ``top`` decision ids that have a positive score, in rank order.

    The sides of a contested decision count as one and come together. ``top`` 0 or less takes none.
    """
    rows = [row for row in ranked if row.score > 0]
    chosen: list[str] = []
    for row in rows:
        if len(chosen) >= top:
            break
        if row.decision.id not in chosen:
            chosen.append(row.decision.id)
    taken = frozenset(chosen)
    return tuple(row for row in rows if row.decision.id in taken)


def _scored(decision: Enforced, terms: frozenset[str]) -> Scored:
    counts = [(name, weight, retrieval_matches(terms, texts(decision))) for name, weight, texts in _FIELDS]
    return Scored(
        decision,
        sum(weight * count for _, weight, count in counts),
        tuple(name for name, _, count in counts if count),
    )
