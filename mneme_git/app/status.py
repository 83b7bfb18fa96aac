"""What a person wants to know of the store in one look: where, what is in it, what is at risk."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from mneme_git.app.memories_waiting import waiting, waiting_text
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.together import together
from mneme_git.errors import MnemeError
from mneme_git.model.decision import DecisionState, Lifecycle
from mneme_git.model.paths import CONFIG, FORMAT, ROOT, classify
from mneme_git.model.snapshot import Fault, Snapshot, severity, told
from mneme_git.store.backend import GitBackend
from mneme_git.store.config import read_settings
from mneme_git.store.copies import GitCopies
from mneme_git.store.git_store import GitStore
from mneme_git.store.journal import tip
from mneme_git.store.lost import Kept, kept
from mneme_git.store.memories_taking import Waiting
from mneme_git.store.past_states import past_state
from mneme_git.store.traces import in_git
from mneme_git.store.uncommitted import Uncommitted, uncommitted
from mneme_git.text.printable import text_of

_UNTRACKED = ("work tree", "new")
_CHANGES = msgspec.msgpack.Decoder(tuple[Uncommitted, ...])
_TRUTH = msgspec.msgpack.Decoder(bool)


class Status(Struct, frozen=True, kw_only=True):
    """The answer of ``mneme status --json``.

    ``ignored_by`` is the rule by which git ignores records that are new in the work tree.
    ``lifecycle`` counts the settled decisions by status. ``lost`` counts what only the journal has;
    ``elsewhere`` what a commit or another branch has and this checkout has not. ``went_back`` names
    decisions whose staged state is an older one of HEAD's history. ``memory_file`` is what ``check``
    reads in place of the git store, empty if it reads the git store. ``at`` is the revision that was
    asked for: ``head`` is its commit then, and nothing is said of index, work tree and journal.
    ``pending`` are the memories and marks that wait to be committed, by branch.
    """

    root: str
    backend: str
    object_format: str
    branch: str
    head: str
    initialised: bool
    project_id: str
    lifecycle: dict[str, int]
    contested: tuple[str, ...]
    versions: int
    lost: int
    elsewhere: int
    uncommitted: tuple[Uncommitted, ...]
    ignored_by: str
    went_back: tuple[str, ...]
    faults: tuple[Fault, ...]
    notices: tuple[str, ...]
    memory_file: str = ""
    bare: bool = False
    at: str = ""
    pending: tuple[Waiting, ...] = ()


def status(workspace: Workspace, *, at: str | None = None) -> Status:
    """Return the status of the repository around the workspace, or of one revision of it.

    Raises:
        NoRepository: there is none.
        NotFound: ``at`` names no commit.
    """
    if at is not None:
        return _past_status(workspace, at)
    from mneme_git.app.open import chosen_file, open_git, overridden
    from mneme_git.app.verify import adr_faults, all_faults

    store = open_git(workspace)
    backend = store.backend
    snapshot = store.load()
    head = backend.head()
    project_id, notices = _settings(store)
    try:
        missing = _missing(store)
    except (MnemeError, OSError) as error:  # a check reads around a journal that cannot be read
        missing = ()
        notices = (*notices, f"the journal cannot be read, so nothing is said of lost records: {error}")
    note = overridden(workspace)
    commit = (head.oid or "").encode()
    changed = store.derived("uncommitted", _CHANGES, lambda: uncommitted(backend), more=commit)
    return Status(
        root=str(backend.work_tree or backend.git_dir),
        backend=backend.name,
        object_format=backend.object_format,
        branch=head.branch or "",
        head=head.oid or "",
        initialised=in_git(backend),
        project_id=project_id,
        lifecycle=_counted(snapshot),
        contested=tuple(contest.decision_id for contest in snapshot.contested),
        versions=len(snapshot.versions),
        lost=sum(row.lost for row in missing),
        elsewhere=sum(not row.lost for row in missing),
        uncommitted=changed,
        ignored_by=_ignored_by(backend, changed),
        went_back=went_back(store, snapshot, changed),
        faults=(*all_faults(store, snapshot), *adr_faults(store, snapshot)),
        notices=(*notices, note) if note else notices,
        memory_file=chosen_file(workspace),
        bare=backend.work_tree is None,
        pending=waiting(workspace, store),
    )


def _missing(store: GitStore) -> tuple[Kept, ...]:
    """Return what the journal has and this checkout has not; that it has all is recalled."""
    found: list[tuple[Kept, ...]] = []

    def is_all_here() -> bool:
        found.append(kept(store.backend))
        return not found[0]

    newest = (tip(store.backend) or "").encode()
    if store.derived("all-here", _TRUTH, is_all_here, more=newest):
        return ()
    return found[0] if found else kept(store.backend)


def _past_status(workspace: Workspace, at: str) -> Status:
    from mneme_git.app.open import open_git
    from mneme_git.app.verify import all_faults

    store = open_git(workspace, at=at)
    backend = store.backend
    snapshot = store.load()
    commit = backend.resolve(at)
    settings = read_settings(git=None, project=GitCopies(backend, {}, commit).committed(CONFIG) or b"")
    return Status(
        root=str(backend.work_tree or backend.git_dir),
        backend=backend.name,
        object_format=backend.object_format,
        branch="",
        head=commit or "",
        initialised=commit is not None and bool(backend.tree_files(commit, ROOT)),
        project_id=settings.project_id,
        lifecycle=_counted(snapshot),
        contested=tuple(contest.decision_id for contest in snapshot.contested),
        versions=len(snapshot.versions),
        lost=0,
        elsewhere=0,
        uncommitted=(),
        ignored_by="",
        went_back=(),
        faults=all_faults(store, snapshot),
        notices=(),
        bare=backend.work_tree is None,
        at=at,
    )


def _counted(snapshot: Snapshot) -> dict[str, int]:
    return {
        status.value: sum(state.lifecycle_status is status for state in snapshot.decisions)
        for status in Lifecycle
    }


def _ignored_by(backend: GitBackend, changes: Sequence[Uncommitted]) -> str:
    new = (change.path for change in changes if (change.place, change.change) == _UNTRACKED)
    first = next(new, None)
    return backend.ignored(first) if first is not None else ""


def went_back(store: GitStore, snapshot: Snapshot, changes: Sequence[Uncommitted]) -> tuple[str, ...]:
    """Return the decisions whose staged state is older than HEAD's while nothing newer was removed.

    That is what ``git checkout REV -- .mneme`` leaves: it brings old states back and removes
    nothing. In an exact restore the newer version files go too.
    """
    removed = any(change.change == "removed" and change.place == "staged" for change in changes)
    head = store.backend.resolve("HEAD")
    if removed or head is None:
        return ()
    found: list[str] = []
    for change in changes:
        if change.place != "staged" or change.change != "changed":
            continue
        if classify(change.path).kind != "decision":
            continue
        before = past_state(store.backend, head, change.path, only_sound=True)
        now = snapshot.state(before.decision_id) if before else None
        if before is not None and now is not None and _is_older(now, before):
            found.append(before.decision_id)
    return tuple(found)


def _is_older(now: DecisionState, before: DecisionState) -> bool:
    return len(now.versions) < len(before.versions) and before.versions[: len(now.versions)] == now.versions


def _settings(store: GitStore) -> tuple[str, tuple[str, ...]]:
    from mneme_git.app.settings import settings_of

    found = settings_of(store.backend)
    return found.project_id, found.notices


def status_text(found: Status) -> str:
    """Return the status for people; what needs doing stands last, with how to do it."""
    where = f"on {found.branch}" if found.branch else f"at {found.at}" if found.at else "HEAD is detached"
    lines = [f"{found.root}  ({where}, {found.head[:12] or 'no commit yet'})"]
    pending = waiting_text(found.pending, found.branch)
    if not found.initialised:
        return text_of([*lines, _told_no_store(found), *pending])
    counts = [f"{count} {name}" for name, count in found.lifecycle.items() if count]
    if found.contested:
        counts.append(f"{len(found.contested)} contested")
    of_them = "1 version" if found.versions == 1 else f"{found.versions} versions"
    lines.append(f"decisions: {', '.join(counts) or 'none'}; {of_them}")
    lines += _told_removed_store(found.uncommitted)
    lines += _told_uncommitted(found.uncommitted, found.ignored_by)
    lines += pending
    if found.went_back:
        lines.append(
            f"{', '.join(found.went_back)}: back at an older state. `git checkout REV -- .mneme` keeps what "
            "is newer; `git restore -s REV -SW -- .mneme` is exact"
        )
    if found.lost:
        lines.append(f"lost: {found.lost} records that only the journal has; see `mneme restore`")
    if found.elsewhere:
        lines.append(f"elsewhere: {found.elsewhere} records that a commit or another branch has")
    lines += _told_faults(found.faults)
    return text_of(lines)


def _told_no_store(found: Status) -> str:
    if found.memory_file:
        return f"no git store here: checks read the memory file '{found.memory_file}'"
    if found.at:
        return "no .mneme there"
    if found.bare:
        return "a bare repository without .mneme at HEAD: make it in a clone and push"
    return "no .mneme here: run `mneme init`"


def _told_removed_store(changes: Iterable[Uncommitted]) -> list[str]:
    if not any((row.path, row.place, row.change) == (FORMAT, "staged", "removed") for row in changes):
        return []
    way_back = "`mneme init` makes its layout again, and `mneme restore` lists the records to bring back"
    return [f"the store that HEAD has is not here: {way_back}"]


def _told_uncommitted(changes: Iterable[Uncommitted], ignored_by: str) -> list[str]:
    counts: dict[tuple[str, str], int] = {}
    for change in changes:
        key = (change.place, change.change)
        counts[key] = counts.get(key, 0) + 1
    told = [
        f"{count} {change} ({place}{', not staged' if (place, change) == _UNTRACKED else ''})"
        for (place, change), count in sorted(counts.items())
    ]
    lines = [f"not committed: {', '.join(told)}"] if told else []
    if ignored_by:
        lines.append(
            f"      git ignores {ROOT} ({ignored_by}): records would not be committed. "
            f"Add the line `!/{ROOT}/` after that rule"
        )
    elif _UNTRACKED in counts:
        lines.append(f"      `git add {ROOT}` stages what is new")
    return lines


def _told_faults(faults: Sequence[Fault]) -> list[str]:
    lines = []
    for fault in together(faults):
        lines.append(f"{severity(fault)} {fault.code} {told(fault)}")
        if fault.hint:
            lines.append(f"      {fault.hint}")
    return lines
