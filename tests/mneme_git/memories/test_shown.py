from mneme_git.memories.shown import shown
from tests.support.memories import (
    contents_of,
    elsewhere,
    global_memory,
    here,
    lost,
    memory,
    named,
    pending,
    view,
)

TWINS = named(
    memory("twin"), memory("twin", author="b"), memory("twin", author="c"), memory("twin", author="d")
)
A, B, C, D = sorted(TWINS)
KEYS = contents_of(TWINS)


def test_of_equal_contents_the_nearest_is_shown():
    rows = [elsewhere(A), pending(B, branch="other"), pending(C), here(D)]
    for left in range(4, 0, -1):
        assert shown([view(*rows[:left])], KEYS, {}).visible == {rows[left - 1].name}


def test_of_equally_near_ones_the_smaller_name_is_shown():
    assert shown([view(B, A, C)], KEYS, {}).visible == {A}


def test_what_was_forgotten_here_does_not_come_back_from_elsewhere():
    assert shown([view(here(A, forgotten=True), elsewhere(B))], KEYS, {}).visible == frozenset()
    assert shown([view(here(A, forgotten=True, purged=True), elsewhere(B))], KEYS, {}).visible == frozenset()
    assert shown([view(elsewhere(A, forgotten=True), elsewhere(B))], KEYS, {}).visible == frozenset()


def test_what_was_recorded_again_after_it_was_forgotten_is_shown():
    assert shown([view(here(A, forgotten=True), here(B))], KEYS, {}).visible == {B}
    assert shown([view(here(A, forgotten=True), pending(B))], KEYS, {}).visible == {B}


def test_what_is_lost_is_not_shown():
    assert shown([view(lost(A))], KEYS, {}).visible == frozenset()


def test_a_memory_without_a_key_is_like_no_other():
    assert shown([view(A, B)], {}, {}).visible == {A, B}


OLD, NEW, NEWER = named(memory("old"), memory("new"), memory("newer"))
CHAIN = contents_of(named(memory("old"), memory("new"), memory("newer")))


def test_what_a_live_memory_supersedes_is_visible_and_not_current():
    found = shown([view(OLD, NEW)], CHAIN, {OLD: (NEW,)})
    assert found.visible == {OLD, NEW}
    assert found.current == {NEW}
    assert found.replaced == {OLD: (NEW,)}


def test_what_is_not_live_replaces_nothing():
    assert shown([view(OLD, here(NEW, forgotten=True))], CHAIN, {OLD: (NEW,)}).current == {OLD}
    assert shown([view(OLD, lost(NEW))], CHAIN, {OLD: (NEW,)}).current == {OLD}
    assert shown([view(OLD)], CHAIN, {OLD: (NEW,)}).current == {OLD}


def test_a_chain_is_replaced_to_its_end():
    found = shown([view(OLD, NEW, NEWER)], CHAIN, {OLD: (NEW,), NEW: (NEWER,)})
    assert found.current == {NEWER}


def test_a_twin_of_what_is_replaced_is_replaced_too():
    keys = {**KEYS, NEW: CHAIN[NEW]}
    assert shown([view(B, NEW)], keys, {A: (NEW,)}).current == {NEW}
    assert shown([view(A, B, NEW)], keys, {B: (NEW,)}).replaced == {A: (NEW,)}


def test_a_memory_does_not_replace_its_own_content():
    assert shown([view(A, B)], KEYS, {A: (B,)}).current == {A}


def test_a_projects_memory_can_replace_a_global_one_and_scopes_are_not_joined():
    wide = named(global_memory("old"))
    (name,) = wide
    keys = {**CHAIN, **contents_of(wide)}
    assert shown([view(OLD, NEW), view(name)], keys, {}).visible == {OLD, NEW, name}
    assert shown([view(NEW), view(name)], keys, {name: (NEW,)}).current == {NEW}


BACK = named(memory("old"), memory("new"), memory("old", author="b"), memory("new", author="b"))
FIRST, SECOND, THIRD, FOURTH = BACK
BACK_KEYS = contents_of(BACK)


def test_what_was_recorded_anew_to_replace_its_successor_is_current():
    superseding = {FIRST: (SECOND,), SECOND: (THIRD,)}
    found = shown([view(FIRST, SECOND, THIRD)], BACK_KEYS, superseding)
    assert found.current == {min(FIRST, THIRD)}
    found = shown([view(here(FIRST, forgotten=True), SECOND, THIRD)], BACK_KEYS, superseding)
    assert found.current == {THIRD}
    found = shown([view(*BACK)], BACK_KEYS, {**superseding, THIRD: (FOURTH,)})
    assert found.current == {min(SECOND, FOURTH)}


def test_in_a_circle_of_two_branches_something_holds():
    found = shown([view(*BACK)], BACK_KEYS, {FIRST: (SECOND,), FOURTH: (THIRD,)})
    assert found.current == found.visible == {min(FIRST, THIRD), min(SECOND, FOURTH)}
    keys = {**BACK_KEYS, NEWER: "newer", "later": "later"}
    before = {FIRST: (SECOND,), FOURTH: (THIRD,), NEWER: (FIRST,)}
    found = shown([view(*BACK, NEWER)], keys, before)
    assert found.current == found.visible - {NEWER}
    found = shown([view(*BACK, "later")], keys, {**before, SECOND: ("later",)})
    assert found.current == {"later"}
