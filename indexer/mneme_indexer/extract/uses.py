"""Uses and bindings with the symbol that they stand in."""

from collections.abc import Iterable, Sequence

from mneme_indexer.extract.captures import Bound, Found, Use
from mneme_indexer.languages.registry import Language
from mneme_indexer.model import Binding, Reference, Symbol


def references_of(found: Found, symbols: Sequence[Symbol]) -> tuple[Reference, ...]:
    """Return the uses by position, each once, with their owners."""
    uses = sorted(set(found.uses))
    owners = owners_of((use.start for use in uses), symbols)
    return tuple(
        Reference(use.kind, use.name, use.receiver, use.row + 1, owner)
        for use, owner in zip(uses, owners, strict=True)
        if not _is_own_name(use, owner, symbols)
    )


def _is_own_name(use: Use, owner: int, symbols: Sequence[Symbol]) -> bool:
    return use.kind == "references" and owner >= 0 and symbols[owner].name == use.name


def bindings_of(language: Language, found: Found, symbols: Sequence[Symbol]) -> tuple[Binding, ...]:
    """Return the bindings by position; those of fields belong to the class around them."""
    rows: list[Bound] = sorted(set(found.bindings))
    owners = owners_of((row.start for row in rows), symbols)
    fields = tuple(f"{name}{sign}" for name in language.self_names for sign in (".", "->"))
    return tuple(
        Binding(row.name, row.type, _class_of(owner, symbols) if row.name.startswith(fields) else owner)
        for row, owner in zip(rows, owners, strict=True)
    )


def owners_of(positions: Iterable[int], symbols: Sequence[Symbol]) -> list[int]:
    """Return for each byte position, in ascending order, the innermost symbol that holds it, or -1."""
    owners: list[int] = []
    stack: list[int] = []
    following = 0
    for at in positions:
        while following < len(symbols) and symbols[following].start_byte <= at:
            stack.append(following)
            following += 1
        while stack and symbols[stack[-1]].end_byte <= at:
            stack.pop()
        owners.append(stack[-1] if stack else -1)
    return owners


def _class_of(owner: int, symbols: Sequence[Symbol]) -> int:
    """Return the nearest symbol around ``owner`` that is no function, or ``owner``."""
    if owner < 0 or symbols[owner].kind not in {"function", "method"}:
        return owner
    inner = symbols[owner]
    for index in range(owner - 1, -1, -1):
        outer = symbols[index]
        holds = outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
        if holds and outer.kind not in {"function", "method"}:
            return index
    return owner
