"""A batch of files to what the index keeps of them. The same in this process and in a worker."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from mneme_indexer.build.recipes import TEXT, language_of
from mneme_indexer.db import postings as packed
from mneme_indexer.db.postings import (
    BODY,
    DOC_TIMES,
    FIELDS,
    HEAD,
    IN_CONTAINER,
    IN_NAME,
    IN_SIGNATURE,
    KINDS,
    MOST_TIMES,
    NAME,
    SHIFTS,
    SYMBOL_SHIFT,
    USE,
)
from mneme_indexer.db.write import ParsedBlob, Postings
from mneme_indexer.extract.guards import refusal
from mneme_indexer.extract.parse import parse
from mneme_indexer.model import ParsedFile, Symbol
from mneme_indexer.words import count_terms, fold, split, terms_of

_LONGEST_NAME = 200  # characters of a name by which it is found
_KIND_CODES = {kind: code for code, kind in enumerate(KINDS)}
_NAME_ONLY = frozenset(("field", "variable"))


class Source(Struct, frozen=True, array_like=True):
    """One blob to read; ``key_language`` as in ``recipes``."""

    oid: str
    key_language: str
    data: bytes


class Task(Struct, frozen=True, array_like=True):
    """A batch; ``first`` is the position of its first blob in the segment that it goes into."""

    number: int
    first: int
    sources: tuple[Source, ...]


class Result(Struct, frozen=True, array_like=True):
    """What a task gives, one blob for each source in their order."""

    number: int
    blobs: tuple[ParsedBlob, ...]
    postings: Postings


class _Terms:
    """Collects the postings of a batch, packed at the end."""

    def __init__(self) -> None:
        self.fields: tuple[defaultdict[str, list[int]], ...] = tuple(defaultdict(list) for _ in FIELDS)

    def packed(self) -> Postings:
        body, head, name, use = (
            {term: packed.pack(field, numbers) for term, numbers in terms.items()}
            for field, terms in zip(FIELDS, self.fields, strict=True)
        )
        return body, head, name, use


def run(task: Task, *, suspect: str = "") -> Result:
    """Parse a batch. ``suspect`` is a reason for which its files are not parsed at all."""
    terms = _Terms()
    blobs = tuple(
        _refused(source, suspect) if suspect else _read(source, position, terms)
        for position, source in enumerate(task.sources, start=task.first)
    )
    return Result(task.number, blobs, terms.packed())


def joined(number: int, results: Sequence[Result]) -> Result:
    """Return the results of parts of a task, in their order, as one."""
    fields: tuple[defaultdict[str, bytes], ...] = tuple(defaultdict(bytes) for _ in FIELDS)
    for result in results:
        for terms, more in zip(fields, result.postings, strict=True):
            for term, data in more.items():
                terms[term] += data
    body, head, name, use = (dict(terms) for terms in fields)
    return Result(number, tuple(blob for result in results for blob in result.blobs), (body, head, name, use))


def _read(source: Source, position: int, terms: _Terms) -> ParsedBlob:
    language = language_of(source.key_language, source.data)
    if language == TEXT:
        parsed = ParsedFile(language=TEXT, skipped=refusal(source.data))
    else:
        parsed = _parsed(language, source.data)
    words = 0
    if not parsed.skipped:
        words = _add_body(source.data, position, terms)
        _add_symbols(parsed, position, terms)
    return _blob(source, parsed, words)


def _parsed(language: str, data: bytes) -> ParsedFile:
    try:
        return parse(language, data)
    except Exception as error:  # noqa: BLE001 - one odd file must not cost the index; status names it
        return ParsedFile(language=language, skipped=f"the extractor failed: {type(error).__name__}")


def _refused(source: Source, reason: str) -> ParsedBlob:
    language = language_of(source.key_language, source.data)
    return _blob(source, ParsedFile(language=language, skipped=reason), 0)


def _blob(source: Source, parsed: ParsedFile, words: int) -> ParsedBlob:
    encode = msgspec.msgpack.encode
    uses = len(parsed.references) + len(parsed.bindings) + len(parsed.imports)
    return ParsedBlob(
        oid=source.oid,
        key_language=source.key_language,
        language=parsed.language,
        package=parsed.package,
        skipped=parsed.skipped,
        size=len(source.data),
        words=words,
        symbol_count=len(parsed.symbols),
        use_count=uses,
        has_errors=parsed.has_errors,
        symbols=encode(parsed.symbols),
        uses=encode((parsed.references, parsed.bindings, parsed.imports)),
    )


def _add_body(data: bytes, position: int, terms: _Terms) -> int:
    body, place = terms.fields[BODY], position << SHIFTS[BODY]
    counts = count_terms(data)
    for term, times in counts.items():
        body[term].append(place | (times if times < MOST_TIMES else MOST_TIMES))
    return sum(counts.values())


def _add_symbols(parsed: ParsedFile, position: int, terms: _Terms) -> None:
    names, heads, uses = terms.fields[NAME], terms.fields[HEAD], terms.fields[USE]
    place = position << SHIFTS[HEAD]
    for number, symbol in enumerate(parsed.symbols):
        here = place | number << SYMBOL_SHIFT
        names[fold(symbol.name)[:_LONGEST_NAME]].append(here | _KIND_CODES[symbol.kind])
        for term, weight in _head(symbol).items():
            heads[term].append(here | weight)
    place = position << SHIFTS[USE]
    for name, times in Counter([reference.name for reference in parsed.references]).items():
        uses[name[:_LONGEST_NAME]].append(place | min(times, MOST_TIMES))


def _head(symbol: Symbol) -> dict[str, int]:
    """Return the weight of each term in the head of a symbol; see ``db.postings``."""
    name = symbol.name
    head = dict.fromkeys(split(name) if name.isidentifier() else terms_of(name), IN_NAME)
    if symbol.kind in _NAME_ONLY:
        return head
    for term in terms_of(f"{symbol.namespace} {symbol.container}"):
        head[term] = head.get(term, 0) | IN_CONTAINER
    for term in terms_of(symbol.signature):
        head[term] = head.get(term, 0) | IN_SIGNATURE
    for term in terms_of(symbol.doc):
        weight = head.get(term, 0)
        if weight & DOC_TIMES < DOC_TIMES:
            head[term] = weight + 1
    return head
