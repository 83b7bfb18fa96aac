"""Messages on a pipe: four bytes of length, then the message."""

import os
import select
import time

_CHUNK = 1 << 20
_LIMIT = 1 << 31


class Closed(Exception):
    """The other end is gone, or did not answer in time."""


def send(handle: int, message: bytes) -> None:
    """Write a whole message.

    Raises:
        Closed: the other end is gone.
    """
    view = memoryview(len(message).to_bytes(4, "big") + message)
    try:
        while view:
            view = view[os.write(handle, view[:_CHUNK]) :]
    except (BrokenPipeError, OSError) as error:
        raise Closed from error


def receive(handle: int, seconds: float | None = None) -> bytes:
    """Read a whole message; ``seconds`` is for all of it.

    Raises:
        Closed: the other end is gone, or the time is over.
    """
    end = None if seconds is None else time.monotonic() + seconds
    length = int.from_bytes(_read(handle, 4, end), "big")
    if length > _LIMIT:
        raise Closed
    return _read(handle, length, end)


def _read(handle: int, length: int, end: float | None) -> bytes:
    parts: list[bytes] = []
    while length:
        if end is not None and not _ready(handle, end):
            raise Closed
        part = os.read(handle, min(length, _CHUNK))
        if not part:
            raise Closed
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _ready(handle: int, end: float) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(max(0.0, end - time.monotonic()) * 1000))
