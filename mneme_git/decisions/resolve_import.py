"""Settling a contested decision by its ADR file as merged: a new version on top of one side."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from mneme_git.decisions.import_plan import plan_import
from mneme_git.decisions.resolve import Resolution, find_contest, plan_resolve
from mneme_git.errors import Refused
from mneme_git.model.adr import AdrFolder
from mneme_git.model.adr_import import ImportOptions, ImportPlan
from mneme_git.model.decision import AdrEvidence, DecisionState, Version, active_evidence
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.paths import decision_path
from mneme_git.model.plan import Operation, PutEvidence, PutFile, PutState, PutVersion
from mneme_git.model.snapshot import Contested, Snapshot
from mneme_git.text.order import natural_key
from mneme_git.text.quoting import quoted

_ALLOWED = ImportOptions(update_existing=True, partial=True, approve_conflicts=True)


def base_side(contest: Contested) -> str:
    """Return the label of the side that a merged ADR is put on top of, if none is chosen.

    That is the one that continues the other, else ours, else the first that still has the decision.
    """
    present = [side.label for side in contest.sides if side.state is not None]
    preferred = [label for label in (contest.continued_by, "ours") if label in present]
    return (preferred or present or [contest.sides[0].label])[0]


def adr_path(snapshot: Snapshot, decision_id: str, take: str) -> str:
    """Return the path of the ADR that a side was read from.

    Raises:
        Refused: it was not read from one, or the decision is gone on that side.
    """
    contest = find_contest(snapshot, decision_id)
    state = next((side.state for side in contest.sides if side.label == take), None)
    for row in active_evidence(state) if state is not None else ():
        if isinstance(row, AdrEvidence):
            return row.source_locator
    raise Refused(
        f"the side {quoted(take)} of decision {quoted(decision_id)} was not read from an ADR file",
        hint="take one of the sides as it is",
    )


def plan_resolve_as_merged(
    snapshot: Snapshot,
    decision_id: str,
    take: str,
    folder: AdrFolder,
    *,
    elsewhere: frozenset[str] = frozenset(),
    recovered: Mapping[VersionId, Version] | None = None,
) -> Resolution:
    """Plan to settle ``decision_id`` as the side ``take`` has it and import its ADR on top of that.

    ``folder`` is the folder of the ADR as it is now; the other ADRs in it only give their relations.

    Raises:
        Refused: the ADR cannot be imported as it is, or drops protections.
        InvalidInput, NotFound: as ``plan_resolve``.
    """
    resolution = plan_resolve(snapshot, decision_id, take, recovered=recovered)
    path = adr_path(snapshot, decision_id, take)
    settled = _as_settled(snapshot, resolution, recovered or {})
    imported = plan_import(folder, settled, _ALLOWED, elsewhere=elsewhere)
    _require_importable(imported, decision_id, path)
    added = [op for op in imported.plan.operations if _is_about(op, decision_id, path)]
    if not added:
        return resolution
    home = decision_path(DecisionId(decision_id))
    kept = [op for op in resolution.plan.operations if not _writes(op, decision_id, home)]
    sources = [read for read in imported.plan.reads if read.what == "adr" and read.name == path]
    plan = replace(
        resolution.plan,
        operations=(*kept, *added),
        reads=tuple(sorted({*resolution.plan.reads, *sources})),
    )
    return replace(resolution, plan=plan)


def _as_settled(
    snapshot: Snapshot, resolution: Resolution, recovered: Mapping[VersionId, Version]
) -> Snapshot:
    """Return what the snapshot would be if the sides were taken as they are."""
    labels = {row.decision_id: row.label for row in (resolution.chosen, *resolution.also)}
    taken = [
        side.state
        for contest in snapshot.contested
        for side in contest.sides
        if labels.get(contest.decision_id) == side.label and side.state is not None
    ]
    states: Sequence[DecisionState] = sorted(
        (*snapshot.decisions, *taken), key=lambda state: natural_key(state.decision_id)
    )
    return replace(
        snapshot,
        decisions=tuple(states),
        contested=tuple(found for found in snapshot.contested if found.decision_id not in labels),
        versions={**recovered, **snapshot.versions},
        faults=tuple(fault for fault in snapshot.faults if fault.decision_id not in labels),
    )


def _require_importable(imported: ImportPlan, decision_id: str, path: str) -> None:
    problems = [problem.message for problem in imported.problems if problem.path == path]
    if not problems and not any(row.adr.id == decision_id for row in imported.rows):
        problems = [f"it is not the ADR of {quoted(decision_id)} any more"]
    if problems:
        raise Refused(f"'{path}' cannot be imported: {'; '.join(problems)}", hint="mend the file first")
    for obligation in imported.obligations:
        if obligation.decision_id == decision_id:
            listed = ", ".join(rule.id for rule in obligation.rules)
            raise Refused(
                f"the text of '{path}' no longer has protected rules: {listed}",
                hint="take a side as it is, then import the ADR and say what becomes of these rules",
            )


def _is_about(operation: Operation, decision_id: str, path: str) -> bool:
    match operation:
        case PutVersion(version):
            return version.decision_id == decision_id
        case PutState(state):
            return state.decision_id == decision_id
        case PutEvidence():
            return operation.locator == path
        case _:
            return False


def _writes(operation: Operation, decision_id: str, home: str) -> bool:
    match operation:
        case PutState(state):
            return state.decision_id == decision_id
        case PutFile():
            return operation.path == home
        case _:
            return False
