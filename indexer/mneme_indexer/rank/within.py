"""Which symbols of a file bear on a question, and why."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from mneme_indexer.model import Kind, Symbol
from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.fusion import DIGITS, RankedFile
from mneme_indexer.rank.question import Question, Term
from mneme_indexer.rank.signals import rarity
from mneme_indexer.rank.survey import Survey
from mneme_indexer.words import split, terms_of

_BODY_WEIGHT = 0.6
# Where there is room for further symbols those whose text matches are tried sooner than they are placed.
_REACH_WEIGHT = 2.5
# A name that the task writes as code outweighs a few rare words.
_EXACT = 12.0
# One that only says where another name is found.
_OWNER = 4.0
_MOST_BODY_TERMS = 12
_LENGTH_SHARE = 0.5
_SATURATION = 1.2
_KINDS: Mapping[Kind, float] = {"const": 0.8, "heading": 0.8, "field": 0.5, "variable": 0.4, "module": 0.4}
# What only makes an object says less than its class and its methods, unless it is named.
_CONSTRUCTORS = frozenset({"__init__", "__construct", "constructor", "init"})
_CONSTRUCTOR = 0.5


class Choice(Struct, frozen=True):
    """A symbol of a file, by its position (-1: the file itself, which has none), worth ``score``.

    ``reach`` is its score with more weight on its text.
    """

    symbol: int
    score: float
    is_exact: bool = False
    in_body: bool = False
    reach: float = 0.0


def worded(question: Question, corpus: Corpus, survey: Survey) -> list[tuple[bytes, float]]:
    """Return the terms to look for in bodies, as bytes with their worth: the most telling ones."""
    valued = [
        (term.weight * rarity(len(corpus.body(term.text)), survey.count), term) for term in question.terms
    ]
    valued.sort(key=lambda pair: (-round(pair[0], DIGITS), pair[1].text))
    return [(_root(term).encode(), value) for value, term in valued[:_MOST_BODY_TERMS] if value > 0]


def _root(term: Term) -> str:
    """Return the beginning of a word that most of its forms have in common."""
    if not term.prose or len(term.text) < 6:
        return term.text
    for ending in ("ing", "ion", "ed", "es", "er", "s", "e"):
        if term.text.endswith(ending):
            return term.text[: -len(ending)]
    return term.text


def rank_symbols(
    ranked: RankedFile,
    symbols: Sequence[Symbol],
    text: bytes,
    question: Question,
    words: Sequence[tuple[bytes, float]],
) -> list[Choice]:
    """Return the symbols of one file, best first; ties go by position."""
    bodies = _body_scores(symbols, text, words)
    names = frozenset(question.names)
    choices = []
    for at, symbol in enumerate(symbols):
        if (symbol.kind == "variable" and symbol.container) or _only_wraps(symbols, at, names):
            continue
        head = ranked.symbols.get(at, 0.0)
        exact = 0.0 if symbol.name not in names else _OWNER if symbol.name in question.owners else _EXACT
        weight = _kind_weight(symbol, names)
        score = round((head + exact + _BODY_WEIGHT * bodies[at]) * weight, DIGITS)
        reach = round((head + exact + _REACH_WEIGHT * bodies[at]) * weight, DIGITS)
        if score > 0:
            choices.append(Choice(at, score, exact == _EXACT, bodies[at] > 0, reach))
    choices.sort(key=lambda choice: (-choice.score, choice.symbol))
    return choices or [_fallback(symbols)]


def _only_wraps(symbols: Sequence[Symbol], at: int, names: frozenset[str]) -> bool:
    """Tell whether a symbol is a namespace around others, which say more, and is not named."""
    symbol = symbols[at]
    if symbol.kind != "module" or symbol.name in names:
        return False
    return at + 1 < len(symbols) and symbols[at + 1].start_byte < symbol.end_byte


def _kind_weight(symbol: Symbol, names: frozenset[str]) -> float:
    is_constructor = symbol.container and symbol.name in {*_CONSTRUCTORS, _last(symbol.container)}
    is_small = is_constructor and symbol.kind in {"method", "function"} and symbol.name not in names
    return _KINDS.get(symbol.kind, 1.0) * (_CONSTRUCTOR if is_small else 1.0)


def _last(container: str) -> str:
    return container.rpartition(".")[2]


def _fallback(symbols: Sequence[Symbol]) -> Choice:
    first = next((at for at, symbol in enumerate(symbols) if symbol.kind in _WHOLE), 0 if symbols else -1)
    return Choice(first, 0.0)


_WHOLE = frozenset({"class", "interface", "function", "type", "enum", "module"})


def _body_scores(symbols: Sequence[Symbol], text: bytes, words: Sequence[tuple[bytes, float]]) -> list[float]:
    """BM25 of each symbol's text; a word is found inside of longer ones too."""
    scores = [0.0] * len(symbols)
    if not symbols or not text:
        return scores
    lengths = [symbol.end_byte - symbol.start_byte for symbol in symbols]
    average = sum(lengths) / len(lengths) or 1
    damping = [_SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length / average) for length in lengths]
    lowered = text.lower()
    for word, value in words:
        found = _places(lowered, word)
        if not found:
            continue
        worth = value * (_SATURATION + 1)
        for at, symbol in enumerate(symbols):
            times = bisect_left(found, symbol.end_byte) - bisect_left(found, symbol.start_byte)
            if times:
                scores[at] += worth * times / (times + damping[at])
    return scores


def _places(text: bytes, word: bytes) -> list[int]:
    """Return where ``word`` stands, in order."""
    lengths = [len(piece) + len(word) for piece in text.split(word)]
    return [end - len(word) for end in accumulate(lengths[:-1])]


def reasons(choice: Choice, symbol: Symbol | None, ranked: RankedFile, question: Question) -> tuple[str, ...]:
    """Return why a symbol is shown: what of it matches, then what of its file does."""
    if symbol is None:
        return _file_reasons(ranked)
    asked = frozenset(term.text for term in question.terms)
    found = []
    if choice.is_exact or not asked.isdisjoint(split(symbol.name)):
        found.append("name-match")
    if symbol.container and not asked.isdisjoint(terms_of(symbol.container)):
        found.append("container-match")
    if "name-match" not in found and not asked.isdisjoint(terms_of(symbol.signature)):
        found.append("signature-match")
    if symbol.doc and not asked.isdisjoint(terms_of(symbol.doc)):
        found.append("doc-match")
    if choice.in_body:
        found.append("body-match")
    exported = ("exported",) if symbol.exported else ()
    return (*found, *_file_reasons(ranked), *exported)


def _file_reasons(ranked: RankedFile) -> tuple[str, ...]:
    words = (("path", "path-token"), ("mention", "file-mentioned"), ("history", "history"))
    return tuple(word for signal, word in words if signal in ranked.signals)
