"""Use cases on decisions: record one, list, show, compare, and tell a history."""

from msgspec import Struct

from mneme_git.app.open import Opened, open_store
from mneme_git.app.replan import commit_planned
from mneme_git.app.workspace import DecisionStore, Workspace
from mneme_git.decisions import changes, showing
from mneme_git.decisions.in_force import in_force
from mneme_git.decisions.matching import anti_pattern, constraint
from mneme_git.decisions.record import Draft, plan_add, plan_append, refusal
from mneme_git.errors import InvalidInput, InvalidMemory, NotFound, UserError
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import DecisionState, Version
from mneme_git.model.enforced import Enforced
from mneme_git.model.ids import DecisionId, ObjectId
from mneme_git.model.paths import decision_path
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.backend import CommitInfo
from mneme_git.store.git_store import GitStore
from mneme_git.store.past_states import past_state
from mneme_git.text.quoting import quoted


class LogEntry(Struct, frozen=True, kw_only=True):
    """One change of a decision in the history of a branch; times are unix seconds, UTC.

    ``commit`` is empty for what the work tree holds beyond HEAD. ``history_ends`` tells that a parent
    is not in this clone: what is older cannot be told, and without any parent no change is.
    """

    commit: str
    author: str
    time: int
    subject: str
    changes: tuple[str, ...]
    digest: str
    history_ends: bool = False


def add(opened: Opened, draft: Draft) -> Receipt | None:
    """Record a new decision; None if exactly it is there already.

    Raises:
        Refused: the id is taken, reserved or empty.
        InvalidInput: a text is blank (a memory file takes any, as its format says).
    """
    store = opened.store
    if opened.kind == "git":
        _require_words(draft)
    return commit_planned(store, lambda: _planned_addition(store, draft))


def unenforced(draft: Draft) -> tuple[str, ...]:
    """Return, for people, which texts of ``draft`` no check will look for."""
    advice = "is shown to people and agents, but no check looks for it; write `no X` for what must not appear"
    prose = [text for text in draft.constraints if constraint(text) is None]
    wordless = [text for text in draft.anti_patterns if anti_pattern(text) is None]
    return (
        *(f"constraint {quoted(text)} {advice}" for text in prose),
        *(f"anti-pattern {quoted(text)} holds no word that a check could look for" for text in wordless),
    )


def _require_words(draft: Draft) -> None:
    given = (
        ("--decision", (draft.statement,)),
        ("--scope", draft.scope),
        ("--constraint", draft.constraints),
        ("--anti-pattern", draft.anti_patterns),
    )
    for option, texts in given:
        if not all(text.strip() for text in texts):
            raise InvalidInput(
                f"{option} is blank; nothing was written", hint="give it a text, or leave it out"
            )
    if draft.decision_id and not draft.decision_id.strip():
        raise InvalidInput("--id is blank; nothing was written", hint="give the decision an id")


def _planned_addition(store: DecisionStore, draft: Draft) -> Plan:
    from mneme_git.store.memory_file import MemoryFile

    if not isinstance(store, MemoryFile):
        return plan_add(store.load(), draft)
    try:
        contents = store.read(need_head=False)
    except InvalidMemory as error:
        raise refusal(draft.decision_id, error.reason) from error
    snapshot = store.snapshot(contents)
    if contents.index is None:
        return plan_append(snapshot, draft, at=store.stamp())
    if not draft.decision_id:
        # The format finds it when it reads its own result.
        number = len(snapshot.versions)
        raise refusal("", f"versions[{number}].decision_id must be a non-empty string")
    return plan_add(snapshot, draft, at=store.stamp())


def enforced(opened: Opened) -> tuple[Snapshot, tuple[Enforced, ...]]:
    """Return the snapshot and the decisions in force in it."""
    snapshot = opened.store.load()
    return snapshot, in_force(snapshot, root=str(opened.root))


class Difference(Struct, frozen=True, kw_only=True):
    """Two versions, and how they differ: a unified diff without a last line end, empty if they do not."""

    old: Version
    new: Version
    text: str


def difference(snapshot: Snapshot, old: str, new: str | None) -> Difference:
    """Compare two versions.

    With one name only it is a decision id, or a version id: its active (or that) version against
    its predecessor.

    Raises:
        NotFound: a name fits nothing, or there is no predecessor.
    """
    if new is None:
        after = _named(snapshot, old)
        if after.predecessor is None:
            raise NotFound(
                "earlier version", old, hint="it is the first version; `mneme decision show` tells it"
            )
        before = showing.find_version(snapshot, after.predecessor)
    else:
        before, after = _named(snapshot, old), _named(snapshot, new)
    text = changes.version_diff(
        before,
        after,
        old_rules=changes.rules_of(snapshot, before),
        new_rules=changes.rules_of(snapshot, after),
    )
    return Difference(old=before, new=after, text=text)


def log(store: GitStore, snapshot: Snapshot, decision_id: str) -> tuple[LogEntry, ...]:
    """Return the changes of a decision on this branch, newest first.

    What the work tree has beyond HEAD stands first. A merge appears where it changed the decision
    against every parent.
    """
    backend = store.backend
    path = decision_path(DecisionId(decision_id))
    start = store.revision or "HEAD"
    head = backend.resolve(start)
    entries: list[LogEntry] = []
    if head is not None:
        entries += [_logged(store, commit, path) for commit in backend.history([head], paths=[path])]
    return (*_uncommitted(store, snapshot, decision_id, path, head), *entries)


def _logged(store: GitStore, commit: CommitInfo, path: str) -> LogEntry:
    after = past_state(store.backend, commit.oid, path)
    here = [parent for parent in commit.parents if store.backend.has(parent)]
    before = next((found for parent in here if (found := past_state(store.backend, parent, path))), None)
    is_known = bool(here) or not commit.parents
    return LogEntry(
        commit=commit.oid,
        author=f"{commit.author.name} <{commit.author.email}>",
        time=commit.author_time,
        subject=commit.message.split("\n", 1)[0],
        changes=changes.state_changes(before, after) if is_known else (),
        digest=_digest(after),
        history_ends=len(here) < len(commit.parents),
    )


def show(
    workspace: Workspace, given: str, *, memory: str | None = None, at: str | None = None
) -> tuple[Snapshot, str]:
    """Return the snapshot of the store and the full id that ``given`` means in it."""
    snapshot = open_store(workspace, memory=memory, at=at).store.load()
    return snapshot, showing.find_id(snapshot, given)


def _named(snapshot: Snapshot, given: str) -> Version:
    try:
        return showing.find_version(snapshot, given)
    except NotFound as not_a_version:
        try:
            state = snapshot.state(showing.find_id(snapshot, given))
        except UserError:
            raise not_a_version from None
        if state is None:
            raise not_a_version from None
        return showing.find_version(snapshot, state.active_version_id)


def _uncommitted(
    store: GitStore, snapshot: Snapshot, decision_id: str, path: str, head: ObjectId | None
) -> tuple[LogEntry, ...]:
    if store.revision is not None:
        return ()
    now = snapshot.state(decision_id)
    before = past_state(store.backend, head, path) if head else None
    found = changes.state_changes(before, now)
    if not found or snapshot.contest(decision_id) is not None:
        return ()
    return (
        LogEntry(commit="", author="", time=0, subject="not committed", changes=found, digest=_digest(now)),
    )


def _digest(state: DecisionState | None) -> str:
    return state_digest(state) if state is not None else ""
