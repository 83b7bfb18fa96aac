"""What the rules of decisions look for in a text, made ready once for any number of texts.

Three kinds of rule: typed rules (exact literals), anti-patterns, and constraints of the form
``no X``. A rule of one word is always looked for. A rule of several words is looked for only where
its decision is gated: an anti-pattern as a phrase, a constraint as any one of its words. In a git
store a constraint on one name (``no react-dom``) is always looked for, as that name.

There is no handling of negation: a text that says "never use redis" holds ``redis``.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from mneme_git.model.enforced import Enforced
from mneme_git.text.scan import ScannedText
from mneme_git.text.words import joined_name, phrase_words, rule_terms, short_name

_NO = re.compile(r"no\s+(.+)", re.IGNORECASE)
Severity = Literal["WARN", "FAIL"]
ProseKind = Literal["anti_pattern", "constraint"]


class Hit(Struct, frozen=True):
    """That a rule fires: what set it off, as it is reported, and where (character offset)."""

    trigger: str
    offset: int


class Prose(Struct, frozen=True, kw_only=True):
    """An anti-pattern or an enforceable constraint.

    ``text`` is the rule as written. Exactly one of the others is what is looked for: ``terms`` (any
    of them, the first in rule order is the trigger), ``phrase`` (words in a row), ``name`` (a
    name too short to be a term, as written) or ``joined`` (a name with its marks, in any case).
    ``always`` is true of a rule of one term or joined name.
    """

    kind: ProseKind
    text: str
    terms: tuple[str, ...] = ()
    phrase: tuple[str, ...] = ()
    name: str = ""
    joined: str = ""
    always: bool = False


class Gate(Struct, frozen=True):
    """Which rules of a decision are looked for beside those of one term.

    ``phrases``: anti-patterns of several words. ``loose``: constraints of several words, any of
    which fires, and short names.
    """

    phrases: bool
    loose: bool

    def opens(self, prose: Prose) -> bool:
        """Tell whether ``prose`` is looked for."""
        if prose.always:
            return True
        return self.phrases if prose.phrase else self.loose


class Found(Struct, frozen=True):
    """Where everything that was looked for first occurs."""

    literals: dict[str, int]
    terms: dict[str, int]
    phrases: dict[tuple[str, ...], int]
    names: dict[str, int] = {}

    def hit(self, prose: Prose) -> Hit | None:
        """Return what sets ``prose`` off, or None."""
        if prose.phrase:
            offset = self.phrases.get(prose.phrase)
            return None if offset is None else Hit(prose.text, offset)
        if prose.name:
            offset = self.literals.get(prose.name)
            return None if offset is None else Hit(prose.name, offset)
        if prose.joined:
            offset = self.names.get(prose.joined)
            return None if offset is None else Hit(prose.joined, offset)
        term = next((term for term in prose.terms if term in self.terms), None)
        return None if term is None else Hit(term, self.terms[term])


def anti_pattern(text: str) -> Prose | None:
    """Return what an anti-pattern looks for; None if it has no word at all."""
    terms = rule_terms(text)
    if len(terms) == 1:
        return Prose(kind="anti_pattern", text=text, terms=terms, always=True)
    name = "" if terms else short_name(text)
    if name:
        return Prose(kind="anti_pattern", text=text, name=name)
    phrase = phrase_words(text)
    return Prose(kind="anti_pattern", text=text, phrase=phrase) if phrase else None


def constraint(text: str, *, whole_names: bool = False) -> Prose | None:
    """Return what a constraint looks for; None unless it reads ``no X`` and X has something to find.

    With ``whole_names`` an X that is one name with marks in it is looked for as that name.
    """
    stated = _NO.fullmatch(text.strip())
    if stated is None:
        return None
    joined = joined_name(stated[1]) if whole_names else ""
    if joined:
        return Prose(kind="constraint", text=text, joined=joined, always=True)
    terms = rule_terms(stated[1])
    if terms:
        return Prose(kind="constraint", text=text, terms=terms, always=len(terms) == 1)
    name = short_name(stated[1])
    return Prose(kind="constraint", text=text, name=name) if name else None


def prose_of(decision: Enforced, *, whole_names: bool = False) -> tuple[Prose, ...]:
    """Return the rules of ``decision`` that are not typed: anti-patterns, then constraints, in order."""
    made = [
        *map(anti_pattern, decision.anti_patterns),
        *(constraint(text, whole_names=whole_names) for text in decision.constraints),
    ]
    return tuple(prose for prose in made if prose is not None)


def find(text: str, literals: Iterable[str], prose: Sequence[Prose]) -> Found:
    """Look for everything at once; the cost is a few passes over the text, however many rules."""
    scanned = ScannedText(text)
    names = [rule.name for rule in prose if rule.name]
    return Found(
        literals=scanned.find_literals({*literals, *names}),
        terms=scanned.find_terms({term for rule in prose for term in rule.terms}),
        phrases=scanned.find_phrases({rule.phrase for rule in prose if rule.phrase}),
        names=scanned.find_names({rule.joined for rule in prose if rule.joined}),
    )
