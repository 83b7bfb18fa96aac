"""One decision, or one version of it, told in full."""

from collections.abc import Sequence

from msgspec import Struct

from mneme_git.errors import AmbiguousId, NotFound
from mneme_git.model.decision import (
    AdrEvidence,
    DecisionState,
    Evidence,
    ProposalEvidence,
    RuleBinding,
    Version,
    rule_id_of,
)
from mneme_git.model.ids import VersionId
from mneme_git.model.snapshot import Contested, Snapshot
from mneme_git.text.order import natural_key
from mneme_git.text.printable import text_of


class Shown(Struct, frozen=True, kw_only=True):
    """What ``decision show --json`` gives of one settled decision."""

    decision_id: str
    lifecycle_status: str
    active_version_id: str
    statement: str
    rationale: str
    scope: tuple[str, ...]
    constraints: tuple[str, ...]
    anti_patterns: tuple[str, ...]
    rules: tuple[dict[str, object], ...]
    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    versions: tuple[dict[str, object], ...]
    faults: tuple[str, ...]


def find_id(snapshot: Snapshot, given: str) -> str:
    """Return the decision id that ``given`` is, or is the only beginning of.

    Raises:
        NotFound: no decision has it.
        AmbiguousId: several ids begin with it.
    """
    known = {state.decision_id for state in snapshot.decisions} | {
        contest.decision_id for contest in snapshot.contested
    }
    if given in known:
        return given
    fitting = sorted((name for name in known if given and name.startswith(given)), key=natural_key)
    if not fitting:
        folded = sorted((name for name in known if name.lower() == given.lower()), key=natural_key)
        hint = f"did you mean '{folded[0]}'?" if folded else ""
        raise NotFound("decision", given, hint=hint)
    if len(fitting) > 1:
        raise AmbiguousId("decision", given, fitting)
    return fitting[0]


def find_version(snapshot: Snapshot, given: str) -> Version:
    """Return the version whose id begins with ``given``; ``dver-`` may be left out.

    Raises:
        NotFound: no version has it.
        AmbiguousId: several ids begin with it.
    """
    begins = given if given.startswith("dver-") else f"dver-{given}"
    exact = snapshot.versions.get(VersionId(begins))
    if exact is not None:
        return exact
    fitting = sorted(name for name in snapshot.versions if name.startswith(begins) and len(begins) > 5)
    if not fitting:
        raise NotFound("version", given, hint="run `mneme decision log ID` to see the versions of a decision")
    if len(fitting) > 1:
        raise AmbiguousId("version", given, fitting)
    return snapshot.versions[fitting[0]]


def superseders(snapshot: Snapshot, decision_id: str) -> tuple[str, ...]:
    """Return the ids of the decisions that say they supersede ``decision_id``, in natural order."""
    found = {
        state.decision_id
        for state in snapshot.decisions
        if any(link.target_decision_id == decision_id for link in state.relationships)
    }
    return tuple(sorted(found, key=natural_key))


def shown(snapshot: Snapshot, state: DecisionState) -> Shown:
    """Return everything that is known of a settled decision."""
    version = snapshot.versions.get(state.active_version_id)
    return Shown(
        decision_id=state.decision_id,
        lifecycle_status=state.lifecycle_status.value,
        active_version_id=state.active_version_id,
        statement=version.statement if version else "",
        rationale=version.rationale if version else "",
        scope=version.scope if version else (),
        constraints=version.constraints if version else (),
        anti_patterns=version.anti_patterns if version else (),
        rules=tuple(_rule_row(state, rule) for rule in state.rules),
        supersedes=tuple(link.target_decision_id for link in state.relationships),
        superseded_by=superseders(snapshot, state.decision_id),
        versions=tuple(
            {
                "version_id": entry.version_id,
                "predecessor": entry.predecessor,
                "evidence": entry.evidence,
                "active": entry.version_id == state.active_version_id,
            }
            for entry in state.versions
        ),
        faults=tuple(f.message for f in snapshot.faults if f.decision_id == state.decision_id),
    )


def shown_text(snapshot: Snapshot, state: DecisionState) -> str:
    """Return a settled decision for people."""
    version = snapshot.versions.get(state.active_version_id)
    statement = version.statement if version else "(its active version is missing: run `mneme verify`)"
    numbers = [entry.version_id for entry in state.versions]
    position = (
        numbers.index(state.active_version_id) + 1 if state.active_version_id in numbers else len(numbers)
    )
    lines = [
        f"[{state.decision_id}] {statement}",
        f"    status: {state.lifecycle_status.value}",
        f"    version: {state.active_version_id} ({position} of {len(numbers)})",
    ]
    lines += _links("supersedes", [link.target_decision_id for link in state.relationships])
    lines += _links("superseded by", superseders(snapshot, state.decision_id))
    active = [rule for rule in state.rules if rule.version_id == state.active_version_id]
    lines += content_lines(version, active) if version else []
    lines += _links("tests", [row.selector for row in state.test_evidence])
    lines.append("    history:")
    for entry in reversed(state.versions):
        mark = "*" if entry.version_id == state.active_version_id else " "
        lines.append(f"      {mark} {entry.version_id}  {evidence_text(entry.evidence)}")
    lines += [f"    fault: {f.message}" for f in snapshot.faults if f.decision_id == state.decision_id]
    return text_of(lines)


def contested_text(snapshot: Snapshot, contest: Contested) -> str:
    """Return a contested decision for people: each side."""
    lines = [f"[{contest.decision_id}] contested: {contest.why}"]
    for side in contest.sides:
        if side.state is None:
            lines.append(f"  {side.label}: deleted")
            continue
        version = snapshot.versions.get(side.state.active_version_id)
        said = version.statement if version else "(its active version is missing)"
        lines.append(f"  {side.label}: {side.state.lifecycle_status.value}, {said}")
        if version:
            bound = [rule for rule in side.state.rules if rule.version_id == side.state.active_version_id]
            lines += [f"  {line}" for line in content_lines(version, bound)]
    if contest.continued_by:
        lines.append(f"  the side of {contest.continued_by} continues the other one")
    lines.append("  until it is settled the rules of every side are enforced")
    return text_of(lines)


def content_lines(version: Version, rules: Sequence[RuleBinding]) -> list[str]:
    """Return what a version says, indented below the decision's line; empty fields are left out."""
    lines: list[str] = []
    named = (
        ("scope", version.scope),
        ("constraints", version.constraints),
        ("avoid", version.anti_patterns),
    )
    lines += [f"    {name}: {', '.join(texts)}" for name, texts in named if any(texts)]
    for rule in sorted(rules, key=lambda row: row.sequence):
        lines.append(f"    rule: {rule.type} {rule.value}  ({rule.authority.value})")
        if rule.applicability.include_paths is not None:
            lines.append(f"      applies to: {', '.join(rule.applicability.include_paths)}")
        if rule.applicability.exclude_paths:
            lines.append(f"      except: {', '.join(rule.applicability.exclude_paths)}")
    if version.rationale.strip():
        lines.append("    rationale:")
        lines += [
            f"      {line}".expandtabs().rstrip() for line in version.rationale.strip("\n").splitlines()
        ]
    return lines


def evidence_text(rows: Sequence[Evidence]) -> str:
    """Return where a version came from, in one line."""
    return "; ".join(_evidence(row) for row in rows) or "no evidence"


def _evidence(row: Evidence) -> str:
    match row:
        case AdrEvidence():
            blob = f", blob {row.blob[:12]}" if row.blob else ""
            return f"ADR {row.source_locator} (sha256 {row.sha256[:12]}{blob})"
        case ProposalEvidence():
            return f"proposal {row.proposal_id} from {row.source_reference}"
        case _:
            return "recorded by hand"


def _rule_row(state: DecisionState, rule: RuleBinding) -> dict[str, object]:
    return {
        "rule_id": rule_id_of(state.decision_id, rule),
        "version_id": rule.version_id,
        "sequence": rule.sequence,
        "type": rule.type,
        "value": rule.value,
        "applicability": rule.applicability,
        "authority": rule.authority,
    }


def _links(name: str, targets: Sequence[str]) -> list[str]:
    return [f"    {name}: {', '.join(targets)}"] if targets else []
