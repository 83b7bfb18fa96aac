"""A batch of files to what the index keeps of them. The same in this process and in a worker."""

import msgspec
from msgspec import Struct

from mneme_indexer.build.gather import Gatherer
from mneme_indexer.build.recipes import TEXT, language_of
from mneme_indexer.db.postings import Block
from mneme_indexer.db.write import ParsedBlob
from mneme_indexer.extract.guards import refusal
from mneme_indexer.extract.parse import parse
from mneme_indexer.model import ParsedFile


class Source(Struct, frozen=True, array_like=True):
    """One blob to read; ``key_language`` as in ``recipes``."""

    oid: str
    key_language: str
    data: bytes


class Task(Struct, frozen=True, array_like=True):
    """A batch. ``suspect`` is a reason for which its files are not parsed; without files, it is a flush."""

    sources: tuple[Source, ...] = ()
    suspect: str = ""


class Result(Struct, frozen=True, array_like=True):
    """One blob for each source, in order; or for a flush the postings of all blobs since the last one."""

    blobs: tuple[ParsedBlob, ...] = ()
    blocks: tuple[Block, ...] = ()


FLUSH = Task()


class Parser:
    """Parses batches; keeps their postings until it is flushed."""

    def __init__(self) -> None:
        self._gatherer = Gatherer()
        self._encode = msgspec.msgpack.Encoder().encode

    def run(self, task: Task) -> Result:
        """Do one task."""
        if not task.sources:
            gathered, self._gatherer = self._gatherer, Gatherer()
            return Result(blocks=tuple(gathered.blocks()))
        return Result(tuple(self._read(source, task.suspect) for source in task.sources))

    def _read(self, source: Source, suspect: str) -> ParsedBlob:
        parsed = _parsed(source, suspect)
        words = 0
        if parsed.skipped:
            self._gatherer.skip()
        else:
            words = self._gatherer.add(source.data, parsed)
        return ParsedBlob(
            oid=source.oid,
            key_language=source.key_language,
            language=parsed.language,
            package=parsed.package,
            skipped=parsed.skipped,
            size=len(source.data),
            words=words,
            symbol_count=len(parsed.symbols),
            use_count=len(parsed.references) + len(parsed.bindings) + len(parsed.imports),
            has_errors=parsed.has_errors,
            symbols=self._encode(parsed.symbols),
            uses=self._encode((parsed.references, parsed.bindings, parsed.imports)),
        )


def _parsed(source: Source, suspect: str) -> ParsedFile:
    language = language_of(source.key_language, source.data)
    if suspect:
        return ParsedFile(language=language, skipped=suspect)
    if language == TEXT:
        return ParsedFile(language=TEXT, skipped=refusal(source.data))
    try:
        return parse(language, source.data)
    except Exception as error:  # noqa: BLE001 - one odd file must not cost the index; status names it
        return ParsedFile(language=language, skipped=f"the extractor failed: {type(error).__name__}")
