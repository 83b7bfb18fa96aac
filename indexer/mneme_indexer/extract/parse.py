"""One file: bytes in, symbols, references and imports out."""

from mneme_indexer.extract.captures import gather
from mneme_indexer.extract.guards import refusal
from mneme_indexer.extract.symbols import symbols_of
from mneme_indexer.extract.trees import read
from mneme_indexer.extract.uses import bindings_of, references_of
from mneme_indexer.languages.registry import languages
from mneme_indexer.model import ParsedFile

# Part of what a parsed blob is kept under: raise it whenever the same bytes would give other records.
EXTRACTOR_VERSION = 3


def parse(language: str, data: bytes) -> ParsedFile:
    """Return what is in a file of ``language`` (a row of the registry).

    Never raises for any bytes: what is not to be parsed gives ``skipped`` with a reason.
    """
    row = languages()[language]
    reason = refusal(data, is_squeezed_at_times=row.squeezed)
    if reason:
        return ParsedFile(language=language, skipped=reason)
    reading = read(row, data)
    found = gather(row, reading.tree.root_node, reading.data)
    found.blank = reading.blank
    symbols, package = symbols_of(row, found, reading.data)
    return ParsedFile(
        language=language,
        package=package,
        symbols=symbols,
        references=references_of(row, found, symbols, reading.data),
        bindings=bindings_of(row, found, symbols),
        imports=tuple(
            sorted(set(found.imports), key=lambda row: (row.line, row.module, row.name, row.alias))
        ),
        has_errors=reading.tree.root_node.has_error,
    )
