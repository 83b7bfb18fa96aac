"""Writing ADR files: a new one, one that supersedes another, another number; and numbers that collide."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.init import adr_folders
from mneme_git.app.open import need_work_tree, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.adr_author import Draft, manner_of, new_text
from mneme_git.decisions.adr_edit import Reference, plan_supersede, superseding
from mneme_git.decisions.adr_find import find_adr
from mneme_git.decisions.adr_ids import recorded_in
from mneme_git.decisions.adr_naming import (
    Collision,
    collisions,
    free_name,
    next_number,
    numbers_in,
    same_title,
    scheme_of,
    slug_of,
)
from mneme_git.decisions.adr_read import read_folder
from mneme_git.decisions.adr_renumber import Place, plan_renumber
from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.model.adr import Adr, AdrFolder
from mneme_git.model.decision import Lifecycle
from mneme_git.model.file_edit import FileEdit
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.adr_work import work_sources, write_edits
from mneme_git.store.branch_names import names_in_use
from mneme_git.store.git_store import GitStore
from mneme_git.store.lock import write_lock
from mneme_git.text.order import natural_key

_DEFAULT_FOLDER = "docs/adr"


class Authored(Struct, frozen=True, kw_only=True):
    """Changes of ADR files, and what people should know of them; ``written`` if they were made.

    ``path`` is the file it is about, repository-relative, ``number`` its number as its folder writes
    it (empty if it has none). ``folder`` is that of a new file as seen from where the command runs.
    ``left`` are lines that name an old number and were not changed.
    """

    path: str
    number: str = ""
    folder: str = ""
    edits: tuple[FileEdit, ...] = ()
    written: bool = False
    notices: tuple[str, ...] = ()
    left: tuple[Place, ...] = ()


def new_adr(
    workspace: Workspace, draft: Draft, *, folder: str | None = None, dry_run: bool = False
) -> Authored:
    """Write a new ADR in the manner of its folder, under a number that no branch of this clone uses.

    Raises:
        InvalidInput: the title or status cannot be written there, or several folders hold ADRs.
        Refused: an ADR with this title is there.
    """
    store = open_git(workspace)
    root = need_work_tree(store)
    where = _relative(workspace, root, folder) if folder else _only_folder(store)
    with write_lock(store.backend):
        authored = _planned_new(store, root, where, _dated(workspace, draft))
        if not dry_run:
            write_edits(root, authored.edits)
    seen = os.path.relpath(os.path.realpath(root / where), os.path.realpath(workspace.cwd))
    return _done(replace(authored, folder=seen.replace(os.sep, "/")), dry_run)


def supersede_adr(
    workspace: Workspace, old: str, new: str, *, folder: str | None = None, dry_run: bool = False
) -> Authored:
    """Say in two ADR files that one supersedes the other; a decision without a file has none to edit.

    Raises:
        NotFound, AmbiguousId: a name fits no ADR, or several.
        Refused: the two cannot stand in that relation, or a file is written in an unusual way.
    """
    store = open_git(workspace)
    root = need_work_tree(store)
    snapshot = store.load()
    with write_lock(store.backend):
        adrs = _all_adrs(workspace, store, snapshot, folder, (old, new))
        newer = find_adr(adrs, _as_path(workspace, root, new))
        try:
            older = find_adr(adrs, _as_path(workspace, root, old))
        except NotFound:
            edits: Sequence[FileEdit] = _over_recorded(snapshot, old, newer)
        else:
            edits = plan_supersede(older, newer)
        if not dry_run:
            write_edits(root, edits)
    notices = []
    if newer.status.lifecycle is Lifecycle.INACTIVE:
        notices.append(f"{newer.path} is '{newer.status.text}': until it is accepted neither is in force")
    return _done(Authored(path=newer.path, edits=tuple(edits), notices=tuple(notices)), dry_run)


def renumber_adr(
    workspace: Workspace, given: str, *, number: int | None = None, dry_run: bool = False
) -> Authored:
    """Give an ADR another number, the next free one by default, and rewrite the links of its folder.

    Raises:
        NotFound, AmbiguousId: the name fits no ADR, or several.
        InvalidInput: the file has no number, or the new one is in use on some branch.
        Refused: the file states its number in an unusual way.
    """
    store = open_git(workspace)
    root = need_work_tree(store)
    snapshot = store.load()
    with write_lock(store.backend):
        adrs = _all_adrs(workspace, store, snapshot, None, (given,))
        adr = find_adr(adrs, _as_path(workspace, root, given))
        folder = adr.path.rpartition("/")[0]
        names = names_in_use(store.backend, folder)
        sources = work_sources(root, folder)
        plan = plan_renumber(
            adr,
            next_number(names) if number is None else number,
            {source.path: source.data for source in sources if not source.problem},
            read_folder(sources, folder).adrs,
            numbers_in(names),
        )
        if not dry_run:
            write_edits(root, plan.edits)
    authored = Authored(
        path=plan.new_path,
        edits=plan.edits,
        left=plan.left,
        notices=tuple(_recorded_notices(snapshot, plan.old_path, plan.new_path)),
    )
    return _done(authored, dry_run)


def number_collisions(store: GitStore) -> tuple[Collision, ...]:
    """Return the numbers that two or more ADR files of one folder have, by folder and number."""
    root = need_work_tree(store)
    found: list[Collision] = []
    for folder in _folders(store, store.load()):
        paths = [source.path for source in work_sources(root, folder)]
        found += collisions(paths)
    return tuple(found)


def _planned_new(store: GitStore, root: Path, folder: str, draft: Draft) -> Authored:
    read = read_folder(work_sources(root, folder), folder or ".")
    twins = same_title(read.adrs, draft.title)
    if twins:
        raise Refused(
            f"an ADR with the title '{draft.title}' is there: {twins[0]}",
            hint="supersede it (`mneme adr supersede`) or choose another title",
        )
    names = names_in_use(store.backend, folder)
    scheme = scheme_of([source.path.rsplit("/", 1)[-1] for source in work_sources(root, folder)])
    number = _free_number(names, read)
    numbered = scheme.kind == "number"
    digits = scheme.digits(number) if numbered else ""
    name = free_name(scheme, slug_of(draft.title, scheme.joint), names, number=number, day=draft.day)
    path = f"{folder}/{name}" if folder else name
    manner = manner_of(read.adrs)
    filled = Draft(
        title=draft.title,
        status=draft.status,
        digits=digits or (str(number) if manner.is_format else ""),
        day=draft.day,
        scope=draft.scope,
    )
    data = new_text(manner, filled, path=path)
    notices = [f"{problem.path}: {problem.message}" for problem in read.problems[:3]]
    return Authored(
        path=path,
        number=filled.digits,
        edits=(FileEdit(path=path, before=None, after=data),),
        notices=tuple(f"not understood, so not followed: {text}" for text in notices),
    )


def _free_number(names: frozenset[str], read: AdrFolder) -> int:
    """Return the number after the greatest of file names and of the ids that front matters state."""
    stated = [adr.stated_id.removeprefix("ADR-") for adr in read.adrs]
    return max(next_number(names), 1 + max((int(text) for text in stated if text.isdecimal()), default=0))


def _dated(workspace: Workspace, draft: Draft) -> Draft:
    today = datetime.fromtimestamp(workspace.now(), UTC).strftime("%Y-%m-%d")
    return Draft(title=draft.title, status=draft.status, day=today, scope=draft.scope)


def _done(authored: Authored, dry_run: bool) -> Authored:
    return replace(authored, written=not dry_run and bool(authored.edits))


def _all_adrs(
    workspace: Workspace, store: GitStore, snapshot: Snapshot, folder: str | None, named: Sequence[str]
) -> tuple[Adr, ...]:
    """Return the ADRs of the folder given, or of all that hold ADRs and of those that ``named`` lie in."""
    root = need_work_tree(store)
    if folder:
        wanted = [_relative(workspace, root, folder)]
    else:
        paths = [_as_path(workspace, root, name) for name in named]
        beside = [path.rpartition("/")[0] for path in paths if (root / path).is_file()]
        wanted = [*_folders(store, snapshot), *beside]
    return tuple(
        adr
        for where in dict.fromkeys(wanted)
        for adr in read_folder(work_sources(root, where), where or ".").adrs
    )


def _over_recorded(snapshot: Snapshot, old: str, newer: Adr) -> tuple[FileEdit, ...]:
    """Return the edit of the newer file alone, for an older decision that no file stands for."""
    state = snapshot.state(old)
    if state is None or any(row.id == state.decision_id for row in recorded_in(snapshot)):
        raise NotFound("ADR", old, hint="give the file, its number or its id")
    data = superseding(newer, Reference(id=old, label=old))
    return (FileEdit(path=newer.path, before=newer.data, after=data),) if data != newer.data else ()


def _recorded_notices(snapshot: Snapshot, old_path: str, new_path: str) -> list[str]:
    rows = [row for row in recorded_in(snapshot) if row.path == old_path]
    return [
        f"decision {row.id} is recorded from {old_path}: after `mneme adr import`, {new_path} is a decision "
        f"of its own; retire the other with `mneme decision supersede {row.id} --by ID`"
        for row in rows
    ]


def _folders(store: GitStore, snapshot: Snapshot) -> list[str]:
    """Return the folders that hold ADRs: by their names among the tracked files, or by what is recorded."""
    tracked = [entry.path for entry in store.backend.index_entries("")]
    named = {found.path for found in adr_folders(tracked)}
    recorded = {row.path.rpartition("/")[0] for row in recorded_in(snapshot)}
    root = need_work_tree(store)
    there = {path for path in named | recorded | {_DEFAULT_FOLDER} if (root / path).is_dir()}
    return sorted(there, key=natural_key)


def _only_folder(store: GitStore) -> str:
    """Return the folder for a new ADR: the one that holds ADRs, or ``docs/adr`` if none does."""
    found = _folders(store, store.load())
    if len(found) > 1:
        raise InvalidInput(
            f"several folders hold ADRs: {', '.join(found)}", hint="say which one with --folder DIR"
        )
    return found[0] if found else _DEFAULT_FOLDER


def _relative(workspace: Workspace, root: Path, folder: str) -> str:
    """Return a folder, which need not exist, relative to the repository; empty for its top."""
    path = _as_path(workspace, root, folder)
    if path.startswith("..") or Path(path).is_absolute() or path.split("/")[0] in {".git", ".mneme"}:
        raise InvalidInput(f"{folder} is not a folder for ADRs", hint="give a folder of this repository")
    if (root / path).exists() and not (root / path).is_dir():
        raise InvalidInput(f"{folder} is not a directory", hint="give the folder that holds the ADR files")
    return "" if path == "." else path


def _as_path(workspace: Workspace, root: Path, given: str) -> str:
    """Return what ``given`` would be as a path relative to the repository, with ``/``."""
    start = os.path.realpath(workspace.cwd)
    joined = os.path.normpath(os.path.join(start, given))  # noqa: PTH118
    return os.path.relpath(joined, os.path.realpath(root)).replace(os.sep, "/")
