import json

import pytest

from mneme_indexer.answers import Query
from mneme_indexer.discovery import BrokenAnswer, ModelFailed, kept_of, narrowing
from mneme_indexer.rank.context import context
from mneme_indexer.rank.survey import Survey
from tests.indexer.rank.corpora import MemoryCorpus

FILES = {f"m{n}.py": f"def invoice_{n}():\n    return {n}\n".encode() for n in range(4)}


def ask(answer):
    corpus = MemoryCorpus(FILES)
    seen = []

    def model(system, user):
        seen.append(user)
        if isinstance(answer, Exception):
            raise answer
        return answer

    query = Query(task="invoice")
    whole = context(corpus, Survey(corpus), query)
    narrowed = context(corpus, Survey(corpus), query, narrowing(query.task, query.hint, model))
    return [s.name for s in whole.symbols], [s.name for s in narrowed.symbols], narrowed.fallback_reason, seen


def test_the_model_removes_and_the_order_stays():
    whole, narrowed, reason, seen = ask(json.dumps({"keep": [3, 1], "drop": [4, 2]}))
    assert narrowed == [whole[0], whole[2]]
    assert reason is None
    assert seen[0].startswith("TASK: invoice\nHINT: (none)\n\nCANDIDATES:\n1. ")


@pytest.mark.parametrize(
    "answer",
    [
        "keep all",
        '{"keep": [1]}',
        '{"keep": [1, 2], "drop": [3]}',
        '{"keep": [1, 1, 2, 3, 4], "drop": []}',
        '{"keep": [1, 2, 3, 4], "drop": [4]}',
        '{"keep": [1, 2, 3, 4, 5], "drop": []}',
        '{"keep": [], "drop": [1, 2, 3, 4]}',
        '{"keep": [true, 2, 3, 4], "drop": []}',
        '{"keep": "1", "drop": [2, 3, 4]}',
        "[]",
        "[" * 100_000,
        ModelFailed("no answer within 4 s"),
    ],
)
def test_whatever_goes_wrong_removes_nothing_and_is_told(answer):
    whole, narrowed, reason, _ = ask(answer)
    assert narrowed == whole
    assert reason.startswith("discovery-model-unavailable: ")


def test_a_fence_around_the_answer_is_taken_off():
    assert kept_of('```json\n{"keep": [2], "drop": [1]}\n```', 2) == {1}


def test_an_answer_about_nothing_keeps_nothing():
    assert kept_of('{"keep": [], "drop": []}', 0) == frozenset()
    with pytest.raises(BrokenAnswer):
        kept_of('{"keep": [1], "drop": []}', 0)
