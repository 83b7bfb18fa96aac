"""Raw files of a branch to a snapshot: what is good, what is contested, what is wrong.

Pure over ``BranchFiles``; only its ``copies`` reach out, and only where a file is missing or damaged.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.model.decision import DecisionState, Version
from mneme_git.model.ids import VersionId
from mneme_git.model.paths import CONFIG, ROOT, decision_path
from mneme_git.model.snapshot import Contested, Fault, Snapshot
from mneme_git.store.branch_files import BranchFile, BranchFiles, Stage, shown
from mneme_git.store.conflicts import read_conflicts
from mneme_git.store.decision_files import read_decisions
from mneme_git.store.format_files import format_faults
from mneme_git.store.named_files import read_named
from mneme_git.store.soundness import kind_in, kind_of
from mneme_git.store.version_files import find_missing, read_versions
from mneme_git.text.order import natural_key

_DECISION = frozenset({"decision", "stray"})
_NAMED = frozenset({"proposal", "verdict", "memory", "forgotten", "pinned", "hashed"})
_OTHER_STORES = frozenset({"project_memory.json", "decision_proposals.json"})
_FEW = 3
_VERSIONS = f"{ROOT}/versions/"
_LIKE_ANOTHER = (f"{ROOT}/decisions/dver-", f"{ROOT}/decisions/dprop-")


def assemble(files: BranchFiles) -> Snapshot:
    """Return what the files of a branch hold; bad files make faults, never errors.

    Decisions come in natural order of their ids, contested ones too; faults by path, then code.
    """
    files = _told_apart(files)
    staged = [(kind_of(stage.path), stage) for stage in files.stages]
    read = _read_decisions(files, [stage for kind, stage in staged if kind in _DECISION])
    versions, told = _read_versions(files, read)
    named = read_named(
        [file for file in files.files if file.kind in _NAMED],
        [stage for kind, stage in staged if kind in _NAMED],
        files.copies,
    )
    noticed = told.and_(read.told).and_(_Told(named.reformatted, named.misfiled, (), named.faults))
    faults = (*files.faults, *format_faults(files), *noticed.faults, *_notices(files, noticed))
    return Snapshot(
        decisions=read.settled,
        versions=versions,
        contested=read.contested,
        faults=tuple(sorted(faults, key=lambda fault: (fault.path, fault.code, fault.message))),
        proposals=named.proposals,
        verdicts=named.verdicts,
        memories=named.memories,
        forgotten=named.forgotten,
        purged=named.purged,
        pinned=named.pinned,
        unmerged=_unmerged(staged, read.removed),
        origin=files.origin,
    )


def _told_apart(files: BranchFiles) -> BranchFiles:
    """Return ``files`` with the kind that the content says, where name and folder disagree."""
    doubtful = {
        file.path: kind_in(file.path, file.data)
        for file in files.files
        if (file.kind == "decision" and file.path.startswith(_LIKE_ANOTHER))
        or (file.kind == "version" and not file.path.startswith(_VERSIONS))
    }
    if not doubtful:
        return files
    return replace(
        files, files=tuple(replace(file, kind=doubtful.get(file.path, file.kind)) for file in files.files)
    )


class _Told(Struct, frozen=True):
    """What was noticed on the way: paths that were read in place, and finished faults."""

    reformatted: tuple[str, ...] = ()
    misfiled: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    def and_(self, other: "_Told") -> "_Told":
        return _Told(
            self.reformatted + other.reformatted,
            self.misfiled + other.misfiled,
            self.foreign + other.foreign,
            self.faults + other.faults,
        )


class _Decided(Struct, frozen=True, kw_only=True):
    settled: tuple[DecisionState, ...]
    contested: tuple[Contested, ...]
    removed: tuple[str, ...]
    told: _Told


def _read_decisions(files: BranchFiles, stages: Sequence[Stage]) -> _Decided:
    plain = read_decisions([file for file in files.files if file.kind in _DECISION], files.copies)
    at_home = [key for key, found in plain.settled.items() if found.path == decision_path(key)]
    merging = read_conflicts(stages, at_home, files.copies)
    contested = {contest.decision_id: contest for contest in (*plain.contested, *merging.contested)}
    settled = {**plain.settled, **merging.settled}
    return _Decided(
        settled=tuple(settled[key].state for key in sorted(settled, key=natural_key) if key not in contested),
        contested=tuple(contested[key] for key in sorted(contested, key=natural_key)),
        removed=merging.removed,
        told=_Told(plain.reformatted, plain.misfiled, plain.foreign, plain.faults + merging.faults),
    )


def _read_versions(files: BranchFiles, read: _Decided) -> tuple[dict[VersionId, Version], _Told]:
    stored = [(file.path, file.data) for file in files.files if file.kind == "version"]
    merging = [
        (stage.path, stage.data)
        for stage in files.stages
        if stage.number != 1 and kind_of(stage.path) == "version"
    ]
    versions = read_versions([*merging, *stored], files.copies)
    sides = [side.state for contest in read.contested for side in contest.sides if side.state]
    found, missing = find_missing([*read.settled, *sides], versions.good, files.copies)
    told = _Told(versions.reformatted, versions.misfiled, (), versions.faults + missing)
    return {**found, **versions.good}, told


def _unmerged(staged: Iterable[tuple[str, Stage]], removed: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that settling any contest may settle too, for there is nothing to choose."""
    return tuple(sorted({stage.path for kind, stage in staged if kind == "version"} | set(removed)))


def _notices(files: BranchFiles, told: _Told) -> Iterator[Fault]:
    yield from _grouped(
        "REFORMATTED",
        told.reformatted,
        "was changed by a tool (line endings or layout), not in content; it is read as it stands",
        "restore the file from git; git must not convert files below .mneme",
    )
    yield from _grouped(
        "WRONG_FOLDER",
        told.misfiled,
        "stands in the wrong folder; it is read where it stands",
        "move it back to the folder it was made in",
    )
    yield from _grouped(
        "GONE_FROM_WORK_TREE",
        files.gone,
        "is in git's index and not in the work tree; it stays in force",
        "bring the file back from git, or remove it with git if it must go",
    )
    yield from _grouped(
        "UNKNOWN_FILE",
        sorted([*told.foreign, *(file.path for file in files.files if _is_unknown(file))]),
        "is nothing that mneme knows; it is not read",
        "move it out of .mneme",
    )
    others = {stage.path for stage in files.stages if stage.path != CONFIG and _is_plain(stage.path)}
    yield from _grouped(
        "CONFLICT_LEFT", sorted(others), "is not merged by git", "stage the file as it should be"
    )


def _grouped(code: str, paths: Sequence[str], what: str, hint: str) -> Iterator[Fault]:
    """Yield one fault for each path, or one for all where they are many."""
    listed = [f"'{shown(path)}'" for path in sorted(paths)]
    if len(listed) <= _FEW:
        for path, told in zip(sorted(paths), listed, strict=True):
            yield Fault(code=code, path=shown(path), message=f"{told} {what}", hint=hint)
        return
    named = ", ".join(listed[:_FEW])
    yield Fault(
        code=code,
        path=shown(min(paths)),
        message=f"{named} and {len(listed) - _FEW} more, each of them: {what}",
        hint=hint,
    )


def _is_unknown(file: BranchFile) -> bool:
    return file.kind == "foreign" and file.path.rsplit("/", 1)[-1] not in _OTHER_STORES


def _is_plain(path: str) -> bool:
    return kind_of(path) not in _DECISION | _NAMED | {"version"}
