import pytest
from msgspec.structs import replace

from mneme_git.errors import CorruptRecord, GuardMismatch, NewerFormat, NoRepository, Refused, StoreFault
from mneme_git.model.codec import encode_state, state_digest
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.paths import CONFIG, FORMAT, decision_path, version_path
from mneme_git.model.plan import (
    ABSENT,
    Plan,
    PutEvidence,
    PutFile,
    PutState,
    PutVersion,
    Read,
    RemoveFile,
    plan_id,
)
from mneme_git.store import journal
from mneme_git.store.objects import blob, object_id
from mneme_git.text.canonical import sha256_hex
from tests.support.make import make_state, make_version
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

FIRST = make_version("first", "Use one")


@pytest.fixture(params=["pygit2", "program"])
def store(request, repo):
    return init(repo, prefer=request.param)


@pytest.fixture
def one(repo):
    """A store with one committed decision; what is tested does not depend on the backend."""
    store = init(repo)
    add(store, "first", "Use one")
    repo.commit_all("first")
    return store


def entries(store):
    return list(journal.entries(store.backend))


def test_a_plan_reaches_the_journal_the_files_and_the_index(repo, store):
    plan = add_plan(store, "first", "Use one")
    receipt = store.commit(plan, stage=True)

    version, state = (operation for operation in plan.operations)
    paths = (version_path(id_of(version.version)), decision_path("first"))
    assert (receipt.paths, receipt.staged, receipt.notices) == (paths, True, ())
    assert repo.read(paths[1]) == encode_state(state.state)
    assert repo.git("diff", "--cached", "--name-only").split() == sorted(paths)
    (entry,) = entries(store)
    assert entry.oid == receipt.journal == repo.git("rev-parse", journal.JOURNAL_REF)
    assert (entry.note.verb, entry.note.subject, entry.note.plan) == ("add", "first", plan_id(plan))
    assert (entry.note.branch, entry.note.worktree) == ("main", "main")
    assert entry.note.head == repo.git("rev-parse", "HEAD")
    assert journal.read_state(store.backend, state_digest(state.state)) == repo.read(paths[1])
    assert journal.read_version(store.backend, id_of(version.version)) == repo.read(paths[0])
    clean_fsck(repo)


def test_without_staging_only_the_index_is_left_alone(repo, store):
    receipt = add(store, "first", stage=False)
    assert not receipt.staged
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert sorted(repo.git("ls-files", "--others", ".mneme").split()) == sorted(receipt.paths)


def test_a_plan_without_operations_writes_nothing(store):
    assert store.commit(Plan(verb="add", subject="x"), stage=True).journal == ""
    assert journal.tip(store.backend) is None


def test_what_is_there_already_is_no_write_but_is_staged(repo, store):
    plan = add_plan(store, "first")
    store.commit(plan, stage=False)
    tip = journal.tip(store.backend)
    again = replace(plan, reads=(Read("decision", "first", state_digest(plan.operations[1].state)),))
    receipt = store.commit(again, stage=True)
    assert (receipt.journal, receipt.paths, receipt.staged) == ("", (), True)
    assert journal.tip(store.backend) == tip
    assert len(repo.git("diff", "--cached", "--name-only").split()) == 2


def test_evidence_goes_to_the_journal_alone_and_once(repo, store):
    digest = sha256_hex(b"# An ADR\n")
    plan = Plan(
        verb="import",
        subject="docs/adr",
        operations=(PutEvidence(locator="docs/adr/1.md", sha256=digest, data=b"# An ADR\n"),),
    )
    receipt = store.commit(plan, stage=True)
    assert receipt.journal
    assert receipt.paths == ()
    assert journal.read_record(store.backend, journal.evidence_name(digest)) == b"# An ADR\n"
    assert store.commit(plan, stage=True).journal == ""
    assert repo.git("status", "--porcelain") == ""


def test_a_reader_never_meets_a_decision_before_its_version(store):
    receipt = add(store, "aaa")
    assert [path.split("/")[1] for path in receipt.paths] == ["versions", "decisions"]


def test_every_difference_from_what_was_read_is_told_and_nothing_is_written(repo, one):
    old = one.load().state("first")
    plan = Plan(
        verb="change",
        subject="first",
        operations=(PutVersion(make_version("other", "Use other")),),
        reads=(
            Read("decision", "first", "0" * 64),
            Read("decision", "missing", "1" * 64),
            Read("adr", "docs/adr/1.md", "2" * 40),
            Read("config", CONFIG, "3" * 64),
        ),
    )
    tip = journal.tip(one.backend)
    with pytest.raises(GuardMismatch) as raised:
        one.commit(plan, stage=True)
    assert raised.value.differences == (
        ("decision first", "0" * 64, state_digest(old)),
        ("decision missing", "1" * 64, ABSENT),
        ("adr docs/adr/1.md", "2" * 40, ABSENT),
        (f"config {CONFIG}", "3" * 64, sha256_hex(repo.read(CONFIG))),
    )
    assert journal.tip(one.backend) == tip
    assert repo.git("status", "--porcelain") == ""


def test_a_plan_holds_while_nothing_that_it_read_changes(repo, one):
    repo.write("docs/adr/1.md", "# One\n")
    reads = (
        Read("adr", "docs/adr/1.md", object_id(blob(b"# One\n"), "sha1")),
        Read("config", CONFIG, sha256_hex(repo.read(CONFIG))),
        Read("file", "README.md", repo.git("rev-parse", "HEAD:README.md")),
    )
    plan = replace(add_plan(one, "second"), reads=(Read("decision", "second", ABSENT), *reads))
    add(one, "unrelated")
    assert one.commit(plan, stage=True).journal


def test_a_decision_that_another_writer_recorded_meanwhile_is_not_overwritten(repo, one):
    late = add_plan(one, "second", "mine")
    add(open_store(repo.path), "second", "theirs")
    with pytest.raises(GuardMismatch) as raised:
        one.commit(late, stage=True)
    assert [row[:2] for row in raised.value.differences] == [("decision second", ABSENT)]
    assert statements(one)["second"] == "theirs"


def test_a_decision_that_only_the_index_has_still_counts_as_read(repo, one):
    plan = change_plan(one, "first", "Use two")
    (repo.path / decision_path("first")).unlink()
    assert one.commit(plan, stage=True).journal
    assert statements(one) == {"first": "Use two"}

    late = add_plan(one, "second", "mine")
    add(open_store(repo.path), "second", "theirs")
    (repo.path / decision_path("second")).unlink()
    with pytest.raises(GuardMismatch):
        one.commit(late, stage=True)


def test_what_was_planned_before_the_last_reading_is_compared_with_it(repo, one):
    late = add_plan(one, "second", "mine")
    add(open_store(repo.path), "second", "theirs")
    (repo.path / decision_path("second")).unlink()
    assert one.load().state("second") is not None  # the index has it
    with pytest.raises(GuardMismatch):
        one.commit(late, stage=True)


def test_what_was_just_read_costs_no_question_to_git(repo, one, monkeypatch):
    plan = add_plan(one, "second")
    for name in ("unmerged", "index_entries"):
        monkeypatch.setattr(type(one.backend), name, lambda *_: pytest.fail("git was asked"))
    assert one.commit(plan, stage=False).journal


def conflict(repo, one):
    repo.git("switch", "-q", "-c", "side")
    change(one, "first", "theirs")
    repo.commit_all("theirs")
    repo.git("switch", "-q", "main")
    change(one, "first", "ours")
    repo.commit_all("ours")
    assert repo.try_git("merge", "side").code == 1


def test_a_contested_decision_is_not_changed_and_the_way_out_is_named(repo, one):
    plan = change_plan(one, "first", "Use two")
    conflict(repo, one)
    with pytest.raises(Refused, match="contested") as raised:
        one.commit(plan, stage=True)
    assert "mneme decision resolve first" in raised.value.hint


def test_a_decision_contested_in_the_index_alone_is_contested(repo, one):
    conflict(repo, one)
    repo.git("checkout", "-q", "--ours", decision_path("first"))
    plan = change_plan_of(repo, "first")
    with pytest.raises(Refused, match="contested"):
        one.commit(plan, stage=True)


def change_plan_of(repo, decision_id):
    """Plan as somebody would who looked at the file alone."""
    from mneme_git.model.codec import decode_state

    state, _ = decode_state(repo.read(decision_path(decision_id)))
    changed = replace(state, lifecycle_status=Lifecycle.DEPRECATED)
    read = Read("decision", decision_id, state_digest(state))
    return Plan(verb="deprecate", subject=decision_id, operations=(PutState(changed),), reads=(read,))


def test_another_decision_can_be_changed_while_one_is_contested(repo, one):
    conflict(repo, one)
    assert add(one, "second").journal


def test_a_plan_that_read_the_contest_settles_it_and_the_index_too(repo, one):
    conflict(repo, one)
    side = next(s for s in one.load().contest("first").sides if s.label == "theirs")
    plan = Plan(
        verb="resolve",
        subject="first",
        operations=(PutState(side.state),),
        reads=(Read("decision", "first", "contested"),),
    )
    receipt = one.commit(plan, stage=True)
    assert receipt.staged
    assert repo.git("ls-files", "--unmerged") == ""
    assert repo.read(decision_path("first")) == side.data
    mixed = [name for name in journal.contents(one.backend) if name.startswith("files/")]
    assert len(mixed) == 1  # what git had written into the file, conflict markers and all
    with pytest.raises(GuardMismatch):
        one.commit(replace(plan, operations=(PutState(make_state(FIRST)),)), stage=True)


def test_a_file_changed_by_hand_is_not_overwritten(repo, one):
    plan = change_plan(one, "first", "Use two")
    path = decision_path("first")
    by_hand = repo.read(path).replace(b'"active"', b'"inactive"')
    repo.write(path, by_hand)
    with pytest.raises(Refused, match="changed by hand"):
        one.commit(plan, stage=True)
    repo.write(path, b"not even JSON")
    with pytest.raises(Refused, match="changed by hand"):
        one.commit(plan, stage=True)
    assert repo.read(path) == b"not even JSON"


def test_a_file_changed_by_hand_is_overwritten_by_a_plan_that_read_it_and_kept(repo, one):
    path = decision_path("first")
    plan = change_plan(one, "first", "Use two")
    repo.write(path, b"by hand")
    read = Read("file", path, object_id(blob(b"by hand"), "sha1"))
    receipt = one.commit(replace(plan, reads=(*plan.reads, read)), stage=True)
    assert receipt.notices == ()
    assert statements(one) == {"first": "Use two"}
    assert journal.read_record(one.backend, journal.file_name(sha256_hex(b"by hand"))) == b"by hand"


def test_a_plan_cannot_overwrite_a_decision_that_it_never_read(repo, one):
    plan = replace(change_plan(one, "first", "Use two"), reads=())
    with pytest.raises(GuardMismatch) as raised:
        one.commit(plan, stage=True)
    assert raised.value.differences[0][:2] == ("decision first", "not read")
    with pytest.raises(GuardMismatch, match="not read"):
        one.commit(
            Plan(verb="x", subject="x", operations=(PutFile(path=CONFIG, data=b"[mneme]\n"),)), stage=True
        )
    with pytest.raises(GuardMismatch, match="not read"):
        one.commit(
            Plan(verb="x", subject="x", operations=(RemoveFile(path=decision_path("first")),)), stage=True
        )
    assert repo.git("status", "--porcelain") == ""


def test_a_removed_decision_stays_in_the_journal_even_if_git_alone_had_it(repo, one):
    clone = repo.path.parent / "clone"
    repo.git("clone", "-q", str(repo.path), str(clone))
    store = open_store(clone)
    digest = state_digest(store.load().state("first"))
    receipt = remove(store, "first")
    assert (receipt.paths, receipt.staged) == ((decision_path("first"),), True)
    assert not (clone / decision_path("first")).exists()
    assert journal.read_state(store.backend, digest)
    assert entries(store)[0].note.removed == (decision_path("first"),)
    assert statements(store) == {}


def test_removing_what_was_deleted_by_hand_is_a_write(repo, one):
    (repo.path / decision_path("first")).unlink()
    assert statements(one) == {"first": "Use one"}
    assert remove(one, "first").journal
    assert entries(one)[0].note.removed == (decision_path("first"),)
    assert statements(one) == {}
    assert remove(one, "first").journal == ""


def test_a_damaged_version_file_is_repaired_and_what_it_held_is_kept(repo, one):
    path = version_path(id_of(one.load().versions[one.load().state("first").active_version_id]))
    good = repo.read(path)
    repo.write(path, b"damage")
    version = make_version("first", "Use one")
    plan = Plan(verb="repair", subject="first", operations=(PutVersion(version),))
    assert one.commit(plan, stage=True).paths == (path,)
    assert repo.read(path) == good
    assert journal.read_record(one.backend, journal.file_name(sha256_hex(b"damage"))) == b"damage"


def test_a_newer_store_is_read_and_not_written(repo, one):
    plan = add_plan(one, "second")
    repo.write(FORMAT, "2\n")
    with pytest.raises(NewerFormat):
        one.commit(plan, stage=True)
    repo.write(FORMAT, "<<<<<<< ours\n1\n=======\n3\n>>>>>>> theirs\n")
    with pytest.raises((NewerFormat, CorruptRecord)):
        one.commit(plan, stage=True)
    assert statements(one) == {"first": "Use one"}


@pytest.mark.parametrize(
    ("text", "error"), [("0\n", CorruptRecord), ("x", CorruptRecord), ("9" * 5000, NewerFormat)]
)
def test_a_store_of_an_unknown_format_is_not_written(repo, one, text, error):
    plan = add_plan(one, "second")
    repo.write(FORMAT, text)
    with pytest.raises(error):
        one.commit(plan, stage=True)


def test_a_repository_without_a_store_says_how_to_begin(repo):
    store = open_store(repo.path)
    with pytest.raises(Refused) as raised:
        add(store, "first")
    assert raised.value.hint == "run `mneme init`"
    assert not (repo.path / ".mneme").exists()


def test_a_store_whose_files_were_deleted_by_hand_can_still_be_written(repo, one):
    repo.git("rm", "-rq", "--cached", "README.md")
    for path in sorted((repo.path / ".mneme").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    add(one, "second", "Use two")
    assert statements(one) == {"first": "Use one", "second": "Use two"}


def test_a_past_state_and_a_bare_repository_cannot_be_written(repo, one):
    plan = add_plan(one, "second")
    past = open_store(repo.path, revision="HEAD")
    assert statements(past) == {"first": "Use one"}
    with pytest.raises(Refused, match="past"):
        past.commit(plan, stage=True)
    bare = repo.path.parent / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    store = open_store(bare)
    assert statements(store) == {"first": "Use one"}
    with pytest.raises(NoRepository, match="bare"):
        store.commit(plan, stage=True)


def test_a_store_behind_a_link_is_refused_before_anything_is_written(repo, one):
    plan = add_plan(one, "second")
    folder = repo.path / ".mneme" / "decisions"
    folder.rename(repo.path / "elsewhere")
    folder.symlink_to(repo.path / "elsewhere")
    tip = journal.tip(one.backend)
    with pytest.raises(StoreFault, match="symbolic link"):
        one.commit(plan, stage=True)
    assert journal.tip(one.backend) == tip
    assert sorted(path.name for path in (repo.path / "elsewhere").iterdir()) == [".keep", "first.json"]


def test_an_ignored_store_is_written_and_the_rule_is_named(repo):
    repo.write(".gitignore", ".mneme\n")
    repo.commit_all("ignore it")
    store = init(repo)
    receipt = add(store, "first")
    assert not receipt.staged
    assert ".gitignore:1:.mneme" in receipt.notices[0]
    assert statements(store) == {"first": "Use X"}


def test_a_detached_head_and_a_branch_without_commits_are_written_too(repo, one):
    repo.git("switch", "-q", "--detach")
    add(one, "second")
    assert entries(one)[0].note.branch == ""
    repo.git("switch", "-q", "--orphan", "empty")
    repo.git("checkout", "-q", "main", "--", ".mneme")
    add(one, "third")
    assert (entries(one)[0].note.branch, entries(one)[0].note.head) == ("empty", "")


def test_work_trees_share_the_journal_and_are_told_apart(repo, one):
    repo.git("worktree", "add", "-q", str(repo.path.parent / "other"), "-b", "other")
    other = open_store(repo.path.parent / "other")
    add(other, "second")
    add(one, "third")
    assert [entry.note.worktree for entry in entries(one)] == ["main", "worktrees/other", "main"]
    assert statements(other).keys() == {"first", "second"}
    assert statements(one).keys() == {"first", "third"}


def test_git_is_asked_to_tidy_up_every_256_writes(one, monkeypatch):
    from mneme_git.store import writing

    asked = []
    monkeypatch.setattr(type(one.backend), "maintain", lambda backend: asked.append(None))
    monkeypatch.setattr(writing, "MAINTAIN_EVERY", 3)
    for count in range(2, 7):
        add(one, f"decision {count}")
    assert len(asked) == 2


def test_a_sha256_repository_is_written_and_read(tmp_path):
    from tests.support.gitrepo import GitRepo

    repo = GitRepo.create(tmp_path / "repo", "--object-format=sha256")
    store = init(repo)
    assert len(add(store, "first").journal) == 64
    assert statements(store) == {"first": "Use X"}
    clean_fsck(repo)
