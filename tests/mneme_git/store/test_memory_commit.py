"""A write to a memory file happens whole or not at all, beside other writers and programs."""

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from mneme_git.errors import GuardMismatch, InvalidInput, InvalidMemory, Refused
from mneme_git.model.decision import AdrEvidence, LineageEntry, id_of
from mneme_git.model.plan import PutState, PutVersion, Read
from mneme_git.store import memory_write
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_write import blob_id, encode_document
from tests.support.make import make_version
from tests.support.memory import indexed, plain, row
from tests.support.memory_store import NOW, STAMP, add_plan


def test_an_activation_that_cannot_be_completed_refuses_the_whole_plan(memory):
    store = memory(plain(row("d1"), activation={"schema": "other"}))
    before = store.path.read_bytes()
    with pytest.raises(Refused, match="unsupported schema 'other'"):
        store.commit(replace(add_plan(store), activates=True), stage=True)
    assert store.path.read_bytes() == before


def test_a_plan_that_rests_on_another_state_is_not_carried_out(memory):
    store = memory(indexed())
    plan = add_plan(store)
    store.commit(plan, stage=True)
    written = store.path.read_bytes()
    with pytest.raises(GuardMismatch, match="decision d9: expected absent, found"):
        store.commit(plan, stage=True)
    assert store.path.read_bytes() == written


@pytest.mark.parametrize("what", ["adr", "file"])
def test_files_that_a_plan_rests_on_are_compared_under_the_lock(memory, tmp_path, what):
    store = memory(indexed())
    adr = tmp_path / "docs/adr/ADR-9-x.md"
    adr.parent.mkdir(parents=True)
    adr.write_bytes(b"as read")
    read = Read("adr", "../docs/adr/ADR-9-x.md", blob_id(b"as read"))
    if what == "file":
        read = Read("file", store.name, blob_id(store.path.read_bytes()))
    plan = add_plan(store)
    plan = replace(plan, reads=(*plan.reads, read))
    if what == "adr":
        adr.write_bytes(b"edited since")
    else:
        store.path.write_bytes(store.path.read_bytes() + b"\n")
    with pytest.raises(GuardMismatch, match=f"{what} "):
        store.commit(plan, stage=True)
    assert store.load().state("d9") is None


def test_a_result_that_would_not_load_again_is_not_written(memory):
    store = memory(indexed())
    made = make_version("ADR-7", "X", occurrence=("ADR-7", "5" * 64, "adr-import"))
    evidence = AdrEvidence(source_locator="../docs/other.md", sha256="5" * 64)  # not named after its decision
    plan = add_plan(store, "ADR-7")
    state = replace(
        plan.operations[1].state,
        active_version_id=id_of(made),
        versions=(LineageEntry(version_id=id_of(made), evidence=(evidence,)),),
    )
    before = store.path.read_bytes()
    with pytest.raises(Refused, match=r"^canonical post-write verification failed: persisted decisions"):
        store.commit(replace(plan, operations=(PutVersion(made), PutState(state))), stage=True)
    assert store.path.read_bytes() == before


def test_a_damaged_file_is_not_written_and_named(memory):
    good = memory(indexed())
    plan = add_plan(good)
    document = indexed()
    document["decisions"][0]["decision"] = "edited by hand"
    store = memory(document)
    before = store.path.read_bytes()
    with pytest.raises(InvalidMemory, match=r"memory file .mneme/project_memory.json failed validation"):
        store.commit(plan, stage=True)
    assert store.path.read_bytes() == before


def test_a_file_that_is_gone_is_not_made_anew(memory):
    store = memory(indexed())
    plan = add_plan(store)
    store.path.unlink()
    with pytest.raises(InvalidInput, match=r"memory file .mneme/project_memory.json does not exist"):
        store.commit(plan, stage=True)
    assert list(store.path.parent.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
@pytest.mark.parametrize("mode", [0o664, 0o444, 0o600])
def test_mode_and_symbolic_link_of_the_file_stay(memory, tmp_path, mode):
    store = memory(indexed(), "real/project_memory.json")
    store.path.chmod(mode)
    link = tmp_path / "linked.json"
    link.symlink_to("real/project_memory.json")
    linked = MemoryFile(link, as_given="linked.json", now=lambda: NOW)
    # the same depth, so that the locators of ADRs resolve alike
    document = indexed()
    document["decisions"], document["decision_index"]["decisions"] = [], []
    document["decision_index"]["versions"], document["decision_index"]["rules"] = [], []
    store.path.chmod(0o644)
    store.path.write_bytes(encode_document(document))
    store.path.chmod(mode)
    linked.commit(add_plan(linked), stage=True)
    assert link.is_symlink()
    assert store.load().state("d9") is not None
    assert stat.S_IMODE(store.path.stat().st_mode) == mode


def test_a_write_by_another_program_in_between_is_kept(memory, monkeypatch):
    """A program that knows no turns replaces the file just before we do."""
    store = memory(indexed())
    plan = add_plan(store)
    original = memory_write.replace_foreign
    disturbed = []

    def replaced(path, data, *, expected):
        if not disturbed:
            disturbed.append(True)
            other = MemoryFile(store.path, now=lambda: NOW)
            from mneme_git.store.memory_write import carried_out

            theirs = carried_out(path.read_bytes(), add_plan(other, "d8"), path=path, name="m", now=STAMP)
            path.write_bytes(theirs)
        original(path, data, expected=expected)

    monkeypatch.setattr(memory_write, "replace_foreign", replaced)
    store.commit(plan, stage=True)
    assert {state.decision_id for state in store.load().decisions} >= {"d8", "d9"}


def test_twenty_writers_of_different_decisions_are_all_kept(memory):
    store = memory(indexed())
    barrier = threading.Barrier(20)

    def write(number):
        mine = MemoryFile(store.path, now=lambda: NOW)
        plan = add_plan(mine, f"n{number}")
        barrier.wait()
        return mine.commit(plan, stage=True)

    with ThreadPoolExecutor(20) as pool:
        receipts = list(pool.map(write, range(20)))
    assert all(receipt.paths for receipt in receipts)
    made = {state.decision_id for state in store.load().decisions}
    assert made >= {f"n{number}" for number in range(20)}
    assert sorted(path.name for path in store.path.parent.iterdir()) == ["project_memory.json"]


def test_a_disk_that_refuses_leaves_the_old_file_whole(memory, monkeypatch):
    store = memory(indexed())
    plan, before = add_plan(store), store.path.read_bytes()

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Exception, match="No space left on device"):
        store.commit(plan, stage=True)
    assert store.path.read_bytes() == before
    assert [path.name for path in store.path.parent.iterdir()] == ["project_memory.json"]
