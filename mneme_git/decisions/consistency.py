"""Decisions against each other, after merges that git could make without a conflict.

Nothing is taken back here: what two branches had in force stays in force together (the union), and
people are told. ``also`` names the decisions that are not active and are enforced all the same,
because what they gave way to is not there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from mneme_git.decisions.state_faults import states_of
from mneme_git.decisions.successors import Standings, adrs_of, orphans, rivals
from mneme_git.model.decision import DecisionState, Lifecycle, ProposalEvidence, active_evidence
from mneme_git.model.ids import DecisionId, ProposalId
from mneme_git.model.paths import decision_path, verdict_path
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.text.order import natural_key
from mneme_git.text.quoting import quoted

_NUMBER = re.compile(r"(?:[A-Za-z]{1,20}-)?[0-9]+(?=[-_. ])", re.ASCII)


class Consistency(Struct, frozen=True, kw_only=True):
    """Faults between decisions, sorted by decision then code, and what is enforced because of them."""

    faults: tuple[Fault, ...] = ()
    also: frozenset[DecisionId] = frozenset()


def consistency(
    snapshot: Snapshot, standings: Standings, *, present: frozenset[str] = frozenset()
) -> Consistency:
    """Return what does not fit together in ``snapshot``.

    ``standings`` has the ADRs of the decisions that are ``in_question``; one that could not be read
    is left out, and nothing is said of it. ``present`` are those of ``doubtful_adrs`` that exist.
    """
    alone = orphans(snapshot, standings)
    circles = _circles(snapshot)
    powerless = {state.decision_id for circle in circles for state in circle if not _is_any_active(circle)}
    faults = [
        *(_cycle_fault(circle) for circle in circles),
        *_both_active(snapshot),
        *(_orphan_fault(state, why) for state, why in alone),
        *(_rivals_fault(scope, group) for scope, group in rivals(snapshot, standings)),
        *_two_adrs(snapshot, present),
        *_same_number(snapshot),
        *_rejected(snapshot),
    ]
    return Consistency(
        faults=tuple(sorted(faults, key=lambda f: (natural_key(f.decision_id), f.code, f.message))),
        also=frozenset({state.decision_id for state, _ in alone} | powerless),
    )


def unseen_adrs(
    snapshot: Snapshot, current: Mapping[str, frozenset[str]], *, torn: frozenset[str] = frozenset()
) -> tuple[Fault, ...]:
    """Return a fault for each contested decision whose ADR holds text that no side imported.

    ``current`` gives, for each ADR path that is there, the blob id and the sha256 of its bytes as
    git stores them. Paths that are not in it are passed over. Those in ``torn`` hold conflict markers.
    """
    faults: list[Fault] = []
    for contest in snapshot.contested:
        rows = [row for side in contest.sides if side.state for row in adrs_of(side.state)]
        for path in sorted({row.source_locator for row in rows} & current.keys()):
            known = {text for row in rows if row.source_locator == path for text in (row.blob, row.sha256)}
            if not known & current[path]:
                faults.append(_unseen(contest.decision_id, path, torn=path in torn))
    return tuple(faults)


def doubtful_adrs(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ADR paths of contested decisions, and of those that name several, sorted."""
    found: set[str] = set()
    for contest in snapshot.contested:
        states = [side.state for side in contest.sides if side.state]
        found |= {row.source_locator for state in states for row in adrs_of(state)}
    for state in snapshot.decisions:
        rows = adrs_of(state)
        if len(rows) > 1:
            found |= {row.source_locator for row in rows}
    return tuple(sorted(found))


def _unseen(decision_id: DecisionId, path: str, *, torn: bool) -> Fault:
    command = f"`mneme decision resolve {decision_id} --import`"
    message = f"'{path}' holds text that no side of decision {quoted(decision_id)} had imported"
    hint = f"read it, then run {command} to take it as merged"
    if torn:
        message = (
            f"'{path}' holds conflict markers of a merge; no side of {quoted(decision_id)} had that text"
        )
        hint = f"settle the conflict in the file first, then run {command}"
    return Fault(code="ADR_MERGED_UNSEEN", path=path, decision_id=decision_id, message=message, hint=hint)


def _fault(code: str, state: DecisionState, message: str, hint: str) -> Fault:
    return Fault(
        code=code,
        path=decision_path(state.decision_id),
        decision_id=state.decision_id,
        message=message,
        hint=hint,
    )


def _circles(snapshot: Snapshot) -> list[tuple[DecisionState, ...]]:
    """Return the circles of settled decisions that supersede each other, each from its first id on."""
    states = {state.decision_id: state for state in snapshot.decisions}
    links = {
        key: [link.target_decision_id for link in state.relationships if link.target_decision_id in states]
        for key, state in states.items()
        if state.relationships
    }
    groups: dict[frozenset[DecisionId], None] = {}
    reach = {key: _reached(key, links) for key in links}
    for key in links:
        if key in reach[key]:
            members = frozenset(other for other in reach[key] if key in reach.get(other, set()))
            groups.setdefault(members)
    return [tuple(states[key] for key in sorted(group, key=natural_key)) for group in groups]


def _reached(start: DecisionId, links: Mapping[DecisionId, list[DecisionId]]) -> set[DecisionId]:
    found: set[DecisionId] = set()
    waiting = list(links.get(start, ()))
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting.extend(links.get(here, ()))
    return found


def _is_any_active(states: Iterable[DecisionState]) -> bool:
    return any(state.lifecycle_status is Lifecycle.ACTIVE for state in states)


def _cycle_fault(circle: tuple[DecisionState, ...]) -> Fault:
    told = ", ".join(quoted(state.decision_id) for state in circle)
    return _fault(
        "SUPERSESSION_CYCLE",
        circle[0],
        f"decisions supersede each other in a circle: {told}",
        "decide which of them holds, and say so in their ADRs",
    )


def _both_active(snapshot: Snapshot) -> Iterator[Fault]:
    active = {s.decision_id for s in snapshot.decisions if s.lifecycle_status is Lifecycle.ACTIVE}
    for state in snapshot.decisions:
        if state.decision_id not in active:
            continue
        for link in state.relationships:
            if link.target_decision_id in active:
                older = quoted(link.target_decision_id)
                yield _fault(
                    "ACTIVE_SUPERSEDED",
                    state,
                    f"decision {quoted(state.decision_id)} supersedes {older}, which is active too; "
                    "both are enforced",
                    "import the ADR of the newer one again, so that the older one gives way",
                )


def _orphan_fault(state: DecisionState, why: str) -> Fault:
    return _fault(
        "SUCCESSOR_MISSING",
        state,
        f"decision {quoted(state.decision_id)} {why}; it is enforced",
        "bring the other decision back, or import the ADRs again",
    )


def _rivals_fault(scope: str, group: tuple[DecisionState, ...]) -> Fault:
    told = ", ".join(quoted(state.decision_id) for state in group)
    return _fault(
        "PRECEDENCE_CONFLICT",
        group[0],
        f"only one of {told} may hold for scope {quoted(scope)}; all of them are enforced",
        "import the ADRs again, so that precedence decides",
    )


def _two_adrs(snapshot: Snapshot, present: frozenset[str]) -> Iterator[Fault]:
    files: dict[DecisionId, tuple[DecisionState, set[str]]] = {}
    for state in states_of(snapshot):
        paths = {row.source_locator for row in adrs_of(state)} & present
        files.setdefault(state.decision_id, (state, set()))[1].update(paths)
    for state, paths in files.values():
        if len(paths) > 1:
            told = " and ".join(f"'{path}'" for path in sorted(paths))
            yield _fault(
                "ONE_ID_TWO_ADRS",
                state,
                f"{told} both say that they are decision {quoted(state.decision_id)}",
                "give one of them another id",
            )


def _same_number(snapshot: Snapshot) -> Iterator[Fault]:
    """Tell of an ADR file whose name begins with the number that is another decision's id."""
    files = [
        (*row.source_locator.rpartition("/")[::2], state)
        for state in snapshot.decisions
        for row in adrs_of(state)
    ]
    owners = {(folder, state.decision_id.upper()): state for folder, _, state in files}
    for folder, name, state in files:
        number = _NUMBER.match(name)
        owner = owners.get((folder, number[0].upper())) if number else None
        if owner is not None and owner is not state:
            path = f"{folder}/{name}" if folder else name
            yield _fault(
                "NUMBER_COLLISION",
                owner,
                f"'{path}' of decision {quoted(state.decision_id)} has the number "
                f"that is decision {quoted(owner.decision_id)}",
                "give one of the files another number",
            )


def _rejected(snapshot: Snapshot) -> Iterator[Fault]:
    for state in snapshot.decisions:
        if state.lifecycle_status is not Lifecycle.ACTIVE:
            continue
        for row in active_evidence(state):
            if not isinstance(row, ProposalEvidence):
                continue
            verdict = snapshot.verdicts.get(ProposalId(row.proposal_id))
            if verdict is not None and verdict.verdict == "rejected":
                yield Fault(
                    code="PROPOSAL_REJECTED",
                    path=verdict_path(ProposalId(row.proposal_id)),
                    decision_id=state.decision_id,
                    message=(
                        f"decision {quoted(state.decision_id)} is in force, but its proposal "
                        f"{quoted(row.proposal_id)} was rejected by {verdict.by}"
                    ),
                    hint="talk to each other: deprecate the decision, or accept the proposal again",
                )
