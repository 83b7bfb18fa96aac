"""What ranking needs to know of a whole snapshot, computed once for it."""

from collections.abc import Sequence
from functools import lru_cache

from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.roles import Role, role_of
from mneme_indexer.rank.votes import Votes
from mneme_indexer.sources import Commit
from mneme_indexer.words import terms_of

# BM25: how soon repetition stops to count, and how much length is held against a file.
SATURATION = 1.2
LENGTH_SHARE = 0.75
PATH_LENGTH_SHARE = 0.5
NAME_WEIGHT = 2


class Survey:
    """The statistics of one corpus and its history. Never changed after it is made.

    ``damping`` holds for each file the k1 * (1 - b + b * length / average) of BM25. What ``known``, the
    survey of an earlier snapshot, has for the same paths or commits is taken over.
    """

    def __init__(self, corpus: Corpus, commits: Sequence[Commit] = (), known: "Survey | None" = None) -> None:
        self.count = len(corpus.paths)
        self.damping = _damping(corpus.lengths, LENGTH_SHARE)
        self.commits = commits
        is_like = known is not None and known.places.are_of(corpus)
        self.places: Places = known.places if known is not None and is_like else Places(corpus)
        same_past = known is not None and is_like and known.commits is commits
        self.votes: Votes = known.votes if known is not None and same_past else Votes(commits, corpus.paths)

    @property
    def roles(self) -> Sequence[Role]:
        """What each file is for."""
        return self.places.roles


class Places:
    """What the paths of a corpus tell.

    ``terms`` has for each term the files whose path has it, with a weight that counts the file's own name
    twice; ``names`` the files by name in lower case.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._paths, self._languages = corpus.paths, corpus.languages
        self.roles = [_role(path, name) for path, name in zip(corpus.paths, corpus.languages, strict=True)]
        self.terms: dict[str, list[tuple[int, int]]] = {}
        self.names: dict[str, list[int]] = {}
        lengths = []
        for file, path in enumerate(corpus.paths):
            terms = _path_terms(path)
            for term, weight in terms:
                self.terms.setdefault(term, []).append((file, weight))
            lengths.append(sum(weight for _, weight in terms))
            self.names.setdefault(path.rpartition("/")[2].lower(), []).append(file)
        self.damping = _damping(lengths, PATH_LENGTH_SHARE)

    def are_of(self, corpus: Corpus) -> bool:
        """Tell whether another corpus has the same paths in the same languages."""
        return self._paths == corpus.paths and self._languages == corpus.languages


def _damping(lengths: Sequence[int], share: float) -> list[float]:
    average = sum(lengths) / len(lengths) if lengths else 0
    if not average:
        return [SATURATION] * len(lengths)
    return [SATURATION * (1 - share + share * length / average) for length in lengths]


@lru_cache(maxsize=1 << 17)
def _role(path: str, language: str) -> Role:
    return role_of(path, language)


@lru_cache(maxsize=1 << 17)
def _path_terms(path: str) -> tuple[tuple[str, int], ...]:
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    found = dict.fromkeys(terms_of(folder.replace("/", " ")), 1)
    for term in terms_of(stem):
        found[term] = found.get(term, 0) + NAME_WEIGHT
    return tuple(found.items())
