"""Check: files against the decisions in force, on either store."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.check_input import STDIN, InputText, other_repository, read_inputs, target_of
from mneme_git.app.workspace import DecisionStore, Workspace
from mneme_git.decisions.check import Judged, Ready, judge, make_ready
from mneme_git.decisions.check_report import CheckedFile, CheckResult, Mode
from mneme_git.decisions.freshness import Diagnostic
from mneme_git.decisions.retrieve import DEFAULT_TOP
from mneme_git.errors import InvalidInput
from mneme_git.model.enforced import Enforced
from mneme_git.model.paths import ROOT
from mneme_git.model.snapshot import Fault
from mneme_git.text.quoting import quoted

if TYPE_CHECKING:
    from mneme_git.app.verify import Holding
    from mneme_git.store.memory_file import MemoryFile
    from mneme_git.store.memory_rows import MemoryRow

_EMPTY = "no decision is recorded here; `mneme adr import DIR` or `mneme add_decision` records some"
_NOT_JUDGED = f"nothing below {ROOT} is judged: the rules stand there"


class CheckRequest(Struct, frozen=True, kw_only=True):
    """What a user asks of a check; None where nothing was said."""

    inputs: tuple[str, ...]
    query: str | None = None
    memory: str | None = None
    at: str | None = None
    target_path: str | None = None
    top: int = DEFAULT_TOP
    mode: Mode = "strict"
    adr_dir: str | None = None
    detail: bool = False


class Policy(Struct, frozen=True, kw_only=True):
    """The decisions that a check applies, and where their paths start.

    ``root`` is absolute and free of symbolic links. ``file`` is the memory file, empty for git.
    ``look_at_adrs`` compares the store with the ADR files of a folder, or of its usual folders.
    """

    decisions: tuple[Enforced, ...]
    root: str
    file: str = ""
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()
    look_at_adrs: Callable[[Path, str | None], tuple[Diagnostic, ...]]


def check(workspace: Workspace, request: CheckRequest, stdin: Callable[[], bytes]) -> CheckResult:
    """Judge every input of ``request`` against one loading of the decisions.

    Raises:
        InvalidInput: an input or an option cannot be used; nothing was judged.
    """
    _verify_request(request)
    texts = read_inputs(request.inputs, workspace.cwd, stdin)
    if len(texts) == 1 and texts[0].unreadable:
        raise InvalidInput(
            f"input file {texts[0].name} cannot be judged: {texts[0].unreadable}", hint="convert it to UTF-8"
        )
    policy = load_policy(workspace, memory=request.memory, at=request.at)
    ready = make_ready(policy.decisions, request.query, request.top, whole_names=not policy.file)
    files = tuple(_checked(text, ready, policy, workspace.cwd, request) for text in texts)
    skipped = (f"{file.name} is not judged: {file.skipped}" for file in files if file.skipped)
    inner = () if policy.file else _inner_repositories(texts, workspace.cwd, policy.root, request.target_path)
    return CheckResult(
        files=files,
        mode=request.mode,
        freshness=policy.look_at_adrs(workspace.cwd, request.adr_dir),
        faults=policy.faults,
        notices=() if workspace.env.quiet else (*policy.notices, *inner, *skipped),
        detailed=request.detail or not policy.file or len(texts) > 1,
    )


def decisions_in_force(
    workspace: Workspace, *, memory: str | None = None, at: str | None = None
) -> tuple[Enforced, ...]:
    """Return the decisions that a query is put to, in the order of the store."""
    return load_policy(workspace, memory=memory, at=at).decisions


def load_policy(workspace: Workspace, *, memory: str | None, at: str | None) -> Policy:
    """Return the decisions of the store that is meant, and what is wrong with them.

    Raises:
        InvalidInput, NoRepository: there is no such store.
        InvalidMemory: the memory file breaks its format.
    """
    from mneme_git.app.open import open_store, overridden

    opened = open_store(workspace, memory=memory, at=at)
    if opened.kind == "file":
        return _file_policy(opened.store, "" if memory else overridden(workspace), is_past=at is not None)
    from mneme_git.app.verify import what_holds

    root = os.path.realpath(opened.root)
    holding = what_holds(opened, root=root)
    snapshot = holding.snapshot
    return Policy(
        decisions=_links_followed(holding.decisions),
        root=root,
        faults=holding.faults,
        notices=() if snapshot.decisions or snapshot.contested else (_EMPTY,),
        look_at_adrs=lambda cwd, folder: (
            () if at else _git_freshness(opened.store, holding, _in_repository(cwd, folder, root))
        ),
    )


def _file_policy(store: DecisionStore, note: str, *, is_past: bool) -> Policy:
    from mneme_git.store.memory_file import MemoryFile, enforced_rows

    assert isinstance(store, MemoryFile)
    rows = store.rows()
    return Policy(
        decisions=enforced_rows(rows),
        root=str(store.policy_root()),
        file=str(store.path.resolve()),
        notices=(note,) if note else (),
        look_at_adrs=lambda cwd, folder: () if is_past else _file_freshness(store, rows, cwd, folder),
    )


def _file_freshness(
    store: "MemoryFile", rows: "Sequence[MemoryRow]", cwd: Path, folder: str | None
) -> tuple[Diagnostic, ...]:
    from mneme_git.app.freshness import DEFAULT_FOLDER, of_memory

    return of_memory(store, rows, cwd, folder or DEFAULT_FOLDER)


def _git_freshness(store: DecisionStore, holding: "Holding", folder: str | None) -> tuple[Diagnostic, ...]:
    """Compare evidence and files; what a merge did to a file is told among the faults, more exactly."""
    from mneme_git.app.freshness import of_git
    from mneme_git.store.git_store import GitStore

    if not isinstance(store, GitStore):
        return ()
    told = {fault.path for fault in holding.faults if fault.code.startswith("ADR_")}
    found = of_git(store, holding.snapshot, folder)
    return tuple(one for one in found if one.path not in told)


def _in_repository(cwd: Path, folder: str | None, root: str) -> str | None:
    if folder is None:
        return None
    below = target_of(folder, cwd, root).relative
    if below is None:
        raise InvalidInput(f"--adr-dir '{folder}' is outside the repository", hint="name a folder inside it")
    return below


def _verify_request(request: CheckRequest) -> None:
    if not request.inputs:
        raise InvalidInput(
            "a FILE to judge is required: --input FILE, or FILE alone",
            hint="mneme check FILE [FILE...], or `-` for standard input",
        )
    if request.top < 0:
        raise InvalidInput(f"--top {request.top} is negative", hint="0 gates no decision; the default is 3")
    if request.target_path is not None and len(set(request.inputs)) > 1:
        raise InvalidInput(
            "--target-path names one file, but there are several inputs", hint="check them one by one"
        )


def _checked(
    text: InputText, ready: Sequence[Ready], policy: Policy, cwd: Path, request: CheckRequest
) -> CheckedFile:
    nothing = Judged(verdict="PASS", complete=True)
    if text.binary:
        return CheckedFile(name=text.name, judged=nothing, skipped="it is binary")
    if text.unreadable:
        return CheckedFile(name=text.name, judged=nothing, unreadable=text.unreadable)
    given = request.target_path or (None if text.name == STDIN else text.name)
    target = target_of(given, cwd, policy.root, policy.file)
    is_record = target.relative is not None and target.relative.split("/")[0] == ROOT
    if is_record and not policy.file and not target.linked:
        return CheckedFile(name=text.name, judged=nothing, skipped=_NOT_JUDGED)
    return CheckedFile(name=text.name, judged=judge(ready, text.text, target, exempt_prose=not policy.file))


def _inner_repositories(
    texts: Sequence[InputText], cwd: Path, root: str, target_path: str | None
) -> tuple[str, ...]:
    """Return a note for each repository inside this one that files lie in."""
    given = (target_path or text.name for text in texts if target_path or text.name != STDIN)
    counts: dict[str, int] = {}
    for path in given:
        inner = other_repository(os.path.realpath(cwd / path), root)
        if inner:
            counts[inner] = counts.get(inner, 0) + 1
    return tuple(
        f"{count} {'file lies' if count == 1 else 'files lie'} in {quoted(inner)}, a repository of its own: "
        "judged here are the decisions of the outer one, not its own"
        for inner, count in sorted(counts.items())
    )


def _links_followed(decisions: Sequence[Enforced]) -> tuple[Enforced, ...]:
    """Return ``decisions`` with the folders of their ADR sources free of symbolic links."""
    folders: dict[str, str] = {}
    followed: list[Enforced] = []
    for decision in decisions:
        folder, slash, name = decision.source.rpartition("/")
        if slash and folder not in folders:
            folders[folder] = os.path.realpath(folder)
        real = f"{folders[folder]}/{name}" if slash else ""
        followed.append(decision if real == decision.source else replace(decision, source=real))
    return tuple(followed)
