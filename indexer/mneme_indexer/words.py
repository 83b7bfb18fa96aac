"""Text to terms: one definition for what is indexed and for what is asked. Pure.

A term is a lower-case word. ``getHTTPResponse``, ``get_http_response`` and ``GetHttpResponse`` give the
same ones: ``gethttpresponse``, ``get``, ``http``, ``response``.
"""

import re
from collections import Counter
from itertools import pairwise
from unicodedata import normalize

# Part of what a blob is kept under: raise it whenever the same bytes would give other terms.
VERSION = 1
# What is longer is a key, a digest or encoded data, not a name.
LONGEST = 80
# Numbers longer than this are data as well; years, ports, tickets and status codes are shorter.
LONGEST_NUMBER = 6

_SEPARATORS = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or byte == ord("_") else ord(" ") for byte in range(256)
)
# Acronyms (with the s of their plural), words, numbers.
_ASCII_PARTS = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+")
# Vowel signs and accents that are written as code points of their own belong to the word before them.
_WORD = re.compile(
    r"[\w\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u109f\u0e00-\u0eff"
    r"\u1780-\u17d3]+"
)
# Scripts without spaces between words (Thai to Khmer, kana, Han, Hangul): searched by pairs of characters.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def split(identifier: str) -> tuple[str, ...]:
    """Return the terms of one identifier, each once: the whole of it first if it has several parts.

    The whole has no underscores, so that all styles of writing meet. Single ASCII characters are no
    terms, but a letter or a number also stands joined to its neighbour: ``OAuth2`` gives ``oauth``,
    ``auth2``. What is longer than ``LONGEST`` gives nothing.
    """
    return _CACHE[identifier.encode("utf-8", "replace")]


def fold(name: str) -> str:
    """Return a name as it is looked up whatever its case, in any script."""
    return name.lower() if name.isascii() else normalize("NFKC", name).casefold()


def tokens(data: bytes) -> list[bytes]:
    """Return what stands between ASCII separators; ``terms_of_token`` makes terms of each."""
    return data.translate(_SEPARATORS).split()


def terms_of_token(token: bytes) -> tuple[str, ...]:
    """Return the terms of one token, each once."""
    return _CACHE[token]


def count_terms(data: bytes) -> dict[str, int]:
    """Return how often each term stands in ``data``, which is read as UTF-8 whatever it is."""
    counts: dict[str, int] = {}
    known, so_far = _CACHE, counts.get
    for token, times in Counter(tokens(data)).items():
        for term in known[token]:
            counts[term] = so_far(term, 0) + times
    return counts


def terms_of(text: str) -> tuple[str, ...]:
    """Return the terms of ``text`` in order, with repetitions."""
    return tuple(term for token in tokens(text.encode("utf-8", "replace")) for term in _CACHE[token])


class _Cache(dict[bytes, tuple[str, ...]]):
    """The terms of each token met; emptied when it is full. A token has no ASCII separator inside."""

    SIZE = 1 << 17

    def __missing__(self, token: bytes) -> tuple[str, ...]:
        if len(self) >= self.SIZE:
            self.clear()
        terms = self[token] = _terms_of_token(token)
        return terms


_CACHE = _Cache()


def _terms_of_token(token: bytes) -> tuple[str, ...]:
    if token.isascii():
        return _split_ascii(token.decode("ascii"))
    words = _WORD.findall(normalize("NFKC", token.decode("utf-8", "replace")))
    return tuple(dict.fromkeys(term for word in words for term in _split_any_script(word)))


def _split_ascii(word: str) -> tuple[str, ...]:
    if len(word) > LONGEST:
        return ()
    letters = word.replace("_", "")
    if not letters.isalpha():
        return _terms([[part.lower() for part in _ASCII_PARTS.findall(chunk)] for chunk in word.split("_")])
    if letters.islower() or letters.isupper():
        parts = [part for part in word.lower().split("_") if part]
    else:
        parts = [part.lower() for part in _ASCII_PARTS.findall(word)]
    if len(parts) == 1:
        return (parts[0],) if len(letters) > 1 else ()
    if min(map(len, parts)) > 1:
        return tuple(dict.fromkeys((letters.lower(), *parts)))
    return _terms([[part.lower() for part in _ASCII_PARTS.findall(chunk)] for chunk in word.split("_")])


def _terms(chunks: list[list[str]]) -> tuple[str, ...]:
    """Return the terms of the lower-case parts of an identifier; a chunk has no underscore inside."""
    parts = [part for chunk in chunks for part in chunk]
    whole = ["".join(parts)] if len(parts) > 1 else []
    return _without_noise([*whole, *parts, *(pair for chunk in chunks for pair in _joined(chunk))])


def _joined(parts: list[str]) -> list[str]:
    """Return the pairs of neighbours of which one says little alone."""
    return [
        left + right
        for left, right in pairwise(parts)
        if (len(left) == 1 and left.isalpha()) or right.isdigit()
    ]


def _without_noise(terms: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term in terms if not _is_noise(term)))


def _is_noise(term: str) -> bool:
    if len(term) == 1:
        return term.isascii()
    return len(term) > LONGEST_NUMBER and term.isdigit()


def _split_any_script(word: str) -> tuple[str, ...]:
    """Split at underscores, at changes of case, and around runs of scripts without spaces."""
    if word.isascii():
        return _split_ascii(word)
    if not _UNSPACED.search(word):
        if len(word) > LONGEST:
            return ()
        if word.islower() and word.isalpha():
            return (word.casefold(),)
    pairs = [pair for run in _UNSPACED.findall(word) for pair in _bigrams(run)]
    chunks = [
        [part for piece in _UNSPACED.sub("_", chunk).split("_") for part in _cased_parts(piece)]
        for chunk in word.split("_")
    ]
    return tuple(dict.fromkeys((*_terms([chunk for chunk in chunks if chunk]), *pairs)))


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def _cased_parts(piece: str) -> list[str]:
    """Return the folded parts of ``piece`` as ``_ASCII_PARTS`` finds them, by the case of any script."""
    if not piece:
        return []
    starts = [0]
    for at in range(1, len(piece)):
        before, here, after = piece[at - 1], piece[at], piece[at + 1 : at + 2]
        rises = here.isupper() and (not before.isupper() or after.islower())
        if rises or here.isdigit() != before.isdigit():
            starts.append(at)
    return [piece[start:end].casefold() for start, end in zip(starts, [*starts[1:], None], strict=True)]
