"""Decisions, their versions, rules and evidence, as they are in memory.

A *version* is immutable and named by its content. A *decision state* is the complete present
state of one decision. How both become bytes is in ``model/codec.py``.
"""

import enum
from typing import Literal

from msgspec import Struct

from mneme_git.model import identity
from mneme_git.model.ids import DecisionId, Digest, RuleId, VersionId


class Lifecycle(enum.Enum):
    """What a decision is now; the values of the decision-index format."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    INACTIVE = "inactive"


class Authority(enum.Enum):
    """Why a rule is bound: derived from text, installed as a protection, or carried over."""

    VERSION = "version"
    PROTECTION = "protection"
    LEGACY_UNKNOWN = "legacy_unknown"


class Version(Struct, frozen=True, kw_only=True):
    """One immutable occurrence of a decision's content: exactly what its id hashes.

    ``scope`` is the retrieval scope; ``("",)`` is the global scope of an ADR without one.
    ``occurrence`` says where the version came from and is part of the id.
    """

    decision_id: DecisionId
    statement: str
    rationale: str = ""
    scope: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    anti_patterns: tuple[str, ...] = ()
    occurrence: tuple[str, ...]
    predecessor: VersionId | None = None


def digest_of(version: Version) -> Digest:
    """Return the content digest of ``version``."""
    return identity.content_digest(
        version.statement, version.rationale, version.scope, version.constraints, version.anti_patterns
    )


def id_of(version: Version) -> VersionId:
    """Return the id that ``version`` has by its content."""
    return identity.version_id(
        version.decision_id, digest_of(version), version.occurrence, version.predecessor
    )


class Applicability(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a rule applies: nowhere stated means everywhere.

    ``None`` is an absent list. The two differ in the rule's id, so an explicit empty
    ``exclude_paths`` is kept as it came.
    """

    include_paths: tuple[str, ...] | None = None
    exclude_paths: tuple[str, ...] | None = None


class RuleBinding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One typed rule bound to one version; ``sequence`` >= 0 orders the rules of a version."""

    version_id: VersionId
    sequence: int
    type: str
    value: str
    applicability: Applicability = Applicability()
    authority: Authority


def rule_id_of(decision_id: DecisionId, rule: RuleBinding) -> RuleId:
    """Return the id of ``rule`` as a rule of ``decision_id``."""
    stored = {
        name: paths
        for name, paths in (
            ("include_paths", rule.applicability.include_paths),
            ("exclude_paths", rule.applicability.exclude_paths),
        )
        if paths is not None
    }
    return identity.rule_id(decision_id, rule.type, rule.value, stored)


class Relationship(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link from a decision to an older one."""

    target_decision_id: DecisionId
    type: Literal["supersedes"] = "supersedes"


class TestEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A test that is declared to show the decision holds."""

    selector: str = ""
    sha: str = ""


class AdrEvidence(
    Struct, frozen=True, kw_only=True, tag_field="source_type", tag="adr", forbid_unknown_fields=True
):
    """The ADR file a version was read from.

    ``source_locator`` is relative to the repository, with ``/``. ``sha256`` and ``blob`` are of
    the bytes as git stores them (clean-filtered); ``object_format`` is the hash of ``blob``.
    """

    source_locator: str
    sha256: str
    blob: str = ""
    object_format: str = ""


class RuntimeEvidence(
    Struct, frozen=True, tag_field="source_type", tag="runtime", forbid_unknown_fields=True
):
    """A version that was recorded by hand, without a source file."""


class ProposalEvidence(
    Struct, frozen=True, kw_only=True, tag_field="source_type", tag="proposal", forbid_unknown_fields=True
):
    """The accepted proposal a version was made from."""

    proposal_id: str
    producer_key: str
    content_fingerprint: str
    origin_classification: str
    proposed_at: str
    source_reference: str
    source_version: str = ""
    accepted_decision_id: str
    observed_at: str = ""


Evidence = AdrEvidence | RuntimeEvidence | ProposalEvidence


class LineageEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One version in the history of a decision, with where it came from and what it replaced."""

    version_id: VersionId
    predecessor: VersionId | None = None
    evidence: tuple[Evidence, ...] = ()


class DecisionState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The complete present state of one decision.

    ``versions`` is the lineage, oldest first; ``rules`` holds the bindings of all versions, in
    the order of the lineage and then by sequence. No clock and no person: the same operation
    gives the same bytes on every branch.
    """

    decision_id: DecisionId
    lifecycle_status: Lifecycle
    active_version_id: VersionId
    relationships: tuple[Relationship, ...] = ()
    rules: tuple[RuleBinding, ...] = ()
    test_evidence: tuple[TestEvidence, ...] = ()
    versions: tuple[LineageEntry, ...]


def active_rules(state: DecisionState) -> tuple[RuleBinding, ...]:
    """Return the rules of the active version, by sequence."""
    bound = [rule for rule in state.rules if rule.version_id == state.active_version_id]
    return tuple(sorted(bound, key=lambda rule: rule.sequence)) if len(bound) > 1 else tuple(bound)


def active_evidence(state: DecisionState) -> tuple[Evidence, ...]:
    """Return the evidence rows of the active version; empty if the lineage does not hold it."""
    for entry in state.versions:
        if entry.version_id == state.active_version_id:
            return entry.evidence
    return ()
