import pytest

from mneme_git.app import restore as use_case
from mneme_git.errors import AmbiguousId, GuardMismatch, InvalidInput, NotFound, Refused
from mneme_git.model.codec import encode_memory, name_of_bytes, state_digest
from mneme_git.model.paths import decision_path, memory_path, version_path
from mneme_git.model.plan import Plan, PutFile
from mneme_git.store import journal
from mneme_git.store.git_store import GitStore
from tests.support.examples import MEMORY
from tests.support.writing import NOW, add, change, clean_fsck, init, open_store, remove, statements

DAY = 86_400


@pytest.fixture
def store(repo):
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store


def discard(repo):
    repo.git("reset", "-q", "--hard")
    repo.git("clean", "-qfd")


def restore(store, *names):
    return use_case.apply(store, use_case.plan_named(store, names))


def at_time(store, days):
    return GitStore(store.backend, now=lambda: NOW + days * DAY)


def digest(store, decision_id="first"):
    return state_digest(store.load().state(decision_id))


def test_a_lost_decision_comes_back_with_its_versions_staged(repo, store):
    add(store, "second", "Use two")
    change(store, "second", "Use three")
    discard(repo)
    assert statements(store) == {"first": "Use one"}
    done = restore(store, "second")
    assert [(row.kind, row.id, row.over) for row in done.restored] == [("decision", "second", "")]
    assert done.receipt.staged
    assert statements(store) == {"first": "Use one", "second": "Use three"}
    assert len(repo.git("diff", "--cached", "--name-only").split()) == 3
    assert use_case.listing(store).lost == ()
    clean_fsck(repo)


def test_a_plan_alone_writes_nothing(repo, store):
    add(store, "second")
    discard(repo)
    tip = journal.tip(store.backend)
    made = use_case.plan_named(store, ["second"])
    assert made.receipt is None
    assert made.restored[0].id == "second"
    assert journal.tip(store.backend) == tip
    assert repo.git("status", "--porcelain") == ""


def test_a_plan_is_refused_when_the_decision_changes_in_between(repo, store):
    change(store, "first", "Use two")
    discard(repo)
    made = use_case.plan_named(store, ["first"])
    change(store, "first", "Use three")
    with pytest.raises(GuardMismatch):
        use_case.apply(store, made)


def test_naming_a_decision_that_is_here_replaces_it_and_the_journal_keeps_both(repo, store):
    change(store, "first", "Use two")
    discard(repo)
    over = digest(store)
    done = restore(store, "first")
    assert done.restored[0].over == over
    assert statements(store) == {"first": "Use two"}
    back = restore(store, over[:8])
    assert back.restored[0].digest == over
    assert statements(store) == {"first": "Use one"}


def test_what_is_here_already_is_left_and_nothing_is_written(repo, store):
    tip = journal.tip(store.backend)
    done = restore(store, "first")
    assert (done.restored, [(s.id, s.why) for s in done.skipped]) == ((), [("first", "it is here already")])
    assert journal.tip(store.backend) == tip


def test_a_decision_that_was_deleted_by_hand_comes_back_although_the_index_has_it(repo, store):
    path = repo.path / decision_path("first")
    path.unlink()
    restore(store, "first")
    assert path.exists()
    assert repo.git("status", "--porcelain") == ""


def test_a_damaged_file_is_replaced_when_it_is_named_and_what_it_held_is_kept(repo, store):
    repo.write(decision_path("first"), b"damage")
    made = use_case.plan_named(store, ["first"])
    assert made.restored[0].over == "damaged"
    use_case.apply(store, made)
    assert statements(store) == {"first": "Use one"}
    assert b"damage" in [store.backend.read(oid).data for oid in journal.contents(store.backend).values()]


def test_a_damaged_file_that_changes_after_the_preview_is_not_replaced(repo, store):
    repo.write(decision_path("first"), b"damage")
    made = use_case.plan_named(store, ["first"])
    repo.write(decision_path("first"), b"other damage")
    with pytest.raises(GuardMismatch):
        use_case.apply(store, made)
    assert repo.read(decision_path("first")) == b"other damage"


def test_versions_states_and_memories_are_named_by_their_beginnings(repo, store):
    data = encode_memory(MEMORY)
    name = name_of_bytes(data)
    put = PutFile(path=memory_path(name), data=data)
    store.commit(Plan(verb="record", subject=name, operations=(put,)), stage=True)
    receipt = add(store, "second", "Use two")
    state = digest(store, "second")
    version = receipt.paths[0].rpartition("/")[2].removesuffix(".json")
    discard(repo)
    for given, kind in ((name[:6], "memory"), (version[:9], "version"), (version[5:9], "version")):
        assert [row.kind for row in use_case.plan_named(store, [given]).restored] == [kind]
    restore(store, name, version, state[:10])
    assert statements(store)["second"] == "Use two"
    assert repo.read(memory_path(name)) == data


def test_a_name_that_means_nothing_or_several_things_is_refused(repo, store):
    with pytest.raises(NotFound) as raised:
        restore(store, "nothing")
    assert "--at REV" in raised.value.hint
    with pytest.raises(NotFound):
        restore(store, "abc")  # too short to be the beginning of a hash
    for branch, text in (("one", "Use a"), ("two", "Use b")):
        repo.git("switch", "-q", "-c", branch, "main")
        add(store, "second", text)
        discard(repo)
    repo.git("switch", "-q", "main")
    with pytest.raises(AmbiguousId, match=r"branch one.*branch two"):
        restore(store, "second")
    repo.git("switch", "-q", "one")
    restore(store, "second")
    assert statements(store)["second"] == "Use a"


def test_another_branch_does_not_replace_what_is_here_by_the_name_alone(repo, store):
    repo.git("switch", "-q", "-c", "side")
    change(store, "first", "theirs")
    theirs = digest(store)
    discard(repo)
    repo.git("switch", "-q", "main")
    assert restore(store, "first").restored == ()
    clone = repo.path.parent / "clone"
    repo.git("worktree", "add", "-q", str(clone), "-b", "third")
    third = open_store(clone)
    with pytest.raises(AmbiguousId):
        restore(third, "first")
    restore(third, theirs[:12])
    assert statements(third) == {"first": "theirs"}


def test_all_that_is_lost_comes_back_except_what_would_replace_something(repo, store):
    add(store, "second", "Use two")
    add(store, "third", "Use three")
    change(store, "first", "Use more")
    discard(repo)
    made = use_case.apply(store, use_case.plan_all(store))
    assert [row.id for row in made.restored] == ["second", "third"]
    assert [(row.id, "name it" in row.why) for row in made.skipped] == [("first", True)]
    assert statements(store) == {"first": "Use one", "second": "Use two", "third": "Use three"}
    left = use_case.listing(store).lost
    assert {row.id for row in left if row.kind == "decision"} == {"first"}
    assert restore(store, "first").restored[0].id == "first"
    assert use_case.listing(store).lost == ()


def test_all_leaves_a_decision_that_branches_wrote_differently(repo, store):
    for branch, text in (("one", "Use a"), ("two", "Use b")):
        repo.git("switch", "-q", "-c", branch, "main")
        add(store, "second", text)
        discard(repo)
    repo.git("switch", "-q", "main")
    made = use_case.plan_all(store)
    assert made.restored == ()
    assert [row.id for row in made.skipped] == ["second"]


def test_decisions_come_back_as_they_were_at_a_day_a_time_or_an_entry(repo, store):
    change(at_time(store, 1), "first", "Use two")
    change(at_time(store, 2), "first", "Use three")
    add(at_time(store, 3), "second", "Use it")
    remove(at_time(store, 4), "second")
    repo.commit_all("third")
    later = at_time(store, 9)
    for when, expected in (
        ("2023-11-15", "Use two"),
        ("2023-11-14T22:13:20+00:00", "Use one"),
        ("2023-11-16T22:13:19Z", "Use two"),
        ("2023-11-16T22:13:20", "Use three"),
        ("1", "Use one"),
        ("2", "Use two"),
    ):
        use_case.apply(later, use_case.plan_as_of(store, when, ["first"]))
        assert statements(store)["first"] == expected, when
    oid = list(journal.entries(store.backend))[-2].oid
    assert use_case.plan_as_of(store, oid[:10], ["first"]).restored == ()  # it is here already


def test_as_of_without_names_brings_back_only_what_is_not_here(repo, store):
    change(at_time(store, 1), "first", "Use two")
    add(at_time(store, 1), "second", "Use it")
    remove(at_time(store, 2), "second")
    change(at_time(store, 2), "first", "Use three")
    made = use_case.apply(store, use_case.plan_as_of(store, "2023-11-15", []))
    assert made.as_of == "entry 3 of 2023-11-15T22:13:20Z"
    assert [row.id for row in made.restored] == ["second"]
    assert [row.id for row in made.skipped] == ["first"]
    assert statements(store) == {"first": "Use three", "second": "Use it"}


def test_as_of_looks_at_this_branch_alone(repo, store):
    repo.git("switch", "-q", "-c", "side")
    change(at_time(store, 1), "first", "theirs")
    repo.commit_all("theirs")
    repo.git("switch", "-q", "main")
    change(at_time(store, 1), "first", "Use two")
    use_case.apply(store, use_case.plan_as_of(store, "2023-11-30", ["first"]))
    assert statements(store) == {"first": "Use two"}


@pytest.mark.parametrize("when", ["yesterday", "2023-13-01", "", "deadbeef"])
def test_a_time_that_is_none_is_refused(store, when):
    with pytest.raises(InvalidInput):
        use_case.plan_as_of(store, when, [])


def test_a_time_before_the_journal_or_a_name_without_a_state_then_is_not_found(store):
    with pytest.raises(NotFound):
        use_case.plan_as_of(store, "2001-01-01", [])
    add(at_time(store, 1), "second")
    with pytest.raises(NotFound):
        use_case.plan_as_of(store, "1", ["second"])


def test_a_record_is_taken_from_a_commit(repo, store):
    old = repo.git("rev-parse", "HEAD")
    change(store, "first", "Use two")
    repo.commit_all("two")
    made = use_case.plan_at(store, open_store(repo.path, revision=old), ["first"])
    use_case.apply(store, made)
    assert statements(store) == {"first": "Use one"}
    version = open_store(repo.path, revision=old).load().state("first").active_version_id
    (repo.path / version_path(version)).unlink()
    use_case.apply(store, use_case.plan_at(store, open_store(repo.path, revision=old), [version[:12]]))
    assert (repo.path / version_path(version)).exists()
    with pytest.raises(NotFound):
        use_case.plan_at(store, open_store(repo.path, revision=old), ["nothing"])
    with pytest.raises(InvalidInput):
        use_case.plan_at(store, open_store(repo.path, revision=old), [])


def test_what_a_commit_has_is_brought_into_a_clone_that_has_no_journal(repo, store):
    remove(store, "first")
    repo.commit_all("away")
    clone = repo.path.parent / "clone"
    repo.git("clone", "-q", str(repo.path), str(clone))
    fresh = open_store(clone)
    use_case.apply(fresh, use_case.plan_at(fresh, open_store(clone, revision="HEAD~1"), ["first"]))
    assert statements(fresh) == {"first": "Use one"}


def test_a_contested_decision_is_not_replaced(repo, store):
    change(store, "first", "lost")
    discard(repo)
    for branch, text in (("one", "Use a"), ("two", "Use b")):
        repo.git("switch", "-q", "-c", branch, "main")
        change(store, "first", text)
        repo.commit_all(text)
    assert repo.try_git("merge", "one").code == 1
    with pytest.raises(Refused, match="contested"):
        restore(store, "first")


def test_a_state_whose_version_is_nowhere_is_refused(repo, store):
    add(store, "second", "Use two")
    state = digest(store, "second")
    discard(repo)
    bare_state = journal.read_state(store.backend, state)
    clone = repo.path.parent / "clone"
    repo.git("clone", "-q", str(repo.path), str(clone))
    fresh = open_store(clone)
    put = PutFile(path=decision_path("second"), data=bare_state)
    fresh.commit(Plan(verb="record", subject="second", operations=(put,)), stage=True)
    fresh.backend.git.ask("reset", "-q", "--hard")
    with pytest.raises(Refused, match="nowhere in this clone"):
        restore(fresh, "second")


def test_the_list_tells_what_each_record_is_about(repo, store):
    add(store, "second", "Use a word that is long, and long, and long, and long, and long, and long\nmore")
    repo.git("switch", "-q", "-c", "side")
    discard(repo)
    row, version = use_case.listing(store).lost
    assert row.about == "Use a word that is long, and long, and long, and long, and long, and..."
    assert (row.written, row.branch, row.entry) == ("2023-11-14T22:13:20Z", "main", 2)
    assert version.kind == "version"
