"""Files in pairs, of which one declares what the other one defines: a header and its source."""

import re
from collections.abc import Sequence

# What declares, by suffix. A header may define as well, so it only gives way to what is nearly as good.
_DECLARING = frozenset({"h", "hh", "hpp", "hxx"})
_DEFINING = frozenset({"c", "cc", "cpp", "cxx", "m", "mm", "inl", "ipp", "tpp"})
# What stands behind the name of a header in the name of the one that has its bodies.
_BODIES = re.compile(r"[-_.](?:inl|impl|imp)$")
# A source with this share of its header's score is what is meant.
_NEARLY = 0.7

Ranked = tuple[float, int]


def definitions_first(ranked: Sequence[Ranked], paths: Sequence[str]) -> list[Ranked]:
    """Return (score, file), best first, a header and its source exchanged if the source is nearly as good.

    A header describes each function in a comment, so it has the words of a question that its source
    has as well, in less text. Ties go by path; what has several partners stays where it is.
    """
    declaring: dict[str, list[Ranked]] = {}
    defining: dict[str, list[Ranked]] = {}
    for score, file in ranked:
        stem, _, suffix = paths[file].rpartition("/")[2].lower().rpartition(".")
        name = _BODIES.sub("", stem)
        if suffix in _DEFINING or (suffix in _DECLARING and name != stem):
            defining.setdefault(name, []).append((score, file))
        elif suffix in _DECLARING:
            declaring.setdefault(name, []).append((score, file))
    placed = {file: score for score, file in ranked}
    for name, headers in declaring.items():
        sources = defining.get(name, [])
        if len(headers) == 1 and len(sources) == 1:
            (high, header), (low, source) = headers[0], sources[0]
            if _NEARLY * high <= low < high:
                placed[header], placed[source] = low, high
    return sorted(((score, file) for file, score in placed.items()), key=lambda row: (-row[0], row[1]))
