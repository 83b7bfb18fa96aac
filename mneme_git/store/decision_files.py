"""Decision files to settled states, contests and faults. The id inside a file is the truth."""

from collections.abc import Iterable

from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import DecisionId
from mneme_git.model.paths import ROOT, decision_path
from mneme_git.model.snapshot import Contested, Fault, Side, continuing
from mneme_git.store.branch_files import BranchFile, shown
from mneme_git.store.copies import Copies
from mneme_git.store.mixtures import Behind, Good, behind
from mneme_git.store.soundness import sound_state

_FOLDER = f"{ROOT}/decisions/"
_SETTLE = "settle it with `mneme decision resolve`"


class Candidate(Struct, frozen=True, kw_only=True):
    """A good state and the file that holds it; ``exact`` tells whether the bytes are canonical."""

    path: str
    state: DecisionState
    data: bytes
    exact: bool = True


class Decisions(Struct, frozen=True, kw_only=True):
    """What decision files come to. ``reformatted`` and ``misfiled`` are paths that were read in place."""

    settled: dict[DecisionId, Candidate]
    contested: tuple[Contested, ...]
    faults: tuple[Fault, ...]
    reformatted: tuple[str, ...]
    misfiled: tuple[str, ...]
    foreign: tuple[str, ...]


def read_decisions(files: Iterable[BranchFile], copies: Copies) -> Decisions:
    """Judge the decision files of a branch; those of an unresolved merge are not among ``files``."""
    good: dict[DecisionId, list[Candidate]] = {}
    bad: list[tuple[BranchFile, str]] = []
    foreign: list[str] = []
    for file in files:
        try:
            state, exact = sound_state(file.data)
        except CorruptRecord as error:
            if file.kind == "stray":
                foreign.append(file.path)
            else:
                bad.append((file, error.message))
            continue
        candidate = Candidate(path=file.path, state=state, data=file.data, exact=exact)
        good.setdefault(state.decision_id, []).append(candidate)
    reader = _Reader(copies, good)
    reader.place()
    for file, reason in bad:
        reader.recover(file, reason)
    return reader.result(tuple(foreign))


class _Reader:
    """Where the files of a branch are put in their places; filled once, then read once."""

    def __init__(self, copies: Copies, good: dict[DecisionId, list[Candidate]]) -> None:
        self._copies = copies
        self._good = good
        self._settled: dict[DecisionId, Candidate] = {}
        self._contested: dict[DecisionId, Contested] = {}
        self._faults: list[Fault] = []
        self._reformatted: list[str] = []
        self._misfiled: list[str] = []

    def result(self, foreign: tuple[str, ...]) -> Decisions:
        """Return what came of it."""
        return Decisions(
            settled=self._settled,
            contested=tuple(self._contested.values()),
            faults=tuple(self._faults),
            reformatted=tuple(self._reformatted),
            misfiled=tuple(self._misfiled),
            foreign=foreign,
        )

    def place(self) -> None:
        """Choose one file for each decision that has a good one."""
        for decision_id, candidates in self._good.items():
            home = decision_path(decision_id)
            first = candidates[0]
            if len(candidates) == 1 and first.path == home:  # all but all of them
                self._settle(first)
            else:
                self._choose(decision_id, home, candidates)

    def recover(self, file: BranchFile, reason: str) -> None:
        """Put the good states behind a file that cannot be trusted in its place."""
        found = behind(file.path, file.data, self._copies)
        by_id: dict[DecisionId, list[Good]] = {}
        for good in found.good:
            by_id.setdefault(good.state.decision_id, []).append(good)
        for decision_id, states in by_id.items():
            if decision_id in self._settled or decision_id in self._contested:
                continue
            if len(states) > 1 or found.torn:
                self._contest(decision_id, file.path, states, _why(file.path, torn=found.torn))
            else:
                self._settled[decision_id] = Candidate(
                    path=file.path, state=states[0].state, data=states[0].data
                )
        self._faults.append(_damaged(file.path, reason, found)) if not found.torn else None
        if found.torn and (found.lost or not found.good):
            self._faults.append(_side_lost(file.path, tuple(by_id), found.lost))

    def _settle(self, chosen: Candidate) -> None:
        self._settled[chosen.state.decision_id] = chosen
        if not chosen.exact:
            self._reformatted.append(chosen.path)

    def _choose(self, decision_id: DecisionId, home: str, candidates: list[Candidate]) -> None:
        inside = [found for found in candidates if _is_inside(found.path)] or candidates
        at_home = [found for found in inside if found.path == home]
        chosen = (at_home or sorted(inside, key=lambda found: found.path))[0]
        others = [found for found in candidates if found is not chosen]
        self._faults.extend(_duplicate(decision_id, chosen, other) for other in others)
        differing = {state_digest(found.state) for found in inside}
        if not at_home and len(differing) > 1:
            sides = [Good(label=_label(found.path), state=found.state, data=found.data) for found in inside]
            why = f"several files hold '{decision_id}', none of them under its own name"
            self._contest(decision_id, "", sides, why, paths=[found.path for found in inside])
            return
        self._settle(chosen)
        if not _is_inside(chosen.path):
            self._misfiled.append(chosen.path)
        elif chosen.path != home:
            self._misplaced(decision_id, chosen.path)

    def _misplaced(self, decision_id: DecisionId, path: str) -> None:
        owner = self._owner_from_index(path, decision_id)
        also = f"; '{owner}', whose file it is, is read from git's index" if owner else ""
        self._faults.append(
            Fault(
                code="MISPLACED_DECISION",
                path=shown(path),
                decision_id=decision_id,
                message=f"'{shown(path)}' holds decision '{decision_id}', which is read from there{also}",
                hint=f"rename it to '{decision_path(decision_id)}' and restore what belongs there",
            )
        )

    def _owner_from_index(self, path: str, decision_id: DecisionId) -> DecisionId | None:
        """Serve the decision whose file was overwritten by another one, as if its file were gone."""
        staged = self._copies.index(path)
        try:
            state, exact = sound_state(staged or b"")
        except CorruptRecord:
            return None
        owner = state.decision_id
        if owner == decision_id or decision_path(owner) != path or owner in self._good:
            return None
        self._settled[owner] = Candidate(path=path, state=state, data=staged or b"", exact=exact)
        return owner

    def _contest(
        self,
        decision_id: DecisionId,
        path: str,
        states: list[Good],
        why: str,
        *,
        paths: Iterable[str] = (),
    ) -> None:
        sides = tuple(Side(label=good.label, state=good.state, data=good.data) for good in states)
        self._contested[decision_id] = Contested(
            decision_id=decision_id,
            sides=sides,
            why=why,
            continued_by=continuing(sides),
            paths=tuple(sorted(paths)) or (path,),
        )


def _is_inside(path: str) -> bool:
    return path.startswith(_FOLDER) and "/" not in path[len(_FOLDER) :]


def _label(path: str) -> str:
    return shown(path.rsplit("/", 1)[-1])


def _why(path: str, *, torn: bool) -> str:
    what = "holds git's conflict markers" if torn else "is a mixture of several states"
    return f"'{shown(path)}' {what}"


def _damaged(path: str, reason: str, found: Behind) -> Fault:
    if not found.good:
        what = "nothing good of it was found in the index, in HEAD or in the journal"
    elif len(found.good) == 1:
        only = found.good[0]
        what = f"'{only.state.decision_id}' is served as {_place(only.label)} has it"
    else:
        what = "what stood on each line of history before it is enforced: " + ", ".join(
            good.label for good in found.good
        )
    return Fault(
        code="DAMAGED_DECISION",
        path=shown(path),
        decision_id=found.good[0].state.decision_id if found.good else "",
        message=f"'{shown(path)}' is set aside ({reason}); {what}",
        hint=_SETTLE if len(found.good) > 1 else "restore the file from git, or import its ADR again",
        blocks=True,
    )


def _place(label: str) -> str:
    named = {"index": "git's index", "journal": "the journal", "ours": "HEAD", "theirs": "the other side"}
    return named.get(label, f"commit {label}")


def _side_lost(path: str, ids: tuple[DecisionId, ...], lost: tuple[str, ...]) -> Fault:
    told = ", ".join(digest[:12] for digest in lost) or "both"
    return Fault(
        code="SIDE_LOST",
        path=shown(path),
        decision_id=ids[0] if ids else "",
        message=f"'{shown(path)}' holds conflict markers, and a side of it was found nowhere (digest {told})",
        hint="fetch the branch that was merged, or restore the file from git",
        blocks=True,
    )


def _duplicate(decision_id: DecisionId, chosen: Candidate, other: Candidate) -> Fault:
    same = "the same" if state_digest(chosen.state) == state_digest(other.state) else "another state"
    return Fault(
        code="DUPLICATE_DECISION",
        path=shown(other.path),
        decision_id=decision_id,
        message=(
            f"'{shown(other.path)}' holds {same} of decision '{decision_id}'; "
            f"'{shown(chosen.path)}' is the one that is read"
        ),
        hint="keep one of the two files",
    )
