"""Whether a name says that something secret is given to it, and whether what is given looks so."""

import re
from functools import lru_cache
from typing import Literal

Kind = Literal["password", "secret", "token", "key", ""]

SHORTEST = 16
SHORTEST_PASSWORD = 6
_PASSWORD = re.compile(r"password|passwd|passphrase|passcode|pwd")
_OTHERS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("secret", re.compile(r"secret|credential")),
    ("token", re.compile(r"token|bearer")),
    (
        "key",
        re.compile(
            r"(?:api|app|access|private|auth|master|account|service|admin|sign(?:ing)?|encrypt(?:ion)?"
            r"|storage|deploy|license|subscription)key"
        ),
    ),
)
# Names that speak of a secret and are given something else.
_NOT_AT_ALL = frozenset((
    "public", "hash", "hashed", "digest", "checksum", "sha", "sha1", "sha256", "fingerprint", "tokenizer",
    "cache", "commit", "blob", "integrity",
))  # fmt: skip
_NOT_AT_THE_END = frozenset((
    "file", "path", "dir", "url", "uri", "name", "id", "ids", "type", "kind", "endpoint", "header", "field",
    "limit", "count", "budget", "length", "len", "size", "ttl", "expiry", "expires", "version", "label",
    "prefix", "suffix", "format", "regex", "pattern", "policy", "provider", "env", "var", "ref", "arn",
    "manager", "store", "class", "test", "tests", "hint", "rotation", "algorithm", "scope", "scopes",
))  # fmt: skip
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_PLACEHOLDER = re.compile(
    r"(?i)x{4,}|\*{3,}|\.{3}|…|#{3,}|_{4,}|<|>|\$\{|\{\{|\}\}|%\(|\$\(|example|placeholder|change.?me|your"
    r"|dummy|redacted|hidden|sample|fake|insert|replace|todo|masked|removed|not.?a.?real|secret.?here"
)
_REFERENCE = re.compile(r"\$[A-Za-z_]|%[A-Za-z_]+%|@[A-Za-z_]+@|\{[A-Za-z_]")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BLANK = re.compile(r"\s")
_MIXED = re.compile(r"(?=\S*[^\W\d_])(?=\S*[0-9!@#$%^&*+=?~])\S+")
_SPLIT = re.compile(r"[^A-Za-z0-9]+")
# Letters, at most a short number behind them, or a number such as a date.
_WORDISH = re.compile(r"[A-Za-z]+[0-9]{0,2}|[0-9]{1,8}|v[0-9]+")
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|argon|pbkdf|bcrypt|scrypt|aes|rsa|ecdsa|ed|hs|rs|es|ps|oauth|base|utf|x|hmac)"
    r"[-_]?[0-9]+[a-z0-9_-]{0,12}"
)
_PART = 8  # a part that is shorter says nothing
_USUAL = frozenset((
    "password", "passwd", "pass", "passphrase", "pwd", "pw", "secret", "token", "test", "testing", "demo",
    "admin", "root", "user", "username", "postgres", "mysql", "guest", "default", "none", "null", "string",
    "true", "false", "foo", "bar", "abc", "local", "dev", "me", "my", "key", "app", "db", "word", "pass", "p",
))  # fmt: skip


@lru_cache(maxsize=512)
def names_a_secret(name: str) -> Kind:
    """Return what kind of secret belongs to a name (``DB_PASSWORD``, ``apiKey``), empty text for none."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[-1] in _NOT_AT_THE_END or not _NOT_AT_ALL.isdisjoint(words):
        return ""
    joined = "".join(words)
    if _PASSWORD.search(joined):
        return "password"
    return next((kind for kind, pattern in _OTHERS if pattern.search(joined)), "")


def is_quoted_password(value: str) -> bool:
    """Tell whether a text in quotation marks is a password, and not a caption or a placeholder.

    It has at least 6 signs without a blank, a letter among them and a digit or an odd sign.
    """
    if len(value) < SHORTEST_PASSWORD or not _MIXED.fullmatch(value):
        return False
    return not (_ALGORITHM.fullmatch(value) or _is_path(value) or stands_for_another(value))


def is_bare_password(value: str) -> bool:
    """Tell the same of a text without quotation marks, which may as well be a name in code."""
    if not is_quoted_password(value):
        return False
    parts = [part for part in _SPLIT.split(value) if part]
    return len(parts) == 1 or not all(map(_is_word, parts))


def is_secret_value(value: str, *, shortest: int = SHORTEST) -> bool:
    """Tell whether a value looks made by chance: at least ``shortest`` signs that are no words.

    Between signs that divide words, a part is a word if it is letters with a short number at most, as
    ``oauth2``, and its capitals are not strewn about.
    """
    if len(value) < shortest or _BLANK.search(value):
        return False
    parts = [part for part in _SPLIT.split(value) if len(part) >= _PART]
    if all(map(_is_word, parts)):
        return False
    if _UUID.fullmatch(value) or _ALGORITHM.fullmatch(value) or _is_path(value) or "://" in value:
        return False
    return not stands_for_another(value)


def _is_word(part: str) -> bool:
    words = _WORDS.findall(part)
    if _WORDISH.fullmatch(part):
        return len(part) < 12 or len(part) >= 2.5 * len(words)
    return _is_type_name(part, [word for word in words if not word.isdigit()])


def _is_type_name(part: str, words: list[str]) -> bool:
    """Tell whether a part is words with capitals and some digits, as ``Ed25519PrivateKey``."""
    letters = sum(map(len, words))
    is_long_worded = bool(words) and letters >= 3.5 * len(words) and 3 * letters >= 2 * len(part)
    return is_long_worded and part[0].isupper() and not part.isupper()


def _is_path(value: str) -> bool:
    if not value.startswith(("/", "./", "../", "~/")):
        return False
    return all(len(part) <= 24 for part in value.split("/"))


def stands_for_another(value: str) -> bool:
    """Tell whether a value is a placeholder, a reference, or a word that everybody uses."""
    if _PLACEHOLDER.search(value) or _REFERENCE.match(value):
        return True
    if len(set(value)) <= 2:
        return True
    words = [word.lower() for word in _WORDS.findall(value) if not word.isdigit()]
    return bool(words) and all(word in _USUAL for word in words)
