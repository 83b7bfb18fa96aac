"""A project of resolution from texts in memory."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from mneme_indexer.extract.parse import parse
from mneme_indexer.languages.registry import language_of
from mneme_indexer.model import ParsedFile


class Texts:
    def __init__(self, files: Mapping[str, bytes | str]) -> None:
        self.files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        self._parsed: dict[str, ParsedFile] = {}
        self._named: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        self._users: defaultdict[str, set[str]] = defaultdict(set)
        for path, data in sorted(self.files.items()):
            row = language_of(path, data.partition(b"\n")[0])
            if row is not None:
                self._parsed[path] = parse(row.name, data)
                for position, symbol in enumerate(self._parsed[path].symbols):
                    self._named[symbol.name].append((path, position))
                for use in self._parsed[path].references:
                    self._users[use.name].add(path)
                for taken in self._parsed[path].imports:
                    if taken.name and taken.alias:
                        self._users[taken.name].add(path)

    def paths(self) -> Collection[str]:
        return self.files.keys()

    def parsed(self, path: str) -> ParsedFile | None:
        return self._parsed.get(path)

    def named(self, name: str) -> Sequence[tuple[str, int]]:
        return self._named.get(name, ())

    def users(self, name: str) -> Collection[str]:
        return self._users.get(name, ())

    def text(self, path: str) -> str:
        return self.files[path].decode("utf-8", "replace")
