"""Two canonical forms of JSON: one for hashing, one for files.

Identity (``ascii_json``) is the form of the decision-index format: sorted keys, no blanks, ASCII
only. Files (``file_json``) are UTF-8, two-space indent, keys sorted by code point, one trailing
LF, no escape beyond what JSON needs. Both are functions of the value alone.
"""

import hashlib
import json
from typing import Any

import msgspec

from mneme_git.errors import CorruptRecord, InvalidInput

_HEX_DIGITS = 64
_ASCII = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode


def ascii_json(value: object) -> str:
    r"""Return the text that identities hash.

    Object keys are sorted by code point, separators are ``,`` and ``:``, every character outside
    U+0020..U+007E is ``\\uXXXX`` in lower case (surrogate pairs for astral characters), ``/`` is
    not escaped.
    """
    return _ASCII(value)


def ascii_hash(value: object) -> str:
    """Return the lower-case hex sha256 (64 digits) of ``ascii_json(value)``."""
    return sha256_hex(ascii_json(value).encode("ascii"))


def sha256_hex(data: bytes) -> str:
    """Return the lower-case hex sha256 (64 digits) of ``data``."""
    return hashlib.sha256(data).hexdigest()


def file_json(value: object) -> bytes:
    """Return the bytes of a file that holds ``value``.

    Raises:
        InvalidInput: a text holds a lone surrogate, which UTF-8 cannot carry.
    """
    try:
        compact = msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"text is not valid Unicode: {error.object[error.start : error.end]!r} cannot be stored as UTF-8",
            hint="pass the text in UTF-8",
        ) from error
    return msgspec.json.format(compact, indent=2) + b"\n"


def with_digest(value: object) -> bytes:
    """Return ``file_json(value)`` with a first key ``digest``: the sha256 of the bytes without it."""
    plain = file_json(value)
    return b'{\n  "digest": "' + sha256_hex(plain).encode("ascii") + b'",\n' + plain[2:]


_HEAD = b'{\n  "digest": "'
_BODY = len(_HEAD) + _HEX_DIGITS + 3


def split_digest(data: bytes) -> tuple[str, str]:
    """Return the digest that a file claims and the digest that its bytes have.

    Equal values mean that the bytes are exactly those ``with_digest`` made.

    Raises:
        CorruptRecord: the file does not begin with a digest line.
    """
    if not data.startswith(_HEAD) or data[_BODY - 3 : _BODY] != b'",\n':
        raise CorruptRecord("no digest line at the start", hint="restore the file from git")
    claimed = data[len(_HEAD) : len(_HEAD) + _HEX_DIGITS].decode("ascii", "replace")
    return claimed, sha256_hex(b"{\n" + data[_BODY:])


def strict_json(data: bytes) -> Any:
    """Parse JSON and refuse a repeated key, which a lenient reader would drop in silence.

    Raises:
        CorruptRecord: not UTF-8, not JSON, nested too deeply, or a key occurs twice in one object.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise CorruptRecord(f"not UTF-8 at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"not JSON: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise CorruptRecord(f"key '{key}' occurs twice")
        found[key] = value
    return found
