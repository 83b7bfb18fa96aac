"""A writer is killed again and again at random moments; what it acknowledged is never lost."""

import itertools
import random
import time

import pytest

from mneme_git.model.paths import decision_path
from mneme_git.store import journal
from mneme_git.store.intent import is_pending
from mneme_git.store.lock import write_lock
from tests.e2e.test_load import plan_of
from tests.support.killing import run_and_kill
from tests.support.writing import clean_fsck, init, open_store, statements

SEED = 20240501


def writing(folder, prefer, first):
    """Return a writer of decisions, one after another, that says the number of each when it is acknowledged."""

    def write(done, ready):
        store = open_store(folder, prefer=prefer)
        ready()
        for count in itertools.count(first):
            assert store.commit(plan_of(f"kill-{count}"), stage=count % 2 == 0).journal
            done(count)

    return write


def loop(repo, kills):
    store = init(repo)
    chance = random.Random(SEED)
    acknowledged = set()
    interrupted = 0
    for kill in range(kills):
        prefer = "program" if kill % 5 == 4 else "pygit2"
        first = 1000 * (kill + 1)
        acknowledged |= set(run_and_kill(writing(repo.path, prefer, first), chance.uniform(0.0, 0.12)))
        # The next command is held up by nothing, and finishes what was begun.
        begun = time.monotonic()
        with write_lock(store.backend, wait_seconds=1) as held:
            interrupted += held.after_crash
        assert open_store(repo.path).load().faults == ()
        if is_pending(store.backend):  # git's lock of the ref is in the way, which no reader waits for
            assert prefer == "program" or (repo.path / ".git/refs/mneme/journal.lock").exists()
        receipt = store.commit(plan_of(f"between-{kill}"), stage=False)
        assert receipt.journal
        assert time.monotonic() - begun < 8
    assert interrupted, "no kill came at a moment that matters"

    found = statements(open_store(repo.path))
    assert {f"kill-{count}" for count in acknowledged} <= found.keys()
    entries = [entry.note.subject for entry in journal.entries(store.backend)]
    assert len(entries) == len(set(entries)), "a write was recorded twice"
    # Not even where git's own `update-ref` outlives the writer that started it.
    assert found.keys() == set(entries), "the work tree and the journal do not hold the same"
    files = {path.name for path in (repo.path / ".mneme" / "decisions").iterdir()}
    assert files == {".keep"} | {decision_path(name).rpartition("/")[2] for name in found}
    (repo.path / ".git" / "index.lock").unlink(missing_ok=True)  # a killed `git add`: git's own rule
    assert sorted((repo.path / ".git" / "refs" / "mneme").iterdir())[-1].name == "journal"
    clean_fsck(repo)


def test_no_acknowledged_write_is_lost_when_writers_are_killed(repo):
    loop(repo, 25)


@pytest.mark.soak
def test_no_acknowledged_write_is_lost_by_two_hundred_kills(repo):
    loop(repo, 200)
