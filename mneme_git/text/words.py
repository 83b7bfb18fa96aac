"""What counts as a word: for retrieval, for rules and for phrases.

A word is a run of letters and digits of any script. ASCII text gives exactly the tokens that the
decision-index format describes; other scripts are words too, not gaps between words. Words are
compared by ``str.casefold``, so ``STRASSE`` is ``Straße``.

How these words are found in a text that is judged is in ``text/scan.py``.
"""

import re
from collections.abc import Iterable

_RUN = re.compile(r"[^\W_]+")
_RETRIEVAL_LENGTH = 4
_RULE_LENGTH = 3
_ASKING = frozenset({"add", "use", "not", "get", "set", "run"})
_FILLERS = _ASKING | frozenset(
    {
        "and", "the", "for", "with", "into", "from", "that", "this", "will", "should", "would", "could",
        "make", "keep", "have",
    }
)  # fmt: skip


def retrieval_terms(text: str) -> frozenset[str]:
    """Return the distinct words of 4 or more characters, folded; what a query is compared by."""
    return frozenset(
        word
        for word in _RUN.findall(text.casefold())
        if len(word) >= _RETRIEVAL_LENGTH and word not in _ASKING
    )


def retrieval_matches(terms: frozenset[str], texts: Iterable[str]) -> int:
    """Return how many of ``terms`` are words of at least one of ``texts``.

    A term that is no substring is no word either, so most texts are never split.
    """
    joined = "\n".join(texts).casefold()
    near = {term for term in terms if term in joined}
    return len(near.intersection(_RUN.findall(joined))) if near else 0


def rule_terms(text: str) -> tuple[str, ...]:
    """Return the words of 3 or more characters that are no filler, lower-cased, in order, repeats kept."""
    return tuple(
        word
        for word in map(str.lower, _RUN.findall(text))
        if len(word) >= _RULE_LENGTH and word not in _FILLERS
    )


def phrase_words(text: str) -> tuple[str, ...]:
    """Return all words, folded, in order."""
    return tuple(map(str.casefold, _RUN.findall(text)))


def short_name(text: str) -> str:
    """Return the trimmed text if it is a name too short to be a term (``Go``, ``C++``, ``R``), else nothing.

    That is: its only word has fewer than 3 characters, and something in it is no lower-case letter.
    As a token such a name would make ``C++`` of every ``c``.
    """
    words, name = _RUN.findall(text), text.strip()
    is_short = len(words) == 1 and len(words[0]) < _RULE_LENGTH
    return name if is_short and not (name.isalpha() and name.islower()) else ""


def joined_name(text: str) -> str:
    """Return the name that ``text`` is if marks are part of it or it is short, else nothing.

    That is one word without white space, like ``react-dom``, ``@angular/core``, ``d3`` or ``pg``; quotes
    around it and a full stop behind it do not count. What is a single term (``redis``), a filler (``use``),
    one letter or a short capitalised word (``Go``) is none.
    """
    name = text.strip().rstrip(".,;:").strip("`'\"")
    if len(name) <= 1 or any(map(str.isspace, name)) or not _RUN.search(name):
        return ""
    if rule_terms(name) == (name.lower(),):
        return ""
    is_word = name.isalpha() and (len(name) >= _RULE_LENGTH or not name.islower())
    return "" if is_word else name
