"""Use cases: a decision without an ADR is deprecated, or superseded by another."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from mneme_git.app.open import Opened, open_store
from mneme_git.app.replan import commit_planned
from mneme_git.app.workspace import Workspace, stamp
from mneme_git.decisions.adr_read import read_file
from mneme_git.decisions.retire import FileWord, adr_path_of, plan_deprecate, plan_supersede
from mneme_git.errors import MnemeError, NotFound
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.git_store import GitStore
from mneme_git.text.order import natural_key
from mneme_git.text.quoting import quoted

_FEW = 5


class Retired(Struct, frozen=True, kw_only=True):
    """What came of it: ``receipt`` is None where it was so already, or nothing was to be written."""

    outcome: Literal["done", "already", "dry_run"]
    receipt: Receipt | None = None


def deprecate(
    workspace: Workspace, decision_id: str, *, memory: str | None = None, dry_run: bool = False
) -> Retired:
    """Take a decision out of force; nothing takes its place.

    Raises:
        NotFound: there is no such decision.
        Refused: its ADR says otherwise, or branches disagree on it.
    """
    opened = open_store(workspace, memory=memory)
    now = _now(workspace, opened)

    def plan() -> Plan:
        snapshot = opened.store.load()
        _require_whole(snapshot, decision_id)
        return plan_deprecate(snapshot, decision_id, word=_word(opened, snapshot, decision_id), now=now)

    return _carried_out(opened, plan, dry_run=dry_run)


def supersede(
    workspace: Workspace, old: str, new: str, *, memory: str | None = None, dry_run: bool = False
) -> Retired:
    """Let one decision take the place of another.

    Raises:
        NotFound: there is no such decision.
        Refused: an ADR says otherwise, or branches disagree on one of them.
    """
    opened = open_store(workspace, memory=memory)
    now = _now(workspace, opened)

    def plan() -> Plan:
        snapshot = opened.store.load()
        _require_whole(snapshot, old, new)
        return plan_supersede(
            snapshot,
            old,
            new,
            old_word=_word(opened, snapshot, old),
            new_word=_word(opened, snapshot, new),
            now=now,
        )

    return _carried_out(opened, plan, dry_run=dry_run)


def _require_whole(snapshot: Snapshot, *given: str) -> None:
    """Raise NotFound if one of ``given`` is only the beginning of an id, or another spelling."""
    known = sorted(
        {state.decision_id for state in snapshot.decisions}
        | {contest.decision_id for contest in snapshot.contested},
        key=natural_key,
    )
    for name in given:
        meant = [other for other in known if other.casefold().startswith(name.casefold())] if name else []
        if name not in known and meant:
            listed = ", ".join(quoted(other) for other in meant[:_FEW])
            more = f" and {len(meant) - _FEW} more" if len(meant) > _FEW else ""
            raise NotFound("decision", name, hint=f"the whole id is needed here; like it are: {listed}{more}")


def _carried_out(opened: Opened, plan: Callable[[], Plan], *, dry_run: bool) -> Retired:
    if dry_run:
        return Retired(outcome="dry_run" if plan().operations else "already")
    receipt = commit_planned(opened.store, plan)
    return Retired(outcome="already" if receipt is None else "done", receipt=receipt)


def _now(workspace: Workspace, opened: Opened) -> str:
    """Return the time for a memory file; a git store keeps none."""
    if opened.kind == "git":
        return ""
    return stamp(workspace)


def _word(opened: Opened, snapshot: Snapshot, decision_id: str) -> FileWord | None:
    """Return what the ADR file of a decision says now; None if the decision has no ADR."""
    from mneme_git.store.objects import blob, object_id

    path = adr_path_of(snapshot, decision_id)
    if not path:
        return None
    data, object_format = _bytes(opened, path)
    if data is None:
        return FileWord(path=path)
    found = read_file(AdrSource(path=path, data=data)).adr
    return FileWord(path=path, blob=object_id(blob(data), object_format), adr=found)


def _bytes(opened: Opened, path: str) -> tuple[bytes | None, str]:
    """Return the bytes of an ADR as the store compares them, and the object format of their id."""
    store = opened.store
    if isinstance(store, GitStore):
        try:
            return store.backend.clean_bytes(path), store.backend.object_format
        except NotFound:
            return None, store.backend.object_format
        except MnemeError:
            return b"", store.backend.object_format
    from mneme_git.store.foreign_file import read_foreign
    from mneme_git.store.memory_file import MemoryFile

    assert isinstance(store, MemoryFile)
    return read_foreign(Path(store.path).resolve().parent / path), "sha1"
