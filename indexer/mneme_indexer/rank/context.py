"""A task and a corpus in, a reply out."""

from mneme_indexer.answers import ContextAnswer, Query
from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.fusion import rank_files
from mneme_indexer.rank.pack import pack
from mneme_indexer.rank.question import question_of
from mneme_indexer.rank.survey import Survey


def context(corpus: Corpus, survey: Survey, query: Query) -> ContextAnswer:
    """Return what bears on a task within the budget; the same for the same corpus, history and query."""
    question = question_of(query.task, query.hint)
    return pack(corpus, survey, question, rank_files(corpus, survey, question), query.budget)
