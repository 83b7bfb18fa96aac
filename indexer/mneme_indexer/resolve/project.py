"""What resolution reads, and what it knows of one file beforehand."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Protocol

from mneme_indexer.languages.registry import Language, languages
from mneme_indexer.model import Binding, Import, ParsedFile, Reference, Symbol
from mneme_indexer.resolve.recall import recall

Ref = tuple[str, int]
"""A symbol: its file, and its position in the symbols of the file."""


class Project(Protocol):
    """The files of one snapshot."""

    def paths(self) -> Collection[str]:
        """Return all paths, also of files without a language."""
        ...

    def parsed(self, path: str) -> ParsedFile | None:
        """Return what is in a file; None if there is no such file or nothing is known of it."""
        ...

    def named(self, name: str) -> Sequence[Ref]:
        """Return the symbols of exactly this name, by path, then position."""
        ...

    def users(self, name: str) -> Collection[str]:
        """Return at least the files with a reference of exactly this name, in any order."""
        ...

    def text(self, path: str) -> str:
        """Return the text of a small file that declares a package (``go.mod``), empty if it cannot."""
        ...


class FileNames:
    """The symbols and bindings of one file by name."""

    def __init__(self, path: str, parsed: ParsedFile) -> None:
        self.path = path
        self.folder = path.rpartition("/")[0]
        self.row: Language = languages()[parsed.language]
        self.family = self.row.family or self.row.name
        self.package = parsed.package
        self.symbols: tuple[Symbol, ...] = parsed.symbols
        self.references: tuple[Reference, ...] = parsed.references
        self.imports: tuple[Import, ...] = parsed.imports
        self.members: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        for position, symbol in enumerate(parsed.symbols):
            self.members[symbol.container, symbol.name].append(position)
            self.places[symbol.qualified].append(position)
        self._bindings: defaultdict[tuple[int, str], list[Binding]] = defaultdict(list)
        for binding in parsed.bindings:
            self._bindings[binding.owner, binding.name].append(binding)
        self._around: dict[int, list[int]] = {}
        self._scopes: dict[int, list[tuple[str, bool]]] = {}
        self._bases: defaultdict[int, list[Reference]] = defaultdict(list)
        for reference in parsed.references:
            if reference.kind in {"extends", "implements"}:
                self._bases[reference.owner].append(reference)

    def find(self, container: str, name: str) -> list[Ref]:
        """Return the symbols of this name directly inside a container."""
        return [(self.path, position) for position in self.members.get((container, name), ())]

    def bindings(self, owner: int, name: str) -> Sequence[Binding]:
        """Return what is written of the type of a name inside one symbol."""
        return self._bindings.get((owner, name), ())

    def bases(self, position: int) -> Sequence[Reference]:
        """Return what a symbol extends or implements, as written."""
        return self._bases.get(position, ())

    def around(self, owner: int) -> list[int]:
        """Return the symbols around a position in ``symbols``, itself first."""
        return recall(self._around, owner, lambda: self._read_around(owner))

    def scopes(self, owner: int) -> list[tuple[str, bool]]:
        """Return the containers in which a bare name is looked up, and whether each is a class."""
        return recall(self._scopes, owner, lambda: self._read_scopes(owner))

    def _read_scopes(self, owner: int) -> list[tuple[str, bool]]:
        class_like = self.row.class_like
        rows = [self.symbols[place] for place in self.around(owner)]
        found = [(row.qualified, row.detail in class_like) for row in rows]
        if owner >= 0 and (container := self.symbols[owner].container) and container not in self.places:
            found.append((container, True))  # a scope that is no symbol
        return [*found, ("", False)]

    def _read_around(self, owner: int) -> list[int]:
        found = [owner] if owner >= 0 else []
        while found:
            container = self.symbols[found[-1]].container
            outer = [at for at in self.places.get(container, ()) if at < found[-1]]
            if not container or not outer:
                break
            found.append(outer[-1])
        return found
