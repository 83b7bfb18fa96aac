"""A writer dies at every boundary of a write; what was acknowledged is there after the next command."""

import msgspec
import pytest

from mneme_git.errors import StoreBusy
from mneme_git.model.decision import id_of
from mneme_git.model.paths import decision_path, version_path
from mneme_git.store import intent as intents
from mneme_git.store import journal, work_files, writing
from mneme_git.store.intent import intent_path, is_pending, read_intent, save_intent
from mneme_git.store.lock import write_lock
from tests.support.crash import die_before
from tests.support.writing import (
    add,
    add_plan,
    change,
    change_plan,
    clean_fsck,
    init,
    open_store,
    remove,
    statements,
)

# Each boundary: the call before which the writer dies, and whether the write is carried out then.
BOUNDARIES = {
    "before the intent": (writing, "save_intent", 1, False),
    "before the ref moves": (journal, "_swap", 1, True),
    "before any file": (writing, "carry_out", 1, True),
    "before the first temporary file": (work_files, "_write_new", 1, True),
    "between temporary files": (work_files, "_write_new", 2, True),
    "before the files are durable": (work_files, "sync_all", 1, True),
    "before the first rename": (work_files, "_into_place", 1, True),
    "between renames": (work_files, "_into_place", 2, True),
    "before staging": (intents, "_stage", 1, True),
    "before the intent is forgotten": (writing, "clear_intent", 1, True),
}


@pytest.fixture
def store(repo):
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store


def crash(store, boundary, plan, *, stage=True):
    owner, name, call, acknowledged = BOUNDARIES[boundary]
    assert die_before(owner, name, lambda: store.commit(plan, stage=stage), call=call)
    return acknowledged


@pytest.mark.parametrize(
    ("boundary", "prefer"),
    [
        *((boundary, "pygit2") for boundary in BOUNDARIES),
        ("before the ref moves", "program"),
        ("between renames", "program"),
    ],
)
def test_a_write_that_was_cut_short_is_finished_by_the_next_reader_or_never_happened(
    repo, store, boundary, prefer
):
    store = open_store(repo.path, prefer=prefer)
    entries = repo.git("rev-list", "--count", journal.JOURNAL_REF)
    plan = change_plan(store, "first", "Use two")
    acknowledged = crash(store, boundary, plan)

    after = open_store(repo.path, prefer=prefer)
    assert statements(after) == {"first": "Use two" if acknowledged else "Use one"}
    assert after.load().faults == ()
    assert not is_pending(after.backend)
    assert int(repo.git("rev-list", "--count", journal.JOURNAL_REF)) == int(entries) + acknowledged
    staged = repo.git("diff", "--cached", "--name-only").split()
    expected = [decision_path("first"), version_path(id_of(plan.operations[0].version))]
    assert staged == (expected if acknowledged else [])
    changed = repo.git("status", "--porcelain", "--untracked-files=all").splitlines()
    assert len(changed) == len(staged)  # and nothing beside: no temporary file is left
    clean_fsck(repo)


@pytest.mark.parametrize("boundary", ["before the ref moves", "before any file", "between renames"])
def test_the_next_writer_finishes_it_too_and_is_not_held_up(repo, store, boundary):
    acknowledged = crash(store, boundary, add_plan(store, "second", "Use two"))
    receipt = add(open_store(repo.path), "third", "Use three")
    assert receipt.staged
    assert receipt.notices == ()
    expected = {"first": "Use one", "third": "Use three"} | ({"second": "Use two"} if acknowledged else {})
    assert statements(open_store(repo.path)) == expected
    clean_fsck(repo)


@pytest.mark.parametrize("prefer", ["pygit2", "program"])
def test_the_git_program_of_a_killed_writer_comes_too_late_to_leave_an_entry_in_the_journal_alone(
    repo, store, prefer
):
    store = open_store(repo.path, prefer=prefer)
    old = repo.git("rev-parse", journal.JOURNAL_REF)
    crash(store, "before the ref moves", change_plan(store, "first", "Use two"))
    orphan = ("update-ref", journal.JOURNAL_REF, read_intent(store.backend).journal, old)
    add(open_store(repo.path, prefer=prefer), "third", "Use three")
    assert repo.try_git(*orphan).code != 0
    assert statements(open_store(repo.path)) == {"first": "Use two", "third": "Use three"}


def test_an_entry_that_landed_after_its_writer_was_killed_is_finished(repo, store):
    crash(store, "before the ref moves", change_plan(store, "first", "Use two"))
    repo.git("update-ref", journal.JOURNAL_REF, read_intent(store.backend).journal)
    assert statements(open_store(repo.path)) == {"first": "Use two"}


def test_an_entry_that_was_overtaken_is_dropped(repo, store):
    crash(store, "before the ref moves", change_plan(store, "first", "Use two"))
    text = intent_path(store.backend).read_bytes()
    intents.clear_intent(store.backend)
    add(store, "third", "Use three")
    intent_path(store.backend).write_bytes(text)
    after = open_store(repo.path)
    assert statements(after) == {"first": "Use one", "third": "Use three"}
    assert after.load().faults == ()
    assert not is_pending(after.backend)


def test_an_entry_whose_objects_are_gone_is_dropped(repo, store):
    crash(store, "before the ref moves", change_plan(store, "first", "Use two"))
    commit = read_intent(store.backend).journal
    (repo.path / f".git/objects/{commit[:2]}/{commit[2:]}").unlink()
    assert statements(open_store(repo.path)) == {"first": "Use one"}
    assert not is_pending(store.backend)


def test_a_write_that_was_refused_is_not_carried_out_later(repo, store, monkeypatch):
    def busy(*_):
        raise StoreBusy("the ref stayed locked", hint="wait")

    plan = change_plan(store, "first", "Use two")
    monkeypatch.setattr(journal, "_swap", busy)
    with pytest.raises(StoreBusy):
        store.commit(plan, stage=True)
    monkeypatch.undo()
    assert statements(open_store(repo.path)) == {"first": "Use one"}


@pytest.mark.parametrize("boundary", ["before any file", "before staging"])
def test_a_removal_that_was_cut_short_is_finished(repo, store, boundary):
    add(store, "second", "Use two")
    owner, name, call, _ = BOUNDARIES[boundary]
    assert die_before(owner, name, lambda: remove(open_store(repo.path), "second"), call=call)
    assert statements(open_store(repo.path)) == {"first": "Use one"}
    assert decision_path("second") not in repo.git("ls-files").split()


def test_a_write_is_not_finished_on_another_branch(repo, store):
    repo.git("branch", "other")
    crash(store, "before any file", change_plan(store, "first", "Use two"))
    repo.git("switch", "-q", "other")

    after = open_store(repo.path)
    (fault,) = after.load().faults
    assert (fault.code, "mneme restore" in fault.message) == ("UNFINISHED_WRITE", True)
    assert statements(after) == {"first": "Use one"}
    assert not is_pending(after.backend)
    assert repo.git("status", "--porcelain") == ""

    (newest, *_) = journal.entries(after.backend)
    assert newest.note.states[0].decision_id == "first"
    assert journal.read_state(after.backend, newest.note.states[0].digest) is not None
    assert after.load().faults == ()  # said once


def test_what_a_dead_writer_had_begun_is_cleared_up_even_if_it_is_not_finished(repo, store):
    repo.git("branch", "other")
    crash(store, "before the first rename", change_plan(store, "first", "Use two"))
    assert "mneme-tmp" in repo.git("status", "--porcelain", "--untracked-files=all")
    repo.git("switch", "-q", "other")
    open_store(repo.path).load()
    assert repo.git("status", "--porcelain", "--untracked-files=all") == ""


def test_a_write_is_not_finished_after_a_commit_of_somebody_else(repo, store):
    crash(store, "before any file", change_plan(store, "first", "Use two"))
    repo.git("commit", "-q", "--allow-empty", "-m", "meanwhile")
    after = open_store(repo.path)
    assert [fault.code for fault in after.load().faults] == ["UNFINISHED_WRITE"]
    assert statements(after) == {"first": "Use one"}


def test_a_file_that_somebody_changed_meanwhile_is_left_and_named(repo, store):
    plan = change_plan(store, "first", "Use two")
    crash(store, "before any file", plan)
    path = decision_path("first")
    by_hand = repo.read(path).replace(b"active", b"inactive", 1)
    repo.write(path, by_hand)
    faults = open_store(repo.path).load().faults
    assert [fault.message for fault in faults if fault.code == "UNFINISHED_WRITE"] == [
        f"'{path}' was changed by somebody else meanwhile and left as it is; the journal has what was due"
    ]
    assert repo.read(path) == by_hand
    assert repo.read(version_path(id_of(plan.operations[0].version)))


def test_a_write_in_one_work_tree_is_not_finished_in_another(repo, store):
    repo.git("worktree", "add", "-q", str(repo.path.parent / "other"), "-b", "other")
    crash(store, "before any file", change_plan(store, "first", "Use two"))
    other = open_store(repo.path.parent / "other")
    assert statements(other) == {"first": "Use one"}
    add(other, "third", "Use three")
    assert statements(open_store(repo.path)) == {"first": "Use two"}


def test_a_torn_intent_is_no_intent(repo, store):
    crash(store, "before any file", change_plan(store, "first", "Use two"))
    place = intent_path(store.backend)
    whole = place.read_bytes()
    for torn in (whole[:-1], whole[:20], whole.replace(b"first", b"other"), b"7 x\n", b"nonsense"):
        place.write_bytes(torn)
        assert read_intent(store.backend) is None
        assert is_pending(store.backend)
    assert read_intent(store.backend) is None
    assert statements(open_store(repo.path)) == {"first": "Use one"}
    assert not is_pending(store.backend)


def test_an_intent_reads_back_as_it_was_saved(store):
    saved = intents.Intent(
        journal="a" * 40,
        branch="größer",
        head="",
        stage=True,
        changes=(intents.Change(path="x", before="absent", after="1" * 64, blob="b" * 40),),
    )
    save_intent(store.backend, saved)
    assert read_intent(store.backend) == saved
    shorter = msgspec.structs.replace(saved, branch="x", changes=())
    save_intent(store.backend, shorter)  # over the longer one, whose end stays in the file
    assert read_intent(store.backend) == shorter
    intents.clear_intent(store.backend)
    assert read_intent(store.backend) is None
    assert not is_pending(store.backend)


def test_a_reader_goes_on_while_a_writer_is_at_work(repo, store):
    crash(store, "before any file", change_plan(store, "first", "Use two"))
    with write_lock(store.backend):
        assert statements(open_store(repo.path)) == {"first": "Use one"}
        assert is_pending(store.backend)
    assert statements(open_store(repo.path)) == {"first": "Use two"}


def test_a_reader_that_may_not_write_goes_on(repo, store):
    place = repo.path.parent / "other"
    repo.git("worktree", "add", "-q", str(place), "-b", "other")
    crash(open_store(place), "before any file", change_plan(open_store(place), "first", "Use two"))
    lock_folder = repo.path / ".git" / "mneme"
    lock_folder.rename(repo.path / "away")
    lock_folder.write_text("nobody can lock here")
    assert statements(open_store(place)) == {"first": "Use one"}
    lock_folder.unlink()
    (repo.path / "away").rename(lock_folder)
    assert statements(open_store(place)) == {"first": "Use two"}


def test_staging_that_cannot_be_done_is_told_and_not_fought(repo, store):
    lock = repo.path / ".git" / "index.lock"
    lock.touch()
    receipt = add(store, "second", "Use two")
    assert not receipt.staged
    assert "not staged" in receipt.notices[0]
    assert lock.exists()
    lock.unlink()
    assert statements(store) == {"first": "Use one", "second": "Use two"}
    assert repo.git("diff", "--cached", "--name-only") == ""


def test_a_work_tree_that_cannot_be_written_takes_nothing_back(repo, store):
    plan = add_plan(store, "second", "Use two")
    blocked = repo.path / version_path(id_of(plan.operations[0].version))
    blocked.parent.joinpath(f".{blocked.name}.mneme-tmp").mkdir()
    receipt = store.commit(plan, stage=True)
    assert receipt.journal
    assert receipt.paths == ()
    assert "the journal has it" in receipt.notices[0]
    assert [f.code for f in store.load().faults if f.code == "UNFINISHED_WRITE"] == ["UNFINISHED_WRITE"]
    blocked.parent.joinpath(f".{blocked.name}.mneme-tmp").rmdir()
    assert statements(open_store(repo.path)) == {"first": "Use one", "second": "Use two"}


def test_a_change_over_a_change_that_was_cut_short_keeps_both_in_the_journal(repo, store):
    crash(store, "between renames", change_plan(store, "first", "Use two"))
    change(open_store(repo.path), "first", "Use three")
    seen = [entry.note.states for entry in journal.entries(store.backend)]
    assert len({state.digest for states in seen for state in states}) == 3
    assert statements(open_store(repo.path)) == {"first": "Use three"}
