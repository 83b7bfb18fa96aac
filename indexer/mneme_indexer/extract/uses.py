"""Uses and bindings with the symbol that they stand in."""

from collections.abc import Container, Iterable, Sequence

from mneme_indexer.extract.found import Bound, Found, Use
from mneme_indexer.languages.registry import Language
from mneme_indexer.model import Binding, Kind, Reference, Symbol

_WITHOUT_FIELDS: frozenset[Kind] = frozenset({"function", "method", "field", "const", "variable"})


def references_of(
    language: Language, found: Found, symbols: Sequence[Symbol], data: bytes
) -> tuple[Reference, ...]:
    """Return the uses by position, one for each name in the text, with their owners."""
    names = {row.name_start for row in found.definitions}
    uses = _one_each(found.uses, names)
    owners = owners_of((use[0] for use in uses), symbols)
    named = _named(symbols) if any(use[4] for use in uses) else {}
    builtins = language.builtins
    references = []
    line, last = 1, 0
    for (start, kind, name, receiver, of), inner in zip(uses, owners, strict=True):
        owner = named.get(of, inner) if of else inner
        if kind == "references" and (name in builtins or (owner >= 0 and symbols[owner].name == name)):
            continue
        line += data.count(b"\n", last, start)
        last = start
        references.append(Reference(kind, name, receiver, line, owner))
    return tuple(references)


def _one_each(found: Iterable[Use], names: Container[int]) -> list[Use]:
    """Return by position the use that says most at each; mere references that are ``names`` are none."""
    uses: list[Use] = []
    at = -1
    for use in sorted(found):
        start = use[0]
        if use[1] == "references" and start in names:
            continue
        if start != at:
            uses.append(use)
            at = start
        elif _weight(use) > _weight(uses[-1]):
            uses[-1] = use
    return uses


def _weight(use: Use) -> tuple[bool, bool, Use]:
    """Of two uses of the same name, more is said by one that is no mere reference, then by its receiver."""
    return use[1] != "references", bool(use[3]), use


def _named(symbols: Sequence[Symbol]) -> dict[str, int]:
    """Return the first symbol of each name that can be extended."""
    found: dict[str, int] = {}
    for index, symbol in enumerate(symbols):
        if symbol.kind in {"class", "interface", "enum", "type"}:
            found.setdefault(symbol.name, index)
    return found


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
