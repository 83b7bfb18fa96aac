"""How a file is read: the language that its path gives it, and the version of all that reads it."""

from functools import cache
from hashlib import sha256

import msgspec

from mneme_indexer import words
from mneme_indexer.extract.parse import EXTRACTOR_VERSION
from mneme_indexer.languages import registry

# Raise it whenever the same parsed file would give other terms or be packed in another way.
PACKING_VERSION = 3
TEXT = ""  # a file in no language: its terms only
SCRIPT = "#!"  # a file without an extension: its first line decides

BINARY, DATA = UNREAD = ("binary", "data")
# Text that machines write for machines: no use to a reader, and large.
_DATA = frozenset((
    ".csv", ".cast", ".eps", ".geojson", ".gml", ".graffle", ".ipynb", ".lock", ".map", ".mo",
    ".parquet", ".pdf", ".plist", ".po", ".pot", ".snap", ".sum", ".svg", ".tsv", ".xcf", ".xlf",
    ".xliff",
))  # fmt: skip
_PICTURES = frozenset((
    ".7z", ".a", ".avif", ".bin", ".bmp", ".bz2", ".class", ".db", ".dll", ".dylib", ".eot", ".exe",
    ".gif", ".gz", ".ico", ".jar", ".jpeg", ".jpg", ".mp3", ".mp4", ".npy", ".o", ".ogg", ".otf",
    ".png", ".pyc", ".so", ".sqlite", ".sqlite3", ".tar", ".tgz", ".tif", ".tiff", ".ttf", ".wasm",
    ".wav", ".webm", ".webp", ".whl", ".woff", ".woff2", ".xz", ".zip", ".zst",
))  # fmt: skip


def key_language(path: str) -> str:
    """Return what, beside its bytes, decides how a file is read: a language, TEXT or SCRIPT."""
    row = registry.language_of(path)
    if row is not None:
        return row.name
    return TEXT if "." in path.rpartition("/")[2] else SCRIPT


def language_of(key: str, data: bytes) -> str:
    """Return the language in which a file is read, TEXT for none."""
    if key != SCRIPT:
        return key
    if not data.startswith(b"#!"):
        return TEXT
    row = registry.language_of("script", data[: data.find(b"\n") if b"\n" in data[:200] else 200])
    return row.name if row is not None else TEXT


def unread(path: str) -> str:
    """Return why a file is not read, by its name; empty text if it is."""
    dot = path.rfind(".")
    suffix = path[dot:].lower() if dot > path.rfind("/") + 1 else ""
    if suffix in _PICTURES:
        return BINARY
    return DATA if suffix in _DATA else ""


@cache
def versions() -> dict[str, str]:
    """Return the version of each way to read, by key language; it changes whenever results may."""
    found = {name: _digest(row, registry.query_text(name)) for name, row in registry.languages().items()}
    return {**found, TEXT: _digest(), SCRIPT: _digest(sorted(found.items()))}


@cache
def digest() -> str:
    """Return one version for all ways to read."""
    return _digest(sorted(versions().items()))


def _digest(*parts: object) -> str:

    versions = (EXTRACTOR_VERSION, PACKING_VERSION, words.VERSION)
    return sha256(msgspec.json.encode((versions, parts), order="deterministic")).hexdigest()[:16]
