import pytest

from mneme_git.errors import Refused
from mneme_git.memories.marks import plan_forget, plan_pin, plan_purge, plan_unforget, plan_unpin
from mneme_git.model.memory_view import Mark
from tests.support.memories import elsewhere, equals_in, here, lost, memory, named, pending, view

FIRST = memory("first")
AGAIN = memory("first", author="other")
BESIDE = memory("beside")
MEMORIES = named(FIRST, AGAIN, BESIDE)
ONE, TWO, SIDE = MEMORIES
EQUALS = equals_in(MEMORIES)


def names_of(plan):
    return {mark.name for mark in plan.marks}


def test_forgetting_reaches_every_live_memory_of_equal_content_wherever_it_is():
    plan = plan_forget([ONE], view(here(ONE), elsewhere(TWO), SIDE), EQUALS)
    assert plan.marks == (Mark("forget", ONE), Mark("forget", TWO))
    assert (plan.verb, plan.subject, plan.memories, plan.branch) == ("forget", ONE, (), None)


def test_forgetting_leaves_alone_what_is_not_live():
    plan = plan_forget([ONE, SIDE], view(here(ONE, forgotten=True), lost(TWO), pending(SIDE)), EQUALS)
    assert plan.marks == (Mark("forget", SIDE),)
    assert plan_forget([ONE], view(here(ONE, forgotten=True)), EQUALS).marks == ()
    assert plan_forget([ONE], view(), EQUALS).marks == ()


def test_each_memory_is_marked_once_and_a_collection_is_called_so():
    plan = plan_forget([ONE, TWO, ONE, SIDE], view(ONE, TWO, SIDE), EQUALS, verb="gc")
    assert sorted(mark.name for mark in plan.marks) == sorted([ONE, TWO, SIDE])
    assert (plan.verb, plan.subject) == ("gc", "4 memories")


def test_unforgetting_undoes_the_whole_forgetting():
    checkout = view(here(ONE, forgotten=True), pending(TWO, forgotten=True), here(SIDE, forgotten=True))
    assert plan_unforget([TWO], checkout, EQUALS).marks == (Mark("unforget", TWO), Mark("unforget", ONE))


def test_what_is_live_needs_no_unforgetting_and_what_was_purged_cannot_be():
    assert plan_unforget([SIDE], view(SIDE), EQUALS).marks == ()
    with pytest.raises(Refused, match="was purged: its file is gone") as caught:
        plan_unforget([SIDE], view(here(SIDE, forgotten=True, purged=True)), EQUALS)
    assert f".mneme/memories/{SIDE[0]}/{SIDE}.json" in caught.value.hint


def test_a_purged_twin_does_not_keep_one_from_being_unforgotten():
    checkout = view(here(ONE, forgotten=True), here(TWO, forgotten=True, purged=True))
    assert plan_unforget([ONE], checkout, EQUALS).marks == (Mark("unforget", ONE),)


def test_pins_are_set_and_taken_where_they_are_not_yet():
    assert names_of(plan_pin([ONE], view(here(ONE, pinned=True), TWO), EQUALS)) == {TWO}
    assert names_of(plan_unpin([ONE], view(here(ONE, pinned=True), TWO), EQUALS)) == {ONE}
    assert plan_pin([ONE], view(here(ONE, pinned=True)), EQUALS).marks == ()


def test_what_is_forgotten_cannot_be_pinned():
    with pytest.raises(Refused, match="is forgotten and cannot be pinned"):
        plan_pin([ONE], view(here(ONE, forgotten=True)), EQUALS)


def test_only_forgotten_files_of_this_checkout_are_purged():
    checkout = view(
        here(ONE, forgotten=True), pending(TWO, forgotten=True), here(SIDE, forgotten=True, purged=True)
    )
    assert plan_purge([ONE, TWO, SIDE], checkout).marks == (Mark("purge", ONE),)
    with pytest.raises(Refused, match="is live and is not purged"):
        plan_purge([ONE], view(ONE))
