"""Short ways to say what is expected of a parsed source."""

from mneme_indexer.extract.parse import parse
from mneme_indexer.model import ParsedFile, Symbol


class Looked:
    """A parsed source, and what tests ask of it."""

    def __init__(self, language: str, source: str | bytes) -> None:
        self.data = source.encode() if isinstance(source, str) else source
        self.file: ParsedFile = parse(language, self.data)

    def kinds(self, *shown: str) -> dict[str, str]:
        """Kind and detail by qualified name, of these kinds or of all."""
        rows = self.file.symbols
        return {row.qualified: f"{row.kind} {row.detail}" for row in rows if not shown or row.kind in shown}

    def symbol(self, qualified: str) -> Symbol:
        return next(row for row in self.file.symbols if row.qualified == qualified)

    def lines(self, qualified: str) -> tuple[int, int]:
        row = self.symbol(qualified)
        return row.start_line, row.end_line

    def exported(self) -> set[str]:
        return {row.qualified for row in self.file.symbols if row.exported}

    def uses(self, kind: str) -> set[tuple[str, str, str]]:
        """Receiver, name and owner of the uses of a kind."""
        rows = self.file.references
        return {(row.receiver, row.name, self._owner(row.owner)) for row in rows if row.kind == kind}

    def bindings(self) -> set[tuple[str, str, str]]:
        """Name, type and owner."""
        return {(row.name, row.type, self._owner(row.owner)) for row in self.file.bindings}

    def imports(self) -> list[tuple[str, str, str]]:
        return [(row.module, row.name, row.alias) for row in self.file.imports]

    def _owner(self, index: int) -> str:
        return self.file.symbols[index].qualified if index >= 0 else ""
