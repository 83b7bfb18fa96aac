"""Light English stemming: endings that change the form of a word and not what it speaks of."""

_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdfgklmnprstz")
_SHORTEST = 3


def stem(word: str) -> str:
    """Return a lower-case ASCII word without plural, ``-ed``, ``-ing`` and a last ``e``.

    ``stopped``, ``stopping`` and ``stops`` give ``stop``; ``cities`` and ``city`` give ``citi``. What would
    have no vowel left or fewer than three letters keeps its ending.
    """
    if len(word) <= _SHORTEST:
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and _stands(base := word[: -len(ending)]):
            word = base
            if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    if word[-1] == "e" and len(word) > _SHORTEST:
        return word[:-1]
    if word[-1] == "y" and len(word) > _SHORTEST and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _singular(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word[-1] == "s" and word[-2] not in "su" and word[-3:] not in ("sis", "xis"):
        return word[:-1]
    return word


def _stands(base: str) -> bool:
    return len(base) >= _SHORTEST and not _VOWELS.isdisjoint(base)
