"""The recall index answers what scoring every memory would answer, whatever it was given before."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.store import recall_best, recall_write
from mneme_git.store.recall_index import Filters
from tests.support.recall import bodies, found_by_force, memory, name_of, named, opened

WORDS = ["alpha", "beta", "gamma", "delta", "the", "of", "parse", "parsing", "getUser", "x", "管理", "c++"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)


def pairs(hits):
    return [(hit.name, hit.score) for hit in hits]


@pytest.mark.parametrize("steps", [0, 10**9])
@settings(max_examples=25, deadline=None)
@given(
    shown=st.lists(TEXTS, min_size=1, max_size=40),
    hidden=st.lists(TEXTS, max_size=20),
    query=TEXTS,
    wide=st.booleans(),
    limit=st.integers(1, 30),
)
def test_order_and_scores_are_those_of_scoring_every_visible_memory(
    tmp_path_factory, steps, shown, hidden, query, wide, limit
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recall_best, "_FEW_STEPS", steps)
        patch.setattr(recall_write, "_FRESH", 16)
        records = [
            memory(text, at=at % 5, author=str(at), scope="global" if wide and at % 3 else "project")
            for at, text in enumerate(shown)
        ]
        others = [memory(text, at=at, author=f"other {at}") for at, text in enumerate(hidden)]
        index = opened(tmp_path_factory.mktemp("recall"))
        for start in range(0, len(others) + len(records), 7):
            index.add(named([*others, *records][start : start + 7]))
        index.drop([name_of(record) for record in others[::2]])
        hits = index.search(query, Filters(), frozenset(named(records)), limit)
        index.close()
    assert pairs(hits) == found_by_force(query, records, limit=limit)


def test_the_same_view_gives_the_same_answer_whatever_was_indexed_before(tmp_path):
    chance = random.Random(5)
    records = [memory(" ".join(chance.choices(WORDS, k=9)), at=at % 7, author=str(at)) for at in range(700)]
    noise = [memory(" ".join(chance.choices(WORDS, k=4)), author=f"noise {at}") for at in range(600)]
    one, two = opened(tmp_path / "one"), opened(tmp_path / "two")
    one.add(named(records))
    for start in range(0, 600, 50):
        two.add(
            named([*noise[start : start + 50], *reversed(records)])
            if start == 300
            else named(noise[start : start + 50])
        )
    two.drop(list(named(noise[:100])))
    visible = frozenset(named(records))
    for query in ("the alpha of", "getUser parse", "x 管理", "beta"):
        expected = one.search(query, Filters(), visible, 30)
        assert expected
        assert two.search(query, Filters(), visible, 30) == expected
        assert two.search(query, Filters(), set(visible), 10) == expected[:10]


def test_a_document_above_the_border_is_found_among_thousands_that_have_the_common_words(
    tmp_path, monkeypatch
):
    records = [memory(f"the of and entry {at}", at=at % 3000) for at in range(3000)]
    needle = memory("the of and entry entry of needle", at=5)
    index = opened(tmp_path, [*records, needle])
    assert bodies(index, "the of and needle entry", [*records, needle], limit=1) == [needle.body]
    hits = index.search("the of and entry", Filters(), frozenset(named(records)), 5)
    assert pairs(hits) == found_by_force("the of and entry", records, limit=5)


def test_two_stores_share_their_statistics_so_that_scores_compare(tmp_path):
    here = [memory("tabs are wrong", at=1), *(memory(f"note about tabs {at}") for at in range(20))]
    there = [memory("tabs are wrong", at=1, scope="global"), memory("spaces")]
    one, two = opened(tmp_path / "one", here), opened(tmp_path / "two", there)
    sets = frozenset(named(here)), frozenset(named(there))
    both = one.statistics("tabs wrong", sets[0]) + two.statistics("tabs wrong", sets[1])
    assert (both.documents, both.having) == (23, {"tab": 22, "wrong": 2})
    near = one.search("tabs wrong", Filters(), sets[0], 1, statistics=both)[0]
    far = two.search("tabs wrong", Filters(), sets[1], 1, statistics=both)[0]
    assert near.score > far.score
    assert far.score == pytest.approx(near.score * 0.9, rel=0.05)


def test_project_comes_before_global_at_equal_words(tmp_path):
    records = [memory("retry twice", scope="global", at=9), memory("retry twice", at=1)]
    index = opened(tmp_path, records)
    hits = index.search("retry", Filters(), frozenset(named(records)), 5)
    assert [hit.name for hit in hits] == [name_of(records[1]), name_of(records[0])]


def test_ties_go_to_the_newer_then_to_the_smaller_name(tmp_path):
    records = [memory("same words", at=at % 2, author=str(at)) for at in range(8)]
    hits = opened(tmp_path, records).search("same words", Filters(), frozenset(named(records)), 8)
    newer, older = (sorted(map(name_of, records[start::2])) for start in (1, 0))
    assert [hit.name for hit in hits] == [*newer, *older]


def test_a_passage_that_has_all_the_words_is_better_than_words_far_apart(tmp_path):
    filler = [f"filler{at}" for at in range(400)]
    near = memory(" ".join([*filler[:200], "database", "timeout", *filler[200:]]))
    far = memory(" ".join(["database", *filler, "timeout"]), at=9)
    assert bodies(opened(tmp_path, [near, far]), "database timeout", [near, far]) == [near.body, far.body]


def test_words_in_the_order_of_the_query_are_better(tmp_path):
    records = [memory("line break of the page", at=1), memory("break line of the page", at=2)]
    assert bodies(opened(tmp_path, records), "line break", records)[0] == records[0].body


def test_a_limit_only_cuts_the_answer(tmp_path):
    records = [memory(f"alpha {'beta ' * (at % 4)}{at}", at=at) for at in range(120)]
    index, visible = opened(tmp_path, records), frozenset(named(records))
    everything = index.search("alpha beta", Filters(), visible, 200)
    assert len(everything) == 120
    for limit in (1, 10, 49, 51, 90):
        assert index.search("alpha beta", Filters(), visible, limit) == everything[:limit]
    assert index.search("alpha beta", Filters(), visible, 0) == ()


def test_a_very_long_query_is_answered_by_its_weightiest_words(tmp_path):
    records = [memory(f"word{at} common") for at in range(100)]
    index = opened(tmp_path, records)
    query = " ".join(f"word{at}" for at in range(100)) + " common unknown" * 500
    assert len(bodies(index, query, records, limit=100)) == recall_best.MOST_TERMS < 100


def test_what_is_visible_is_corrected_as_it_would_be_looked_up_again(tmp_path):
    records = [memory(f"alpha {'beta ' * (at % 5)}", at=at, author=str(at)) for at in range(60)]
    names = sorted(named(records))
    index = opened(tmp_path / "one", records[:40])
    sets = [names[:30], names[:31], names[1:31], names[5:25], names, names[:1], [], names[3:]]
    for turn, chosen in enumerate([*sets, *reversed(sets)]):
        if turn == 4:
            index.add(named(records[40:]))
        visible = frozenset([*chosen, "f" * 32])
        assert index.statistics("alpha beta", visible) == index.statistics("alpha beta", set(visible))
        assert index.search("alpha beta", Filters(), visible, 9) == index.search(
            "alpha beta", Filters(), set(visible), 9
        )
