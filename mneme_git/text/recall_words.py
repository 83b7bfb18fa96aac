"""Text to the terms by which memories are found: one definition for what is kept and for what is asked.

A term is a folded word, an English one without its ending. ``getHTTPResponse``, ``get_http_response`` and
"get http response" share the terms ``get``, ``http`` and ``respons``; a name of several parts is also one
term as a whole. Nothing is an operator, and no word is left out: what is common says little by itself.
"""

import re
from unicodedata import category, normalize

from msgspec import Struct

from mneme_git.text.english import stem

# Raise it whenever the same text would give other terms: what was kept is then built anew.
VERSION = 1
_LONGEST = 80
_CACHE_SIZE = 1 << 16

# Vowel signs and accents that are code points of their own belong to the word before them.
_MARKS = (
    r"\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e"
    r"\u0eb1-\u0ece\u0f00-\u0fff\u102b-\u103e\u17b4-\u17d3"
)
_TOKEN = re.compile(
    r"(?<!\w)\.[^\W\d]\w*"  # .net, .gitignore
    r"|\d+(?:\.\d+)+"  # 3.11
    rf"|[\w{_MARKS}]+(?:['’][\w{_MARKS}]+)*(?:\+\+(?!\w)|#(?!\w))?"  # words, C++, C#
    r"|[^\x00-\x7f\w\s]"  # emoji and other symbols
)
# Scripts that are written without spaces (Thai to Khmer, kana, Han) or with words that grow (Hangul).
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_ASCII_PARTS = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+")
_CONTRACTED = frozenset({"s", "re", "ve", "ll", "d", "m"})
_LATIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"})
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_SYMBOLS = frozenset({"So", "Sm", "Sc"})
_MOST_PARTS = 8


class Found(Struct, frozen=True, array_like=True):
    """What one token gives: terms that stand one after another, and further ones for the same place.

    ``single`` are the characters of a run of which ``terms`` are the pairs: kept, but not asked for.
    """

    terms: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    single: tuple[str, ...] = ()


class Terms(Struct, frozen=True):
    """The terms of a text in their order, and those that only say more about the same places."""

    sequence: tuple[str, ...] = ()
    further: tuple[str, ...] = ()


def kept_terms(text: str) -> Terms:
    """Return what ``text`` is found by."""
    found = [_CACHE[token] for token in _TOKEN.findall(text)]
    return Terms(
        tuple([term for each in found for term in each.terms]),
        tuple([term for each in found for term in (*each.further, *each.single)]),
    )


def asked_terms(text: str) -> Terms:
    """Return what ``text`` asks for: of a run without spaces the pairs only, if it has any."""
    found = [_CACHE[token] for token in _TOKEN.findall(text)]
    return Terms(
        tuple([term for each in found for term in each.terms]),
        tuple([term for each in found for term in each.further]),
    )


class _Cache(dict[str, Found]):
    """What each token gives; emptied when it is full."""

    def __missing__(self, token: str) -> Found:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        found = self[token] = _analysed(token)
        return found


_CACHE = _Cache()


def _analysed(token: str) -> Found:
    if token.isascii() and token.isalpha() and token.islower():
        return Found((stem(token),)) if len(token) <= _LONGEST else Found((token[:_LONGEST],))
    if len(token) == 1 and not token.isalnum():
        return Found((token,)) if category(token) in _SYMBOLS else Found()
    if token[0] == ".":
        inner = _analysed(token[1:])
        return Found(inner.terms, (*inner.further, fold(token)), inner.single)
    if token[0].isdigit() and "." in token:
        return Found(tuple(token.split(".")), (token,))
    if token[-1] in "+#":
        return _with_mark(token)
    return _word(token)


def _with_mark(token: str) -> Found:
    """A short name that ends in a mark is another name than the one without it."""
    name = token.rstrip("+#")
    whole = fold(token)
    if len(name) <= 2:
        return Found((whole,))
    inner = _word(name)
    return Found(inner.terms, (*inner.further, whole), inner.single)


def _word(token: str) -> Found:
    pieces = re.split("['’]", token)
    if len(pieces) == 1:
        return _plain(token)
    if len(pieces) == 2 and pieces[1].lower() in _CONTRACTED:
        return _plain(pieces[0])
    if len(pieces) == 2 and pieces[1].lower() == "t":
        return Found((fold("".join(pieces)),))
    parts = [_plain(piece) for piece in pieces]
    return Found(
        tuple(term for part in parts for term in part.terms),
        (fold("".join(pieces)), *(term for part in parts for term in part.further)),
        tuple(term for part in parts for term in part.single),
    )


def _plain(word: str) -> Found:
    """Return the terms of letters, digits and underscores of any script."""
    word = normalize("NFKC", word)
    runs = _UNSPACED.findall(word)
    rest = _UNSPACED.sub("_", word) if runs else word
    terms, further = _cased(rest)
    single: list[str] = []
    for run in runs:
        if len(run) == 1:
            terms.append(run)
        else:
            terms += [run[at : at + 2] for at in range(len(run) - 1)]
            single += run
    return Found(tuple(terms), tuple(dict.fromkeys(further)), tuple(single))


def _cased(word: str) -> tuple[list[str], list[str]]:
    """Return the folded parts of a word, and it as a whole if it has several or has accents."""
    if len(word) > _LONGEST:
        return [fold(word)[:_LONGEST]], []
    parts = [part for piece in word.split("_") if piece for part in _parts(piece)]
    if not parts:
        return [], []
    exact = [part.casefold() for part in parts]
    folded = [fold(part) for part in parts]
    further = [plain for plain, term in zip(exact, folded, strict=True) if plain != term]
    whole = "".join(folded)
    if len(parts) > _MOST_PARTS:
        return [whole], further
    terms = [stem(term) if term.isascii() and term.isalpha() else term for term in folded]
    if len(parts) > 1:
        further.append(whole)
    return terms, further


def _parts(piece: str) -> list[str]:
    if piece.isascii():
        return _ASCII_PARTS.findall(piece)
    starts = [0]
    for at in range(1, len(piece)):
        before, here, after = piece[at - 1], piece[at], piece[at + 1 : at + 2]
        rises = here.isupper() and (not before.isupper() or after.islower())
        if rises or (here.isdigit() != before.isdigit()):
            starts.append(at)
    return [piece[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def fold(word: str) -> str:
    """Return a word without case, and without the accents of Latin, Greek and Cyrillic letters."""
    if word.isascii():
        return word.lower()
    plain = _ACCENTS.sub("", normalize("NFD", word.casefold()))
    return normalize("NFC", plain).translate(_LATIN)
