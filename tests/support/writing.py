"""A git store in a repository, and the plans that tests carry out in it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from mneme_git.decisions.record import Draft, plan_add
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import LineageEntry, RuntimeEvidence, id_of
from mneme_git.model.paths import decision_path
from mneme_git.model.plan import ABSENT, Plan, PutState, PutVersion, Read, Receipt, RemoveFile
from mneme_git.store.discover import open_backend
from mneme_git.store.git_store import GitStore
from mneme_git.store.work_files import create_layout, layout_files
from tests.support.gitrepo import GitRepo
from tests.support.make import make_version

NOW = 1_700_000_000


def open_store(path: Path, *, prefer: str = "pygit2", revision: str | None = None) -> GitStore:
    return GitStore(open_backend(path, prefer=prefer), now=lambda: NOW, revision=revision)


def init(repo: GitRepo, *, prefer: str = "pygit2") -> GitStore:
    """Lay out the store, commit it, and open it."""
    store = open_store(repo.path, prefer=prefer)
    create_layout(store.backend, layout_files("0123456789abcdef"))
    repo.commit_all("init")
    return store


def add_plan(store: GitStore, decision_id: str, statement: str = "Use X") -> Plan:
    return plan_add(store.load(), Draft(decision_id=decision_id, statement=statement))


def add(store: GitStore, decision_id: str, statement: str = "Use X", *, stage: bool = True) -> Receipt:
    return store.commit(add_plan(store, decision_id, statement), stage=stage)


def change_plan(store: GitStore, decision_id: str, statement: str) -> Plan:
    """Plan another version of a decision that is there."""
    old = store.load().state(decision_id)
    assert old is not None
    version = make_version(decision_id, statement, predecessor=old.active_version_id)
    entry = LineageEntry(
        version_id=id_of(version), predecessor=version.predecessor, evidence=(RuntimeEvidence(),)
    )
    state = replace(old, active_version_id=id_of(version), versions=(*old.versions, entry))
    return Plan(
        verb="change",
        subject=decision_id,
        operations=(PutVersion(version), PutState(state)),
        reads=(Read("decision", decision_id, state_digest(old)),),
    )


def change(store: GitStore, decision_id: str, statement: str, *, stage: bool = True) -> Receipt:
    return store.commit(change_plan(store, decision_id, statement), stage=stage)


def remove(store: GitStore, decision_id: str) -> Receipt:
    state = store.load().state(decision_id)
    digest = ABSENT if state is None else state_digest(state)
    plan = Plan(
        verb="remove",
        subject=decision_id,
        operations=(RemoveFile(path=decision_path(decision_id)),),
        reads=(Read("decision", decision_id, digest),),
    )
    return store.commit(plan, stage=True)


def statements(store: GitStore) -> dict[str, str]:
    """Return what each decision that is there says now."""
    snapshot = store.load()
    return {
        state.decision_id: snapshot.versions[state.active_version_id].statement
        for state in snapshot.decisions
    }


def clean_fsck(repo: GitRepo) -> None:
    ran = repo.try_git("fsck", "--strict", "--no-dangling")
    assert (ran.code, ran.out) == (0, ""), ran.out + ran.err
