"""Many processes write at once, on both backends and from two work trees; nothing is lost."""

import os
import sys
import traceback

from mneme_git.model.codec import state_digest
from mneme_git.model.paths import decision_path
from mneme_git.model.plan import ABSENT, Plan, PutState, PutVersion, Read
from mneme_git.store import journal
from mneme_git.store.lock import write_lock
from tests.support.make import make_state, make_version
from tests.support.writing import clean_fsck, init, open_store, statements

PROCESSES = 20
WRITES = 20


def plan_of(name):
    version = make_version(name, f"Use {name}")
    return Plan(
        verb="add",
        subject=name,
        operations=(PutVersion(version), PutState(make_state(version))),
        reads=(Read("decision", name, ABSENT),),
    )


def start(writer, folder, prefer, gate):
    """Fork a writer that waits for the gate; everything that it opens, it opens itself."""
    child = os.fork()
    if child:
        return child
    try:
        store = open_store(folder, prefer=prefer)
        os.read(gate, 1)
        for count in range(WRITES):
            receipt = store.commit(plan_of(f"writer-{writer}-{count}"), stage=True)
            assert receipt.journal
            assert receipt.notices == ()
        os._exit(0)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        os._exit(1)


def test_twenty_processes_with_twenty_writes_each_lose_nothing(repo):
    store = init(repo)
    linked = repo.path.parent / "linked"
    repo.git("worktree", "add", "-q", str(linked), "-b", "linked")
    gate, opening = os.pipe()
    children = []
    for writer in range(PROCESSES):
        folder = linked if writer % 5 == 0 else repo.path
        prefer = "program" if writer % 10 == 1 else "pygit2"
        children.append(start(writer, folder, prefer, gate))
    os.write(opening, b"x" * PROCESSES)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert codes == [0] * PROCESSES

    names = {f"writer-{writer}-{count}" for writer in range(PROCESSES) for count in range(WRITES)}
    there = {name for name in names if int(name.split("-")[1]) % 5 == 0}
    for root, expected in ((repo.path, names - there), (linked, there)):
        opened = open_store(root)
        assert statements(opened) == {name: f"Use {name}" for name in expected}
        assert opened.load().faults == ()
        indexed = {entry.path for entry in opened.backend.index_entries(".mneme/decisions")}
        assert {decision_path(name) for name in expected} <= indexed
    written = [state for entry in journal.entries(store.backend) for state in entry.note.states]
    assert sorted(state.decision_id for state in written) == sorted(names)
    records = journal.contents(store.backend)
    assert {journal.state_name(state_digest(plan_of(name).operations[1].state)) for name in names} <= set(
        records
    )
    assert [entry.sequence for entry in journal.entries(store.backend)] == list(range(len(names), 0, -1))
    with write_lock(store.backend, wait_seconds=0) as held:
        assert not held.after_crash
    clean_fsck(repo)
