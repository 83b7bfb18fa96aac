"""Which rules a new version of a decision is bound to: decision-index format, section 6.6.

Rules derived from the new text are bound by it. Rules that a person installed (``protection``) or
a migration brought (``legacy_unknown``) go along while the text still states them, and are never
dropped in silence when it does not: each must be preserved or released by name.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.model.adr import AdrRule
from mneme_git.model.decision import Applicability, Authority, RuleBinding, rule_id_of
from mneme_git.model.ids import DecisionId, RuleId, VersionId
from mneme_git.text.quoting import quoted

_KEPT = (Authority.PROTECTION, Authority.LEGACY_UNKNOWN)


class Carried(Struct, frozen=True, kw_only=True):
    """The bindings of the new version in sequence, and what stands against making it.

    ``unresolved`` are the bindings of the predecessor that nobody has decided on; ``refused`` says
    why a request to preserve or release cannot be met.
    """

    bindings: tuple[RuleBinding, ...]
    unresolved: tuple[RuleBinding, ...] = ()
    refused: tuple[str, ...] = ()


def carry_rules(
    decision_id: DecisionId,
    version_id: VersionId,
    derived: Sequence[AdrRule],
    predecessor: Sequence[RuleBinding],
    *,
    preserve: Sequence[str] = (),
    release: Sequence[str] = (),
    keep_all: bool = False,
) -> Carried:
    """Return the rules of a new version, given those of the one it replaces (by sequence).

    ``keep_all`` preserves what nobody has decided on: for a decision that is not in force, where
    the rules bind nothing now but must not be lost if it comes into force again.
    """
    kept = {rule_id_of(decision_id, rule): rule for rule in predecessor if rule.authority in _KEPT}
    fresh = [_derived(decision_id, version_id, rule, kept, release) for rule in derived]
    stated = {rule_id_of(decision_id, rule) for rule in fresh}
    missing = [rule_id for rule_id in kept if rule_id not in stated]
    carried = [rule_id for rule_id in missing if rule_id in preserve or (keep_all and rule_id not in release)]
    bindings = [*fresh, *(replace(kept[rule_id], version_id=version_id) for rule_id in carried)]
    return Carried(
        bindings=tuple(replace(rule, sequence=at) for at, rule in enumerate(bindings)),
        unresolved=tuple(kept[r] for r in missing if r not in carried and r not in release),
        refused=tuple(_refusals(decision_id, kept, stated, preserve, release)),
    )


def first_rules(version_id: VersionId, derived: Sequence[AdrRule]) -> tuple[RuleBinding, ...]:
    """Return the rules of the first version of a decision."""
    return tuple(_bound(version_id, rule, at) for at, rule in enumerate(derived))


def _bound(version_id: VersionId, rule: AdrRule, sequence: int) -> RuleBinding:
    return RuleBinding(
        version_id=version_id,
        sequence=sequence,
        type=rule.type,
        value=rule.value,
        applicability=rule.applicability,
        authority=Authority.VERSION,
    )


def _derived(
    decision_id: DecisionId,
    version_id: VersionId,
    rule: AdrRule,
    kept: dict[RuleId, RuleBinding],
    release: Sequence[str],
) -> RuleBinding:
    binding = _bound(version_id, rule, 0)
    rule_id = rule_id_of(decision_id, binding)
    if rule_id in kept and rule_id not in release:
        return replace(binding, authority=kept[rule_id].authority)
    return binding


def _refusals(
    decision_id: DecisionId,
    kept: dict[RuleId, RuleBinding],
    stated: set[RuleId],
    preserve: Sequence[str],
    release: Sequence[str],
) -> list[str]:
    named = f"decision {quoted(decision_id)}"
    both = sorted(set(preserve) & set(release))
    foreign = sorted({*preserve, *release} - set(kept))
    needless = sorted(set(preserve) & stated & set(kept))
    found: list[str] = []
    if both:
        found.append(f"{named}: rule ids both preserved and released: {quoted(both)}")
    if foreign:
        found.append(
            f"{named}: {quoted(foreign)} are not protection or legacy_unknown bindings of the "
            "predecessor version"
        )
    if needless:
        found.append(
            f"{named}: {quoted(needless)} are still derived by the new source; preserving them is "
            "meaningless (release downgrades them to version)"
        )
    for rule_id, rule in kept.items():
        if rule_id in preserve and rule_id not in stated and not _can_be_preserved(rule):
            found.append(
                f"{named}: preserved {quoted(rule_id)} failed revalidation: preservation is supported "
                "only for a global FORBID_LITERAL rule; release it instead"
            )
    return found


def _can_be_preserved(rule: RuleBinding) -> bool:
    return rule.type == "FORBID_LITERAL" and rule.applicability == Applicability()
