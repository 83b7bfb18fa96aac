"""The best documents are found exactly, whichever way they are looked for."""

import random

import pytest

from mneme_git.store import recall_best
from mneme_git.store.recall_best import Weighted, best
from mneme_git.store.recall_postings import Mask, Postings


@pytest.mark.parametrize("steps", [0, 10**9])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_few_are_those_of_scoring_all(monkeypatch, steps, seed):
    monkeypatch.setattr(recall_best, "_FEW_STEPS", steps)
    chance = random.Random(seed)
    size, terms, scores = 400, [], {}
    for _ in range(chance.randint(1, 20)):
        postings, adds = Postings(), [0.0] * 32 + [chance.random() for _ in range(224)]
        for document in sorted(chance.sample(range(size), chance.randint(1, size))):
            kind = chance.randint(32, 255)
            postings.add(document, kind)
            scores[document] = scores.get(document, 0.0) + adds[kind]
        terms.append(Weighted(postings, adds))
    flags = bytes(chance.random() < 0.8 for _ in range(size))
    expected = sorted(
        ((document, score) for document, score in scores.items() if flags[document]),
        key=lambda pair: (-pair[1], pair[0]),
    )
    for limit in (1, 3, 20):
        assert best(terms, Mask(flags), lambda document: (document, ""), limit) == expected[:limit]
