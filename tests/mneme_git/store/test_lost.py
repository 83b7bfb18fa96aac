import pytest

from mneme_git.model.codec import encode_memory, encode_proposal, name_of_bytes
from mneme_git.model.paths import decision_path, memory_path, proposal_path
from mneme_git.model.plan import Plan, PutFile
from mneme_git.store.lost import kept, path_of, work_trees
from tests.support.examples import MEMORY, PROPOSAL
from tests.support.remembering import Remembering
from tests.support.writing import add, change, init, open_store, remove, statements


@pytest.fixture
def store(repo):
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store


def rows(store, *, lost):
    return [(row.kind, row.name, row.branch) for row in kept(store.backend) if row.lost is lost]


def decisions(store, *, lost=True):
    return [(name, branch) for kind, name, branch in rows(store, lost=lost) if kind == "decision"]


def discard(repo):
    repo.git("reset", "-q", "--hard")
    repo.git("clean", "-qfd")


def test_nothing_is_lost_where_everything_is_written_staged_or_committed(repo, store):
    assert kept(store.backend) == ()
    add(store, "staged")
    add(store, "unstaged", stage=False)
    assert kept(store.backend) == ()


def test_nothing_is_read_of_history_if_nothing_is_missing(store, monkeypatch):
    monkeypatch.setattr(type(store.backend), "reachable_blobs", lambda *_: pytest.fail("history was read"))
    assert kept(store.backend) == ()


def test_what_a_reset_and_a_clean_took_is_lost(repo, store):
    receipt = add(store, "second")
    discard(repo)
    version = receipt.paths[0].rpartition("/")[2].removesuffix(".json")
    assert rows(store, lost=True) == [("decision", "second", "main"), ("version", version, "main")]
    assert rows(store, lost=False) == []
    (row, _) = kept(store.backend)
    assert (row.entry.note.subject, row.replaced) == ("second", False)


def test_what_is_stashed_is_kept_elsewhere(repo, store):
    add(store, "second")
    repo.git("stash", "-q")
    assert decisions(store) == []
    assert decisions(store, lost=False) == [("second", "main")]
    repo.git("stash", "drop", "-q")
    assert decisions(store) == [("second", "main")]


def test_what_only_the_reflog_reaches_is_kept_until_the_reflog_forgets_it(repo, store):
    add(store, "second")
    repo.commit_all("second")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert decisions(store, lost=False) == [("second", "main")]
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("update-ref", "-d", "ORIG_HEAD")
    assert decisions(store) == [("second", "main")]


def test_what_another_branch_or_an_older_commit_has_is_kept_elsewhere(repo, store):
    repo.git("switch", "-q", "-c", "side")
    add(store, "second")
    repo.commit_all("second")
    repo.git("switch", "-q", "main")
    assert decisions(store, lost=False) == [("second", "side")]
    repo.git("merge", "-q", "side")
    remove(store, "second")
    repo.commit_all("away with it")
    assert decisions(store, lost=False) == [("second", "side")]
    assert decisions(store) == []


def test_what_another_work_tree_has_is_kept_elsewhere_even_if_git_does_not_know_it(repo, store):
    place = repo.path.parent / "other"
    repo.git("worktree", "add", "-q", str(place), "-b", "other")
    other = open_store(place)
    add(other, "second", stage=False)
    assert decisions(store, lost=False) == [("second", "other")]
    assert kept(other.backend) == ()
    repo.git("worktree", "remove", "--force", str(place))
    assert decisions(store) == [("second", "other")]


def test_of_a_decision_only_the_last_state_of_each_branch_can_be_lost(repo, store):
    change(store, "first", "Use two")
    change(store, "first", "Use three")
    repo.commit_all("three")
    assert decisions(store) == []  # the state between was never committed and is not counted
    repo.git("switch", "-q", "-c", "side")
    change(store, "first", "Use four")
    discard(repo)
    repo.git("switch", "-q", "main")
    change(store, "first", "Use five")
    discard(repo)
    assert decisions(store) == [("first", "main"), ("first", "side")]
    assert {row.replaced for row in kept(store.backend) if row.kind == "decision"} == {True}


def test_a_decision_that_is_here_in_another_state_is_not_listed_as_kept_elsewhere(repo, store):
    repo.git("switch", "-q", "-c", "side")
    change(store, "first", "Use two")
    repo.commit_all("two")
    repo.git("switch", "-q", "main")
    assert decisions(store, lost=False) == []


def test_a_removed_decision_is_not_lost(repo, store):
    add(store, "second")
    remove(store, "second")
    assert decisions(store) == []


def test_a_file_that_was_reformatted_is_still_there(repo, store):
    add(store, "second", stage=False)
    path = decision_path("second")
    repo.write(path, repo.read(path).replace(b"\n", b"\r\n"))
    assert decisions(store) == []


def test_memories_and_proposals_can_be_lost_too(repo, store):
    memory, proposal = encode_memory(MEMORY), encode_proposal(PROPOSAL)
    names = name_of_bytes(memory), name_of_bytes(proposal)
    files = (
        PutFile(path=memory_path(names[0]), data=memory),
        PutFile(path=proposal_path(names[1]), data=proposal),
    )
    store.commit(Plan(verb="record", subject="both", operations=files), stage=True)
    assert kept(store.backend) == ()
    discard(repo)
    assert rows(store, lost=True) == [("proposal", names[1], "main"), ("memory", names[0], "main")]
    assert [path_of(row.kind, row.name) for row in kept(store.backend)] == [files[1].path, files[0].path]


def test_a_memory_that_waits_is_not_lost_and_one_that_was_staged_can_be(repo, store):
    mine = Remembering.of(repo)
    waits, forgotten = mine.record("waits"), mine.record("forgotten before it was committed")
    mine.mark("forget", forgotten)
    staged = mine.record("staged", stage=True)
    assert kept(store.backend) == ()
    discard(repo)
    assert rows(store, lost=True) == [("memory", staged, "main")]
    mine.commit_pending()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert rows(store, lost=True) == [("memory", staged, "main")]
    assert rows(store, lost=False) == [("memory", waits, "main")]


def test_every_work_tree_of_the_clone_is_known_from_each_of_them(repo, store):
    place = repo.path.parent / "other"
    repo.git("worktree", "add", "-q", str(place), "-b", "other")
    assert work_trees(store.backend) == (repo.path.resolve(), place.resolve())
    assert work_trees(open_store(place).backend) == (place.resolve(), repo.path.resolve())


def test_a_clone_has_no_journal_and_has_lost_nothing(repo, store):
    clone = repo.path.parent / "clone"
    repo.git("clone", "-q", str(repo.path), str(clone))
    fresh = open_store(clone)
    assert kept(fresh.backend) == ()
    assert statements(fresh) == {"first": "Use one"}
