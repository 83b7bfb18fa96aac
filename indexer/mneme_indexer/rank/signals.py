"""How much each file bears on a question, one signal at a time. Scores are raw: ``fusion`` scales them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import log

from mneme_indexer.rank.corpus import DOC_TIMES, IN_CONTAINER, IN_NAME, IN_SIGNATURE, Corpus
from mneme_indexer.rank.forms import forms
from mneme_indexer.rank.question import Term
from mneme_indexer.rank.survey import SATURATION, Survey

Scores = dict[int, float]
Counted = Sequence[tuple[int, int]]
# What another form of a word is worth against the word itself.
FORM_SHARE = 0.5
# What a term in a symbol's head is worth, by the place where it stands.
_NAME, _CONTAINER, _SIGNATURE, _DOC = 3.0, 1.0, 1.0, 1.5
_HEAD_DAMPING = 2.0
# The score of a path with a telling word, in the rarity of a word that one file has.
_TELLING_PATH = 1.5


def rarity(having: int, count: int) -> float:
    """Return the inverse document frequency of BM25, which is never negative."""
    return log(1 + (count - having + 0.5) / (having + 0.5))


Hits = Collection[tuple[int, float]]


def found_terms(corpus: Corpus, terms: Iterable[Term]) -> list[tuple[float, Hits]]:
    """Return for each term what it is worth in a body and how often each file has it."""
    count = len(corpus.paths)
    found = [(term.weight, _with_forms(term, corpus.body)) for term in terms]
    return [(weight * rarity(len(hits), count), hits) for weight, hits in found if hits]


def body_scores(survey: Survey, found: Iterable[tuple[float, Hits]]) -> Scores:
    """BM25 over all terms of the files."""
    return _bm25(found, survey.damping)


def coverage_scores(found: Sequence[tuple[float, Hits]], files: Collection[int]) -> Scores:
    """Return for some files the share of what the terms are worth that they have, however often.

    A large file has one common word very often; a file that has all of the words is likelier meant.
    """
    whole = sum(worth for worth, _ in found)
    scores: Scores = {}
    for worth, hits in found:
        for file, _ in hits:
            if file in files:
                scores[file] = scores.get(file, 0.0) + worth / whole
    return scores


def path_scores(survey: Survey, terms: Iterable[Term]) -> Scores:
    """BM25 over the terms of the paths, as a share of what a telling word would have at least.

    Words that stand in most paths so tell nothing, even where no path has a better one.
    """
    count, places = survey.count, survey.places
    hits = [(term.weight, _with_forms(term, lambda word: places.terms.get(word, ()))) for term in terms]
    scores = _bm25([(weight * rarity(len(found), count), found) for weight, found in hits], places.damping)
    telling = _TELLING_PATH * log(1 + count)
    highest = max([telling, *scores.values()])
    return {file: score / highest for file, score in scores.items()} if highest else {}


def _bm25(found: Iterable[tuple[float, Hits]], damping: list[float]) -> Scores:
    scores: Scores = {}
    for worth, hits in found:
        most = worth * (SATURATION + 1)
        for file, times in hits:
            scores[file] = scores.get(file, 0.0) + most * times / (times + damping[file])
    return scores


def _with_forms(term: Term, postings: Callable[[str], Counted]) -> Hits:
    """Return how often each file has the term, its other forms counted in part."""
    hits = postings(term.text)
    others = [found for form in (forms(term.text) if term.prose else ()) if (found := postings(form))]
    if not others:
        return hits
    times: dict[int, float] = dict(hits)
    for found in others:
        for file, count in found:
            times[file] = times.get(file, 0.0) + FORM_SHARE * count
    return times.items()


def symbol_scores(
    corpus: Corpus, survey: Survey, terms: Iterable[Term], files: Collection[int]
) -> dict[int, Scores]:
    """Return for some files the scores of their symbols by name, container, signature and doc."""
    found: dict[int, Scores] = {file: {} for file in files}
    for term in terms:
        worth = term.weight * rarity(len(corpus.body(term.text)), survey.count)
        for (file, symbol), place in _heads(corpus, term, found.keys()).items():
            scores = found[file]
            scores[symbol] = scores.get(symbol, 0.0) + worth * place
    return found


def _heads(corpus: Corpus, term: Term, files: Collection[int]) -> dict[tuple[int, int], float]:
    """Return what the place of a term in the heads of symbols is worth; other forms are worth less."""
    found = {
        (file, symbol): _PLACES[place] for file, symbol, place in corpus.heads(term.text) if file in files
    }
    for form in forms(term.text) if term.prose else ():
        # What stands in a head stands in its file too, and most forms stand nowhere.
        for file, symbol, place in corpus.heads(form) if corpus.body(form) else ():
            worth = FORM_SHARE * _PLACES[place]
            if file in files and worth > found.get((file, symbol), 0.0):
                found[file, symbol] = worth
    return found


def head_scores(symbols: Mapping[int, Scores]) -> Scores:
    """Return for each file the score of its best symbol."""
    return {file: max(scores.values()) for file, scores in symbols.items() if scores}


def _place_worth(place: int) -> float:
    value = (
        (_NAME if place & IN_NAME else 0)
        + (_CONTAINER if place & IN_CONTAINER else 0)
        + (_SIGNATURE if place & IN_SIGNATURE else 0)
        + _DOC * (place & DOC_TIMES)
    )
    return value * (_HEAD_DAMPING + 1) / (value + _HEAD_DAMPING)


_PLACES = tuple(_place_worth(place) for place in range(256))


def name_scores(corpus: Corpus, survey: Survey, names: Iterable[str]) -> Scores:
    """Return the files that define one of the names: a name that few files define counts more.

    Tests define a name only if nothing else does.
    """
    scores: Scores = {}
    for name in names:
        defining = {file for file, _ in corpus.named(name)}
        files = sorted({file for file in defining if survey.roles[file] != "test"} or defining)
        for file in files:
            scores[file] = scores.get(file, 0.0) + 1 / len(files)
    return scores


def mention_scores(survey: Survey, paths: Sequence[str], mentioned: Iterable[str]) -> Scores:
    """Return the files whose path or name is mentioned; of several with one name the nearest path counts."""
    scores: Scores = {}
    for mention in mentioned:
        candidates = survey.places.names.get(mention.rpartition("/")[2], ())
        if not candidates:
            continue
        shared = {file: _common_tail(paths[file].lower(), mention) for file in candidates}
        longest = max(shared.values())
        nearest = [file for file in candidates if shared[file] == longest]
        for file in nearest:
            scores[file] = max(scores.get(file, 0.0), 1 / len(nearest))
    return scores


def _common_tail(path: str, mention: str) -> int:
    """Return how many of the last folders and names are the same."""
    pairs = zip(reversed(path.split("/")), reversed(mention.split("/")), strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count
