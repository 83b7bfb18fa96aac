"""What the text of a status says: the lifecycle, and which ADRs it names as older or newer."""

import re

from msgspec import Struct

from mneme_git.decisions.adr_words import BACKWARD, FORWARD, PAUSED_WORDS, STATUS_WORDS
from mneme_git.model.adr import Mention
from mneme_git.model.decision import Lifecycle

_STRUCK = re.compile(r"~~[^~]*~~")
_EMPHASIS = re.compile(r"\*+|__+|(?<!\w)_|_(?!\w)|`+")
_FIRST = re.compile(r"[- ]")
_WORD = re.compile(r"[^\W\d_]+(?:[- ][^\W\d_]+)?")
_LINK = re.compile(r"\[\[?([^\[\]]*)\]\]?(?:\(\s*<?([^()<>\s]*)>?[^()]*\))?")
_NAME = re.compile(
    r"<([^<>\s]+)>|((?:ADR|RFC)[-_ ]?\d+\b|#?\d+(?:[-\w.]*\w)?|[\w./]+(?:-[\w./]*\w)+)", re.IGNORECASE
)
_JOIN = re.compile(r"\s*(?:,\s*(?:and\s+)?|;|&|\band\b)\s*", re.IGNORECASE)
_LEAD = re.compile(r"[\s:]*(?:the\s+)?(?:ADRs?\s+(?=[\[<#\d]))?", re.IGNORECASE)
_BY = "|".join(phrase.replace(" ", r"[\s-]+") for phrase in BACKWARD)
_RELATION = re.compile(rf"\b(?:(?P<back>{_BY})|(?P<forward>{'|'.join(FORWARD)}))\b", re.IGNORECASE)
# Before a relation: it holds for a part only, or not (yet).
_UNLESS = re.compile(
    r"\b(?:partial(?:ly)?|partly|in part|not|never|(?:will|to|may|might|could|can|would|should) be)\W*$",
    re.IGNORECASE,
)
_UNLESS_REACH = 24
# After a relation: it holds for a part only.
_FOR_A_PART = re.compile(
    r"\W{0,6}(?:decisions?|sections?|points?|parts?|in part|partially|partly)\b|[^.;]{0,60}?\bonly\b",
    re.IGNORECASE,
)
_REACH = 2000
SURE = re.compile(r"(?:ADR|RFC)?[-_ #]*\d", re.IGNORECASE)
_IN_PART = re.compile(r"\w+\W+(?:in part|partially|partly)\b", re.IGNORECASE)
_LABEL = re.compile(r"^(?:current\s+)?status\s*:\s*", re.IGNORECASE)


class Relations(Struct, frozen=True):
    """The ADRs that a text names as superseded by this one, and as superseding it."""

    supersedes: tuple[Mention, ...] = ()
    superseded_by: tuple[Mention, ...] = ()


class StatusReading(Struct, frozen=True, kw_only=True):
    """A status text understood: ``lifecycle`` None if it is not.

    ``is_template`` is true for a text that still offers a choice. ``is_unusual`` is true for a word
    that is understood without being one of the formats.
    """

    lifecycle: Lifecycle | None
    word: str
    is_template: bool = False
    is_unusual: bool = False
    relations: Relations = Relations()


def read_status(text: str, line: int) -> StatusReading:
    """Return what a status says; ``text`` may run over several lines, ``line`` is its first."""
    joined = " ".join(_STRUCK.sub(" ", text).split())
    bare = _LABEL.sub("", _plain(joined))
    if _is_template(bare):
        return StatusReading(lifecycle=None, word=bare, is_template=True)
    found = _WORD.search(bare)
    word = found[0].lower() if found else ""
    first = _FIRST.split(word, maxsplit=1)[0]
    lifecycle = STATUS_WORDS.get(first)
    if lifecycle is Lifecycle.SUPERSEDED and _IN_PART.match(bare):
        return StatusReading(lifecycle=None, word=first)
    relations = _sure_of(read_relations(joined, line), lifecycle)
    if word in PAUSED_WORDS or first in PAUSED_WORDS:
        return StatusReading(lifecycle=Lifecycle.INACTIVE, word=word, is_unusual=True, relations=relations)
    if relations.superseded_by:
        lifecycle = Lifecycle.SUPERSEDED
    return StatusReading(lifecycle=lifecycle, word=first, relations=relations)


def _sure_of(relations: Relations, lifecycle: Lifecycle | None) -> Relations:
    """Leave out vague successors of an ADR whose status begins with another word than superseded."""
    if lifecycle in {None, Lifecycle.SUPERSEDED}:
        return relations
    sure = tuple(name for name in relations.superseded_by if name.target or SURE.match(name.text))
    return Relations(relations.supersedes, sure)


def read_relations(text: str, line: int) -> Relations:
    """Return the ADRs named after ``supersedes`` and ``superseded by`` (any known spelling) in ``text``.

    A relation that the text calls partial, or denies, is none.
    """
    bare = _EMPHASIS.sub("", text)
    older: list[Mention] = []
    newer: list[Mention] = []
    for found in _RELATION.finditer(bare):
        if not _UNLESS.search(bare, max(0, found.start() - _UNLESS_REACH), found.start()):
            side = newer if found["back"] else older
            side.extend(mentions(bare[found.end() : found.end() + _REACH], line))
    return Relations(tuple(dict.fromkeys(older)), tuple(dict.fromkeys(newer)))


def mentions(text: str, line: int) -> tuple[Mention, ...]:
    """Return the ADRs that ``text`` begins with: one, or several with commas or ``and`` between.

    None if the text goes on to say that only a part of them is meant.
    """
    found: list[Mention] = []
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    while (named := _mention(text, at, line)) is not None:
        mention, at = named
        found.append(mention)
        join = _JOIN.match(text, at)
        if join is None:
            break
        at = join.end()
    return () if _FOR_A_PART.match(text, at) else tuple(found)


def _mention(text: str, at: int, line: int) -> tuple[Mention, int] | None:
    link = _LINK.match(text, at)
    if link is not None and (link[1].strip() or link[2]):
        return Mention(link[1].strip(), link[2] or "", line), link.end()
    name = _NAME.match(text, at)
    if name is None:
        return None
    return Mention(name[2] or name[1], name[1] or "", line), name.end()


def _plain(text: str) -> str:
    """Return ``text`` with links as their words and without emphasis."""
    return _EMPHASIS.sub(
        "", _LINK.sub(lambda link: link[1] if link[2] is not None else link[0], text)
    ).strip()


def _is_template(bare: str) -> bool:
    """Tell whether a status still offers words to choose from, as templates do."""
    inside = bare.strip("[]{}<> ")
    words = [part.strip(" .…").split(" ")[0].lower() for part in inside.split("|")]
    if len(words) > 1:
        return bare[:1] in "[{<" or sum(word in STATUS_WORDS for word in words) > 1
    return bare[:1] in {"[", "{", "<"} and words[0] not in STATUS_WORDS
