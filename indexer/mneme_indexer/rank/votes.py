"""The past as evidence: messages of commits vote for the files that they changed.

Commits are given newest first and are ancestors of the snapshot, never merges. Age is counted in
commits, not in time, so that the order of answers rests on the history alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt

from mneme_indexer.rank.stop_words import COMMIT_TYPES, STOP_WORDS
from mneme_indexer.sources import Commit
from mneme_indexer.words import terms_of

# A commit that changes more files than this says little about each of them.
MOST_FILES = 15
BODY_SHARE = 0.5
_HALF_LIFE = 50
_SAME_WORK = 0.5  # a file that moved keeps this part of the votes for its old path


class Votes:
    """The history of one snapshot, ready to be asked. Files are numbers, as in ``Corpus``."""

    def __init__(self, commits: Sequence[Commit], paths: Sequence[str]) -> None:
        self._files = _places(commits, paths)
        self._count = len(commits)
        self._postings: dict[str, list[tuple[int, float]]] = {}
        messages = [_message_terms(commit.message) for commit in commits]
        for at, terms in enumerate(messages):
            for term, weight in terms:
                self._postings.setdefault(term, []).append((at, weight))
        self._norms = [sum(weight * self._rarity(term) for term, weight in terms) for terms in messages]
        self._recency = self._recencies()

    def of(self, terms: Mapping[str, float]) -> dict[int, float]:
        """Return the votes for each file: the share of a message that the terms cover, squared."""
        shared: dict[int, float] = {}
        for term, asked in terms.items():
            rarity = asked * self._rarity(term)
            for at, weight in self._postings.get(term, ()):
                shared[at] = shared.get(at, 0.0) + rarity * weight
        found: dict[int, float] = {}
        for at in sorted(shared):
            files = self._files[at]
            if files:
                vote = (shared[at] / self._norms[at]) ** 2 / sqrt(len(files))
                for file, part in files:
                    found[file] = found.get(file, 0.0) + vote * part
        return found

    def recency_of(self, files: Iterable[int]) -> dict[int, float]:
        """Return how much and how lately each of the files was worked on."""
        return {file: self._recency[file] for file in files if file in self._recency}

    def _rarity(self, term: str) -> float:
        having = len(self._postings.get(term, ()))
        return log(1 + (self._count - having + 0.5) / (having + 0.5))

    def _recencies(self) -> dict[int, float]:
        found: dict[int, float] = {}
        for age, files in enumerate(self._files):
            for file, part in files:
                found[file] = found.get(file, 0.0) + part / (1 + age / _HALF_LIFE) / len(files)
        return found


def _places(commits: Sequence[Commit], paths: Sequence[str]) -> list[tuple[tuple[int, float], ...]]:
    """Return for each commit its files that are still there, each with the part of a vote that it gets."""
    numbers = {path: number for number, path in enumerate(paths)}
    moved = _unique_names(paths)
    places: list[tuple[tuple[int, float], ...]] = []
    for commit in commits:
        found: dict[int, float] = {}
        if len(commit.paths) <= MOST_FILES:
            for path in commit.paths:
                number = numbers.get(path)
                if number is not None:
                    found[number] = 1.0
                elif (number := moved.get(_name(path))) is not None:
                    found.setdefault(number, _SAME_WORK)
        places.append(tuple(sorted(found.items())))
    return places


def _unique_names(paths: Iterable[str]) -> dict[str, int]:
    """Return the files whose name no other file has, by name."""
    found: dict[str, int] = {}
    for number, path in enumerate(paths):
        name = _name(path)
        found[name] = -1 if name in found else number
    return {name: number for name, number in found.items() if number >= 0}


def _name(path: str) -> str:
    return path.rpartition("/")[2]


@lru_cache(maxsize=1 << 14)
def _message_terms(message: str) -> tuple[tuple[str, float], ...]:
    """Return the terms of a message; those that only stand below its first line weigh less."""
    subject, _, body = message.strip().partition("\n")
    found = dict.fromkeys(_telling(subject), 1.0)
    for term in _telling("\n".join(line for line in body.splitlines() if not _is_trailer(line))):
        found.setdefault(term, BODY_SHARE)
    return tuple(found.items())


def _telling(text: str) -> list[str]:
    return [
        term
        for term in terms_of(text)
        if term not in STOP_WORDS and term not in COMMIT_TYPES and not term.isdigit()
    ]


def _is_trailer(line: str) -> bool:
    head, colon, _ = line.partition(": ")
    return bool(colon) and head.lower().endswith(("-by", "change-id", "git-svn-id"))
