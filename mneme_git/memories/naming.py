"""What memories are called: full names, prefixes of them, and the small numbers of older clients."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable

from mneme_git.errors import AmbiguousId, InvalidInput, NotFound
from mneme_git.memories.limits import shown

FULL = 32
SHORT = 8
LEAST = 4
_HEX = re.compile(r"[0-9a-f]{4,32}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,8}", re.ASCII)
_LISTED = 8


class Names:
    """The names that are known. Made once for a set of names, asked often."""

    def __init__(self, known: Iterable[str]) -> None:
        self._sorted = sorted(set(known))

    def add(self, names: Iterable[str]) -> None:
        """Know more names."""
        for name in names:
            at = bisect_left(self._sorted, name)
            if self._sorted[at : at + 1] != [name]:
                self._sorted.insert(at, name)

    def short(self, name: str) -> str:
        """Return the shortest prefix, of 8 digits or more, that no other known name has."""
        at = bisect_left(self._sorted, name)
        beside = self._sorted[max(0, at - 1) : at + 2]
        shared = max((_shared(name, other) for other in beside if other != name), default=0)
        return name[: max(SHORT, shared + 1)]

    def beginning(self, prefix: str) -> tuple[str, ...]:
        """Return the known names that begin so, sorted."""
        first = bisect_left(self._sorted, prefix)
        last = bisect_left(self._sorted, prefix + "g")  # after the last hex digit
        return tuple(self._sorted[first:last])

    def resolve(self, given: str | int, numbered: Callable[[int], str | None]) -> str:
        """Return the name that a person or program meant.

        A number is an alias, whose name ``numbered`` gives. A text is a name or a prefix of at least 4
        hex digits, in any case; one of at most 8 decimal digits is an alias first.

        Raises:
            NotFound: nothing is called so.
            AmbiguousId: several names begin so.
            InvalidInput: it is neither a number nor hex digits.
        """
        if isinstance(given, int):
            return _by_number(given, numbered)
        text = given.strip().lower()
        if _NUMBER.fullmatch(text) and (name := numbered(int(text))) is not None:
            return name
        if not _HEX.fullmatch(text):
            if _NUMBER.fullmatch(text):
                return _by_number(int(text), numbered)
            raise InvalidInput(
                f"'{shown(given)}' is no id of a memory",
                hint=f"give its number, or at least {LEAST} hex digits of its id",
            )
        return self._begun(text)

    def _begun(self, text: str) -> str:
        found = self.beginning(text)
        if not found:
            raise _unknown(text)
        if len(found) > 1:
            raise AmbiguousId("memory", text, [self.short(name) for name in found[:_LISTED]])
        return found[0]


def _by_number(number: int, numbered: Callable[[int], str | None]) -> str:
    name = numbered(number)
    if name is None:
        raise _unknown(str(number))
    return name


def _unknown(given: str) -> NotFound:
    return NotFound(
        "memory",
        given,
        hint="`mneme memory list --all` shows the ids",
        tool_hint="mneme_list_memories shows the ids",
    )


def _shared(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
