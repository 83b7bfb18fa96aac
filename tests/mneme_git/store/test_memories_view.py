"""The view of memories that is kept from call to call is the one that a fresh look gives."""

import os
import random
import time

import pytest

from mneme_git.errors import NotFound
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import Memory, MemoryKind
from mneme_git.model.memory_view import Mark, MemoryPlan, Place
from mneme_git.model.paths import marker_path, memory_path
from mneme_git.store import journal, pending_fold
from mneme_git.store.discover import open_backend
from mneme_git.store.memories_store import MemoriesStore

BACKENDS = ("pygit2", "program")


def memory(text):
    return Memory(kind=MemoryKind.LEARNING, body=text, created_at="2026-12-01T00:00:00Z")


def name_of(text):
    return name_of_bytes(encode_memory(memory(text)))


def store_of(repo, prefer="pygit2", revision=None):
    backend = open_backend(repo.path, prefer=prefer)
    return MemoriesStore(backend, now=lambda: 1_700_000_000, revision=revision)


def record(store, *texts, branch=None):
    plan = MemoryPlan(
        verb="memory-record", subject="x", memories=tuple(memory(text) for text in texts), branch=branch
    )
    return store.write(plan).names


def mark(store, action, *names, branch=None):
    marks = tuple(Mark(action, name) for name in names)
    store.write(MemoryPlan(verb=f"memory-{action}", subject="x", marks=marks, branch=branch))


def put(repo, text):
    """Have the file of a memory in the work tree."""
    repo.write(memory_path(name_of(text)), encode_memory(memory(text)).decode())
    return name_of(text)


def age(repo):
    """Make what changed a moment ago old enough to be trusted by its times."""
    past = time.time() - 60
    for top in (repo.path / ".mneme", repo.path / ".git/refs", repo.path / ".git/index"):
        for place, _, _ in os.walk(top):
            os.utime(place, (past, past))
    index = repo.path / ".git/index"
    if index.exists():
        os.utime(index, (past, past))


@pytest.mark.parametrize("prefer", BACKENDS)
def test_places_are_told_apart(repo, prefer):
    repo.write("a.txt", "a")
    repo.commit_all("first")
    store = store_of(repo, prefer)
    repo.git("switch", "-qc", "side")
    elsewhere = put(repo, "elsewhere")
    repo.commit_all("side")
    (waiting,) = record(store, "waiting")
    repo.git("switch", "-q", "main")
    here = put(repo, "here")
    (lost,) = record(store, "lost", branch="gone")
    view = store.view()
    places = {name: (row.place, row.branch) for name, row in view.standings.items()}
    assert places == {
        elsewhere: (Place.ELSEWHERE, "side"),
        waiting: (Place.PENDING, "side"),
        here: (Place.HERE, ""),
        lost: (Place.PENDING, "gone"),
    }
    assert {found.body for found in store.read(view.standings).values()} == {
        "elsewhere",
        "waiting",
        "here",
        "lost",
    }


def test_a_view_is_the_same_object_until_something_changes(repo):
    store = store_of(repo)
    record(store, "one")
    first = store.view()
    assert store.view() is first
    (name,) = record(store, "two")
    second = store.view()
    assert second is not first
    assert second.changed == {name}
    assert second.key != first.key


def test_marks_count_for_their_branch_and_the_last_one_wins(repo):
    repo.write("a.txt", "a")
    name = put(repo, "kept")
    repo.commit_all("first")
    store = store_of(repo)
    mark(store, "pin", name)
    mark(store, "forget", name)
    assert store.view().standings[name].forgotten
    assert not store.view().standings[name].pinned
    repo.git("switch", "-qc", "side")
    assert store.view().standings[name].live
    repo.git("switch", "-q", "main")
    mark(store, "unforget", name)
    assert store.view().standings[name].live


def test_a_revision_has_its_own_memories_and_nothing_that_waits(repo):
    old = put(repo, "old")
    repo.commit_all("first")
    put(repo, "new")
    repo.write(marker_path(old, "forgotten"), "")
    repo.commit_all("second")
    record(store_of(repo), "waiting")
    view = store_of(repo, revision="HEAD~1").view()
    assert {name: row.live for name, row in view.standings.items()} == {old: True}
    assert store_of(repo, revision="HEAD").view().standings[old].forgotten
    with pytest.raises(NotFound):
        store_of(repo, revision="nowhere").view()


def test_a_file_that_the_work_tree_lost_counts_from_the_index(repo):
    name = put(repo, "kept")
    repo.commit_all("first")
    (repo.path / memory_path(name)).unlink()
    store = store_of(repo)
    assert store.view().standings[name].place is Place.HERE
    assert store.read([name])[name].body == "kept"


def test_a_body_that_was_edited_by_hand_is_read_from_where_it_is_sound(repo):
    name = put(repo, "kept")
    repo.commit_all("first")
    repo.write(memory_path(name), "{}")
    assert store_of(repo).read([name])[name].body == "kept"


class Walk:
    """Random things that happen to memories in one clone."""

    def __init__(self, repo, seed):
        self.repo = repo
        self.chance = random.Random(seed)
        self.store = store_of(repo)
        self.texts = 0

    def _new(self):
        self.texts += 1
        return f"text {self.texts}"

    def _any(self):
        return self.chance.choice(sorted(self.store.view().standings) or [name_of("none")])

    def record(self):
        record(self.store, self._new(), branch=self.chance.choice([None, None, "main", "side", ""]))

    def mark(self):
        mark(self.store, self.chance.choice(["forget", "unforget", "pin", "unpin", "purge"]), self._any())

    def _mark_file(self, name, marker, text):
        """Write a marker as git and mneme do, under a new file; who edits one in place is not seen at once."""
        path = marker_path(name, marker)
        (self.repo.path / path).unlink(missing_ok=True)
        self.repo.write(path, text)

    def put(self):
        put(self.repo, self._new())

    def put_marker(self):
        self._mark_file(self._any(), self.chance.choice(["forgotten", "pinned"]), "")

    def purge_file(self):
        name = self._any()
        self._mark_file(name, "forgotten", "purged\n")
        (self.repo.path / memory_path(name)).unlink(missing_ok=True)

    def remove(self):
        files = sorted((self.repo.path / ".mneme").rglob("*.json"))
        if files:
            self.chance.choice(files).unlink()

    def stage(self):
        self.repo.git("add", "-A")

    def commit(self):
        self.repo.git("add", "-A")
        self.repo.git("commit", "-q", "--allow-empty", "-m", "c")

    def switch(self):
        self.commit()
        self.repo.git("switch", "-q", self.chance.choice(["main", "side", "other"]))

    def detach(self):
        self.commit()
        self.repo.git("switch", "-q", "--detach")

    def merge(self):
        self.commit()
        self.repo.git("merge", "-q", "-X", "ours", "-m", "m", "side")

    def branch(self):
        self.repo.git("branch", "-f", f"b{self.chance.randrange(3)}")

    def pack(self):
        self.repo.git("pack-refs", "--all")

    def settle(self):
        age(self.repo)

    def step(self):
        steps = [name for name in vars(Walk) if not name.startswith("_") and name != "step"]
        getattr(self, self.chance.choice(steps))()


def walk(repo, seed, steps):
    repo.write("a.txt", "a")
    repo.commit_all("first")
    repo.git("branch", "side")
    repo.git("branch", "other")
    walking = Walk(repo, seed)
    seen = {}
    for _ in range(steps):
        before = walking.store.view()
        walking.step()
        kept, fresh = walking.store.view(), store_of(repo).view()
        assert kept.standings == fresh.standings
        assert (kept.key, kept.branch) == (fresh.key, fresh.branch)
        assert seen.setdefault(kept.key, kept.standings) == kept.standings
        if kept is not before and kept.changed is not None:
            names = before.standings.keys() | kept.standings.keys()
            differ = {name for name in names if before.standings.get(name) != kept.standings.get(name)}
            assert differ <= kept.changed


@pytest.mark.parametrize("seed", range(2))
def test_a_kept_view_is_what_a_fresh_one_is_after_whatever_happens(repo, seed):
    walk(repo, seed, 30)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
def test_a_kept_view_is_what_a_fresh_one_is_for_long(repo, seed):
    walk(repo, seed, 120)


def test_what_waits_is_taken_up_where_another_process_left_it(repo, monkeypatch):
    monkeypatch.setattr(pending_fold, "_WORTH", 3)
    store = store_of(repo)
    for count in range(4):
        record(store, f"text {count}")
        store.view()
    assert (repo.path / ".git/mneme/pending").exists()
    read = []
    whole = journal.tip

    def counted(backend):
        read.append(backend)
        return whole(backend)

    monkeypatch.setattr(journal, "tip", counted)
    fold = pending_fold.PendingFold(open_backend(repo.path))
    assert len(fold.state.known) == 3
    assert fold.advance() == {name_of("text 3")}
    assert fold.state == store._viewer._fold.state


@pytest.mark.parametrize("damage", [b"", b"mneme projection\n", b"\0" * 200])
def test_a_damaged_record_of_what_waits_is_made_again(repo, monkeypatch, damage):
    monkeypatch.setattr(pending_fold, "_WORTH", 1)
    store = store_of(repo)
    record(store, "one", "two")
    expected = store.view().standings
    (repo.path / ".git/mneme/pending").write_bytes(damage)
    assert store_of(repo).view().standings == expected


def test_a_journal_that_was_taken_away_leaves_nothing_waiting(repo, monkeypatch):
    monkeypatch.setattr(pending_fold, "_WORTH", 1)
    store = store_of(repo)
    record(store, "one")
    assert store.view().standings
    repo.git("update-ref", "-d", "refs/mneme/journal")
    assert store.view().standings == {}
    assert store_of(repo).view().standings == {}


@pytest.mark.parametrize("prefer", BACKENDS)
def test_a_remote_that_is_added_later_is_seen(repo, prefer):
    store = store_of(repo, prefer)
    record(store, "pending")
    age(repo)
    store.view()
    store.view()
    name = put(repo, "theirs")
    repo.git("checkout", "-q", "-b", "theirs")
    repo.commit_all("a memory")
    repo.git("checkout", "-q", "main")
    repo.git("clone", "-q", "--bare", ".", "../origin.git")
    repo.git("branch", "-q", "-D", "theirs")
    age(repo)
    store.view()
    assert name not in store.view().standings
    repo.git("remote", "add", "origin", "../origin.git")
    repo.git("fetch", "-q", "origin")
    found = store.view().standings[name]
    assert (found.place, found.branch) == (Place.ELSEWHERE, "origin/theirs")


def test_of_several_branches_the_one_of_this_name_on_a_remote_is_told(repo):
    name = put(repo, "shared")
    repo.git("checkout", "-q", "-b", "a")
    repo.commit_all("a memory")
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("update-ref", "refs/heads/topic/main", "HEAD")
    repo.git("checkout", "-q", "main")
    assert store_of(repo).view().standings[name].branch == "origin/main"


def test_a_marker_of_another_branch_tells_of_that_branch_alone(repo):
    name = put(repo, "shared")
    repo.git("checkout", "-q", "-b", "z")
    repo.commit_all("a memory")
    repo.git("checkout", "-q", "main")
    repo.git("checkout", "-q", "-b", "a")
    repo.write(marker_path(name, "forgotten"), "")
    repo.commit_all("forgotten on this branch")
    repo.git("checkout", "-q", "main")
    found = store_of(repo).view().standings[name]
    assert (found.branch, found.live) == ("z", True)


def test_a_folder_that_is_a_link_is_not_followed(repo):
    name = put(repo, "planted")
    folder = repo.path / memory_path(name)
    folder.parent.rename(repo.path.parent / "outside")
    folder.parent.symlink_to(repo.path.parent / "outside")
    assert name not in store_of(repo).view().standings


def in_the_way_a_link(repo, path):
    (repo.path / path).rename(repo.path / "kept")
    (repo.path / path).symlink_to(repo.path / "kept")


def in_the_way_a_folder(repo, path):
    (repo.path / path).unlink()
    (repo.path / path).mkdir()


def moved_by_hand(repo, path):
    (repo.path / ".mneme/memories/zz").mkdir()
    (repo.path / path).rename(repo.path / ".mneme/memories/zz" / path.rpartition("/")[2])


def moved_with_git(repo, path):
    (repo.path / ".mneme/memories/zz").mkdir()
    repo.git("mv", path, ".mneme/memories/zz/")


@pytest.mark.parametrize("prefer", BACKENDS)
@pytest.mark.parametrize("spoil", [in_the_way_a_link, in_the_way_a_folder, moved_by_hand, moved_with_git])
def test_what_the_index_has_is_here_whatever_stands_in_the_place_of_its_file(repo, prefer, spoil):
    name = put(repo, "kept in mind")
    repo.commit_all()
    store = store_of(repo, prefer)
    assert store.view().standings[name].place is Place.HERE
    spoil(repo, memory_path(name))
    for looking in (store, store_of(repo, prefer)):
        assert looking.view().standings[name].place is Place.HERE
        assert looking.read([name])[name].body == "kept in mind"
