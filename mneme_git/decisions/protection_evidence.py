"""What a repository itself shows about a decision: CI files that fail on its literals, declared tests.

Only text is read; nothing of the repository is run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from mneme_git.decisions.protection_tier import RULE_TYPE, Standing, Tier, standing
from mneme_git.model.decision import TestEvidence
from mneme_git.model.enforced import Enforced

Confidence = Literal["none", "candidate", "verified"]
_LINES_TO_EXIT = 30


class RepositoryFacts(Struct, frozen=True, kw_only=True):
    """What was found in a repository.

    ``ci_files`` maps names to texts, in the order in which they are reported. ``head`` is the commit
    that HEAD names, empty if there is none. ``test_files`` are those of the declared paths that are
    files.
    """

    ci_files: Mapping[str, str] = {}
    head: str = ""
    test_files: frozenset[str] = frozenset()


class Assessment(Struct, frozen=True, kw_only=True):
    """One decision's tier, what protects it or could, and the evidence for that."""

    decision: Enforced
    standing: Standing
    tier: Tier
    evidence: Confidence = "none"
    sources: tuple[str, ...] = ()

    @property
    def has_rule(self) -> bool:
        """Tell whether a literal rule is bound to the decision."""
        return any(rule.type == RULE_TYPE for rule in self.decision.rules)


class CiEvidence(Struct, frozen=True):
    """Whether CI files fail on a literal, and which files say so."""

    confidence: Confidence
    sources: tuple[str, ...]


def assess(decisions: Sequence[Enforced], facts: RepositoryFacts | None = None) -> tuple[Assessment, ...]:
    """Return one assessment for each decision, in their order.

    Without ``facts`` no repository is looked at. A decision with a literal rule needs no evidence
    from one, and guidance gets none.
    """
    declared_by = Counter(
        selector for decision in decisions for selector in {row.selector for row in decision.test_evidence}
    )
    files = [CiFile(name, text) for name, text in facts.ci_files.items()] if facts is not None else []
    return tuple(_assess(decision, facts, files, declared_by) for decision in decisions)


def ci_evidence(files: Sequence["CiFile"], terms: Iterable[str]) -> CiEvidence:
    """Return what the CI files say about words (in any case), in the order of the files.

    A file is *verified* when a line that holds a word makes the build fail, else a *candidate*; one
    verified file makes the whole verified.
    """
    wanted = list(terms)
    found = [(file.name, lines, file) for file in files if (lines := file.lines_with(wanted))]
    fails = [any(file.fails_at(at) for at in lines) for _, lines, file in found]
    sources = tuple(
        f"ci:{'verified' if fail else 'candidate'}:{name}"
        for (name, _, _), fail in zip(found, fails, strict=True)
    )
    if not found:
        return CiEvidence("none", ())
    return CiEvidence("verified" if any(fails) else "candidate", sources)


class CiFile:
    """A CI file, split into words once for any number of decisions."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._lines = text.splitlines()
        self._at: dict[str, list[int]] = {}
        for at, line in enumerate(self._lines):
            for word in dict.fromkeys(_WORD.findall(line.lower())):
                self._at.setdefault(word, []).append(at)

    def lines_with(self, terms: Iterable[str]) -> list[int]:
        """Return the lines, from 0, that hold one of ``terms`` (lower case) as a whole word."""
        return sorted({at for term in terms for at in self._lines_with(term)})

    def _lines_with(self, term: str) -> list[int]:
        words = _WORD.findall(term)
        lines = min((self._at.get(word, []) for word in words), key=len, default=[])
        if words == [term]:
            return lines
        whole = re.compile(rf"\b{re.escape(term)}\b")
        return [at for at in lines if whole.search(self._lines[at].lower())]

    def fails_at(self, at: int) -> bool:
        """Tell whether a match of what line ``at`` looks for ends the build."""
        return not _is_comment(self._lines[at]) and _line_fails(self._lines, at)


def annotate_test(row: TestEvidence, facts: RepositoryFacts, *, is_ambiguous: bool) -> str:
    """Return what can be said of a declared test without running it."""
    if not is_selector(row.selector):
        return f"test:invalid:{row.selector}@malformed-selector"
    if not facts.head:
        return f"test:invalid:{row.selector}@sha-unavailable"
    if is_ambiguous:
        return f"test:invalid:{row.selector}@ambiguous-mapping"
    if row.sha.strip() not in {"", facts.head}:
        return f"test:stale:{row.selector}@sha-mismatch"
    if selector_path(row.selector) not in facts.test_files:
        return f"test:invalid:{row.selector}@selector-not-found"
    return f"test:declared:{row.selector}"


def is_selector(text: str) -> bool:
    """Tell whether ``text`` reads ``path::name``: a relative path that stays inside, no white space."""
    path, mark, _ = text.partition("::")
    if not path or not mark or re.search(r"\s", text):
        return False
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return False
    return ".." not in re.split(r"[/\\]", path)


def selector_path(selector: str) -> str:
    """Return the path of a test selector, as it stands there."""
    return selector.partition("::")[0]


def _assess(
    decision: Enforced,
    facts: RepositoryFacts | None,
    files: Sequence[CiFile],
    declared_by: Mapping[str, int],
) -> Assessment:
    stands = standing(decision)
    if stands.tier is Tier.PROTECTED:
        return Assessment(decision=decision, standing=stands, tier=stands.tier, evidence="verified")
    if facts is None or stands.tier is Tier.GUIDANCE:
        return Assessment(decision=decision, standing=stands, tier=stands.tier)
    ci = ci_evidence(files, [token.term for token in stands.tokens])
    tests = tuple(
        annotate_test(row, facts, is_ambiguous=declared_by[row.selector] > 1)
        for row in decision.test_evidence
    )
    return Assessment(
        decision=decision,
        standing=stands,
        tier=Tier.PROTECTED if ci.confidence == "verified" else stands.tier,
        evidence=ci.confidence,
        sources=ci.sources + tests,
    )


_WORD = re.compile(r"\w+")
_EXIT = re.compile(r"\bexit\s+1")
_AND_EXIT = re.compile(r"&&\s*exit\s+1")
_ONE_LINE = re.compile(r"\bif\b.*;\s*then\b.*\bexit\s+1")
_NEGATED = re.compile(r"!\s*(?:git\s+)?(?:grep|rg|findstr)\b|\bunless\b")
_IF = re.compile(r"\s*if\b")
_END = re.compile(r"\s*(?:fi|endif|if)\b")
# Only as a step of its own: inside a longer script a ``!`` that fails stops nothing.
_NEGATED_STEP = re.compile(r"\s*(?:-\s+)?run:\s*[\"']?!\s*(?:git\s+)?(?:grep|rg)\s[^;&|]*$")


def _line_fails(lines: Sequence[str], at: int) -> bool:
    """Tell whether a match of what line ``at`` looks for ends the build."""
    line = lines[at]
    if _AND_EXIT.search(line):
        return True
    if _NEGATED.search(line):
        return _NEGATED_STEP.match(line) is not None
    if _ONE_LINE.search(line):
        return True
    return _IF.match(line) is not None and _exits_below(lines, at)


def _exits_below(lines: Sequence[str], at: int) -> bool:
    for line in lines[at + 1 : at + 1 + _LINES_TO_EXIT]:
        if _END.match(line):
            return False
        if _EXIT.search(line) and not _is_comment(line):
            return True
    return False


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
