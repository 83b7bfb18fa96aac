"""Numbers follow the order in which memories came into the journal."""

from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import Memory, MemoryKind
from mneme_git.model.memory_view import MemoryPlan
from mneme_git.store.discover import open_backend
from mneme_git.store.memories_order import recorded_order
from mneme_git.store.memories_store import MemoriesStore


def test_the_first_to_come_is_the_first_and_what_never_came_is_left_out(repo):
    backend = open_backend(repo.path)
    store = MemoriesStore(backend, now=lambda: 1)
    names = []
    for body in ("c", "a", "b", "c"):
        memory = Memory(kind=MemoryKind.TODO, body=body, created_at="2026-12-01T00:00:00Z")
        store.write(MemoryPlan(verb="record", subject=body, memories=(memory,)))
        names.append(name_of_bytes(encode_memory(memory)))
    assert recorded_order(backend, {*names, "0" * 32}) == tuple(names[:3])
    assert recorded_order(backend, [names[2], names[1]]) == (names[1], names[2])
    assert recorded_order(backend, ()) == ()
    backend.close()
