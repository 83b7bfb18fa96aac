"""Proposals, verdicts and memories: files named by their content, and the markers beside them.

None of them stops enforcement: what is set aside here is told as a notice.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.ids import ProposalId
from mneme_git.model.memory import Memory
from mneme_git.model.proposal import Proposal, Verdict
from mneme_git.model.snapshot import Fault
from mneme_git.store.branch_files import BranchFile, Stage, shown
from mneme_git.store.copies import Copies
from mneme_git.store.soundness import home_of, kind_of, sound_memory, sound_proposal, sound_verdict

_Record = TypeVar("_Record", Proposal, Memory, Verdict)
_PURGED = b"purged"
_ENDINGS = (".verdict.json", ".json", ".forgotten", ".pinned")


class Named(Struct, frozen=True, kw_only=True):
    """What these files come to; see ``Snapshot`` for the fields."""

    proposals: dict[str, Proposal]
    verdicts: dict[ProposalId, Verdict]
    memories: dict[str, Memory]
    forgotten: frozenset[str]
    purged: frozenset[str]
    pinned: frozenset[str]
    faults: tuple[Fault, ...]
    reformatted: tuple[str, ...]
    misfiled: tuple[str, ...]


def read_named(files: Iterable[BranchFile], stages: Iterable[Stage], copies: Copies) -> Named:
    """Judge the files of these kinds; of a file that a merge left open either side is good enough."""
    reader = _Reader(copies)
    for file in files:
        reader.take(file.kind, file.path, file.data)
    reader.take_stages(tuple(stages))
    return reader.result()


class _Reader:
    """Filled file by file, then read once."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._proposals: dict[str, Proposal] = {}
        self._verdicts: dict[ProposalId, Verdict] = {}
        self._memories: dict[str, Memory] = {}
        self._markers: dict[str, set[str]] = {"forgotten": set(), "pinned": set(), "purged": set()}
        self._faults: list[Fault] = []
        self._reformatted: list[str] = []
        self._misfiled: list[str] = []

    def take(self, kind: str, path: str, data: bytes) -> None:
        """Read one file."""
        name = _name(path)
        if kind in {"forgotten", "pinned"}:
            self._mark(kind, name, data)
        elif kind == "verdict":
            self._read(kind, path, data, sound_verdict, self._add_verdict)
        elif kind == "proposal":
            self._read(kind, path, data, sound_proposal, self._proposals.__setitem__)
        elif kind == "memory" or not self._is_proposal(name, data):
            self._read("memory", path, data, sound_memory, self._memories.__setitem__)
        else:
            self._read("proposal", path, data, sound_proposal, self._proposals.__setitem__)

    def take_stages(self, stages: tuple[Stage, ...]) -> None:
        """Read what a merge left open: immutable records from either side, unlike verdicts from none."""
        paths = dict.fromkeys(stage.path for stage in stages)
        for path in paths:
            sides = {stage.number: stage.data for stage in stages if stage.path == path and stage.number > 1}
            if path.endswith(".verdict.json"):
                self._take_verdicts(path, sides)
                continue
            for _, data in sorted(sides.items())[:1]:
                self.take(kind_of(path), path, data)
            self._faults.append(_left_open(path, sides))

    def result(self) -> Named:
        """Return what came of it. A memory that is both pinned and forgotten is live."""
        torn = (self._markers["forgotten"] & self._markers["pinned"]) - self._markers["purged"]
        for name in sorted(torn & self._memories.keys()):
            self._faults.append(_both_markers(name))
        return Named(
            proposals=self._proposals,
            verdicts=self._verdicts,
            memories=self._memories,
            forgotten=frozenset(self._markers["forgotten"] - torn),
            purged=frozenset(self._markers["purged"]),
            pinned=frozenset(self._markers["pinned"]),
            faults=tuple(self._faults),
            reformatted=tuple(self._reformatted),
            misfiled=tuple(self._misfiled),
        )

    def _read(
        self,
        kind: str,
        path: str,
        data: bytes,
        sound: Callable[[str, bytes], tuple[_Record, bool]],
        add: Callable[[str, _Record], None],
    ) -> None:
        name = _name(path)
        try:
            record, exact = sound(name, data)
        except CorruptRecord as error:
            self._recover(kind, path, error.message, sound, add)
            return
        add(name, record)
        if not exact:
            self._reformatted.append(path)
        if path != home_of(kind, name):
            self._misfiled.append(path)

    def _recover(
        self,
        kind: str,
        path: str,
        reason: str,
        sound: Callable[[str, bytes], tuple[_Record, bool]],
        add: Callable[[str, _Record], None],
    ) -> None:
        name, home = _name(path), home_of(kind, _name(path))
        journal = "" if kind == "verdict" else f"{home.split('/')[1]}/{name[:2]}/{name}.json"
        looks: tuple[tuple[str, bytes | None], ...] = (
            ("git's index", self._copies.index(home)),
            ("HEAD", self._copies.committed(home)),
            ("the journal", self._copies.journal(journal) if journal else None),
        )
        served = "no good copy was found"
        for place, data in looks:
            try:
                add(name, sound(name, data or b"")[0])
            except CorruptRecord:
                continue
            served = f"it is served from {place}"
            break
        self._faults.append(
            Fault(
                code=f"DAMAGED_{kind.upper()}",
                path=shown(path),
                message=f"'{shown(path)}' is set aside ({reason}); {served}",
                hint="restore the file from git",
            )
        )

    def _take_verdicts(self, path: str, sides: dict[int, bytes]) -> None:
        name = _name(path)
        found: list[Verdict] = []
        for data in sides.values():
            try:
                found.append(sound_verdict(name, data)[0])
            except CorruptRecord:
                continue
        if len({verdict.verdict for verdict in found}) > 1:
            self._faults.append(_unlike(path, name, found))
            return
        for verdict in found[:1]:
            self._add_verdict(name, verdict)
        self._faults.append(_left_open(path, sides))

    def _add_verdict(self, name: str, verdict: Verdict) -> None:
        self._verdicts[ProposalId(name)] = verdict

    def _mark(self, kind: str, name: str, data: bytes) -> None:
        self._markers[kind].add(name)
        if kind == "forgotten" and data.strip() == _PURGED:
            self._markers["purged"].add(name)

    def _is_proposal(self, name: str, data: bytes) -> bool:
        try:
            sound_proposal(name, data)
        except CorruptRecord:
            return False
        return True


def _name(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return next((name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)), name)


def _left_open(path: str, sides: dict[int, bytes]) -> Fault:
    purged = any(data.strip() == _PURGED for data in sides.values())
    name = f".mneme/memories/{_name(path)[:1]}/{_name(path)}.json"
    hint = (
        f"for the purge to hold: `git rm --cached -- {name}`" if purged else "stage the file as it should be"
    )
    return Fault(
        code="CONFLICT_LEFT",
        path=shown(path),
        message=f"git has not merged '{shown(path)}'",
        hint=hint,
    )


def _unlike(path: str, name: str, verdicts: list[Verdict]) -> Fault:
    told = " and ".join(f"{verdict.verdict} by {verdict.by}" for verdict in verdicts)
    return Fault(
        code="VERDICT_CONFLICT",
        path=shown(path),
        message=f"proposal '{name}' was {told} on the two branches; neither counts until one is staged",
        hint="write the side that is to count into the file and stage it with `git add`",
    )


def _both_markers(name: str) -> Fault:
    return Fault(
        code="PINNED_AND_FORGOTTEN",
        path=f".mneme/memories/{name[:1]}/{name}.pinned",
        message=f"memory '{name}' was pinned on one branch and forgotten on another; it is live",
        hint="forget it again, or take the forgotten marker away",
    )
