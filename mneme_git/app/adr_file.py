"""Importing a folder of ADR files into a memory file: preview, and apply what was previewed."""

import os
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.workspace import Workspace
from mneme_git.decisions.import_file import FilePreview, Target, preview_file
from mneme_git.decisions.import_file_checks import check_ties, refused
from mneme_git.decisions.import_into_file import Incoming, plan_into_file
from mneme_git.decisions.import_listing import is_in_force
from mneme_git.errors import GuardMismatch, InvalidInput, InvalidMemory, InvalidResult
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.plan import Plan, Read, Receipt, plan_id
from mneme_git.store.memory_file import MemoryFile, parse_document
from mneme_git.store.memory_index import verify_index
from mneme_git.store.memory_plain import needs_migration
from mneme_git.store.memory_read import INDEX
from mneme_git.store.memory_snapshot import indexed_snapshot
from mneme_git.store.memory_write import blob_id

_TRIES = 5


class IntoFile(Struct, frozen=True, kw_only=True):
    """An import that was carried out: ``active`` counts the ADRs in force."""

    active: int
    skipped: tuple[tuple[str, tuple[str, ...]], ...]
    plan_id: str
    receipt: Receipt


def preview_into_file(workspace: Workspace, store: MemoryFile, folder: str) -> FilePreview:
    """Return the preview of importing ``folder`` into a memory file, by the rules of that format.

    Raises:
        InvalidInput: there is no such folder, or no such memory file.
    """
    return preview_file(_sources(workspace, folder), Path(folder).as_posix(), _target(store))


def require_places(workspace: Workspace, store: MemoryFile, folder: str) -> None:
    """Refuse at once if there is no such folder or no such memory file."""
    if not (workspace.cwd / folder).is_dir():
        raise InvalidInput(f"{folder} is not a directory")
    store.data()


def planned_into_file(
    workspace: Workspace, store: MemoryFile, folder: str, preview: FilePreview, options: ImportOptions
) -> Plan:
    """Return the plan that carrying out ``preview`` is; the bytes of the file are in its read set.

    Raises:
        Refused: the first reason of the format not to import.
    """
    check_ties(preview.ties, options)
    data = store.data()
    try:
        contents = store.parse(data)
    except InvalidMemory as error:
        raise refused(f"target memory is not valid canonical state: {error.reason}") from error
    if contents.index is None:
        raise needs_migration(store.name)
    home = store.path.resolve().parent
    incoming = Incoming(
        folder=Path(folder).as_posix(),
        rows=preview.rows,
        links=preview.links,
        ties=preview.ties,
        locators={row.adr.path: _locator(workspace, row.adr.path, home) for row in preview.rows},
        blobs={row.adr.path: blob_id(row.adr.data) for row in preview.rows},
    )
    snapshot = store.snapshot(contents)
    plan = plan_into_file(incoming, snapshot, _item_ids(contents.document), options)
    return replace(plan, reads=(*plan.reads, Read("file", store.name, blob_id(data))))


def import_into_file(
    workspace: Workspace,
    store: MemoryFile,
    folder: str,
    preview: FilePreview,
    options: ImportOptions,
    *,
    expected: str = "",
) -> IntoFile:
    """Carry out the import that was previewed.

    Other writers are waited out: only what the plan read of decisions and ADRs must be as it was,
    unless a plan id is ``expected``, which holds the whole file to what it was.

    Raises:
        Refused: the format does not allow it, or its result would not be valid; nothing was written.
        GuardMismatch: the plan is not the expected one, or an ADR was changed meanwhile.
    """
    for attempt in range(_TRIES):
        plan = planned_into_file(workspace, store, folder, preview, options)
        if expected and plan_id(plan) != expected:
            raise GuardMismatch([("plan", expected, plan_id(plan))])
        try:
            receipt = store.commit(plan if expected else _loosely(plan), stage=False)
        except InvalidResult as error:
            raise refused(error.message, hint=error.hint) from error
        except GuardMismatch as error:
            if expected or attempt == _TRIES - 1 or _is_about_adrs(error):
                raise
            continue
        return IntoFile(
            active=sum(is_in_force(row) for row in preview.rows),
            skipped=tuple((tie.scope, tie.top) for tie in preview.ties),
            plan_id=plan_id(plan),
            receipt=receipt,
        )
    raise AssertionError


def _loosely(plan: Plan) -> Plan:
    return replace(plan, reads=tuple(read for read in plan.reads if read.what != "file"))


def _is_about_adrs(error: GuardMismatch) -> bool:
    return any(what.startswith("adr ") for what, _, _ in error.differences)


def _locator(workspace: Workspace, path: str, home: Path) -> str:
    """Return the place of an ADR seen from the folder of the memory file, all links followed."""
    resolved = (workspace.cwd / path).resolve()
    try:
        return Path(os.path.relpath(resolved, home)).as_posix()
    except ValueError:  # on another drive there is no way from here to there
        return resolved.as_posix()


def _sources(workspace: Workspace, folder: str) -> list[AdrSource]:
    where = workspace.cwd / folder
    if not where.is_dir():
        raise InvalidInput(f"{folder} is not a directory")
    shown = Path(folder).as_posix()
    return [_source(entry, f"{shown}/{entry.name}") for entry in sorted(where.glob("ADR-*.md"))]


def _source(entry: Path, path: str) -> AdrSource:
    if not entry.is_file():
        return AdrSource(path=path, problem="is not a file")
    try:
        return AdrSource(path=path, data=entry.read_bytes())
    except OSError as error:
        return AdrSource(path=path, problem=f"cannot be read: {error.strerror}")


def _target(store: MemoryFile) -> Target:
    """Read what the preview compares with; that the rows diverge from the index is no matter of it."""
    data = store.data()
    try:
        contents = store.parse(data)
    except InvalidMemory as error:
        document = parse_document(data)
        if not isinstance(document, dict) or INDEX not in document:
            raise error.at(store.name) from None
        index = verify_index(document[INDEX])
        return Target(snapshot=indexed_snapshot(index, store.name), items=_item_ids(document), has_index=True)
    return Target(
        snapshot=store.snapshot(contents),
        items=_item_ids(contents.document),
        has_index=contents.index is not None,
    )


def _item_ids(document: dict[str, Any]) -> frozenset[str]:
    rows = document.get("items")
    found = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return frozenset(each for each in found if isinstance(each, str))
