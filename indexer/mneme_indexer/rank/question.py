"""What a task asks for: weighted terms, names of code, files that it mentions. Pure text."""

import re
from collections.abc import Iterable
from math import log

from msgspec import Struct

from mneme_indexer.rank.stop_words import COMMIT_TYPES, STOP_WORDS
from mneme_indexer.words import split, terms_of

# A long task says what it is about at its beginning; what follows supports.
BODY_WEIGHT = 0.5
SCOPE_WEIGHT = 1.5
PART_WEIGHT = 0.7
# More terms than this cost time and decide nothing: the most specific ones are kept.
MOST_TERMS = 40
MOST_NAMES = 40
_LONGEST_TASK = 20_000

_URL = re.compile(r"\bhttps?://[^\s)>\]\"']+")
_TRAILER = re.compile(
    r"^[ \t]*+(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|change-id|cc|git-svn-id):.*$",
    re.IGNORECASE | re.MULTILINE,
)
_CONVENTIONAL = re.compile(r"^\s*([a-z]{2,10})(?:\(([^()\n]{1,60})\))?!?:\s+")
_SCOPED = re.compile(r"^\s*([\w./*,+-]{2,40}(?:, ?[\w./*+-]{2,40}){0,3}):\s+")
_WORD = re.compile(r"\b[^\W\d]\w*+")
_COMPOUND = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[^_]_[^_]")
_BACKTICKED = re.compile(r"(?<!`)`++([^`\n]{1,200}+)`")
_JOINED = re.compile(r"\b[^\W\d]\w*+(?:(?:\.|::|->|#|\\)[^\W\d]\w*+)+")
_CALLED = re.compile(r"\b([^\W\d]\w*+)(?:\(|<\w)")
_FRAMES = (
    re.compile(r"\bFile \"[^\"\n]{1,400}\", line \d{1,9}, in ([^\W\d]\w*+)"),
    re.compile(r"^[ \t]*at (?:async )?(?:[\w$.<>]{1,200}[.#])?([^\W\d]\w*+) ?\(", re.MULTILINE),
)
_PATH = re.compile(
    r"(?<![\w.@+/\\-])(?:[\w.@+-]*+(?:[/\\]++[\w.@+-]++)++|[\w@+-][\w.@+-]{0,80}\.[A-Za-z]\w{0,9}\b)"
)
# A word of tests may stand anywhere ("improve tests"); what is for, in or of tests is itself looked for.
_ASKS_TESTS = frozenset(
    {"test", "tests", "testing", "spec", "specs", "unittest", "pytest", "fixture", "fixtures"}
)
_OF_TESTS = re.compile(
    r"\b(?:fixtures?|mocks?|(?:for|in|of|inside) (?:[\w'-]+ ){0,2}tests?|(?:runs?|own|the) tests?"
    r"|test (?:helpers?|suite|files?|runner|server|harness|support|class|case|base))\b"
)
_SETUP = """
ci workflow workflows pipeline build builds cmake tox gradle maven makefile lint linter linting packaging
publish publishes release releases dependencies dependency manifest
"""
_ASKS_SETUP = frozenset(_SETUP.split())
_ASKS_DOCS = frozenset(
    {"doc", "docs", "documentation", "readme", "changelog", "changes", "guide", "tutorial", "markdown"}
)


class Term(Struct, frozen=True, array_like=True):
    """One word to look for; ``prose`` is set where its inflections are looked for as well."""

    text: str
    weight: float
    prose: bool


class Question(Struct, frozen=True):
    """A task, taken apart.

    ``terms`` are in order of first mention. ``names`` are identifiers that are written as code, strongest
    first, ``owners`` those of them that only say where another one is; ``is_name`` is set where the task is
    nothing but a name. ``paths`` are mentioned files, lower-case, with slashes. ``scope`` holds the terms of
    a prefix such as ``fix(parser):``. ``asks_tests`` is set where tests are spoken of, ``asks_test_support``
    where what serves them is, ``asks_setup`` for building and CI.
    """

    terms: tuple[Term, ...]
    names: tuple[str, ...]
    paths: tuple[str, ...]
    scope: tuple[str, ...]
    owners: frozenset[str] = frozenset()
    asks_tests: bool = False
    asks_test_support: bool = False
    asks_setup: bool = False
    asks_docs: bool = False
    is_name: bool = False


def question_of(task: str, hint: str = "") -> Question:
    """Take a task apart. The hint counts as much as the first line."""
    text = _TRAILER.sub("", task[:_LONGEST_TASK])
    paths = _paths(f"{hint}\n{text}")
    text = _URL.sub(" ", text).strip()
    text, scope = _without_prefix(text)
    subject, _, body = text.partition("\n")
    weights: dict[str, float] = {}
    prose: dict[str, bool] = {}
    for part, weight in ((scope, SCOPE_WEIGHT), (subject, 1.0), (hint, 1.0), (body, BODY_WEIGHT)):
        _weigh(part, weight, weights, prose)
    opening = f"{scope} {subject} {hint}".lower()
    spoken = set(_WORD.findall(opening))
    names = _names(f"{hint}\n{text}")
    is_name = len(text.split()) == 1
    if is_name and not names:
        names = _distinct(_WORD.findall(text))
    return Question(
        terms=tuple(Term(term, weight, prose[term]) for term, weight in weights.items()),
        names=names,
        owners=_owners(text),
        paths=paths,
        scope=tuple(dict.fromkeys(terms_of(scope))),
        asks_tests=bool(spoken & _ASKS_TESTS),
        asks_test_support=_OF_TESTS.search(opening) is not None,
        asks_setup=bool(spoken & _ASKS_SETUP),
        asks_docs=bool(spoken & _ASKS_DOCS),
        is_name=is_name,
    )


def _without_prefix(text: str) -> tuple[str, str]:
    """Return the text without a prefix of its first line, and the scope that the prefix named."""
    found = _CONVENTIONAL.match(text)
    if found and found[1] in COMMIT_TYPES:
        return text[found.end() :], found[2] or ""
    found = _SCOPED.match(text)
    if found:
        return text[found.end() :], "" if found[1].lower() in COMMIT_TYPES else found[1]
    return text, ""


def _weigh(text: str, weight: float, weights: dict[str, float], prose: dict[str, bool]) -> None:
    """Add the terms of ``text``; a term that stands there n times counts 1 + ln n times."""
    counts: dict[str, list[float]] = {}
    for word in re.findall(r"\w+", text):
        terms = [term for term in split(word) if term not in STOP_WORDS and not term.isdigit()]
        if word.lower() in STOP_WORDS:
            continue
        is_prose = len(terms) == 1
        for at, term in enumerate(terms):
            counts.setdefault(term, []).append(PART_WEIGHT if at else 1.0)
            prose[term] = prose.get(term, True) and (is_prose or at > 0)
    for term, found in counts.items():
        weights[term] = weights.get(term, 0.0) + weight * max(found) * (1 + log(len(found)))


def _names(text: str) -> tuple[str, ...]:
    """Return the identifiers that are written as code: in backticks, joined, called, of several words."""
    found: list[str] = []
    for pattern in _FRAMES:
        found += pattern.findall(text)
    for span in _BACKTICKED.findall(text):
        found += _WORD.findall(span)
    for joined in _JOINED.findall(text):
        found += reversed(_WORD.findall(joined))
    found += _CALLED.findall(text)
    found += (word for word in _WORD.findall(text) if _COMPOUND.search(word))
    return _distinct(found)[:MOST_NAMES]


def _owners(text: str) -> frozenset[str]:
    """Return the names that only stand before another one: the first of ``Cart.total``."""
    joined = [_WORD.findall(found) for found in _JOINED.findall(text)]
    return frozenset(name for names in joined for name in names[:-1]) - {names[-1] for names in joined}


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if len(word) > 2 and word.lower() not in STOP_WORDS))


def _paths(text: str) -> tuple[str, ...]:
    """Return what looks like a path or a file name, without line numbers."""
    found = (match.replace("\\", "/").strip("./").lower() for match in _PATH.findall(text))
    return tuple(dict.fromkeys(path for path in found if len(path) > 3))[:MOST_NAMES]
