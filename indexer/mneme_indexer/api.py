"""The code index as its callers see it: one folder for the file, one source of files, questions."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from mneme_indexer import lookups
from mneme_indexer.answers import (
    ContextAnswer,
    DumpedEdge,
    DumpedFile,
    DumpedSymbol,
    IndexStatus,
    KindFilter,
    Match,
    OutlineRow,
    Progress,
    Query,
    Refreshed,
    Related,
    Settings,
    Skipped,
)
from mneme_indexer.build.refresh import refresh as build_refresh
from mneme_indexer.db.connect import SCHEMA_VERSION, is_damage
from mneme_indexer.db.read import Named, Reader
from mneme_indexer.db.session import Session
from mneme_indexer.model import PUBLIC_KINDS, Symbol
from mneme_indexer.sources import History, SourceTree

if TYPE_CHECKING:
    from mneme_indexer.corpus_of_view import IndexedCorpus
    from mneme_indexer.discovery import Ask
    from mneme_indexer.related import Edges

Report = Callable[[Progress], None]
Stop = Callable[[], bool]
Note = Callable[[str], None]
_Answer = TypeVar("_Answer")
_PREPARED = 3  # languages that a server is ready to parse before a file changes


class CodeIndex:
    """One view of the index, kept in memory between questions. One thread at a time is served.

    Every question is about the snapshot of the last ``refresh``.
    """

    def __init__(
        self,
        folder: Path,
        source: SourceTree,
        history: History | None,
        settings: Settings,
        *,
        view: str = "",
        note: Note | None = None,
    ) -> None:
        """Open the index in ``folder``; the file is made at the first refresh.

        ``view`` names the source among those that share the folder (a work tree, a revision);
        ``note`` is told what people should know, such as that a damaged file was built anew.

        Raises:
            IndexUnusable: the file can neither be opened nor built anew.
        """
        self._source = source
        self._history = history
        self._settings = settings
        self._session = Session(folder, view, note or _unheard)
        self._resolved: Edges | None = None
        self._corpus: IndexedCorpus | None = None
        self._unprepared: list[str] | None = None  # languages, those of most files last
        self._counted: tuple[object, IndexStatus] | None = None
        self._is_early = False  # a question is asked whose answer may not be wanted

    def refresh(self, progress: Report | None = None, cancelled: Stop | None = None) -> Refreshed:
        """Bring the view to the snapshot that the source has now.

        Raises:
            Cancelled: ``cancelled`` said so; what was parsed is kept.
            IndexUnusable: the file can be neither written nor built anew.
        """
        return self._refresh(progress, cancelled, None)

    def fresh(self, question: Callable[[Refreshed], _Answer]) -> _Answer:
        """Refresh, and return what ``question`` answers about the files as they are now.

        While the source looks at the files, it is asked about the last snapshot already, as if nothing
        had changed; where something has, or where it raised, it is asked again. So it must have no
        effect.

        Raises: as ``refresh`` and ``question``.
        """
        early: list[tuple[object, _Answer]] = []

        def ask() -> None:
            if self._session.view.generation:
                self._is_early = True
                try:
                    early.append((self._state(), question(self._as_before())))
                    self._prepare()
                except Exception:  # noqa: BLE001 - whatever it is, it comes again if it is still so
                    early.clear()
                finally:
                    self._is_early = False

        refreshed = self._refresh(None, None, ask)
        for state, answer in early:
            if not refreshed.changed and state == self._state():
                return answer
        return question(refreshed)

    def start_anew(self) -> None:
        """Forget all views and all that was parsed; the next refresh builds the file again."""
        self._session.start_anew("")

    def context(self, query: Query, ask_model: "Ask | None" = None) -> ContextAnswer:
        """Return what bears on a task, within the budget; ``ask_model`` may narrow it."""
        from mneme_indexer.discovery import NOT_CONFIGURED, narrowing
        from mneme_indexer.rank.context import context

        if ask_model and query.use_discovery_model and self._is_early:
            raise _TooEarly  # a model is asked once, and about what is there

        narrow = narrowing(query.task, query.hint, ask_model) if ask_model else None

        def answer(reader: Reader) -> ContextAnswer:
            corpus = self._corpus_of(reader)
            return context(corpus, corpus.survey, query, narrow, None if ask_model else NOT_CONFIGURED)

        return self._ask(answer)

    def lookup(self, name: str, kind: KindFilter = "any", limit: int = 20) -> tuple[Match, ...]:
        """Return symbols by name: exact before prefix before substring, then by path and line.

        A qualified name (``Cart.total``) finds the symbols of that name in that container first.
        """
        kinds = PUBLIC_KINDS if kind == "any" else (kind,)
        return self._ask(
            lambda reader: tuple(_match(reader, hit) for hit in lookups.lookup(reader, name, limit, kinds))
        )

    def near(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Return qualified names that may have been meant where nothing is called ``name``."""
        return self._ask(lambda reader: tuple(lookups.near(reader, name, PUBLIC_KINDS, limit)))

    def start(self, symbol: str, file: str = "") -> tuple[str, str] | None:
        """Return the name and file under which ``callers`` and ``callees`` know a symbol, None if not."""
        return self._ask(lambda reader: self._edges(reader).start(symbol, file))

    def paths(self) -> Collection[str]:
        """Return the paths of all files of the snapshot."""
        return self._ask(lambda reader: reader.view.files.keys())

    def callers(self, symbol: str, file: str = "", hops: int = 2) -> tuple[Related, ...]:
        """Return who calls ``symbol``, nearest first, one row for each symbol."""
        return self._ask(lambda reader: self._edges(reader).callers(symbol, file, hops))

    def callees(self, symbol: str, file: str = "", hops: int = 2) -> tuple[Related, ...]:
        """Return whom ``symbol`` calls, nearest first, one row for each symbol."""
        return self._ask(lambda reader: self._edges(reader).callees(symbol, file, hops))

    def outline(self, path: str) -> tuple[OutlineRow, ...] | None:
        """Return the definitions of a file in order, None if the snapshot has no such file."""
        return self._ask(lambda reader: _outline(reader, path))

    def status(self) -> IndexStatus:
        """Return what the view holds."""
        return self._ask(self._status_of)

    def dump(self, *, all_kinds: bool = False) -> Iterator[DumpedFile]:
        """Yield every file of the view, by path."""
        with self._session.reading() as reader:
            for path in sorted(reader.view.files):
                yield _dumped(reader, path, all_kinds, self._edges(reader).of_file(path))

    def _refresh(
        self, progress: Report | None, cancelled: Stop | None, meanwhile: Callable[[], None] | None
    ) -> Refreshed:
        return self._whole(
            lambda: build_refresh(
                self._session, self._source, self._history, self._settings, progress, cancelled, meanwhile
            )
        )

    def _state(self) -> object:
        """Return what is equal for questions about the same snapshot."""
        view = self._session.view
        return self._session.reader, view, view.generation, view.tree, view.head

    def _prepare(self) -> None:
        """Make ready to parse one more of the most usual languages, so that an edit need not wait."""
        if self._unprepared is None:
            found = Counter(blob.language for blob in self._session.view.blobs.values() if blob.language)
            usual = sorted(found, key=lambda name: (found[name], name))
            self._unprepared = usual[-_PREPARED:]
        if self._unprepared:
            from mneme_indexer.extract.parse import parse

            parse(self._unprepared.pop(), b"\n")

    def _status_of(self, reader: Reader) -> IndexStatus:
        state, size = self._state(), self._session.database.size_bytes()
        if self._counted is None or self._counted[0] != state:
            self._counted = (state, _status(reader))
        return replace(self._counted[1], size_bytes=size)

    def _as_before(self) -> Refreshed:
        view = self._session.view
        return Refreshed(tree=view.tree, changed=False, files=len(view.files), skipped=len(view.skipped()))

    def _ask(self, question: Callable[[Reader], _Answer]) -> _Answer:
        def ask() -> _Answer:
            with self._session.reading() as reader:
                return question(reader)

        return self._whole(ask, then=self.refresh)

    def _whole(self, work: Callable[[], _Answer], then: Callable[[], object] | None = None) -> _Answer:
        """Return what ``work`` gives; where the file is damaged, after building it anew, and ``then``."""
        try:
            return work()
        except sqlite3.DatabaseError as error:
            if self._is_early or not is_damage(error):
                raise
        self._session.start_anew()
        if then is not None:
            then()
        return work()

    def _corpus_of(self, reader: Reader) -> "IndexedCorpus":
        from mneme_indexer.corpus_of_view import IndexedCorpus

        if self._corpus is None or not self._corpus.is_of(reader):
            self._corpus = IndexedCorpus(reader, self._source, self._corpus)
        return self._corpus

    def _edges(self, reader: Reader) -> "Edges":
        from mneme_indexer.related import Edges

        if self._resolved is None or not self._resolved.is_of(reader):
            self._resolved = Edges(reader, self._source, self._resolved)
        return self._resolved

    def close(self) -> None:
        """Let go of the file; nothing may be asked afterwards."""
        self._session.close()

    def __enter__(self) -> "CodeIndex":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _TooEarly(Exception):
    """A question that is not to be asked before the files have been looked at."""


def _unheard(_: str) -> None:
    return


def _match(reader: Reader, hit: Named) -> Match:
    symbol = reader.symbols(hit.blob)[hit.symbol]
    return Match(
        name=symbol.name,
        kind=symbol.kind,
        file=hit.path,
        lines=(symbol.start_line, symbol.end_line),
        signature=symbol.signature or None,
        exported=symbol.exported,
        container=symbol.container or None,
        detail=symbol.detail,
    )


def _status(reader: Reader) -> IndexStatus:
    """Count what the view holds; the size of the file is left open."""
    view = reader.view
    blobs = [view.blobs[id_] for id_, paths in view.paths.items() for _ in paths]
    languages = Counter(blob.language for blob in blobs if blob.language or not blob.skipped)
    return IndexStatus(
        tree=view.tree,
        files=len(view.files),
        symbols=sum(blob.symbols for blob in blobs),
        edges=sum(blob.uses for blob in blobs),
        languages=dict(sorted(languages.items())),
        skipped=tuple(Skipped(path, reason) for path, reason in view.skipped().items()),
        with_errors=sum(blob.has_errors for blob in blobs),
        schema_version=SCHEMA_VERSION,
        size_bytes=0,
    )


def _outline(reader: Reader, path: str) -> tuple[OutlineRow, ...] | None:
    if path not in reader.view.files:
        return None
    blob = reader.view.blob_of(path)
    return _outlined(reader.symbols(blob.id) if blob else ())


def _outlined(symbols: Sequence[Symbol]) -> tuple[OutlineRow, ...]:
    rows: list[OutlineRow] = []
    ends: list[int] = []
    for symbol in symbols:
        while ends and ends[-1] <= symbol.start_byte:
            ends.pop()
        rows.append(
            OutlineRow(
                name=symbol.name,
                kind=symbol.kind,
                detail=symbol.detail,
                container=symbol.container or None,
                lines=(symbol.start_line, symbol.end_line),
                signature=symbol.signature,
                exported=symbol.exported,
                depth=len(ends),
            )
        )
        ends.append(symbol.end_byte)
    return tuple(rows)


def _dumped(reader: Reader, path: str, all_kinds: bool, edges: tuple[DumpedEdge, ...]) -> DumpedFile:
    blob = reader.view.blob_of(path)
    symbols = reader.symbols(blob.id) if blob else ()
    return DumpedFile(
        file=path,
        language=blob.language if blob else "",
        symbols=tuple(
            DumpedSymbol(
                name=symbol.name,
                kind=symbol.kind,
                detail=symbol.detail,
                container=symbol.container or None,
                exported=symbol.exported,
                visibility=symbol.visibility,
                start_line=symbol.start_line,
                end_line=symbol.end_line,
                start_byte=symbol.start_byte,
                end_byte=symbol.end_byte,
                signature=symbol.signature,
                doc=symbol.doc,
            )
            for symbol in symbols
            if all_kinds or symbol.kind in PUBLIC_KINDS
        ),
        edges=edges,
        skipped=reader.view.files[path].skipped or (blob.skipped if blob else ""),
    )
