"""Who calls a symbol and whom it calls, some steps far: breadth first, one row for each symbol."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from mneme_indexer.model import Kind, Reference
from mneme_indexer.resolve.edges import Resolver
from mneme_indexer.resolve.project import FileNames, Ref
from mneme_indexer.resolve.recall import recall

_CALLABLE: frozenset[Kind] = frozenset({"function", "method"})
_MOST_KEPT = 300_000  # uses that are remembered with what they mean
_CONSTRUCTED: frozenset[Kind] = frozenset({"class", "interface", "type", "enum"})


class Reached(Struct, frozen=True):
    """A symbol that is reached from a start.

    ``ref`` has the position -1 for the code of a file outside of any symbol, ``line`` is then that of
    the use. ``names`` lead from the start to it; ``confidence`` is the least along that way.
    """

    ref: Ref
    depth: int
    names: tuple[str, ...]
    confidence: float
    line: int
    origin: Ref


_Next = tuple[Ref, int, float]


class Graph:
    """Walks over the calls of a snapshot, and remembers what was resolved on the way."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._names: dict[tuple[str, bool], frozenset[str]] = {}
        self._used_as: dict[tuple[frozenset[str], bool], dict[str, list[_Next]]] = {}
        self._kept = 0

    def callers(self, symbol: str, file: str, hops: int) -> list[Reached]:
        """Return who calls a symbol of this name, by steps, file and place."""
        return self._walk(symbol, file, hops, is_up=True)

    def callees(self, symbol: str, file: str, hops: int) -> list[Reached]:
        """Return whom a symbol of this name calls, by steps, file and place."""
        return self._walk(symbol, file, hops, is_up=False)

    def starts(self, symbol: str, file: str) -> list[Ref]:
        """Return the symbols of exactly this name (``name`` or ``Container.name``), by path and place.

        ``file`` is a path, or else the end or a part of some paths.
        """
        name = symbol.rpartition(".")[2] or symbol
        found = []
        for ref in self._resolver.project.named(name):
            at = self._resolver.file(ref[0])
            if at is not None and f".{at.symbols[ref[1]].qualified}".endswith(f".{symbol}"):
                found.append(ref)
        for fits in (_is_path, _is_end, _is_part):
            if kept := [ref for ref in found if not file or fits(ref[0], file)]:
                return kept
        return []

    def _walk(self, symbol: str, file: str, hops: int, *, is_up: bool) -> list[Reached]:
        level = [Reached(ref, 0, (self._name(ref),), 1.0, 0, ref) for ref in self.starts(symbol, file)]
        origins = {self._resolver.end(row.ref) for row in level}
        seen: set[str] = set()
        found: list[Reached] = []
        for depth in range(1, hops + 1):
            rows = [
                self._reached(row, step, depth) for row in level for step in self._steps(row, is_up=is_up)
            ]
            level = []
            for row in sorted(rows, key=self._place):
                end = self._end(row.ref)
                is_start = end in origins and (depth > 1 or end == self._end(row.origin))
                if end not in seen and not is_start:
                    seen.add(end)
                    level.append(row)
            found += level
        return found

    def _reached(self, row: Reached, step: _Next, depth: int) -> Reached:
        ref, line, confidence = step
        names = (*row.names, self._name(ref))
        return Reached(ref, depth, names, min(row.confidence, confidence), line, row.origin)

    def _steps(self, row: Reached, *, is_up: bool) -> Iterable[_Next]:
        if row.ref[1] < 0:
            return ()
        if is_up:
            return [step for ref in self._called_as(row.ref) for step in self._users(ref)]
        return self._used(row.ref, is_start=row.depth == 0)

    def _called_as(self, ref: Ref) -> list[Ref]:
        """Return the symbol, and its class if it is the constructor, which is called by the class's name."""
        at = self._file(ref)
        if at.symbols[ref[1]].name not in at.row.constructors:
            return [ref]
        return [ref, *((at.path, place) for place in at.around(ref[1])[1:2])]

    def _users(self, ref: Ref) -> Sequence[_Next]:
        symbol = self._file(ref).symbols[ref[1]]
        known_as = self._known_as(symbol.name, is_default="default" in symbol.signature)
        return self._uses(known_as, of_values=symbol.kind in _CALLABLE).get(self._end(ref), ())

    def _uses(self, known_as: frozenset[str], *, of_values: bool) -> dict[str, list[_Next]]:
        """Return what the uses of some names mean, by its end; each use is thought about once."""
        key = (known_as, of_values)
        found = self._used_as.get(key)
        if found is None:
            found = {}
            for end, step in self._all_uses(known_as, of_values=of_values):
                found.setdefault(end, []).append(step)
            self._kept += sum(map(len, found.values()))
            if self._kept > _MOST_KEPT:
                self._used_as.clear()
                self._kept = 0
            self._used_as[key] = found
        return found

    def _all_uses(self, known_as: frozenset[str], *, of_values: bool) -> Iterator[tuple[str, _Next]]:
        users = {path for name in known_as for path in self._resolver.project.users(name)}
        for path in sorted(users):
            at = self._resolver.file(path)
            if at is None:
                continue
            names = known_as | {row.alias for row in at.imports if row.name in known_as and row.alias}
            for row in at.references:
                if row.name in names and (row.kind == "calls" or (of_values and row.kind == "references")):
                    for hit in self._resolver.meant(row, at):
                        if hit.ref != (path, row.owner):
                            yield self._end(hit.ref), ((path, row.owner), row.line, hit.confidence)

    def _known_as(self, name: str, *, is_default: bool) -> frozenset[str]:
        """Return the names under which files may offer a symbol; importers may still call it otherwise."""
        return recall(self._names, (name, is_default), lambda: self._read_known_as(name, is_default))

    def _read_known_as(self, name: str, is_default: bool) -> frozenset[str]:
        names = {name, "default"} if is_default else {name}
        for path in self._resolver.project.users(name):
            at = self._resolver.file(path)
            rows = at.imports if at is not None else ()
            names.update(row.alias for row in rows if row.reexport and row.name == name and row.alias)
        return frozenset(names)

    def _used(self, ref: Ref, *, is_start: bool) -> Iterator[_Next]:
        at = self._file(ref)
        owners = self._owners(at, ref[1], is_start=is_start)
        for row in at.references:
            if row.owner in owners and row.kind in {"calls", "references"}:
                for hit in self._resolver.meant(row, at):
                    kind = self._file(hit.ref).symbols[hit.ref[1]].kind
                    if hit.ref != ref and (row.kind == "calls" or self._is_use(row, kind)):
                        yield hit.ref, row.line, hit.confidence

    def _owners(self, at: FileNames, position: int, *, is_start: bool) -> set[int]:
        """Return the symbols whose uses count as those of one: of a class its members or its constructor."""
        symbol = at.symbols[position]
        if symbol.kind not in _CONSTRUCTED:
            return {position}
        members = [
            place
            for place, other in enumerate(at.symbols)
            if other.container == symbol.qualified and (is_start or other.name in at.row.constructors)
        ]
        return {position, *members}

    def _is_use(self, row: Reference, kind: Kind) -> bool:
        return row.kind == "references" and kind in _CALLABLE

    def _file(self, ref: Ref) -> FileNames:
        at = self._resolver.file(ref[0])
        assert at is not None
        return at

    def _name(self, ref: Ref) -> str:
        return self._file(ref).symbols[ref[1]].name if ref[1] >= 0 else ref[0].rpartition("/")[2]

    def _end(self, ref: Ref) -> str:
        return self._resolver.end(ref) if ref[1] >= 0 else ref[0]

    def _place(self, row: Reached) -> tuple[str, int, float, tuple[str, ...], int]:
        start = self._file(row.ref).symbols[row.ref[1]].start_byte if row.ref[1] >= 0 else -1
        return row.ref[0], start, -row.confidence, row.names, row.line


def _is_path(path: str, file: str) -> bool:
    return path == file


def _is_end(path: str, file: str) -> bool:
    return path.endswith(f"/{file.lstrip('/')}")


def _is_part(path: str, file: str) -> bool:
    return file in path
