"""Uses and bindings with the symbol that they stand in."""

from collections.abc import Iterable, Sequence

from mneme_indexer.extract.captures import Bound, Found, Use
from mneme_indexer.languages.registry import Language
from mneme_indexer.model import Binding, Kind, Reference, Symbol

_WITHOUT_FIELDS: frozenset[Kind] = frozenset({"function", "method", "field", "const", "variable"})


def references_of(language: Language, found: Found, symbols: Sequence[Symbol]) -> tuple[Reference, ...]:
    """Return the uses by position, one for each name in the text, with their owners."""
    best: dict[int, Use] = {}
    names = {row.name_start for row in found.definitions}
    for use in found.uses:
        if use.kind == "references" and use.start in names:
            continue
        known = best.get(use.start)
        if known is None or _weight(use) > _weight(known):
            best[use.start] = use
    uses = sorted(best.values())
    owners = owners_of((use.start for use in uses), symbols)
    named = _named(symbols) if any(use.owner for use in uses) else {}
    return tuple(
        Reference(use.kind, use.name, use.receiver, use.row + 1, owner)
        for use, inner in zip(uses, owners, strict=True)
        for owner in [named.get(use.owner, inner)]
        if use.kind != "references"
        or (use.name not in language.builtins and not _is_own_name(use, owner, symbols))
    )


def _weight(use: Use) -> tuple[bool, bool, Use]:
    """Of two uses of the same name, more is said by one that is no mere reference, then by its receiver."""
    return use.kind != "references", bool(use.receiver), use


def _named(symbols: Sequence[Symbol]) -> dict[str, int]:
    """Return the first symbol of each name that can be extended."""
    found: dict[str, int] = {}
    for index, symbol in enumerate(symbols):
        if symbol.kind in {"class", "interface", "enum", "type"}:
            found.setdefault(symbol.name, index)
    return found


def _is_own_name(use: Use, owner: int, symbols: Sequence[Symbol]) -> bool:
    return owner >= 0 and symbols[owner].name == use.name


def bindings_of(language: Language, found: Found, symbols: Sequence[Symbol]) -> tuple[Binding, ...]:
    """Return the bindings by position; those of fields belong to the class around them."""
    rows: list[Bound] = sorted(set(found.bindings))
    owners = owners_of((row.start for row in rows), symbols)
    fields = ("@", *(f"{name}{sign}" for name in language.self_names for sign in (".", "->")))
    written = {
        (owner, row.name): row.type for row, owner in zip(rows, owners, strict=True) if not row.is_same
    }
    bindings = []
    for row, owner in zip(rows, owners, strict=True):
        is_field = row.is_field or row.name.startswith(fields)
        named = row.type if not row.is_same else written.get((owner, row.type), "") if is_field else ""
        if named and owner >= 0 and (symbols[owner].kind, symbols[owner].name) == ("field", row.name):
            own = language.member_joint.join((*language.self_names[:1], row.name))
            bindings.append(Binding(own, named, _class_of(owner, symbols)))
        elif named:
            bindings.append(Binding(row.name, named, _class_of(owner, symbols) if is_field else owner))
    return tuple(bindings)


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
    """Return the nearest symbol around ``owner`` that can have fields, or ``owner``."""
    if owner < 0 or symbols[owner].kind not in _WITHOUT_FIELDS:
        return owner
    inner = symbols[owner]
    for index in range(owner - 1, -1, -1):
        outer = symbols[index]
        holds = outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
        if holds and outer.kind not in _WITHOUT_FIELDS:
            return index
    return owner
