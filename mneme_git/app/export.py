"""Writing the decisions of the git store as a memory file of the existing format."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.memory_base import Known, carried_read, known_file, last_agreed, place_of, rows_named
from mneme_git.app.open import need_work_tree, open_git
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.memory_places import Place, in_file, without_blobs
from mneme_git.errors import InvalidMemory, InvalidResult, Refused
from mneme_git.model.decision import AdrEvidence, DecisionState, Evidence, ProposalEvidence, Version
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.paths import CARRIED, ROOT
from mneme_git.model.plan import Plan, PutFile, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.carried import Carried, encode_carried
from mneme_git.store.foreign_file import read_foreign, replace_foreign, turn
from mneme_git.store.git_store import GitStore
from mneme_git.store.memory_export import Exported, export_into
from mneme_git.store.memory_journal import keep_written
from mneme_git.store.memory_read import contents_of
from mneme_git.store.memory_scaffold import keep_before, scaffold
from mneme_git.store.memory_write import encode_document
from mneme_git.store.traces import in_git
from mneme_git.store.work_files import read_file
from mneme_git.text.canonical import sha256_hex
from mneme_git.text.quoting import quoted

_USUAL = f"{ROOT}/project_memory.json"


class ExportedFile(Struct, frozen=True, kw_only=True):
    """A memory file made from the git store.

    ``same`` tells that it is the one that was migrated, ``strays`` that it names ADRs as seen from
    where it was then, which is elsewhere.
    """

    path: Path
    data: bytes
    decisions: int
    same: bool
    strays: bool = False


class Written(Struct, frozen=True, kw_only=True):
    """What writing an export did; ``paths`` are those of the git store."""

    written: bool
    notices: tuple[str, ...] = ()
    receipt: Receipt = Receipt()


def plan_export(workspace: Workspace, target: str | None, *, relocate: bool = False) -> ExportedFile:
    """Return the memory file that the git store amounts to, for the place ``target``.

    Without a target it is where the memory file was that moved into git, or else its usual place. What
    did not change since then is word for word as it was. If nothing did, the file is the very same
    at any place, unless ``relocate`` asks that its ADRs be named as seen from there.

    Raises:
        Refused: there is no git store, or it cannot be trusted as it is.
        InvalidResult: the format has no place for something in it.
    """
    git = open_git(workspace)
    root = need_work_tree(git)
    present = git.load()
    _require_exportable(git, present)
    base, base_file = last_agreed(git.backend, root, present)
    path = workspace.cwd / target if target else root / (base_file or _USUAL)
    place = place_of(path, root)
    here = {state.decision_id: without_blobs(state) for state in present.decisions}
    if base is not None and base.states == here and not (relocate and base.place != place):
        strays = base.place != place and any(True for state in base.states.values() for _ in _adrs(state))
        return ExportedFile(path=path, data=base.data, decisions=len(here), same=True, strays=strays)
    data = _made(git, root, present, base, place)
    try:
        contents_of(data, path, need_head=False)
    except InvalidMemory as error:
        raise InvalidResult(error.reason, detail=error.detail) from error
    return ExportedFile(path=path, data=data, decisions=len(here), same=False)


def write_export(workspace: Workspace, made: ExportedFile, *, force: bool) -> Written:
    """Write an export, and remember that git agrees with the file if it is that of the repository.

    Raises:
        Refused: the file holds what git never saw, and ``force`` is false.
        GuardMismatch: another program writes it.
    """
    git = open_git(workspace)
    root = need_work_tree(git)
    base, base_file = last_agreed(git.backend, root, git.load())
    file = Path(os.path.relpath(made.path.parent.resolve() / made.path.name, root.resolve())).as_posix()
    known = base.data if base is not None else b""
    written, notices = _replaced(workspace, root, made, file, known=known, force=force)
    receipt = Receipt()
    if file == (base_file or _USUAL):
        receipt = _remember(git, root, made, file)
    return Written(written=written, notices=notices, receipt=receipt)


def _require_exportable(git: GitStore, present: Snapshot) -> None:
    if not in_git(git.backend):
        raise Refused("this repository has no git store to export", hint="run `mneme init`")
    if present.contested:
        names = ", ".join(quoted(contest.decision_id) for contest in present.contested)
        raise Refused(
            f"branches disagree on {names}; nothing was written",
            hint=f"run `mneme decision resolve {present.contested[0].decision_id}` first",
        )
    fault = next((fault for fault in present.faults if fault.blocks), None)
    if fault is not None:
        raise Refused(
            f"the git store cannot be trusted as it is: {fault.message}; nothing was written",
            hint=fault.hint or "`mneme verify` tells what is wrong",
        )


def _made(git: GitStore, root: Path, present: Snapshot, base: Known | None, place: Place) -> bytes:
    document = base.contents.document if base is not None else _empty(root)
    known = base.snapshot.versions if base is not None else {}
    before = base.states if base is not None else {}
    is_moved = base is not None and base.place != place
    raw = _raw_hashes(git, root, present, known)
    changed: list[Exported] = []
    for state in present.decisions:
        is_same = before.get(state.decision_id) == without_blobs(state)
        if not is_same or (is_moved and any(_adrs(state))):
            fresh = [present.versions[e.version_id] for e in state.versions if e.version_id not in known]
            is_new = state.decision_id not in before
            changed.append(_exported(_with_raw(state, raw), fresh, place, moved=is_same, new=is_new))
    gone = frozenset(DecisionId(name) for name in before.keys() - {s.decision_id for s in present.decisions})
    export_into(document, changed, gone)
    return encode_document(document)


def _empty(root: Path) -> dict[str, Any]:
    return scaffold(
        name=root.name,
        description=f"Architecture memory for {root.name}, exported by mneme",
        created_by="mneme decision-index export",
        created="",
    )


def _exported(
    state: DecisionState, fresh: list[Version], place: Place, *, moved: bool, new: bool
) -> Exported:
    made = in_file(state, place)
    times = {
        entry.version_id: row.observed_at
        for entry in state.versions
        for row in entry.evidence
        if isinstance(row, ProposalEvidence)
    }
    return Exported(
        state=made.state,
        moved=moved,
        versions=tuple(fresh),
        created_at=times,
        unnamed=made.unnamed,
        updated_at=times.get(state.active_version_id, "") if new else "",
    )


def _adrs(state: DecisionState) -> Iterable[AdrEvidence]:
    return (row for entry in state.versions for row in entry.evidence if isinstance(row, AdrEvidence))


def _raw_hashes(
    git: GitStore, root: Path, present: Snapshot, known: Mapping[VersionId, Version]
) -> dict[tuple[str, str], str]:
    """Return, by path and hash of what git stores, the hash of the bytes that lie in the work tree.

    Other readers of the format compare the latter. Only the ADRs of versions that the file does not
    have yet are looked at.
    """
    rows = [
        row
        for state in present.decisions
        for entry in state.versions
        if entry.version_id not in known
        for row in entry.evidence
        if isinstance(row, AdrEvidence)
    ]
    paths = sorted({row.source_locator for row in rows})
    there = [path for path in paths if path and not path.startswith(("../", "/")) and (root / path).is_file()]
    clean = git.backend.clean_files(there) if there else {}
    return {(path, sha256_hex(data)): sha256_hex((root / path).read_bytes()) for path, data in clean.items()}


def _with_raw(state: DecisionState, raw: Mapping[tuple[str, str], str]) -> DecisionState:
    def hashed(row: Evidence) -> Evidence:
        if not isinstance(row, AdrEvidence):
            return row
        return replace(row, sha256=raw.get((row.source_locator, row.sha256), row.sha256))

    entries = (replace(entry, evidence=tuple(map(hashed, entry.evidence))) for entry in state.versions)
    return replace(state, versions=tuple(entries))


def _replaced(
    workspace: Workspace, root: Path, made: ExportedFile, file: str, *, known: bytes, force: bool
) -> tuple[bool, tuple[str, ...]]:
    """Write the file if it holds nothing that would be lost; ``known`` is what git has of one already."""
    notices: tuple[str, ...] = ()
    with turn(made.path):
        before = read_foreign(made.path)
        if before == made.data:
            return False, ()
        if before is not None and _would_be_lost(root, file, before, known):
            if not force:
                raise Refused(
                    f"{made.path} holds what git never saw; nothing was written",
                    hint=f"`mneme decision-index migrate --to-git --memory {made.path}` takes it over; "
                    "--force replaces it and keeps a copy",
                )
            kept = keep_before(made.path, before, verb="decision-index export", now=workspace.now())
            notices = (f"the file that was there is kept in {kept}",)
        replace_foreign(made.path, made.data, expected=before)
    told = keep_written(
        made.path, [made.data], verb="decision-index export", subject=file, now=workspace.now()
    )
    return True, (*notices, *told)


def _would_be_lost(root: Path, file: str, before: bytes, known: bytes) -> bool:
    """Tell whether the file holds what git has not; git is never told of files outside the repository."""
    from mneme_git.store.memory_divergence import differs

    if file.startswith(("../", "/")):
        return before not in {b"", known}
    return differs(root, file)


def _remember(git: GitStore, root: Path, made: ExportedFile, file: str) -> Receipt:
    versions = git.load().versions
    known = known_file(made.data, made.path, root, name=file)
    carried = encode_carried(Carried(file=file, data=made.data), rows_named(known), versions)
    if read_file(root, CARRIED) == carried:
        return Receipt()
    plan = Plan(
        verb="decision-index export",
        subject=file,
        operations=(PutFile(path=CARRIED, data=carried),),
        reads=(carried_read(git.backend, root),),
    )
    return git.commit(plan, stage=True)
