"""A task and a corpus in, a reply out."""

from collections.abc import Callable, Sequence

from mneme_indexer.answers import ContextAnswer, ContextSymbol, Query
from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.fusion import rank_files
from mneme_indexer.rank.pack import Pick, pack, picks, symbol_of
from mneme_indexer.rank.question import Question, question_of
from mneme_indexer.rank.survey import Survey

# What would be shown, to the positions that stay and why none was removed (empty if some could be).
Narrow = Callable[[Sequence[ContextSymbol]], tuple[frozenset[int], str]]
NARROWED = 60  # so many of the first are put to the vote


def context(
    corpus: Corpus,
    survey: Survey,
    query: Query,
    narrow: Narrow | None = None,
    fallback_reason: str | None = None,
) -> ContextAnswer:
    """Return what bears on a task within the budget; the same for the same corpus, history and query.

    ``narrow`` may remove some of what would be shown, and nothing else; ``fallback_reason`` is why there
    is none.
    """
    question = question_of(query.task, query.hint)
    chosen = picks(corpus, survey, question, rank_files(corpus, survey, question), query.budget)
    if narrow is not None and query.use_discovery_model and chosen:
        chosen, fallback_reason = _narrowed(chosen, question, narrow)
    return pack(chosen, question, query.budget, fallback_reason)


def _narrowed(chosen: list[Pick], question: Question, narrow: Narrow) -> tuple[list[Pick], str | None]:
    kept, reason = narrow([symbol_of(pick, question) for pick in chosen[:NARROWED]])
    left = [pick for at, pick in enumerate(chosen) if at >= NARROWED or at in kept]
    return left, reason or None
