r"""Symbols by what people and programs call them: qualified names, and names that are nearly right.

A qualified name is written as in any language: ``Cart.total``, ``Cart::total``, ``Cart#total``,
``Shop\Cart``. Before the name may stand the end of its containers, of its namespace or of its path.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from msgspec.structs import replace

from mneme_indexer.db.read import Named, Reader
from mneme_indexer.model import Kind, Symbol
from mneme_indexer.words import fold

_SEPARATORS = re.compile(r"::|->|[.#\\]")
_TRIED = 300  # symbols that are compared with a name that nothing has
_LIKE = 0.7


def parts(name: str) -> list[str]:
    """Return the names in a qualified name, the outermost first."""
    return [part for part in _SEPARATORS.split(name) if part]


def lookup(reader: Reader, name: str, limit: int, kinds: Iterable[Kind]) -> list[Named]:
    """Return at most ``limit`` symbols: those of that qualified name, then those that have it in theirs."""
    kinds = tuple(kinds)
    first = qualified(reader, name, kinds) if len(parts(name)) > 1 else []
    seen = {(hit.path, hit.symbol) for hit in first}
    others = (hit for hit in reader.lookup(name, limit, kinds) if (hit.path, hit.symbol) not in seen)
    return [*first, *others][:limit]


def qualified(reader: Reader, name: str, kinds: Iterable[Kind]) -> list[Named]:
    """Return the symbols of that name in that container: the same case first, then by path and place."""
    wanted = parts(name)
    if not wanted:
        return []
    folded = [fold(part) for part in wanted]
    found = []
    for hit in reader.same(wanted[-1], kinds):
        written = [row[-len(wanted) :] for row in _written(reader.symbols(hit.blob)[hit.symbol], hit.path)]
        if wanted in written:
            found.append(replace(hit, how=0))
        elif folded in ([fold(part) for part in row] for row in written):
            found.append(replace(hit, how=1))
    return sorted(found)


def near(reader: Reader, name: str, kinds: Iterable[Kind], limit: int) -> list[str]:
    """Return names that may have been meant: those that hold it, then those that are spelled alike."""
    wanted = (parts(name) or [name])[-1]
    kinds = tuple(kinds)
    holding = [_qualified_name(reader, hit) for hit in reader.lookup(wanted, limit, kinds)]
    half = max(2, len(wanted) // 2)
    alike: dict[str, str] = {}
    for piece in (wanted[:half], wanted[-half:]):
        for hit in reader.lookup(piece, _TRIED, kinds):
            told = _qualified_name(reader, hit)
            alike.setdefault(fold(parts(told)[-1] if parts(told) else told), told)
    close = get_close_matches(fold(wanted), sorted(alike), limit, _LIKE)
    return list(dict.fromkeys([*holding, *(alike[key] for key in close)]))[:limit]


def _written(symbol: Symbol, path: str) -> Sequence[list[str]]:
    """Return the ways to say where a symbol is, with all that may stand before its name."""
    inside = [*parts(symbol.container), symbol.name]
    folders = re.split(r"[/.]", path.rpartition(".")[0] or path)
    return [*parts(symbol.namespace), *inside], [*folders, *inside]


def _qualified_name(reader: Reader, hit: Named) -> str:
    return reader.symbols(hit.blob)[hit.symbol].qualified
