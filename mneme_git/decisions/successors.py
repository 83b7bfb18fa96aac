"""Decisions that gave way to another one that is not there, and ones of which one should have.

Whether a decision that is not in force gave way, or never was in force by its own word, only its
ADR tells: ``in_question`` names the decisions whose ADRs must be read, ``Standing`` is the answer.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from mneme_git.decisions.state_faults import states_of
from mneme_git.model.decision import AdrEvidence, DecisionState, Lifecycle, active_evidence
from mneme_git.model.ids import PROPOSAL_PREFIX, DecisionId
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted

_BY_HAND = "cli-add"


class Standing(Struct, frozen=True, kw_only=True):
    """What the ADR of a decision says of itself, as it was imported.

    ``lifecycle`` is its own status. ``scope`` is the scope in which precedence orders it, empty if
    it takes no part; a greater ``strength`` wins there.
    """

    lifecycle: Lifecycle
    scope: str = ""
    strength: tuple[int, int] = (0, 0)


Standings = Mapping[DecisionId, Standing]


def adrs_of(state: DecisionState) -> tuple[AdrEvidence, ...]:
    """Return the ADR evidence of the active version."""
    return tuple([row for row in active_evidence(state) if isinstance(row, AdrEvidence)])


def in_question(snapshot: Snapshot) -> tuple[DecisionState, ...]:
    """Return the states whose ADRs must be read, in the order of the snapshot.

    These are superseded decisions that nothing here supersedes, active ones that share their scope,
    and inactive ones of a scope in which nothing is active. One scope may also be one tag.
    """
    above = superseded_ids(snapshot)
    asked: set[int] = set()
    scoped: dict[str, dict[Lifecycle, list[DecisionState]]] = {}
    for state in states_of(snapshot):
        if not adrs_of(state):
            continue
        if state.lifecycle_status is Lifecycle.SUPERSEDED and state.decision_id not in above:
            asked.add(id(state))
        elif scope := _scope(snapshot, state):
            scoped.setdefault(scope, {}).setdefault(state.lifecycle_status, []).append(state)
    for group in scoped.values():
        active = group.get(Lifecycle.ACTIVE, [])
        if len(active) != 1:
            asked |= {id(state) for state in active or group.get(Lifecycle.INACTIVE, [])}
    return tuple(state for state in states_of(snapshot) if id(state) in asked)


def orphans(snapshot: Snapshot, standings: Standings) -> tuple[tuple[DecisionState, str], ...]:
    """Return the settled decisions that gave way to what is not there, and to what each did."""
    above = superseded_ids(snapshot)
    found = [
        (state, "is superseded, and what superseded it is not here")
        for state in snapshot.decisions
        if state.lifecycle_status is Lifecycle.SUPERSEDED
        and state.decision_id not in above
        and _was_in_force(snapshot, state, standings)
    ]
    held = {standings[state.decision_id].scope for state in _ranked(snapshot, standings, Lifecycle.ACTIVE)}
    for scope, group in _by_scope(_ranked(snapshot, standings, Lifecycle.INACTIVE), standings).items():
        if scope not in held and (top := _only_strongest(group, standings)) is not None:
            found.append((top, f"gave way to another decision of scope {quoted(scope)} that is not here"))
    return tuple(found)


def rivals(snapshot: Snapshot, standings: Standings) -> Iterator[tuple[str, tuple[DecisionState, ...]]]:
    """Yield each scope in which several decisions are active though precedence lets only one be."""
    active = [
        state for state in _ranked(snapshot, standings, Lifecycle.ACTIVE) if state in snapshot.decisions
    ]
    for scope, group in _by_scope(active, standings).items():
        if len(group) > 1:
            yield scope, tuple(group)


def superseded_ids(snapshot: Snapshot) -> frozenset[DecisionId]:
    """Return the decisions that some state here says it supersedes."""
    return frozenset(link.target_decision_id for state in states_of(snapshot) for link in state.relationships)


def _scope(snapshot: Snapshot, state: DecisionState) -> str:
    """Return the one scope of a decision; empty if it has none or several (those are tags)."""
    version = snapshot.versions.get(state.active_version_id)
    return version.scope[0] if version and len(version.scope) == 1 else ""


def _was_in_force(snapshot: Snapshot, state: DecisionState, standings: Standings) -> bool:
    """Tell whether it once was active here, so that only another decision can have superseded it."""
    own = standings.get(state.decision_id)
    if own is not None:
        return own.lifecycle is Lifecycle.ACTIVE
    first = snapshot.versions.get(state.versions[0].version_id) if state.versions else None
    if first is None or not first.occurrence or adrs_of(state):
        return False
    return first.occurrence[0] == _BY_HAND or first.occurrence[0].startswith(PROPOSAL_PREFIX)


def _ranked(snapshot: Snapshot, standings: Standings, lifecycle: Lifecycle) -> list[DecisionState]:
    """Return the decisions with that lifecycle that precedence orders by their own word."""
    return [
        state
        for state in states_of(snapshot)
        if state.lifecycle_status is lifecycle
        and (own := standings.get(state.decision_id)) is not None
        and own.scope
        and own.lifecycle is Lifecycle.ACTIVE
    ]


def _by_scope(states: list[DecisionState], standings: Standings) -> dict[str, list[DecisionState]]:
    groups: dict[str, list[DecisionState]] = {}
    for state in states:
        groups.setdefault(standings[state.decision_id].scope, []).append(state)
    return groups


def _only_strongest(group: list[DecisionState], standings: Standings) -> DecisionState | None:
    """Return the one that would win, or None in a tie, which leaves a scope undecided."""
    best = max(standings[state.decision_id].strength for state in group)
    top = [state for state in group if standings[state.decision_id].strength == best]
    return top[0] if len(top) == 1 else None
