"""A commit changes where a memory stands, and never how it stands."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mneme_git.model.memory_view import Place
from mneme_git.model.paths import marker_path, memory_path
from mneme_git.store.journal_entry import Note
from mneme_git.store.memories_standing import BODY, FORGOTTEN, PINNED, PURGED, Sources, Tip, standing_of
from mneme_git.store.memories_taking import take
from mneme_git.store.pending import PendingState
from tests.support.memories import memory, named

(NAME,) = named(memory("one"))
MEMORIES = named(memory("one"))
ACTIONS = ("record", "forget", "unforget", "pin", "unpin", "purge")
flags = st.sampled_from(
    [
        0,
        BODY,
        BODY | PINNED,
        BODY | FORGOTTEN,
        BODY | FORGOTTEN | PINNED,
        FORGOTTEN,
        FORGOTTEN | PURGED,
        PINNED,
    ]
)
steps = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.just("main"))
    | st.tuples(st.sampled_from(["record", "forget"]), st.just("other")),
    max_size=6,
)


def state_after(rows):
    state = PendingState()
    for word, branch in rows:
        state.take(Note(verb="x", subject="", branch=branch, pending=((word, NAME),)))
    return state


def flags_after(here, files):
    bits = {memory_path(NAME): BODY, marker_path(NAME, "pinned"): PINNED}
    for path, data in files.items():
        if path == marker_path(NAME, "forgotten"):
            here &= ~(FORGOTTEN | PURGED)
            here |= 0 if data is None else FORGOTTEN | (PURGED if data else 0)
        else:
            here = here & ~bits[path] | (0 if data is None else bits[path])
    return here


def sources_of(here, tip, state):
    tips = {NAME: Tip("elsewhere", tip)} if tip & BODY else {}
    return Sources(here={NAME: here} if here else {}, tips=tips, pending=state, branch="main")


def read(names):
    return {name: MEMORIES[name] for name in names}


@settings(deadline=None, max_examples=300)
@given(flags, flags, flags, steps)
def test_what_counts_here_is_the_same_before_and_after_a_commit(here, head, tip, rows):
    state = state_after(rows)
    sources = sources_of(here, tip, state)
    before = standing_of(NAME, sources)
    assume(before is not None and before.place is not Place.LOST)
    taking = take(sources, {NAME: head} if head else {}, "main", read)
    after_flags, after_head = here, head
    for row in taking.taken:
        after_flags = flags_after(after_flags, row.files)
        after_head = flags_after(after_head, {path: row.files[path] for path in row.committed})
    state.take(Note(verb="c", subject="", branch="main", settled=tuple(row.name for row in taking.settled)))
    after = standing_of(NAME, sources_of(after_flags, tip, state))
    assert told(after) == told(before)
    again = take(sources_of(after_flags, tip, state), {NAME: after_head}, "main", read)
    assert not again.settled


def told(row):
    return row.forgotten, row.purged, row.pinned and row.live
