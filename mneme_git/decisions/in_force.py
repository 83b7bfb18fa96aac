"""What a snapshot puts in force: the decisions that enforcement and retrieval see."""

from collections.abc import Collection, Iterable

from mneme_git.model.decision import (
    AdrEvidence,
    DecisionState,
    Lifecycle,
    RuleBinding,
    Version,
    active_evidence,
    active_rules,
)
from mneme_git.model.enforced import Enforced, TypedRule
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.order import natural_key


def in_force(snapshot: Snapshot, *, root: str, also: Collection[str] = ()) -> tuple[Enforced, ...]:
    """Return the decisions in force, in the order of the snapshot; contested ones by natural id order.

    An active decision stands once. A contested decision stands once for each side that has it
    active, so that the union of their rules is enforced. A state whose active version is missing
    is left out: the snapshot carries a blocking fault for it. ``root`` is the absolute folder that
    ADR locators are relative to. ``also`` are settled decisions that count though they are not
    active, because a merge lost what they gave way to.
    """
    settled = [(state, "") for state in snapshot.decisions]
    disputed = [
        (side.state, side.label)
        for contest in sorted(snapshot.contested, key=lambda c: natural_key(c.decision_id))
        for side in contest.sides
        if side.state is not None
    ]
    rows = [
        _enforced(state, snapshot.versions[state.active_version_id], side, root)
        for state, side in settled + disputed
        if (state.lifecycle_status is Lifecycle.ACTIVE or (not side and state.decision_id in also))
        and state.active_version_id in snapshot.versions
    ]
    if not disputed:
        return tuple(rows)
    return tuple(sorted(rows, key=lambda row: natural_key(row.id)))


def typed_rules(bindings: Iterable[RuleBinding]) -> tuple[TypedRule, ...]:
    """Return rule bindings in the form that matching uses, in the given order."""
    return tuple(
        [
            TypedRule(
                type=rule.type,
                value=rule.value,
                include_paths=rule.applicability.include_paths,
                exclude_paths=rule.applicability.exclude_paths or (),
            )
            for rule in bindings
        ]
    )


def _enforced(state: DecisionState, version: Version, side: str, root: str) -> Enforced:
    source = next((row for row in active_evidence(state) if isinstance(row, AdrEvidence)), None)
    return Enforced(
        id=state.decision_id,
        statement=version.statement,
        rationale=version.rationale,
        scope=version.scope,
        constraints=version.constraints,
        anti_patterns=version.anti_patterns,
        rules=typed_rules(active_rules(state)),
        test_evidence=state.test_evidence,
        source=f"{root}/{source.source_locator}" if source else "",
        source_as_stored=source.source_locator if source else "",
        source_sha256=source.sha256 if source else "",
        side=side,
    )
