"""Questions about edges, answered from the index file and the files that declare packages."""

from collections.abc import Collection, Sequence

from mneme_indexer import lookups
from mneme_indexer.answers import DumpedEdge, Related
from mneme_indexer.db.postings import KINDS
from mneme_indexer.db.read import Reader
from mneme_indexer.db.views import View
from mneme_indexer.model import ParsedFile
from mneme_indexer.resolve.edges import Resolver
from mneme_indexer.resolve.graph import Graph, Reached
from mneme_indexer.resolve.project import FileNames, Ref
from mneme_indexer.sources import Listed, SourceTree

_NAMES = 50_000  # names that are remembered with their symbols


class IndexedProject:
    """The view of a reader, as resolution sees it."""

    def __init__(self, reader: Reader, source: SourceTree) -> None:
        self._reader = reader
        self._source = source
        self._view: View = reader.view
        self._named: dict[str, tuple[Ref, ...]] = {}
        self.blobs: dict[str, int] = {}  # of the files that were asked for

    def paths(self) -> Collection[str]:
        """Return all paths."""
        return self._view.files.keys()

    def parsed(self, path: str) -> ParsedFile | None:
        """Return what the index has of a file, None if its content is not read or has no grammar."""
        blob = self._view.blob_of(path)
        if blob is None or not blob.language:
            return None
        self.blobs[path] = blob.id
        uses = self._reader.uses(blob.id)
        return ParsedFile(
            language=blob.language,
            package=blob.package,
            symbols=self._reader.symbols(blob.id),
            references=uses.references,
            bindings=uses.bindings,
            imports=uses.imports,
        )

    def named(self, name: str) -> Sequence[Ref]:
        """Return the symbols of exactly this name, by path, then position."""
        known = self._named.get(name)
        if known is None:
            if len(self._named) >= _NAMES:
                self._named.clear()
            paths = self._view.paths
            found = ((path, symbol) for blob, symbol in self._reader.named(name) for path in paths[blob])
            known = self._named[name] = tuple(sorted(found))
        return known

    def users(self, name: str) -> Collection[str]:
        """Return the files with a reference of exactly this name, or an import under another one."""
        paths = self._view.paths
        return {path for blob in self._reader.users(name) for path in paths[blob]}

    def text(self, path: str) -> str:
        """Return the text of a file, empty if it cannot be read."""
        file = self._view.files[path]
        (data,) = self._source.read([Listed(path, file.oid, tracked=file.tracked)])
        return data.decode("utf-8", "replace")


class Edges:
    """What was resolved for one snapshot.

    Another snapshot begins anew, but for what ``known``, the one before, has read of the same files.
    """

    def __init__(self, reader: Reader, source: SourceTree, known: "Edges | None" = None) -> None:
        self._view, self._generation = reader.view, reader.view.generation
        self._reader = reader
        self._project = IndexedProject(reader, source)
        self._resolver = Resolver(self._project, known._same_files(self) if known else {})
        self._graph = Graph(self._resolver)

    def is_of(self, reader: Reader) -> bool:
        """Tell whether the snapshot of the reader is still the one that this was made for."""
        view = reader.view
        return reader is self._reader and view is self._view and view.generation == self._generation

    def _same_files(self, now: "Edges") -> dict[str, FileNames]:
        """Return what is known of the files that are still the same in ``now``, and tell it their blobs."""
        if now._reader is not self._reader:
            return {}
        found = {}
        for path, file in self._resolver.files_read().items():
            blob, known = now._view.blob_of(path), self._project.blobs.get(path)
            if blob is not None and blob.id == known:
                now._project.blobs[path] = blob.id
                found[path] = file
        return found

    def of_file(self, path: str) -> tuple[DumpedEdge, ...]:
        """Return the edges from a file and its symbols."""
        return tuple(
            DumpedEdge(kind=row.kind, src=row.src, dst=row.dst, line=row.line, confidence=row.confidence)
            for row in self._resolver.edges_of(path)
        )

    def start(self, symbol: str, file: str) -> tuple[str, str] | None:
        """Return the name and file by which the walks find a symbol, None if it is not there.

        A name that is qualified by more than containers (a namespace, a module) is that of the first
        symbol that it fits, in its file.
        """
        dotted = ".".join(lookups.parts(symbol)) or symbol
        graph = self._graph
        for name in dict.fromkeys((symbol, dotted)):
            if graph.starts(name, file):
                return name, file
        for hit in lookups.qualified(self._reader, symbol, KINDS):
            name = self._reader.symbols(hit.blob)[hit.symbol].qualified
            is_there = not hit.how and (not file or file in hit.path)
            if is_there and graph.starts(name, hit.path):
                return name, hit.path
        return None

    def callers(self, symbol: str, file: str, hops: int) -> tuple[Related, ...]:
        """Return who calls a symbol, nearest first."""
        rows = self._graph.callers(symbol, file, hops)
        return tuple(self._related(row) for row in rows)

    def callees(self, symbol: str, file: str, hops: int) -> tuple[Related, ...]:
        """Return whom a symbol calls, nearest first."""
        rows = self._graph.callees(symbol, file, hops)
        return tuple(self._related(row) for row in rows)

    def _related(self, row: Reached) -> Related:
        path, position = row.ref
        at = self._resolver.file(path)
        symbol = at.symbols[position] if at is not None and position >= 0 else None
        return Related(
            name=row.names[-1],
            file=path,
            lines=(symbol.start_line, symbol.end_line) if symbol else (row.line, row.line),
            path=row.names,
            kind=symbol.kind if symbol else "file",
            container=(symbol.container or None) if symbol else None,
            hops=row.depth,
            confidence=row.confidence,
        )
