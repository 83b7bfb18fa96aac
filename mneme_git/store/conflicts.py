"""Decision files in an unresolved merge: whose sides the stages of the index are.

Stages are grouped by the decision id inside, not by path: where one side removed a decision and
added a similar one, git's rename detection puts a side of the first into the file of the second.
A stage of another decision is that decision's own conflict, edited on one side and gone on the other.
"""

from collections.abc import Iterable

from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import DecisionId
from mneme_git.model.paths import decision_path
from mneme_git.model.snapshot import Contested, Fault, Side, continuing
from mneme_git.store.branch_files import Stage, shown
from mneme_git.store.copies import Copies
from mneme_git.store.decision_files import Candidate
from mneme_git.store.mixtures import label_of, on_line
from mneme_git.store.soundness import sound_state

_BASE, _OURS, _THEIRS = 1, 2, 3
_LABELS = {_OURS: "ours", _THEIRS: "theirs"}


class Conflicts(Struct, frozen=True, kw_only=True):
    """What the stages come to. ``removed`` are paths that both sides no longer have."""

    settled: dict[DecisionId, Candidate]
    contested: tuple[Contested, ...]
    faults: tuple[Fault, ...]
    removed: tuple[str, ...]


class _Found(Struct, frozen=True, kw_only=True):
    path: str
    number: int
    state: DecisionState
    data: bytes
    label: str = ""


def read_conflicts(stages: Iterable[Stage], present: Iterable[DecisionId], copies: Copies) -> Conflicts:
    """Group the stages of decision files by decision.

    ``present`` are the decisions that have a settled file under their own name: what else a stage
    has of them was settled before and no longer counts.
    """
    listed = tuple(stages)
    faults: list[Fault] = []
    sides = [found for stage in listed if stage.number != _BASE for found in _read(stage, copies, faults)]
    bases = {found.state.decision_id for stage in listed if stage.number == _BASE for found in _sound(stage)}
    settled: dict[DecisionId, Candidate] = {}
    contested: list[Contested] = []
    already = set(present)
    why = _why(copies) if listed else ""
    for decision_id in dict.fromkeys(found.state.decision_id for found in sides):
        mine = [found for found in sides if found.state.decision_id == decision_id]
        home = decision_path(decision_id)
        if decision_id in already and all(found.path != home for found in mine):
            continue
        if _is_one(mine):
            settled[decision_id] = Candidate(path=mine[0].path, state=mine[0].state, data=mine[0].data)
        else:
            contested.append(_contested(decision_id, mine, why, was_there=decision_id in bases))
    live = {stage.path for stage in listed if stage.number != _BASE}
    return Conflicts(
        settled=settled,
        contested=tuple(contested),
        faults=tuple(faults),
        removed=tuple(sorted({stage.path for stage in listed} - live)),
    )


def _is_one(mine: list[_Found]) -> bool:
    both = {found.number for found in mine} == {_OURS, _THEIRS}
    return both and len({state_digest(found.state) for found in mine}) == 1


def _contested(decision_id: DecisionId, mine: list[_Found], why: str, *, was_there: bool) -> Contested:
    sides: list[Side] = []
    for number, label in _LABELS.items():
        of_side = [found for found in mine if found.number == number]
        sides.extend(
            Side(
                label=found.label or (label if at == 0 else f"{label}-{at + 1}"),
                state=found.state,
                data=found.data,
            )
            for at, found in enumerate(of_side)
        )
        if not of_side:
            sides.append(Side(label=label, state=None))
    only = [side.label for side in sides if side.state is not None]
    return Contested(
        decision_id=decision_id,
        sides=tuple(sides),
        why=why,
        # What only one side ever had is an addition that came into another one's conflict: keep it.
        continued_by=continuing(sides) or (only[0] if len(only) == 1 and not was_there else ""),
        paths=tuple(sorted({found.path for found in mine})),
    )


def _read(stage: Stage, copies: Copies, faults: list[Fault]) -> list[_Found]:
    found = _sound(stage)
    if found:
        return found
    wanted = _LABELS[stage.number]
    lines = [line for line in copies.lines() if label_of(line) == wanted]
    behind = [good for line in lines for good in on_line(line, stage.path, copies)]
    served = ", ".join(good.label for good in behind)
    faults.append(
        Fault(
            code="DAMAGED_DECISION" if behind else "SIDE_LOST",
            path=shown(stage.path),
            message=(
                f"the '{wanted}' side of '{shown(stage.path)}' is no state that anybody made; "
                + (
                    f"what stood there before is enforced ({served})"
                    if behind
                    else "nothing good is behind it"
                )
            ),
            hint="settle it with `mneme decision resolve`, or import its ADR again",
            blocks=True,
        )
    )
    return [
        _Found(
            path=stage.path,
            number=stage.number,
            state=good.state,
            data=good.data,
            label="" if len(behind) == 1 else good.label,
        )
        for good in behind
    ]


def _sound(stage: Stage) -> list[_Found]:
    try:
        state, _ = sound_state(stage.data)
    except CorruptRecord:
        return []
    return [_Found(path=stage.path, number=stage.number, state=state, data=stage.data)]


def _why(copies: Copies) -> str:
    lines = copies.lines()
    told = " against ".join(f"{line.label} {line.commit[:12]}" for line in lines)
    return f"git has not merged it: {told}" if len(lines) > 1 else "git has not merged it"
