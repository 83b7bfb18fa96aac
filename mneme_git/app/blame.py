"""Who brought each version of a decision onto this branch, when, and from which file."""

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.showing import find_id
from mneme_git.model.decision import AdrEvidence, DecisionState, Evidence, LineageEntry, ProposalEvidence
from mneme_git.model.ids import DecisionId, ProposalId, VersionId
from mneme_git.model.paths import decision_path
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.backend import CommitInfo
from mneme_git.store.git_store import GitStore
from mneme_git.store.past_states import past_state


class Blamed(Struct, frozen=True, kw_only=True):
    """One version and the commit that brought it: the earliest one of this branch that has it.

    ``commit`` is empty for a version that is not committed, ``time`` is unix seconds, UTC. ``adr``
    and ``blob`` name the file the version was read from and the bytes it had; ``approved_by`` is the
    person whose verdict accepted the proposal it was made from. ``history_ends`` tells that a parent of
    the commit is not in this clone, so that an earlier one may have brought the version.
    """

    version_id: str
    is_active: bool
    statement: str
    commit: str = ""
    author: str = ""
    time: int = 0
    subject: str = ""
    adr: str = ""
    blob: str = ""
    approved_by: str = ""
    history_ends: bool = False


def blame(store: GitStore, given: str) -> tuple[str, tuple[Blamed, ...]]:
    """Return the id of a decision and its versions, newest first; all sides of a contested one.

    Raises:
        NotFound, AmbiguousId: ``given`` is no decision, or the beginning of several.
    """
    snapshot = store.load()
    decision_id = find_id(snapshot, given)
    states = _states(snapshot, decision_id)
    entries = {entry.version_id: entry for state in states for entry in state.versions}
    active = {state.active_version_id for state in states}
    origins = _origins(store, decision_id)
    rows = [
        replace(
            _blamed(snapshot, entry, entry.version_id in active, origins),
            history_ends=_is_cut(store, origins.get(entry.version_id)),
        )
        for entry in entries.values()
    ]
    return decision_id, tuple(reversed(rows))


def _states(snapshot: Snapshot, decision_id: str) -> list[DecisionState]:
    contest = snapshot.contest(decision_id)
    if contest is not None:
        return [side.state for side in contest.sides if side.state is not None]
    state = snapshot.state(decision_id)
    return [state] if state is not None else []


def _origins(store: GitStore, decision_id: str) -> dict[VersionId, CommitInfo]:
    """Return, for each version, the last in the order of the history, newest first, that has it."""
    backend = store.backend
    head = backend.resolve(store.revision or "HEAD")
    path = decision_path(DecisionId(decision_id))
    found: dict[VersionId, CommitInfo] = {}
    for commit in backend.history([head], paths=[path]) if head is not None else ():
        state = past_state(store.backend, commit.oid, path)
        for entry in state.versions if state is not None else ():
            found[entry.version_id] = commit
    return found


def _is_cut(store: GitStore, commit: CommitInfo | None) -> bool:
    return commit is not None and not all(store.backend.has(parent) for parent in commit.parents)


def _blamed(
    snapshot: Snapshot, entry: LineageEntry, is_active: bool, origins: dict[VersionId, CommitInfo]
) -> Blamed:
    version = snapshot.versions.get(entry.version_id)
    commit = origins.get(entry.version_id)
    adr = next((row for row in entry.evidence if isinstance(row, AdrEvidence)), None)
    return Blamed(
        version_id=entry.version_id,
        is_active=is_active,
        statement=version.statement if version is not None else "",
        commit=commit.oid if commit else "",
        author=f"{commit.author.name} <{commit.author.email}>" if commit else "",
        time=commit.author_time if commit else 0,
        subject=commit.message.split("\n", 1)[0] if commit else "",
        adr=adr.source_locator if adr else "",
        blob=adr.blob if adr else "",
        approved_by=_approver(snapshot, entry.evidence),
    )


def _approver(snapshot: Snapshot, evidence: tuple[Evidence, ...]) -> str:
    for row in evidence:
        if isinstance(row, ProposalEvidence):
            verdict = snapshot.verdicts.get(ProposalId(row.proposal_id))
            return verdict.by if verdict is not None else ""
    return ""
