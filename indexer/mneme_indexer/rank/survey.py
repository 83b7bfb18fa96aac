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

    ``damping`` holds for each file the k1 * (1 - b + b * length / average) of BM25. ``path_terms`` has
    for each term the files whose path has it, with a weight that counts the file's name twice.
    """

    def __init__(self, corpus: Corpus, commits: Sequence[Commit] = ()) -> None:
        paths = corpus.paths
        self.count = len(paths)
        self.roles: list[Role] = [
            _role(path, language) for path, language in zip(paths, corpus.languages, strict=True)
        ]
        self.damping = _damping(corpus.lengths, LENGTH_SHARE)
        self.path_terms: dict[str, list[tuple[int, int]]] = {}
        self.by_name: dict[str, list[int]] = {}
        path_lengths = []
        for file, path in enumerate(paths):
            terms = _path_terms(path)
            for term, weight in terms:
                self.path_terms.setdefault(term, []).append((file, weight))
            path_lengths.append(sum(weight for _, weight in terms))
            self.by_name.setdefault(path.rpartition("/")[2].lower(), []).append(file)
        self.path_damping = _damping(path_lengths, PATH_LENGTH_SHARE)
        self.votes = Votes(commits, paths)


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
