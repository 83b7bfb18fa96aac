from mneme_git.decisions.proposal_showing import proposal_text, proposals_text
from mneme_git.model.proposal import Origin, Provenance
from tests.support.make import make_entry


def test_no_proposals_are_told():
    assert proposals_text([]) == "(no proposals)"


def test_the_list_names_producer_source_and_decision():
    taken, bare = make_entry("accepted", "d1"), make_entry(title="Bare", provenance=None)
    assert proposals_text([taken, bare]).split("\n") == [
        f"[accepted] {taken.proposal_id}  Cache",
        "    producer: arch-bot (agent)",
        "    source: docs/plan.md#3",
        "    decision: d1",
        f"[proposed] {bare.proposal_id}  Bare",
    ]


def test_a_full_proposal_shows_everything_it_says():
    source = Provenance(
        producer_name="p",
        producer_type="q",
        source_reference="r",
        external_source_id="e",
        source_version="v",
        repository_locator="l",
        origin_classification=Origin.HUMAN_AUTHORED,
    )
    entry = make_entry(
        "accepted",
        "d1",
        rationale="fast",
        scope_hints=("a", "b"),
        architecture_context={"layer": "data", "tier": "2"},
        related_decision_ids=("ADR-1", "ADR-2"),
        provenance=source,
    )
    assert (
        proposal_text(entry)
        == f"""Proposal {entry.proposal_id}
  status: accepted
  title: Cache
  statement: Cache in Redis
  rationale: fast
  scope hints: a, b
  architecture context:
    layer: data
    tier: 2
  related decision ids: ADR-1, ADR-2
  proposed at: 2025-01-31T12:00:00Z
  producer provenance (informational, as submitted):
    producer name: p
    producer type: q
    source reference: r
    external source id: e
    source version: v
    repository locator: l
    origin classification: human_authored
  accepted decision: d1"""
    )


def test_what_was_not_said_is_shown_as_not_said():
    entry = make_entry(provenance=None)
    assert (
        proposal_text(entry)
        == f"""Proposal {entry.proposal_id}
  status: proposed
  title: Cache
  statement: Cache in Redis
  rationale: (none)
  scope hints: (none)
  architecture context: (none)
  related decision ids: (none)
  proposed at: 2025-01-31T12:00:00Z
  producer provenance: (not supplied)"""
    )


def test_optional_provenance_is_shown_as_not_supplied():
    shown = proposal_text(make_entry()).split("\n")
    assert shown[-4:] == [
        "    external source id: (not supplied)",
        "    source version: (not supplied)",
        "    repository locator: (not supplied)",
        "    origin classification: imported_unknown",
    ]
