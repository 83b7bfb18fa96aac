"""A decision as enforcement and retrieval see it, whichever store it came from."""

from msgspec import Struct

from mneme_git.model.decision import TestEvidence


class TypedRule(Struct, frozen=True, kw_only=True):
    """A rule of a decision in force; ``include_paths`` None means everywhere."""

    type: str
    value: str
    include_paths: tuple[str, ...] | None = None
    exclude_paths: tuple[str, ...] = ()


class Enforced(Struct, frozen=True, kw_only=True):
    """One decision in force, in the words of the check and the context text.

    ``source`` is the absolute, symlink-free path of the ADR the decision was read from, or empty;
    ``source_as_stored`` is the locator as the store has it. A contested decision stands once for
    each of its sides, with ``side`` naming it.
    """

    id: str
    statement: str
    rationale: str = ""
    scope: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    anti_patterns: tuple[str, ...] = ()
    rules: tuple[TypedRule, ...] = ()
    test_evidence: tuple[TestEvidence, ...] = ()
    status: str = "active"
    source: str = ""
    source_as_stored: str = ""
    source_sha256: str = ""
    side: str = ""
