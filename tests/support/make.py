"""Valid records of which a test names only what it is about."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    Authority,
    DecisionState,
    Lifecycle,
    LineageEntry,
    Relationship,
    RuleBinding,
    Version,
    id_of,
)
from mneme_git.model.proposal import Proposal, Provenance
from mneme_git.model.proposal_entry import ProposalEntry, entry_of
from mneme_git.model.snapshot import Snapshot


def make_version(decision_id: str = "use-x", statement: str = "Use X", **but: Any) -> Version:
    but.setdefault("occurrence", ("cli-add", decision_id))
    return Version(decision_id=decision_id, statement=statement, **but)


def make_rule(version: Version, value: str = "forbidden", sequence: int = 0, **but: Any) -> RuleBinding:
    include = but.pop("include", None)
    return RuleBinding(
        version_id=id_of(version),
        sequence=sequence,
        type=but.pop("type", "FORBID_LITERAL"),
        value=value,
        applicability=Applicability(include_paths=include) if include else Applicability(),
        authority=but.pop("authority", Authority.VERSION),
    )


def make_state(*versions: Version, status: Lifecycle = Lifecycle.ACTIVE, **but: Any) -> DecisionState:
    supersedes = but.pop("supersedes", ())
    source = but.pop("source", "")
    evidence = (AdrEvidence(source_locator=source, sha256="0" * 64),) if source else ()
    return DecisionState(
        decision_id=versions[-1].decision_id,
        lifecycle_status=status,
        active_version_id=but.pop("active", id_of(versions[-1])),
        relationships=tuple(Relationship(target_decision_id=target) for target in supersedes),
        versions=tuple(
            LineageEntry(version_id=id_of(version), predecessor=version.predecessor, evidence=evidence)
            for version in versions
        ),
        **but,
    )


def make_snapshot(*states: DecisionState, versions: tuple[Version, ...] = (), **but: Any) -> Snapshot:
    return Snapshot(decisions=states, versions={id_of(version): version for version in versions}, **but)


def make_proposal(title: str = "Cache", statement: str = "Cache in Redis", **but: Any) -> Proposal:
    source = but.pop("source", "docs/plan.md#3")
    provenance = Provenance(producer_name="arch-bot", producer_type="agent", source_reference=source)
    but.setdefault("provenance", provenance)
    but.setdefault("proposed_at", "2025-01-31T12:00:00Z")
    return Proposal(title=title, statement=statement, **but)


def make_entry(status: str = "proposed", decision_id: str | None = None, **but: Any) -> ProposalEntry:
    made = entry_of(make_proposal(**but))
    return replace(made, status=status, accepted_decision_id=decision_id)
