"""One record of each kind, the same in tests and in docs/reference/storage-format.md."""

from mneme_git.model.decision import (
    AdrEvidence,
    Applicability,
    Authority,
    DecisionState,
    Lifecycle,
    LineageEntry,
    ProposalEvidence,
    Relationship,
    RuleBinding,
    RuntimeEvidence,
    TestEvidence,
    Version,
    id_of,
)
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.model.proposal import Origin, Proposal, Provenance, Verdict
from mneme_git.model.proposal import id_of as proposal_id_of

ADR_SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ADR_BLOB = "30d74d258442c7c65512eafab474568dd706c430"

FIRST = Version(
    decision_id="ADR-007",
    statement="Use SQLite for the index",
    rationale="One file, no server.\nBackups are copies.\n",
    scope=("storage",),
    constraints=("no postgres",),
    anti_patterns=(),
    occurrence=("ADR-007", ADR_SHA256, "adr-import"),
)

SECOND = Version(
    decision_id="ADR-007",
    statement="Use SQLite 3.40 or later — “STRICT” tables",
    rationale='Zeilen mit CR\r\nbleiben, wie sie sind: größer, 日本語, 😀, \\ " / \t\x7f',
    scope=("",),
    occurrence=("ADR-007", "2" * 64, "adr-import"),
    predecessor=id_of(FIRST),
)

STATE = DecisionState(
    decision_id="ADR-007",
    lifecycle_status=Lifecycle.ACTIVE,
    active_version_id=id_of(SECOND),
    relationships=(Relationship(target_decision_id="ADR-003"),),
    rules=(
        RuleBinding(
            version_id=id_of(FIRST),
            sequence=0,
            type="FORBID_LITERAL",
            value="psycopg",
            authority=Authority.VERSION,
        ),
        RuleBinding(
            version_id=id_of(SECOND),
            sequence=0,
            type="FORBID_LITERAL",
            value="import psycopg",
            applicability=Applicability(include_paths=("src/**",), exclude_paths=("src/gen/**",)),
            authority=Authority.VERSION,
        ),
        RuleBinding(
            version_id=id_of(SECOND),
            sequence=1,
            type="FORBID_LITERAL",
            value="redis",
            authority=Authority.PROTECTION,
        ),
    ),
    test_evidence=(TestEvidence(selector="tests/test_db.py::test_strict", sha=""),),
    versions=(
        LineageEntry(
            version_id=id_of(FIRST),
            evidence=(
                AdrEvidence(
                    source_locator="docs/adr/ADR-007-sqlite.md",
                    sha256=ADR_SHA256,
                    blob=ADR_BLOB,
                    object_format="sha1",
                ),
            ),
        ),
        LineageEntry(
            version_id=id_of(SECOND),
            predecessor=id_of(FIRST),
            evidence=(
                AdrEvidence(
                    source_locator="docs/adr/ADR-007-sqlite.md",
                    sha256="2" * 64,
                    blob="a" * 40,
                    object_format="sha1",
                ),
            ),
        ),
    ),
)

BY_HAND = Version(
    decision_id="use-sqlite",
    statement="Use SQLite",
    anti_patterns=("redis",),
    occurrence=("cli-add", "use-sqlite"),
)

BY_HAND_STATE = DecisionState(
    decision_id="use-sqlite",
    lifecycle_status=Lifecycle.ACTIVE,
    active_version_id=id_of(BY_HAND),
    versions=(LineageEntry(version_id=id_of(BY_HAND), evidence=(RuntimeEvidence(),)),),
)

PROPOSAL = Proposal(
    title="Cache",
    statement="Cache in Redis",
    rationale="fast",
    provenance=Provenance(
        producer_name="arch-bot",
        producer_type="agent",
        source_reference="docs/plan.md#3",
        origin_classification=Origin.AI_GENERATED,
    ),
    scope_hints=("cache", "perf"),
    architecture_context={"layer": "storage"},
    proposed_at="2025-01-31T12:00:00Z",
)

VERDICT = Verdict(
    proposal_id=proposal_id_of(PROPOSAL),
    verdict="rejected",
    reason="we keep one store",
    by="Ada <ada@example.org>",
    at="2025-02-01T09:30:00Z",
)

PROPOSAL_EVIDENCE = ProposalEvidence(
    proposal_id=proposal_id_of(PROPOSAL),
    producer_key="1" * 64,
    content_fingerprint="2" * 64,
    origin_classification="ai_generated",
    proposed_at="2025-01-31T12:00:00Z",
    source_reference="docs/plan.md#3",
    accepted_decision_id="use-cache",
    observed_at="2025-02-01T09:30:00Z",
)

MEMORY = Memory(
    kind=MemoryKind.GOTCHA,
    scope=MemoryScope.PROJECT,
    body="The lock file is removed late.\nWait for it:\r\n    while lock.exists(): ...\n",
    task="fix flaky tests",
    files=(FileAnchor(path="src/lock.py", blob=ADR_BLOB),),
    identifiers=(SymbolAnchor(name="Lock.release", text_sha256="3" * 64),),
    tags=("tests",),
    source="cli",
    created_at="2025-01-31T12:00:00Z",
    author="Ada <ada@example.org>",
    branch="main",
)
