"""Content to id: the frozen definitions of the decision-index format, section 2.

Changing anything here changes the id of everything that was ever recorded. The vectors in
``tests/mneme_git/model/test_identity.py`` pin them.
"""

from collections.abc import Mapping, Sequence

from mneme_git.model.ids import (
    PROPOSAL_PREFIX,
    VERSION_PREFIX,
    DecisionId,
    Digest,
    ProposalId,
    RuleId,
    VersionId,
)
from mneme_git.text.canonical import ascii_hash, sha256_hex

_ID_DIGITS = 32
_UNIT_SEPARATOR = "\x1f"


def content_digest(
    statement: str,
    rationale: str,
    scope: Sequence[str],
    constraints: Sequence[str],
    anti_patterns: Sequence[str],
) -> Digest:
    """Return the digest of what a decision says; list order and duplicates count."""
    return Digest(ascii_hash([statement, rationale, list(scope), list(constraints), list(anti_patterns)]))


def version_id(
    decision_id: DecisionId, digest: Digest, occurrence: Sequence[str], predecessor: VersionId | None
) -> VersionId:
    """Return the id of one occurrence of content; no predecessor hashes as ``-``."""
    hashed = ascii_hash([decision_id, digest, list(occurrence), "-" if predecessor is None else predecessor])
    return VersionId(VERSION_PREFIX + hashed[:_ID_DIGITS])


def rule_id(
    decision_id: DecisionId, rule_type: str, value: str, applicability: Mapping[str, Sequence[str]]
) -> RuleId:
    """Return the id of a rule of a decision.

    ``applicability`` is hashed as stored: an explicit empty ``exclude_paths`` differs from an
    absent one.
    """
    stored = {key: list(paths) for key, paths in applicability.items()}
    return RuleId(f"{decision_id}:{rule_type}:{ascii_hash([value, stored])[:_ID_DIGITS]}")


def producer_key(
    producer_name: str,
    producer_type: str,
    source_reference: str,
    external_source_id: str,
    source_version: str,
    repository_locator: str,
) -> Digest:
    """Return the digest of who proposed from where; empty optional fields hash as ``-``."""
    optional = [text or "-" for text in (external_source_id, source_version, repository_locator)]
    return Digest(ascii_hash([producer_name, producer_type, source_reference, *optional]))


def content_fingerprint(
    title: str,
    statement: str,
    rationale: str,
    scope_hints: Sequence[str],
    architecture_context: Mapping[str, str],
    related_decision_ids: Sequence[str],
) -> Digest:
    """Return the digest of what a proposal says."""
    return Digest(
        ascii_hash(
            {
                "title": title,
                "statement": statement,
                "rationale": rationale,
                "scope_hints": list(scope_hints),
                "architecture_context": dict(architecture_context),
                "related_decision_ids": list(related_decision_ids),
            }
        )
    )


def proposal_id(producer: Digest, fingerprint: Digest) -> ProposalId:
    """Return the id of a proposal: who and what, joined by U+001F."""
    hashed = sha256_hex(f"{producer}{_UNIT_SEPARATOR}{fingerprint}".encode())
    return ProposalId(PROPOSAL_PREFIX + hashed[:_ID_DIGITS])


def default_decision_id(proposal: ProposalId, producer: Digest, fingerprint: Digest) -> DecisionId:
    """Return the decision id that an accepted proposal gets when none is asked for."""
    return DecisionId("ddec-" + ascii_hash([proposal, producer, fingerprint])[:_ID_DIGITS])
