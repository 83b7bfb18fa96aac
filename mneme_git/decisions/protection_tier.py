"""How well a decision is protected: its tier, and the literal that could protect it.

A decision is *protected* when a typed rule holds it, *mneme ready* when its own words name a
literal that a rule could forbid, to be *modelled* when it binds but names none, and *guidance*
when it does not bind. The words and their order are those of the decision-index format.
"""

import enum
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from mneme_git.model.enforced import Enforced
from mneme_git.text.words import rule_terms

RULE_TYPE = "FORBID_LITERAL"
Intent = Literal["deterministic", "guidance"]


class Tier(enum.Enum):
    """How well a decision is protected; the values are those of the reports."""

    PROTECTED = "protected"
    MNEME_READY = "mneme_ready"
    REQUIRES_MODELLING = "requires_modelling"
    GUIDANCE = "guidance"


class Token(Struct, frozen=True):
    """A word that a decision bans.

    ``term`` is in lower case, ``written`` as the decision spells it. ``literal`` is the spelling to
    forbid: matching is exact, so ``PostgreSQL`` keeps its own, while a capital that may only begin
    a phrase (``No Singletons``) is taken for one.
    """

    term: str
    written: str

    @property
    def literal(self) -> str:
        """Return the spelling to forbid."""
        return self.term if self.written[1:] == self.written[1:].lower() else self.written

    @property
    def other_spelling(self) -> str:
        """Return the spelling that a rule for ``literal`` does not catch; empty if there is none."""
        if self.written == self.term:
            return ""
        return self.term if self.literal == self.written else self.written


class Standing(Struct, frozen=True, kw_only=True):
    """What the words and rules of one decision amount to, before any look at a repository."""

    tier: Tier
    intent: Intent
    guardrail: str | None = None
    tokens: tuple[Token, ...] = ()

    @property
    def proposal(self) -> Token | None:
        """Return the token that a protection would forbid, if the decision is ready for one."""
        return self.tokens[0] if self.tier is Tier.MNEME_READY else None


def standing(decision: Enforced) -> Standing:
    """Return where ``decision`` stands by its rules and its words alone."""
    intent = intent_of(decision)
    forbidden = next((rule.value for rule in decision.rules if rule.type == RULE_TYPE), None)
    if forbidden is not None:
        return Standing(tier=Tier.PROTECTED, intent="deterministic", guardrail=guardrail(forbidden))
    if intent == "guidance":
        return Standing(tier=Tier.GUIDANCE, intent=intent)
    tokens = literal_tokens(decision)
    if not tokens:
        return Standing(tier=Tier.REQUIRES_MODELLING, intent=intent)
    return Standing(
        tier=Tier.MNEME_READY, intent=intent, guardrail=guardrail(tokens[0].literal), tokens=tokens
    )


def guardrail(literal: str) -> str:
    """Return the name of a rule in reports."""
    return f"{RULE_TYPE}: {literal}"


def intent_of(decision: Enforced) -> Intent:
    """Tell whether a decision binds: it says so or bans something, and it is not worded as advice."""
    binds = (
        bool(decision.anti_patterns)
        or any(_banned_by(text) for text in decision.constraints)
        or is_prescriptive(decision.statement)
    )
    return "deterministic" if binds and not is_advisory(decision.statement) else "guidance"


def is_advisory(text: str) -> bool:
    """Tell whether ``text`` is worded as advice."""
    lowered = _straight(text).lower()
    return any(part in lowered for part in _ADVISORY_PARTS) and _ADVISORY.search(lowered) is not None


def is_prescriptive(text: str) -> bool:
    """Tell whether ``text`` is worded as an order."""
    straight = _straight(text)
    return _PRESCRIPTIVE.search(straight) is not None or _banned_by(straight) is not None


def literal_tokens(decision: Enforced) -> tuple[Token, ...]:
    """Return the words that a decision bans, each term once.

    In order: anti-patterns of one term, constraints ``no X`` with X of one term, words that the
    statement bans in quotes, and a statement ``no X`` with X of one term.
    """
    first: dict[str, Token] = {}
    for token in _stated(decision):
        first.setdefault(token.term, token)
    return tuple(first.values())


def _stated(decision: Enforced) -> Iterator[Token]:
    banned = [*decision.anti_patterns, *_each_banned(decision.constraints)]
    yield from _only_terms(banned)
    statement = _straight(decision.statement)
    if any(mark in statement for mark in _QUOTES):
        for found in _QUOTED_BAN.finditer(statement):
            yield Token(found[1].lower(), found[1])
    yield from _only_terms(_each_banned([statement]))


def _each_banned(texts: Sequence[str]) -> Iterator[str]:
    return (banned for text in texts if (banned := _banned_by(text)))


def _only_terms(phrases: Sequence[str] | Iterator[str]) -> Iterator[Token]:
    for phrase in phrases:
        terms = rule_terms(phrase)
        if len(terms) == 1:
            yield Token(terms[0], _written(phrase, terms[0]))


def _written(phrase: str, term: str) -> str:
    """Return ``term`` as ``phrase`` spells it."""
    return next((word for word in _WORD.findall(phrase) if word.lower() == term), term)


def _banned_by(text: str) -> str | None:
    """Return X of a text that reads ``no X`` on one line."""
    found = _NO.fullmatch(text.strip())
    return found[1] if found else None


def _straight(text: str) -> str:
    """Return ``text`` with typographic apostrophes made plain, so that ``can’t`` is ``can't``."""
    return text.replace("’", "'")


_WORD = re.compile(r"[^\W_]+")
_NO = re.compile(r"no\s+(.+)", re.IGNORECASE)
# Every word of advice holds one of these: a look for them spares most texts the expression below.
_ADVISORY_PARTS = (
    "prefer", "consider", "recommen", "judg", "trade", "should", "ideally", "optional", "flexible",
    "aspirational", "practical", "possible", "appropriate", "needed", "general", "typically", "usually",
    "nice", "may", "might", "can", "could",
)  # fmt: skip
_ADVISORY = re.compile(
    r"\b(?:(?:prefer|consider)\w*|recommen(?!dation)\w*|judg(?:e|ment|ement)\w*|trade[- ]?off\w*"
    r"|should|ideally|optional|flexible|aspirational|where\s+practical|when\s+possible"
    r"|(?:when|as)\s+appropriate|as\s+needed|in\s+general|generally|typically|usually"
    r"|nice[- ]to[- ]have|may|might|can(?!'t)|could)\b"
)
_PRESCRIPTIVE = re.compile(
    r"\b(?:must|mustn't|shall|require[ds]?|mandatory|always|never|(?:reject|forbid|enforc|validat)\w*"
    r"|refuse\w*|banned|ban|fail\w*\s+closed?|fail-closed|do\s+not|don't|cannot|can't)\b",
    re.IGNORECASE,
)
_QUOTES = "\"'`“”‘"
_QUOTED_BAN = re.compile(
    r"\b(?:must\s+not|must\s+never|never|shall\s+not|do\s+not|don't|forbidden|banned|prohibited|avoid|omit|no)\b"
    r"[^.;\n]{0,64}?"
    r"\b(?:term|word|phrase|literal|string|token|keyword|identifier)s?\b"
    rf"[ \t]*[:-]?[ \t]*[{_QUOTES}]([A-Za-z][A-Za-z0-9_-]{{2,48}})",
    re.IGNORECASE,
)
