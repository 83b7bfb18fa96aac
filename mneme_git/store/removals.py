"""Records that are staged for removal: they no longer count, and until it is committed that is told."""

import os
from collections.abc import Iterator

from mneme_git.errors import CorruptRecord
from mneme_git.model.ids import VersionId
from mneme_git.model.paths import ROOT
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.store.backend import GitBackend
from mneme_git.store.branch_files import shown, staged_removals
from mneme_git.store.copies import GitCopies
from mneme_git.store.soundness import kind_of, sound_state

_FEW = 3
_LAST = "once it is committed nothing tells of it any more"
_KEPT_HINT = f"`git add {ROOT}` keeps it; without that the next commit removes it from the branch"


def records_removed(backend: GitBackend, snapshot: Snapshot) -> tuple[Fault, ...]:
    """Return a fault for each decision that HEAD has and that is staged for removal, and one for the rest.

    This asks git for HEAD's tree, so it is not part of loading. What a snapshot still has, because
    it only moved or is served from elsewhere, is not told; a file that stayed in the work tree under
    its own name is, for the next commit is without it.
    """
    paths = staged_removals(backend)
    if not paths:
        return ()
    copies = GitCopies(backend, {}, None)
    decisions = [path for path in paths if kind_of(path) == "decision"]
    kept = {path for path in paths if _is_left(backend, path)}
    others = [
        path
        for path in paths
        if kind_of(path) != "decision" and (path in kept or not _is_there(path, snapshot))
    ]
    return (*_decisions(decisions, copies, snapshot, kept), *_rest(others))


def _is_left(backend: GitBackend, path: str) -> bool:
    return backend.work_tree is not None and os.path.lexists(backend.work_tree / path)


def _decisions(paths: list[str], copies: GitCopies, snapshot: Snapshot, kept: set[str]) -> Iterator[Fault]:
    for path in paths:
        try:
            decision_id = sound_state(copies.committed(path) or b"")[0].decision_id
        except CorruptRecord:
            decision_id = None
        is_served = decision_id and (snapshot.state(decision_id) or snapshot.contest(decision_id))
        if is_served and path not in kept:
            continue
        named = f"decision '{decision_id}'" if decision_id else f"'{shown(path)}'"
        yield Fault(
            code="RECORDS_REMOVED",
            path=shown(path),
            decision_id=decision_id or "",
            message=(
                f"{named} is staged for removal; its file, no longer tracked, still counts here only"
                if is_served
                else f"{named} is staged for removal and no longer enforced; HEAD still has it"
            ),
            hint=_KEPT_HINT if is_served else _way_back(decision_id),
        )


def _way_back(decision_id: str | None) -> str:
    if not decision_id:
        return f"unstage the removal if it was not meant; {_LAST}"
    return f"if it was not meant, `mneme restore {decision_id}` brings it back; {_LAST}"


def _rest(paths: list[str]) -> Iterator[Fault]:
    if paths:
        whose = "it" if len(paths) == 1 else "them"
        named = ", ".join(f"'{shown(path)}'" for path in paths[:_FEW])
        more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
        verb = "is" if len(paths) == 1 else "are"
        yield Fault(
            code="RECORDS_REMOVED",
            path=shown(paths[0]),
            message=f"{named}{more} {verb} staged for removal; HEAD still has {whose}",
            hint=f"if it was not meant, `mneme restore` lists what can be brought back; {_LAST}",
        )


def _is_there(path: str, snapshot: Snapshot) -> bool:
    name = path.rsplit("/", 1)[-1].removesuffix(".json")
    kind = kind_of(path)
    if kind == "version":
        return VersionId(name) in snapshot.versions
    return kind == "memory" and (name in snapshot.memories or name in snapshot.purged)
