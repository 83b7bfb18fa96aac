"""From signals to an order of files: a weighted sum of scaled scores. Why: docs/explanation/ranking.md."""

from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest

from msgspec import Struct

from mneme_indexer.rank import signals
from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.question import Question
from mneme_indexer.rank.roles import Role
from mneme_indexer.rank.signals import Scores
from mneme_indexer.rank.survey import Survey

BODY, PATH, HEAD, HISTORY, RECENCY, NAME, MENTION = 1.0, 0.5, 0.3, 0.6, 0.15, 0.3, 0.5
# A task that is nothing but a name asks for its definition.
NAME_ALONE = 2.0
ROLES: Mapping[Role, float] = {"code": 1.0, "aside": 0.5, "test": 0.4, "other": 0.3}
ASKED_FOR = 0.8
KEPT = 40
_LIKELY = 4 * KEPT
_SYMBOL = (1 << signals.SYMBOL_BITS) - 1
# Scores are compared after rounding, so that no order rests on the last bit of a sum.
DIGITS = 9


class RankedFile(Struct, frozen=True):
    """A file with its score and the signals that it owes it to; ``symbols`` are scores by position."""

    file: int
    score: float
    signals: frozenset[str]
    symbols: Mapping[int, float]


def rank_files(corpus: Corpus, survey: Survey, question: Question) -> list[RankedFile]:
    """Return the best files, best first; ties go by path. At most ``KEPT``."""
    by_symbol = signals.symbol_scores(corpus, survey, question.terms)
    parts = dict(_parts(corpus, survey, question, signals.head_scores(by_symbol)))
    total: Scores = {}
    for scores, _ in parts.values():
        for file, score in scores.items():
            total[file] = total.get(file, 0.0) + score
    recent = _scaled(survey.votes.recency_of(total), RECENCY)
    for file, score in recent.items():
        total[file] += score
    weights = {role: _role_weight(role, question) for role in ROLES}
    roles = survey.roles
    placed = {file: score * weights[roles[file]] for file, score in total.items()}
    likely = nlargest(_LIKELY, placed, key=placed.__getitem__)
    best = sorted((-round(placed[file], DIGITS), file) for file in likely)[:KEPT]
    symbols = _symbols_of({file for _, file in best}, by_symbol)
    return [RankedFile(file, -score, _reasons(file, parts), symbols[file]) for score, file in best]


def _reasons(file: int, parts: Mapping[str, tuple[Scores, float]]) -> frozenset[str]:
    return frozenset(name for name, (scores, least) in parts.items() if scores.get(file, 0.0) > least)


def _symbols_of(files: Collection[int], by_symbol: Scores) -> dict[int, dict[int, float]]:
    """Return the scores of the symbols of some files, by file and position."""
    found: dict[int, dict[int, float]] = {file: {} for file in files}
    for at, score in by_symbol.items():
        if at >> signals.SYMBOL_BITS in found:
            found[at >> signals.SYMBOL_BITS][at & _SYMBOL] = score
    return found


def _parts(
    corpus: Corpus, survey: Survey, question: Question, heads: Scores
) -> Iterable[tuple[str, tuple[Scores, float]]]:
    """Yield each signal, scaled and weighted, with the share from which on it is a reason to show."""
    terms = question.terms
    names = signals.name_scores(corpus, survey, question.names)
    mentioned = signals.mention_scores(survey, corpus.paths, question.paths)
    votes = survey.votes.of({term.text: term.weight for term in terms})
    yield "body", (_scaled(signals.body_scores(corpus, survey, terms), BODY), 0.0)
    yield "path", (_scaled(signals.path_scores(survey, terms), PATH), 0.0)
    yield "head", (_scaled(heads, HEAD), 0.0)
    yield "history", (_scaled(votes, HISTORY), 0.1 * HISTORY)
    yield "name", (_scaled(names, NAME_ALONE if question.is_name else NAME), 0.0)
    yield "mention", (_scaled(mentioned, MENTION), 0.0)


def _scaled(scores: Scores, weight: float) -> Scores:
    """Return the scores times ``weight``, the best one being 1 before."""
    highest = max(scores.values(), default=0.0)
    if highest <= 0:
        return {}
    factor = weight / highest
    return {file: score * factor for file, score in scores.items()}


def _role_weight(role: Role, question: Question) -> float:
    asked = (role == "test" and question.asks_tests) or (role == "other" and question.asks_docs)
    return max(ASKED_FOR, ROLES[role]) if asked else ROLES[role]
