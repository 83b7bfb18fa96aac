"""What a plan writes, where it may be written, and what is never lost by it."""

import pytest
from msgspec.structs import replace

from mneme_git.errors import CorruptRecord, NewerFormat, NoRepository, Refused, StoreFault
from mneme_git.model.codec import encode_state, state_digest
from mneme_git.model.decision import id_of
from mneme_git.model.paths import FORMAT, decision_path, version_path
from mneme_git.model.plan import Plan, PutEvidence, PutVersion, Read, plan_id
from mneme_git.store import journal
from mneme_git.text.canonical import sha256_hex
from tests.support.make import make_version
from tests.support.writing import add, add_plan, clean_fsck, init, open_store, remove, statements


@pytest.fixture(params=["pygit2", "program"])
def store(request, repo):
    return init(repo, prefer=request.param)


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
