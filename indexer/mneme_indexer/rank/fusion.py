"""From signals to an order of files: a weighted sum of scaled scores. Why: docs/ranking.md."""

from collections.abc import Mapping
from heapq import nlargest

from msgspec import Struct

from mneme_indexer.rank import signals
from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.partners import definitions_first
from mneme_indexer.rank.question import Question
from mneme_indexer.rank.roles import Role
from mneme_indexer.rank.signals import Scores
from mneme_indexer.rank.survey import Survey

WEIGHTS: Mapping[str, float] = {
    "body": 1.0,
    "coverage": 0.3,
    "path": 0.5,
    "head": 0.3,
    "history": 0.4,
    "recency": 0.15,
    "name": 0.3,
    "mention": 1.3,
}
# A task that is nothing but a name asks for its definition.
NAME_ALONE = 2.0
ROLES: Mapping[Role, float] = {"code": 1.0, "aside": 0.5, "test": 0.4, "setup": 0.2, "other": 0.2}
# At least that for tests and documents that are spoken of, and for what serves tests or building if that is
# what is looked for.
ASKED_FOR = 0.5
LOOKED_FOR = 1.0
KEPT = 40
# From this share of the best score on, a signal is a reason to show.
_REASON = {"history": 0.1}
# Scores are compared after rounding, so that no order rests on the last bit of a sum.
DIGITS = 9
_LIKELY = 4 * KEPT


class RankedFile(Struct, frozen=True):
    """A file with its score and the signals that it owes it to; ``symbols`` are scores by position."""

    file: int
    score: float
    signals: frozenset[str]
    symbols: Mapping[int, float]


def rank_files(corpus: Corpus, survey: Survey, question: Question) -> list[RankedFile]:
    """Return the best files, best first; ties go by path. At most ``KEPT``."""
    parts, symbols = scaled_signals(corpus, survey, question)
    best = definitions_first(order(parts, survey, question), corpus.paths)[:KEPT]
    return [RankedFile(file, score, _reasons(file, parts), symbols.get(file, {})) for score, file in best]


def scaled_signals(
    corpus: Corpus, survey: Survey, question: Question
) -> tuple[dict[str, Scores], dict[int, Scores]]:
    """Return each signal by its name, the best file of each having 1, and the scores of symbols by file.

    Of paths a file with a telling word has about 1. Heads and coverage are looked at in the ``_LIKELY``
    files that are best without them.
    """
    terms = question.terms
    hits = signals.found_terms(corpus, terms)
    found = {
        "body": signals.body_scores(survey, hits),
        "path": signals.path_scores(survey, terms),
        "history": survey.votes.of({term.text: term.weight for term in terms}),
        "name": signals.name_scores(corpus, survey, question.names),
        "mention": signals.mention_scores(survey, corpus.paths, question.paths),
    }
    # Recency is no evidence by itself: it only tells apart what something else has found.
    candidates = {file for scores in found.values() for file in scores}
    found["recency"] = survey.votes.recency_of(candidates)
    parts = {name: scores if name == "path" else _scaled(scores) for name, scores in found.items()}
    likely = {file for _, file in order(parts, survey, question)}
    symbols = signals.symbol_scores(corpus, survey, terms, likely)
    late = {
        "head": _scaled(signals.head_scores(symbols)),
        "coverage": _scaled(signals.coverage_scores(hits, likely)),
    }
    return {**parts, **late}, symbols


def order(
    parts: Mapping[str, Scores],
    survey: Survey,
    question: Question,
    weights: Mapping[str, float] = WEIGHTS,
    roles: Mapping[Role, float] = ROLES,
) -> list[tuple[float, int]]:
    """Return (score, file) of the ``_LIKELY`` best files, best first; a missing signal is zero."""
    total: Scores = {}
    for name, weight in weights.items():
        worth = NAME_ALONE if name == "name" and question.is_name else weight
        for file, score in parts.get(name, {}).items():
            total[file] = total.get(file, 0.0) + worth * score
    by_role = {role: _role_weight(role, weight, question) for role, weight in roles.items()}
    placed = {file: score * by_role[survey.roles[file]] for file, score in total.items()}
    if question.is_name:  # what defines the name is meant, be it a test
        placed |= {file: max(placed[file], total[file]) for file in parts.get("name", {}) if file in total}
    likely = nlargest(_LIKELY, placed, key=placed.__getitem__)
    best = sorted((-round(placed[file], DIGITS), file) for file in likely)
    return [(-score, file) for score, file in best]


def _reasons(file: int, parts: Mapping[str, Scores]) -> frozenset[str]:
    return frozenset(name for name, scores in parts.items() if scores.get(file, 0.0) > _REASON.get(name, 0.0))


def _scaled(scores: Scores) -> Scores:
    highest = max(scores.values(), default=0.0)
    if highest <= 0:
        return {}
    factor = 1 / highest
    return {file: score * factor for file, score in scores.items()}


def _role_weight(role: Role, weight: float, question: Question) -> float:
    if (role == "test" and question.asks_test_support) or (role == "setup" and question.asks_setup):
        return max(LOOKED_FOR, weight)
    asked = (role == "test" and question.asks_tests) or (role in {"setup", "other"} and question.asks_docs)
    return max(ASKED_FOR, weight) if asked else weight
