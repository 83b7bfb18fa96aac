"""What changed between two versions, or between two states of one decision."""

import difflib
from collections.abc import Sequence

from mneme_git.decisions.showing import evidence_text
from mneme_git.model.decision import DecisionState, RuleBinding, Version, active_evidence, id_of
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.printable import text_of


def version_diff(
    old: Version,
    new: Version,
    *,
    old_rules: Sequence[RuleBinding] = (),
    new_rules: Sequence[RuleBinding] = (),
) -> str:
    """Return a unified diff of what two versions say; empty text if they say the same.

    The versions may be of different decisions: their ids stand in the header.
    """
    lines = difflib.unified_diff(
        _told(old, old_rules),
        _told(new, new_rules),
        f"{old.decision_id} {id_of(old)}",
        f"{new.decision_id} {id_of(new)}",
        lineterm="",
        n=3,
    )
    return text_of(lines)


def rules_of(snapshot: Snapshot, version: Version) -> tuple[RuleBinding, ...]:
    """Return the rules bound to ``version`` in the present state of its decision, by sequence."""
    state = snapshot.state(version.decision_id)
    if state is None:
        return ()
    bound = (rule for rule in state.rules if rule.version_id == id_of(version))
    return tuple(sorted(bound, key=lambda rule: rule.sequence))


def state_changes(before: DecisionState | None, after: DecisionState | None) -> tuple[str, ...]:
    """Return what happened between two states of one decision, one line each, most important first.

    None is a decision that is not there. Equal states give nothing.
    """
    if before == after:
        return ()
    if after is None:
        return ("removed from the branch",)
    if before is None:
        return (f"recorded as {after.lifecycle_status.value}", *_version_lines(None, after))
    lines: list[str] = []
    if before.lifecycle_status is not after.lifecycle_status:
        lines.append(f"{before.lifecycle_status.value} -> {after.lifecycle_status.value}")
    lines += _version_lines(before, after)
    lines += _link_lines(before, after)
    lines += _rule_lines(before, after)
    if before.test_evidence != after.test_evidence:
        lines.append("test evidence changed")
    return tuple(lines) or ("evidence changed: " + evidence_text(active_evidence(after)),)


def _version_lines(before: DecisionState | None, after: DecisionState) -> list[str]:
    known = {entry.version_id for entry in before.versions} if before else set()
    lines = [
        f"version {entry.version_id}, {evidence_text(entry.evidence)}"
        for entry in after.versions
        if entry.version_id not in known
    ]
    moved = before is not None and before.active_version_id != after.active_version_id
    if moved and after.active_version_id in known:
        lines.append(f"active version is {after.active_version_id} again")
    return lines


def _link_lines(before: DecisionState, after: DecisionState) -> list[str]:
    old = {link.target_decision_id for link in before.relationships}
    new = {link.target_decision_id for link in after.relationships}
    added = [f"supersedes {target}" for target in sorted(new - old)]
    return added + [f"no longer supersedes {target}" for target in sorted(old - new)]


def _rule_lines(before: DecisionState, after: DecisionState) -> list[str]:
    if before.active_version_id != after.active_version_id:
        return []
    old, new = set(before.rules), set(after.rules)
    added = sorted(new - old, key=lambda rule: rule.sequence)
    removed = sorted(old - new, key=lambda rule: rule.sequence)
    lines = [f"rule added: {rule.type} {rule.value} ({rule.authority.value})" for rule in added]
    return lines + [f"rule removed: {rule.type} {rule.value} ({rule.authority.value})" for rule in removed]


def _told(version: Version, rules: Sequence[RuleBinding]) -> list[str]:
    lines = ["statement:", *_indented(version.statement)]
    for name, texts in (
        ("scope", version.scope),
        ("constraints", version.constraints),
        ("avoid", version.anti_patterns),
    ):
        lines += [f"{name}:", *(f"  - {text}" for text in texts)]
    lines.append("rules:")
    for rule in rules:
        lines.append(f"  - {rule.type}: {rule.value} ({rule.authority.value})")
        lines += [f"      only {path}" for path in rule.applicability.include_paths or ()]
        lines += [f"      not {path}" for path in rule.applicability.exclude_paths or ()]
    return [*lines, "rationale:", *_indented(version.rationale)]


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.split("\n")]
