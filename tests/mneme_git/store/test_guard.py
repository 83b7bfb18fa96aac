"""A plan is written only while what it was based on is still so."""

import pytest
from msgspec.structs import replace

from mneme_git.errors import GuardMismatch, Refused
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import Lifecycle
from mneme_git.model.paths import CONFIG, decision_path
from mneme_git.model.plan import ABSENT, Plan, PutFile, PutState, PutVersion, Read, RemoveFile
from mneme_git.store import journal
from mneme_git.store.objects import blob, object_id
from mneme_git.text.canonical import sha256_hex
from tests.support.make import make_state, make_version
from tests.support.writing import add, add_plan, change, change_plan, open_store, statements

FIRST = make_version("first", "Use one")


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
