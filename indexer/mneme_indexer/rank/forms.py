"""The inflections of an English word that code may have instead of it. Rough by intent: no dictionary."""

from functools import lru_cache

_SHORTEST = 4
_ENDINGS = (
    ("ations", "ate"), ("ation", "ate"), ("ies", "y"), ("ied", "y"), ("ings", ""), ("ing", ""), ("ions", ""),
    ("ion", ""),
    ("ors", ""), ("or", ""), ("ers", ""), ("er", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""),
)  # fmt: skip
_DOUBLING = frozenset({"ing", "ed", "er", "ers", "ings"})
_GROWN = ("", "e", "s", "es", "ed", "ing", "er", "ers", "ion", "ions", "or")


@lru_cache(maxsize=1 << 12)
def forms(word: str) -> tuple[str, ...]:
    """Return other forms of a lower-case word, likelier ones first; none for a short or foreign word."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return ()
    root = _root(word)
    if len(root) < _SHORTEST - 1:
        return ()
    grown = [root + ending for ending in _GROWN]
    if root.endswith("y"):
        grown += [f"{root[:-1]}ies", f"{root[:-1]}ied", f"{root[:-1]}ier"]
    if root[-1] not in "aeiouyw":
        grown += [f"{root}{root[-1]}{ending}" for ending in ("ed", "ing", "er")]
    return tuple(form for form in dict.fromkeys(grown) if form != word)


def _root(word: str) -> str:
    for ending, instead in _ENDINGS:
        if not word.endswith(ending) or len(word) - len(ending) < _SHORTEST - 1:
            continue
        if ending == "s" and word[-2] in "su":
            continue
        root = word[: -len(ending)] + instead
        doubled = (
            ending in {"ing", "ed", "er", "ers", "ings"} and root[-1] == root[-2] and root[-1] not in "lsz"
        )
        return (root[:-1] if doubled else root).removesuffix("e") or root
    return word
