"""Answers that are kept, so that the same question is thought about once."""

from collections.abc import Callable, Hashable
from typing import TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")
LIMIT = 200_000  # answers of one kind; then all of them are forgotten


def recall(kept: dict[_Key, _Value], key: _Key, make: Callable[[], _Value]) -> _Value:
    """Return the answer to ``key``, made once. ``make`` must depend on nothing but the key."""
    found = kept.get(key)
    if found is None:
        found = make()
        if len(kept) >= LIMIT:
            kept.clear()
        kept[key] = found
    return found
