"""Files of a branch, written by hand into a repository that the git program drives."""

from __future__ import annotations

from mneme_git.decisions.in_force import in_force
from mneme_git.model.codec import encode_state, encode_version, state_digest
from mneme_git.model.decision import DecisionState, Version, id_of
from mneme_git.model.paths import decision_path, version_path
from mneme_git.model.plan import ABSENT, Operation, Plan, PutState, PutVersion, Read, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.assemble import assemble
from mneme_git.store.branch_files import read_branch
from mneme_git.store.discover import open_backend
from mneme_git.store.git_store import GitStore
from mneme_git.store.work_files import layout_files
from tests.support.gitrepo import GitRepo, Ran

PROJECT = "0123456789abcdef"


def lay_out(repo: GitRepo, project: str = PROJECT) -> None:
    for path, data in layout_files(project).items():
        repo.write(path, data)
    repo.commit_all("init")


def put(repo: GitRepo, state: DecisionState, *versions: Version) -> None:
    for version in versions:
        repo.write(version_path(id_of(version)), encode_version(version))
    repo.write(decision_path(state.decision_id), encode_state(state))


def commit(repo: GitRepo, state: DecisionState, *versions: Version, message: str = "") -> str:
    put(repo, state, *versions)
    return repo.commit_all(message or f"change {state.decision_id}")


def load(repo: GitRepo, revision: str | None = None, *, prefer: str = "program") -> Snapshot:
    return assemble(read_branch(open_backend(repo.path, prefer=prefer), revision))


def codes(snapshot: Snapshot) -> list[str]:
    return sorted({fault.code for fault in snapshot.faults})


def enforced(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    """Return id, side and statement of what is in force."""
    return [(row.id, row.side, row.statement) for row in in_force(snapshot, root="/repo")]


def home(state: DecisionState) -> str:
    return decision_path(state.decision_id)


def apply(repo: GitRepo, *operations: Operation, reads: tuple[Read, ...] = ()) -> Receipt:
    """Carry out a plan as a command would, staging what it writes."""
    store = GitStore(open_backend(repo.path, prefer="program"), now=lambda: 1_700_000_000)
    plan = Plan(verb="test", subject="a change", operations=operations, reads=reads)
    return store.commit(plan, stage=True)


def change(repo: GitRepo, old: DecisionState | None, new: DecisionState, *versions: Version) -> str:
    """Change a decision through the store, and commit with git."""
    value = ABSENT if old is None else state_digest(old)
    operations = (*(PutVersion(version) for version in versions), PutState(new))
    apply(repo, *operations, reads=(Read("decision", new.decision_id, value),))
    repo.git("commit", "-q", "-m", f"change {new.decision_id}")
    return repo.git("rev-parse", "HEAD")


def resolve(repo: GitRepo, decision_id: str, *options: str) -> Ran:
    """Settle a decision with the installed command; it must succeed."""
    ran = repo.mneme("decision", "resolve", decision_id, *options)
    assert ran.code == 0, ran.err
    return ran


def unmerged(repo: GitRepo) -> list[str]:
    return [line.split("\t")[1] for line in repo.git("ls-files", "-u").splitlines()]
