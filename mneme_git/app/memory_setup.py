"""A memory file of the existing format for a project: made, or made ready. Enforcement is never turned on."""

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from mneme_git.app.workspace import Workspace, stamp
from mneme_git.errors import InvalidInput, InvalidMemory, NoRepository
from mneme_git.model.activation import set_up
from mneme_git.model.paths import ROOT
from mneme_git.store.memory_file import MemoryFile

State = Literal["none", "setup", "active"]
_FILE = f"{ROOT}/project_memory.json"
_ADRS = "docs/adr"
_LONGEST_REFERENCE = 256


class Integration(Struct, frozen=True):
    """A coding agent as the format knows it: the folder that gives it away, its name and its kind."""

    folder: str
    name: str
    title: str
    kind: str


_INTEGRATIONS = (
    Integration(".claude", "claude_code", "Claude Code", "native"),
    Integration(".codex", "codex_cli", "Codex CLI", "native"),
    Integration(".kiro", "kiro", "Kiro", "native"),
    Integration(".cursor", "cursor", "Cursor", "rules export"),
)


class Setup(Struct, frozen=True, kw_only=True):
    """What setting up found and did.

    ``state`` is that of the activation record before it; a record that is not active counts as
    ``setup``. ``tiers`` counts active decisions by tier. ``diagnostics`` counts warnings about ADR
    files, None where there is no folder of them.
    """

    root: Path
    memory: Path
    created: bool
    state: State
    integrations: tuple[Integration, ...]
    tiers: dict[str, int]
    decisions: int
    diagnostics: int | None
    notices: tuple[str, ...] = ()


def make_file(workspace: Workspace, path: str, *, force: bool) -> str:
    """Make an empty memory file at ``path``; return in words where the one it replaced is kept, if any.

    Raises:
        AlreadyExists: there is one, and ``force`` is false.
        ReadOnlyStore, StoreFault: it cannot be written.
    """
    from mneme_git.store.memory_scaffold import create_memory, overwrite_memory, scaffold

    document = scaffold(name="", description="", created_by="mneme init", created=stamp(workspace))
    target = workspace.cwd / path
    if force:
        return overwrite_memory(target, document, now=workspace.now())
    create_memory(target, path, document)
    return ""


def setup(workspace: Workspace, *, memory: str | None = None, audit_ref: str | None = None) -> Setup:
    """Make the memory file of the repository, or add the activation record to the one that is there.

    Raises:
        NoRepository: there is none around the current folder.
        InvalidInput: the file is not valid, or an audit reference was given: there is no service here.
        Refused: its activation record is not one that we know.
    """
    if audit_ref is not None:
        raise _no_audit(audit_ref)
    root = _root(workspace)
    path = workspace.cwd / memory if memory else root / _FILE
    found = tuple(each for each in _INTEGRATIONS if (root / each.folder).is_dir())
    names = [each.name for each in found]
    store = MemoryFile(path, as_given=str(path), now=workspace.now)
    created = not path.exists()
    if created:
        state: State = "none"
        notices = _created(workspace, store, root.name, names)
    else:
        state, notices = _readied(store, names)
    return Setup(
        root=root,
        memory=path,
        created=created,
        state=state,
        integrations=found,
        tiers=_tiers(workspace, path, root),
        decisions=len(store.read().rows),
        diagnostics=_diagnostics(store, root),
        notices=notices,
    )


def _root(workspace: Workspace) -> Path:
    here = workspace.cwd.absolute()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    raise NoRepository(
        f"no git repository found above {workspace.cwd} — Mneme setup requires a repository context",
        hint="run `git init`, or `mneme init --path FILE` for a memory file without a repository",
    )


def _no_audit(reference: str) -> InvalidInput:
    if not reference:
        return InvalidInput("audit reference must not be empty", hint="leave --audit-ref out")
    if any(char.isspace() for char in reference):
        return InvalidInput("audit reference must not contain whitespace", hint="leave --audit-ref out")
    if len(reference) > _LONGEST_REFERENCE:
        return InvalidInput(
            f"audit reference exceeds {_LONGEST_REFERENCE} characters", hint="leave --audit-ref out"
        )
    return InvalidInput(
        "audit references are not supported: a service resolves them, and this program uses no network; "
        "nothing was written",
        hint="run `mneme setup` without --audit-ref",
    )


def _created(workspace: Workspace, store: MemoryFile, name: str, detected: list[str]) -> tuple[str, ...]:
    from mneme_git.store.memory_journal import keep_written
    from mneme_git.store.memory_scaffold import create_memory, scaffold

    now = stamp(workspace)
    described = f"Architecture memory for {name}, created by mneme setup"
    document = scaffold(name=name, description=described, created_by="mneme setup", created=now)
    document["activation"] = set_up(None, present=False, path=store.name, now=now, detected=detected)
    create_memory(store.path, store.name, document)
    return keep_written(
        store.path, [store.data()], verb="setup", subject=store.path.name, now=workspace.now()
    )


def _readied(store: MemoryFile, detected: list[str]) -> tuple[State, tuple[str, ...]]:
    """Bring the activation record up to date; return the state that it had, and what to tell."""
    try:
        before = store.read().document
    except InvalidMemory as error:
        raise InvalidInput(
            f"existing memory file {store.name} failed validation: {error.reason}",
            hint="correct what is named, or name another file with --memory",
        ) from error
    return _state_of(before), store.change(
        lambda document: _with_record(document, store, detected), verb="setup", subject=store.path.name
    )


def _state_of(document: dict[str, Any]) -> State:
    record = document.get("activation")
    if record is None:
        return "none"
    return "active" if isinstance(record, dict) and record.get("state") == "active" else "setup"


def _with_record(document: dict[str, Any], store: MemoryFile, detected: list[str]) -> bool:
    record = set_up(
        document.get("activation"),
        present="activation" in document,
        path=store.name,
        now=store.stamp(),
        detected=detected,
    )
    if record is None:
        return False
    document["activation"] = record
    return True


def _tiers(workspace: Workspace, path: Path, root: Path) -> dict[str, int]:
    from mneme_git.app.protect import assessed
    from mneme_git.decisions.protection_report import counts

    return counts(assessed(workspace, memory=str(path), repo_root=str(root)).assessments)


def _diagnostics(store: MemoryFile, root: Path) -> int | None:
    from mneme_git.app.freshness import of_memory

    if not (root / _ADRS).is_dir():
        return None
    return len(of_memory(store, store.rows(), root, _ADRS))
