"""What reading a store came to, kept in git's folder so that the next command need not read it all again.

It is never truth. A file here is found by a key that stands for everything that was read, carries a
checksum, and is passed over where either is not right. Whoever deletes it loses some milliseconds.
"""

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from mneme_git import __version__

# One more whenever the same files come to something else: other fields, or faults that were none.
_MEANING = 1
_MAGIC = b"mneme projection\n"
_DIGEST_BYTES = 32
_BODY = len(_MAGIC) + 2 * _DIGEST_BYTES
# What changed so short a time ago may change again within the same tick of a file system's clock.
SETTLED_NS = 2_000_000_000
_Value = TypeVar("_Value")


def key_of(*parts: bytes) -> bytes:
    """Return the key of what was made from ``parts`` by this version of mneme."""
    found = hashlib.sha256(f"{__version__} {_MEANING}".encode())
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.digest()


def recall(path: Path, key: bytes, decoder: "msgspec.msgpack.Decoder[_Value]") -> _Value | None:
    """Return what was kept under ``key``, or None; a damaged file is as good as none."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body = memoryview(data)[_BODY:]
    if data[:_BODY] != _MAGIC + key + hashlib.sha256(body).digest():
        return None
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def keep(path: Path, key: bytes, value: object, *, newest_ns: int = 0) -> None:
    """Keep ``value`` in the place of what is at ``path``; not being able to is no fault.

    ``newest_ns`` is the last time at which something changed that the key knows only by its times;
    nothing is kept unless that is well past by the clock of the file system.
    """
    if newest_ns + SETTLED_NS > time.time_ns():  # all the work below would be for nothing
        return
    try:
        body = msgspec.msgpack.encode(value)
    except (TypeError, ValueError, RecursionError):  # text that is no Unicode: rare, and read as ever
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("xb") as file:
            file.write(_MAGIC + key + hashlib.sha256(body).digest())
            file.write(body)
            file.flush()
            written_ns = os.fstat(file.fileno()).st_mtime_ns
        if newest_ns + SETTLED_NS < written_ns:
            beside.replace(path)
        else:
            beside.unlink()
    except OSError:
        with suppress(OSError):
            beside.unlink()
