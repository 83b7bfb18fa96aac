"""Text to terms: one definition for what is indexed and for what is asked. Pure.

A term is a lower-case word. ``getHTTPResponse``, ``get_http_response`` and ``GetHttpResponse`` give the
same ones: ``gethttpresponse``, ``get``, ``http``, ``response``.
"""

import re
from collections import Counter
from functools import lru_cache
from unicodedata import normalize

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
_MARKS = r"\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u109f\u0e00-\u0eff\u1780-\u17d3"
_WORD = re.compile(rf"[\w{_MARKS}]+")
# Scripts without spaces between words (Thai to Khmer, kana, Han, Hangul): searched by pairs of characters.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


@lru_cache(maxsize=1 << 16)
def split(identifier: str) -> tuple[str, ...]:
    """Return the terms of one identifier, each once: the whole of it first if it has several parts.

    The whole has no underscores, so that all styles of writing meet. Single ASCII characters are no
    terms, but a letter or a number also stands joined to its neighbour: ``OAuth2`` gives ``oauth``,
    ``auth2``. What is longer than ``LONGEST`` gives nothing.
    """
    if len(identifier) > LONGEST:
        return ()
    if not identifier.isascii():
        return _split_any_script(normalize("NFKC", identifier))
    chunks = [_ASCII_PARTS.findall(chunk) for chunk in identifier.split("_") if chunk]
    return _terms([[part.lower() for part in chunk] for chunk in chunks])


def count_terms(data: bytes) -> dict[str, int]:
    """Return how often each term stands in ``data``, which is read as UTF-8 whatever it is."""
    counts: dict[str, int] = {}
    for token, times in Counter(data.translate(_SEPARATORS).split()).items():
        for term in _terms_of_token(token):
            counts[term] = counts.get(term, 0) + times
    return counts


def terms_of(text: str) -> tuple[str, ...]:
    """Return the terms of ``text`` in order, with repetitions."""
    return tuple(term for word in _WORD.findall(normalize("NFKC", text)) for term in split(word))


@lru_cache(maxsize=1 << 16)
def _terms_of_token(token: bytes) -> tuple[str, ...]:
    if token.isascii():
        return split(token.decode("ascii"))
    return terms_of(token.decode("utf-8", "replace"))


def _terms(chunks: list[list[str]]) -> tuple[str, ...]:
    """Return the terms of the lower-case parts of an identifier; a chunk has no underscore inside."""
    parts = [part for chunk in chunks for part in chunk]
    if not parts:
        return ()
    if len(parts) == 1:
        return _without_noise(parts)
    return _without_noise(["".join(parts), *parts, *(pair for chunk in chunks for pair in _joined(chunk))])


def _joined(parts: list[str]) -> list[str]:
    """Return the pairs of neighbours of which one says little alone."""
    return [
        left + right
        for left, right in zip(parts, parts[1:], strict=False)
        if (len(left) == 1 and left.isalpha()) or right.isdigit()
    ]


def _without_noise(terms: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term in terms if not _is_noise(term)))


def _is_noise(term: str) -> bool:
    if len(term) == 1:
        return term.isascii()
    return len(term) > LONGEST_NUMBER and term.isdigit()


def _split_any_script(identifier: str) -> tuple[str, ...]:
    """Split at underscores, at changes of case, and around runs of scripts without spaces."""
    chunks: list[list[str]] = []
    pairs: list[str] = []
    for chunk in identifier.split("_"):
        runs = _UNSPACED.findall(chunk)
        pairs.extend(pair for run in runs for pair in _bigrams(run))
        chunks.append(
            [part for piece in _UNSPACED.sub("_", chunk).split("_") for part in _cased_parts(piece)]
        )
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
