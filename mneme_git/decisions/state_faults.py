"""One decision against itself: its lineage, its rules, its id."""

from collections.abc import Iterable, Iterator

from mneme_git.model.decision import DecisionState, RuleBinding
from mneme_git.model.ids import PROPOSAL_PREFIX
from mneme_git.model.paths import decision_path
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.text.quoting import quoted
from mneme_git.text.selectors import selector_problem

RULE_TYPES = frozenset({"FORBID_LITERAL"})
_RESTORE = "restore the file from git, or import its ADR again"


def states_of(snapshot: Snapshot) -> Iterator[DecisionState]:
    """Yield the settled states, then every side of every contested decision."""
    yield from snapshot.decisions
    for contest in snapshot.contested:
        for side in contest.sides:
            if side.state is not None:
                yield side.state


def state_faults(snapshot: Snapshot) -> tuple[Fault, ...]:
    """Return what is wrong inside single decisions, in the order of the snapshot, each once.

    It blocks where it keeps a rule from being applied.
    """
    found = [fault for state in states_of(snapshot) for fault in _faults(snapshot, state)]
    return tuple(dict.fromkeys(found))


def _faults(snapshot: Snapshot, state: DecisionState) -> Iterator[Fault]:
    if not state.decision_id or state.decision_id.startswith(PROPOSAL_PREFIX):
        message = f"{quoted(state.decision_id)} is no id that a decision may have"
        yield _fault("RESERVED_ID", state, message)
    for problem, blocks in _lineage_problems(snapshot, state):
        yield _fault("BROKEN_LINEAGE", state, problem, blocks=blocks)
    for problem, blocks in _rule_problems(state):
        yield _fault("BAD_RULE", state, problem, blocks=blocks)


def _fault(code: str, state: DecisionState, problem: str, *, blocks: bool = False) -> Fault:
    return Fault(
        code=code,
        path=decision_path(state.decision_id),
        decision_id=state.decision_id,
        message=f"decision {quoted(state.decision_id)}: {problem}",
        hint=_RESTORE,
        blocks=blocks,
    )


def _lineage_problems(snapshot: Snapshot, state: DecisionState) -> Iterator[tuple[str, bool]]:
    seen: set[str] = set()
    for entry in state.versions:
        name = entry.version_id
        if name in seen:
            yield f"its lineage names version {quoted(name)} twice", False
        if entry.predecessor is not None and entry.predecessor not in seen:
            yield f"the predecessor of version {quoted(name)} does not come before it in the lineage", False
        seen.add(name)
        version = snapshot.versions.get(name)
        if version is None:
            continue  # a missing version is told where the files are read
        if version.decision_id != state.decision_id:
            yield f"version {quoted(name)} belongs to decision {quoted(version.decision_id)}", True
        if version.predecessor != entry.predecessor:
            yield f"version {quoted(name)} was made after another version than the lineage says", False
    if state.active_version_id not in seen:
        yield f"its active version {quoted(state.active_version_id)} is not in its lineage", True


def _rule_problems(state: DecisionState) -> Iterator[tuple[str, bool]]:
    lineage = {entry.version_id for entry in state.versions}
    places: set[tuple[str, int]] = set()
    for rule in state.rules:
        if rule.version_id not in lineage:
            yield f"a rule is bound to version {quoted(rule.version_id)}, which is not in its lineage", True
        if rule.sequence < 0 or (rule.version_id, rule.sequence) in places:
            yield f"rule number {rule.sequence} of version {quoted(rule.version_id)} is not unique", False
        places.add((rule.version_id, rule.sequence))
        for problem in _form_problems(rule):
            yield problem, rule.version_id == state.active_version_id


def _form_problems(rule: RuleBinding) -> Iterator[str]:
    if rule.type not in RULE_TYPES:
        yield f"rule type {quoted(rule.type)} is not known"
    if not rule.value.strip():
        yield "a rule has no value"
    include, exclude = rule.applicability.include_paths, rule.applicability.exclude_paths
    if include is not None and not include:
        yield "a rule has an empty list of include_paths"
    if include is None and exclude is not None:
        yield "a rule has exclude_paths without include_paths"
    yield from _selector_problems((*(include or ()), *(exclude or ())))


def _selector_problems(selectors: Iterable[str]) -> Iterator[str]:
    for selector in selectors:
        problem = selector_problem(selector)
        if problem:
            yield f"path selector {quoted(selector)}: {problem}"
