"""The edges of one file: its imports, and its uses of names as far as they can be told."""

from collections.abc import Mapping
from functools import cached_property

from mneme_indexer.model import Edge, Kind, Reference
from mneme_indexer.resolve.names import Hit
from mneme_indexer.resolve.project import FileNames, Project, Ref
from mneme_indexer.resolve.receivers import Receivers

_NONE: Mapping[str, FileNames] = {}
_EXTENDED: frozenset[Kind] = frozenset({"class", "interface", "type", "enum", "function", "const"})


class Resolver:
    """Resolves the uses of one snapshot, and remembers what it has read of it.

    ``files`` are what an earlier snapshot's has read, as far as these files are the same.
    """

    def __init__(self, project: Project, files: Mapping[str, FileNames] = _NONE) -> None:
        self.project = project
        self._files = files

    @cached_property
    def _receivers(self) -> Receivers:
        return Receivers(self.project, self._files)

    def files_read(self) -> Mapping[str, FileNames]:
        """Return what is remembered of files."""
        read = self._receivers.names.targets.files
        return {path: file for path, file in read.items() if file is not None}

    def file(self, path: str) -> FileNames | None:
        """Return what a file has by name, None if it has nothing."""
        return self._receivers.names.targets.file(path)

    def edges_of(self, path: str) -> tuple[Edge, ...]:
        """Return the edges from a file and its symbols, each once, by line, kind and ends."""
        at = self.file(path)
        if at is None:
            return ()
        known: dict[tuple[str, str, str], Edge] = {}
        for edge in (*self._imports(at), *self._uses(at)):
            known.setdefault((edge.kind, edge.src, edge.dst), edge)
        return tuple(sorted(known.values(), key=lambda edge: (edge.line, edge.kind, edge.src, edge.dst)))

    def meant(self, row: Reference, at: FileNames) -> list[Hit]:
        """Return the symbols of the project that a use may mean."""
        names = self._receivers.names
        if row.receiver == "?":
            hits = self._receivers.behind("?", row.name, row.owner, at, row.line)
        elif row.receiver:
            hits = self._receivers.behind(row.receiver, row.name, row.owner, at, row.line)
        else:
            hits = names.bare(row.name, row.kind, row.owner, at)
        return [hit for hit in hits if self._fits(row, hit.ref)]

    def _fits(self, row: Reference, ref: Ref) -> bool:
        symbol = self._receivers.names.targets.symbol(ref)
        if row.kind in {"extends", "implements"}:
            return symbol.kind in _EXTENDED
        return symbol.kind not in {"field", "variable", "heading"}

    def _imports(self, at: FileNames) -> list[Edge]:
        targets = self._receivers.names.targets
        return [
            Edge("imports", at.path, end, row.line, 1.0)
            for row in sorted(at.imports, key=lambda row: row.line)
            if row.module
            for end in targets.ends(row, at)
            if end != at.path
        ]

    def _uses(self, at: FileNames) -> list[Edge]:
        known: dict[tuple[str, str, str, int], list[Hit]] = {}
        found = []
        for row in at.references:
            key = (row.kind, row.receiver, row.name, row.owner)
            hits = known.get(key)
            if hits is None:
                hits = known[key] = self.meant(row, at)
                source = end_of(at, row.owner)
                found += [
                    Edge(row.kind, source, self.end(hit.ref), row.line, hit.confidence)
                    for hit in hits
                    if hit.ref != (at.path, row.owner) or row.kind == "calls"
                ]
        return found

    def end(self, ref: Ref) -> str:
        """Return the end of an edge at a symbol."""
        at = self.file(ref[0])
        assert at is not None
        return end_of(at, ref[1])


def end_of(at: FileNames, position: int) -> str:
    """Return the end of an edge at a symbol of a file, or at the file itself."""
    return f"{at.path}::{at.symbols[position].qualified}" if position >= 0 else at.path


def edges_of(path: str, project: Project) -> tuple[Edge, ...]:
    """Return the edges of one file; for many files keep a ``Resolver``."""
    return Resolver(project).edges_of(path)
