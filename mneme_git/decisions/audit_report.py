"""The audit: how much of what binds is protected, as text and as the ``mneme.audit/v1`` report."""

from collections.abc import Sequence

from msgspec import Struct

from mneme_git.decisions.protection_evidence import Assessment
from mneme_git.decisions.protection_tier import Tier
from mneme_git.text.printable import text_of

_RULER = "=" * 60
_WIDTH = 30


class Summary(Struct, frozen=True, kw_only=True):
    """The counters of ``mneme.audit/v1``, in its order; percentages have one decimal.

    ``total_decisions`` counts all, the others only active ones: those that bind are *relevant*.
    """

    total_decisions: int
    protection_relevant: int
    protected: int
    mneme_ready: int
    requires_modelling: int
    guidance: int
    current_protection_pct: float
    identified_mneme_potential_pct: float
    protection_gap_pct: float


class Audited(Struct, frozen=True, kw_only=True):
    """One decision in the report."""

    id: str
    decision: str
    status: str
    intent: str
    protection_tier: str
    mneme_guardrail: str | None
    evidence_confidence: str
    evidence_sources: tuple[str, ...]


class Audit(Struct, frozen=True, kw_only=True):
    """The report; ``memory`` names the store that was read."""

    schema: str
    memory: str
    summary: Summary
    decisions: tuple[Audited, ...]


def audit_report(assessments: Sequence[Assessment], memory: str) -> Audit:
    """Return the report on ``assessments``, in their order."""
    return Audit(
        schema="mneme.audit/v1",
        memory=memory,
        summary=summarize(assessments),
        decisions=tuple(
            Audited(
                id=one.decision.id,
                decision=one.decision.statement,
                status=one.decision.status,
                intent=one.standing.intent,
                protection_tier=one.tier.value,
                mneme_guardrail=one.standing.guardrail,
                evidence_confidence=one.evidence,
                evidence_sources=one.sources,
            )
            for one in assessments
        ),
    )


def summarize(assessments: Sequence[Assessment]) -> Summary:
    """Return the counters; a contested decision counts once, by its first side."""
    first: dict[str, Assessment] = {}
    for one in assessments:
        first.setdefault(one.decision.id, one)
    tiers = [one.tier for one in first.values() if one.decision.status == "active"]
    protected, ready, modelling = (
        tiers.count(tier) for tier in (Tier.PROTECTED, Tier.MNEME_READY, Tier.REQUIRES_MODELLING)
    )
    relevant = protected + ready + modelling
    gap = _percent(ready + modelling, relevant)
    return Summary(
        total_decisions=len(first),
        protection_relevant=relevant,
        protected=protected,
        mneme_ready=ready,
        requires_modelling=modelling,
        guidance=tiers.count(Tier.GUIDANCE),
        current_protection_pct=_percent(protected, relevant),
        identified_mneme_potential_pct=gap,
        protection_gap_pct=gap,
    )


def has_candidates(assessments: Sequence[Assessment]) -> bool:
    """Tell whether CI only mentions a literal of some decision, active or not."""
    return any(one.evidence == "candidate" for one in assessments)


def audit_text(report: Audit) -> str:
    """Return the report for people."""
    found = report.summary
    lines = [
        "Architecture Protection Audit",
        _RULER,
        _row("Decisions discovered:", found.total_decisions),
        _row("Protection-relevant:", found.protection_relevant),
        "",
        _row("Current Protection:", f"{found.current_protection_pct:.1f}%"),
        _row("Protection Gap:", f"{found.protection_gap_pct:.1f}%"),
        "",
        _row("Protected today:", found.protected),
        _row("Mneme-ready:", found.mneme_ready),
        _row("Requires modelling:", found.requires_modelling),
        _row("Guidance-only:", found.guidance),
        "",
        "Per-decision breakdown:",
    ]
    for one in report.decisions:
        lines.append(f"  [{one.protection_tier}] {one.id}: {one.decision}")
        if one.mneme_guardrail is not None:
            lines.append(f"      guardrail: {one.mneme_guardrail}")
        lines += [f"      evidence: {source}" for source in one.evidence_sources]
    return text_of([*lines, ""])


def _row(name: str, value: object) -> str:
    return f"{name:<{_WIDTH}}{value}"


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0
