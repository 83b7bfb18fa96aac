"""One ADR against the decision it is: unchanged, a successor version, or the first version."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.adr_graph import Links
from mneme_git.decisions.rule_carry import Carried, carry_rules, first_rules
from mneme_git.model.adr import Adr
from mneme_git.model.decision import (
    AdrEvidence,
    DecisionState,
    Evidence,
    Lifecycle,
    LineageEntry,
    Relationship,
    Version,
    active_evidence,
    active_rules,
    digest_of,
    id_of,
)
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.text.canonical import sha256_hex
from mneme_git.text.quoting import quoted

ORIGIN = "adr-import"


class Step(Struct, frozen=True, kw_only=True):
    """What becomes of one decision: its state, and the version that is added, if one is."""

    state: DecisionState
    version: Version | None = None
    carried: Carried | None = None


def version_of(adr: Adr, predecessor: VersionId | None) -> Version:
    """Return the version that the text of ``adr`` makes."""
    return Version(
        decision_id=adr.id,
        statement=adr.title,
        rationale=adr.body,
        scope=scope_of(adr),
        constraints=adr.constraints,
        occurrence=(adr.id, adr.sha256, ORIGIN),
        predecessor=predecessor,
    )


def scope_of(adr: Adr) -> tuple[str, ...]:
    """Return the retrieval scope: the stated one, or the tags, or global (one empty text)."""
    return adr.tags or (adr.scope or "",)


def evidence_of(adr: Adr) -> AdrEvidence:
    """Return the evidence row for the present bytes of ``adr``."""
    return AdrEvidence(
        source_locator=adr.path, sha256=adr.sha256, blob=adr.blob, object_format=adr.object_format
    )


def holds_already(adr: Adr, state: DecisionState, active: Version) -> bool:
    """Tell whether the active version was read from this text; line endings alone are no change."""
    if digest_of(version_of(adr, None)) != digest_of(active):
        return False
    stored = {row.sha256 for row in active_evidence(state) if isinstance(row, AdrEvidence)}
    if stored & {adr.sha256, adr.raw_sha256}:
        return True
    plain = adr.data.replace(b"\r\n", b"\n")
    return bool(stored & {sha256_hex(plain), sha256_hex(plain.replace(b"\n", b"\r\n"))})


def first_step(adr: Adr, links: Links, lifecycle: Lifecycle) -> Step:
    """Return the first version and the state of a decision that is not recorded yet."""
    version = version_of(adr, None)
    version_id = id_of(version)
    state = DecisionState(
        decision_id=adr.id,
        lifecycle_status=lifecycle,
        active_version_id=version_id,
        relationships=_relationships(links.supersedes),
        rules=first_rules(version_id, adr.rules),
        versions=(LineageEntry(version_id=version_id, evidence=(evidence_of(adr),)),),
    )
    return Step(state=state, version=version)


def successor_step(
    adr: Adr, state: DecisionState, *, preserve: Sequence[str] = (), release: Sequence[str] = ()
) -> Step:
    """Return the version that follows the active one of ``state``, and the state with it.

    Lifecycle and relationships stay; ``settled`` sets them. ``state`` may be one side of a
    contested decision: so a merged ADR is imported on top of that side.
    """
    predecessor = state.active_version_id
    version = version_of(adr, predecessor)
    version_id = id_of(version)
    carried = carry_rules(
        adr.id,
        version_id,
        adr.rules,
        active_rules(state),
        preserve=preserve,
        release=release,
        keep_all=state.lifecycle_status is not Lifecycle.ACTIVE,
    )
    entry = LineageEntry(version_id=version_id, predecessor=predecessor, evidence=(evidence_of(adr),))
    after = replace(
        state,
        active_version_id=version_id,
        rules=(*state.rules, *carried.bindings),
        versions=(*state.versions, entry),
    )
    return Step(state=after, version=version, carried=carried)


def settled(state: DecisionState, lifecycle: Lifecycle, supersedes: Sequence[DecisionId]) -> DecisionState:
    """Return ``state`` with this lifecycle and exactly these relationships."""
    return replace(state, lifecycle_status=lifecycle, relationships=_relationships(supersedes))


def relocated(state: DecisionState, path: str) -> DecisionState:
    """Return ``state`` with the evidence of its active version at ``path``; the bytes are the same."""
    entries = tuple(
        replace(entry, evidence=tuple(_at(row, path) for row in entry.evidence))
        if entry.version_id == state.active_version_id
        else entry
        for entry in state.versions
    )
    return replace(state, versions=entries)


def pin_problem(state: DecisionState, adr: Adr, pin: str) -> tuple[bool, str]:
    """Return whether a pinned import was carried out before, or why it cannot be.

    A pin names the version that the text is expected to replace. If that is an older one, only a
    retry of what was done then is possible.
    """
    lineage = {entry.version_id for entry in state.versions}
    if pin not in lineage:
        return False, f"expected predecessor {quoted(pin)} is not a persisted version of {quoted(adr.id)}."
    if pin == state.active_version_id:
        return False, ""
    if id_of(version_of(adr, VersionId(pin))) in lineage:
        return True, ""
    return False, (
        f"stale version evolution for {quoted(adr.id)}: expected active predecessor {quoted(pin)}, "
        f"found {quoted(state.active_version_id)}"
    )


def retry_problem(adr: Adr, state: DecisionState, preserve: Sequence[str], release: Sequence[str]) -> str:
    """Return why requests about an unchanged ADR cannot be a retry of what made its version; or empty."""
    entry = next((each for each in state.versions if each.version_id == state.active_version_id), None)
    if entry is None or entry.predecessor is None:
        return (
            f"{quoted(adr.id)} is not evolving (unchanged content and source, no predecessor), so "
            "preserve/release requests for it would have no effect."
        )
    before = sorted(
        (rule for rule in state.rules if rule.version_id == entry.predecessor),
        key=lambda rule: rule.sequence,
    )
    again = carry_rules(adr.id, entry.version_id, adr.rules, before, preserve=preserve, release=release)
    if again.refused:
        return again.refused[0]
    if again.bindings != active_rules(state):
        return (
            f"version occurrence {quoted(entry.version_id)} rule bindings differ from the persisted "
            "immutable occurrence"
        )
    return ""


def _relationships(ids: Sequence[DecisionId]) -> tuple[Relationship, ...]:
    return tuple(Relationship(target_decision_id=target) for target in ids)


def _at(row: Evidence, path: str) -> Evidence:
    return replace(row, source_locator=path) if isinstance(row, AdrEvidence) else row
