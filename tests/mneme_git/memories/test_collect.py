import pytest

from mneme_git.errors import CountersTooYoung, InvalidInput
from mneme_git.memories.collect import Counters, collect, collect_forgotten
from mneme_git.text.instants import DAY_SECONDS
from tests.support.memories import NOON_SECONDS, elsewhere, here, lost, memory, named, pending, view

NOW = NOON_SECONDS + 400 * DAY_SECONDS  # memories of the tests were recorded 400 days ago


def counters(seen, **fields):
    first = dict.fromkeys(seen, NOON_SECONDS)
    return Counters(born=NOON_SECONDS, **{"first_seen": first, **fields})


def rows_of(memories, checkout, *, days=90, **fields):
    return {row.name: row for row in collect(checkout, memories, counters(memories, **fields), NOW, days)}


ONE = named(memory("one"))
(NAME,) = ONE


@pytest.mark.parametrize("stands", [here, pending, lambda name: pending(name, branch="other")])
def test_what_is_old_unused_and_not_pinned_goes_with_its_reason(stands):
    row = rows_of(ONE, view(stands(NAME)))[NAME]
    assert (row.goes, row.why, row.days) == (True, "unused", 400)
    assert row.reason == "recorded 400 days ago, never recalled here, not pinned"


@pytest.mark.parametrize(
    ("checkout", "memories", "fields", "why", "reason"),
    [
        (view(NAME), ONE, {"recalls": {NAME: 3}}, "recalled", "recalled 3 times here"),
        (view(here(NAME, pinned=True)), ONE, {}, "pinned", "pinned"),
        (view(NAME), ONE, {"days": 400}, "young", "recorded 400 days ago"),
        (
            view(NAME),
            ONE,
            {"first_seen": {NAME: NOW - 5 * DAY_SECONDS}},
            "young",
            "first seen here 5 days ago",
        ),
        (view(NAME), ONE, {"first_seen": {}}, "young", "first seen here 0 days ago"),
        (view(elsewhere(NAME)), ONE, {}, "elsewhere", "only on other"),
    ],
)
def test_what_stays_says_why(checkout, memories, fields, why, reason):
    row = rows_of(memories, checkout, **fields)[NAME]
    assert (row.goes, row.why, row.reason) == (False, why, reason)


def test_a_tag_pins_as_well():
    tagged = named(memory("one", tags=("db", "Pinned")))
    (name,) = tagged
    assert rows_of(tagged, view(name))[name].why == "pinned"
    other = named(memory("one", tags=("unpinned",)))
    (name,) = other
    assert rows_of(other, view(name))[name].goes


def test_a_time_that_is_none_counts_from_when_it_was_first_seen():
    odd = named(memory("one", created_at="long ago"))
    (name,) = odd
    assert rows_of(odd, view(name))[name].days == 400
    assert rows_of(odd, view(name), first_seen={name: NOW})[name].why == "young"


def test_what_is_not_live_has_no_row():
    assert rows_of(ONE, view(here(NAME, forgotten=True))) == {}
    assert rows_of(ONE, view(lost(NAME))) == {}


def test_a_body_that_cannot_be_read_is_left_alone():
    assert rows_of({}, view(NAME)) == {}


def test_twins_go_together_or_not_at_all():
    twins = named(memory("twin"), memory("twin", author="b"))
    one, two = twins
    both = rows_of(twins, view(one, two))
    assert both[one].goes
    assert both[two].goes
    kept = rows_of(twins, view(one, two), recalls={two: 1})
    assert (kept[one].why, kept[one].reason) == ("same_text", f"says the same as {two}, which stays")


def test_a_twin_elsewhere_does_not_keep_one():
    twins = named(memory("twin"), memory("twin", author="b"))
    one, two = twins
    assert rows_of(twins, view(one, elsewhere(two)))[one].goes


def test_what_replaces_something_that_stays_stays_too():
    old = named(memory("old"))
    (before,) = old
    new = named(memory("new", supersedes=(before,)))
    (after,) = new
    kept = rows_of({**old, **new}, view(before, after), recalls={before: 1})
    assert (kept[after].why, kept[after].reason) == ("replaces", f"replaces {before}, which stays")
    gone = rows_of({**old, **new}, view(before, after))
    assert gone[before].goes
    assert gone[after].goes


def test_a_chain_of_replacements_is_kept_from_what_stays_on():
    first = named(memory("1"))
    second = named(memory("2", supersedes=tuple(first)))
    third = named(memory("3", supersedes=tuple(second)))
    twin = named(memory("3", author="b"))
    every = {**first, **second, **third, **twin}
    kept = rows_of(every, view(*every), recalls={next(iter(first)): 1})
    assert [row.goes for row in kept.values()] == [False] * 4


def test_the_oldest_come_first_then_by_name():
    made = named(
        *(memory(f"m{number}") for number in range(6)), memory("older", created_at="2025-01-01T00:00:00Z")
    )
    seen = dict.fromkeys(made, NOON_SECONDS - 366 * DAY_SECONDS)
    rows = collect(view(*made), made, Counters(born=0, first_seen=seen), NOW)
    assert made[rows[0].name].body == "older"
    assert [row.name for row in rows[1:]] == sorted(row.name for row in rows[1:])


def test_counters_that_are_too_young_say_nothing():
    young = Counters(born=NOW - 89 * DAY_SECONDS)
    with pytest.raises(CountersTooYoung, match="counted recalls for 89 days, not for 90") as caught:
        collect(view(), {}, young, NOW)
    assert "at most 89" in caught.value.hint
    with pytest.raises(CountersTooYoung):
        collect_forgotten(view(), young, NOW)
    with pytest.raises(CountersTooYoung, match="counted recalls for 0 days"):
        collect(view(), {}, Counters(born=NOW + 5), NOW, 1)
    assert collect(view(), {}, Counters(born=NOW - 90 * DAY_SECONDS), NOW) == ()


@pytest.mark.parametrize("days", [0, -1])
def test_a_limit_is_a_number_of_days(days):
    with pytest.raises(InvalidInput):
        collect(view(), {}, Counters(born=0), NOW, days)


def test_files_that_were_forgotten_long_ago_are_purged():
    checkout = view(
        here("a", forgotten=True), here("b", forgotten=True), pending("c", forgotten=True),
        here("d", forgotten=True, purged=True), here("e"), here("f", forgotten=True),
    )  # fmt: skip
    seen = {"a": NOW - 91 * DAY_SECONDS, "b": NOW - 3 * DAY_SECONDS, "c": NOON_SECONDS}
    rows = {row.name: row for row in collect_forgotten(checkout, Counters(born=0, forgotten_seen=seen), NOW)}
    assert {name: (row.goes, row.why) for name, row in rows.items()} == {
        "a": (True, "forgotten"), "b": (False, "young"), "c": (False, "no_file"), "f": (False, "young"),
    }  # fmt: skip
    assert rows["a"].reason == "forgotten 91 days ago"
