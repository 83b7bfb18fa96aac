"""The code index of a repository: opened over git, brought up to date, asked.

An answer is a mapping as programs get it, on the command line and over MCP alike. What depends on the
machine, the time or the refresh stands at the end of a context, so that all before it is the same for
the same tree, task and budget.
"""

import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from mneme_git.app.code_files import files_meant, files_near
from mneme_git.app.discovery import asker
from mneme_git.app.open import start_folder
from mneme_git.app.settings import LiveSettings
from mneme_git.app.workspace import Workspace
from mneme_git.errors import AmbiguousId, CodeIndexFault, NotFound, Stopped, SymbolNotFound
from mneme_git.store.code_history import GitHistory
from mneme_git.store.code_tree import RevisionSource, WorkTreeSource
from mneme_git.store.discover import locate
from mneme_git.store.location import Location
from mneme_git.store.tree_files import NOT_HERE
from mneme_git.store.user_data import project_hash
from mneme_git.text.path_names import as_text
from mneme_indexer.answers import (
    LIMIT,
    RELATED_LIMIT,
    DumpedFile,
    IndexStatus,
    KindFilter,
    Progress,
    Query,
    Refreshed,
    Related,
    Settings,
)
from mneme_indexer.api import CodeIndex
from mneme_indexer.errors import Cancelled, IndexerError

Row = dict[str, Any]
Tell = Callable[[str], None]
Report = Callable[[Progress], None]
Stop = Callable[[], bool]

INDEX_FILE = "index.db"
USUAL_BUDGET = 0  # in place of a query's budget: that of the settings


class Code:
    """The code of one work tree, or of one revision. Ask after ``refresh``; one thread at a time."""

    def __init__(self, workspace: Workspace, *, at: str | None = None, tell: Tell | None = None) -> None:
        """Open the repository and the index; the index file is made at the first refresh.

        Raises:
            NoRepository: there is none.
            NotFound: ``at`` names no commit.
            Refused: the repository is bare and ``at`` is not given.
        """
        self.location = locate(start_folder(workspace), os.environ)
        self._here = Path(os.path.realpath(workspace.cwd))
        self._live = LiveSettings(self.location)
        settings = self._live.now()
        self._opened_with = (settings.max_file_bytes, settings.ignore)
        self._source = (
            WorkTreeSource(self.location, ignore=settings.ignore)
            if at is None
            else RevisionSource(self.location, at, ignore=settings.ignore)
        )
        with _faults():
            self._index = CodeIndex(
                index_folder(self.location),
                self._source,
                GitHistory(self.location),
                Settings(max_file_bytes=settings.max_file_bytes),
                view=_view(self.location, self._source),
                note=tell,
            )

    def refresh(self, progress: Report | None = None, cancelled: Stop | None = None) -> Refreshed:
        """Bring the index to the files as they are now.

        Raises:
            Stopped: ``cancelled`` said so; what was parsed is kept.
            CodeIndexFault: the index can be neither read nor built anew.
        """
        with _faults():
            return self._index.refresh(progress, cancelled)

    def fresh(self, question: Callable[[Refreshed], Row]) -> Row:
        """Refresh, and return what ``question`` answers about the files as they are now.

        It is asked while git looks at the files, and again where these turn out to be others. Raises what
        ``refresh`` and the question do.
        """
        with _faults():
            return self._index.fresh(question)

    def start_anew(self) -> None:
        """Forget all that is indexed, of every work tree and revision; the next refresh builds it."""
        with _faults():
            self._index.start_anew()

    def context(self, query: Query, refreshed: Refreshed) -> Row:
        """Return what bears on a task, within the budget; ``refreshed`` is told at the end."""
        began = time.perf_counter()
        settings = self._live.now()
        ask = asker(settings)
        if query.budget == USUAL_BUDGET:
            query = replace(query, budget=settings.token_budget)
        with _faults():
            found: Row = to_builtins(self._index.context(query, ask))
        return {
            **found,
            "project_hash": self.project_hash,
            "validated": {
                "changed": refreshed.changed,
                "dirty": refreshed.dirty,
                "removed": refreshed.removed,
            },
            **self.incomplete(),
            "context_id": str(uuid.uuid4()),
            "took_ms": round((time.perf_counter() - began) * 1000),
        }

    def lookup(self, name: str, kind: KindFilter = "any", limit: int = LIMIT) -> Row:
        """Return the symbols of that name, exact before beginning before inside."""
        with _faults():
            rows = self._index.lookup(_sayable(name), kind, limit + 1)
        more = {"truncated": True} if len(rows) > limit else {}
        return {"matches": to_builtins(rows[:limit]), **more, **self.incomplete()}

    def callers(self, symbol: str, file: str = "", hops: int = 2, limit: int = RELATED_LIMIT) -> Row:
        """Return who calls ``symbol``, nearest first.

        Raises:
            NotFound: no symbol, or no file, is called so.
        """
        with _faults():
            return self._related(self._index.callers(*self._start(symbol, file), hops), limit)

    def callees(self, symbol: str, file: str = "", hops: int = 2, limit: int = RELATED_LIMIT) -> Row:
        """Return whom ``symbol`` calls, nearest first; raises as ``callers``."""
        with _faults():
            return self._related(self._index.callees(*self._start(symbol, file), hops), limit)

    def outline(self, path: str) -> Row:
        """Return the definitions of a file.

        Raises:
            NotFound: the snapshot has no such file.
            AmbiguousId: it has several with that end.
        """
        with _faults():
            found = self._files(path)
            if len(found) > 1:
                raise AmbiguousId("file", path, found)
            rows = self._index.outline(found[0])
        return {"file": found[0], "symbols": to_builtins(rows or ()), **self.incomplete()}

    def incomplete(self) -> Row:
        """Return the files that every answer lacks because their content was never fetched, if any."""
        if not self.location.partial:
            return {}
        with _faults():
            missing = sum(row.reason == NOT_HERE for row in self._index.status().skipped)
        if not missing:
            return {}
        return {"missing": missing, "note": f"the contents of {missing} files are not in this partial clone"}

    def _related(self, rows: Sequence[Related], limit: int) -> Row:
        more = {"truncated": True, "total": len(rows)} if len(rows) > limit else {}
        return {"results": to_builtins(rows[:limit]), **more, **self.incomplete()}

    def _start(self, symbol: str, file: str) -> tuple[str, str]:
        """Return the symbol and the file as the index knows them."""
        named = self._named_file(file) if file else ""
        symbol = _sayable(symbol)
        start = self._index.start(symbol, named)
        if start is None:
            raise self._unknown(symbol, named)
        return start

    def _named_file(self, given: str) -> str:
        """Return a file as the walks know it: its path, or else an end or a part of several paths."""
        paths = self._index.paths()
        found = files_meant(given, paths, self.location.work_tree, self._here)
        if len(found) == 1:
            return found[0]
        part = as_text(given)
        return part if any(part in path for path in paths) else self._files(given)[0]

    def _unknown(self, symbol: str, file: str) -> SymbolNotFound:
        """Return that there is no such symbol, with where or how it is called instead."""
        if file and self._index.start(symbol) is not None:
            places = list(dict.fromkeys(row.file for row in self._index.lookup(symbol, limit=3)))
            near = f"it is in {', '.join(places)}" if places else ""
            what = f"symbol in {file}"
        else:
            names = self._index.near(symbol)
            near = f"perhaps {' or '.join(names)}" if names else ""
            what = "symbol"
        return SymbolNotFound(
            what,
            symbol,
            hint="; ".join(filter(None, (near, "`mneme lookup NAME` finds names by a part of them"))),
            tool_hint="; ".join(filter(None, (near, "mneme_lookup_symbol finds names by a part of them"))),
        )

    def _files(self, given: str) -> tuple[str, ...]:
        """Return the files that ``given`` means, at least one."""
        paths = self._index.paths()
        found = files_meant(given, paths, self.location.work_tree, self._here)
        if found:
            return found
        near = files_near(given, paths)
        perhaps = f"perhaps {' or '.join(near)}; " if near else ""
        raise NotFound(
            "file of the index",
            given,
            hint=f"{perhaps}name it from the current folder or from the root of the repository",
            tool_hint=f"{perhaps}name it from the root of the repository",
        )

    def status(self) -> Row:
        """Return what the index holds, with the files whose content it has not, and why."""
        with _faults():
            found = self._index.status()
        root = self.location.work_tree or self.location.git_dir
        return {
            "project_root": str(root),
            "project_hash": self.project_hash,
            "db_path": str(index_folder(self.location) / INDEX_FILE),
            **status_row(found),
            "discovery_model": self._live.now().discovery_model or None,
            **({"notices": list(self.notices)} if self.notices else {}),
        }

    def dump(self, *, all_kinds: bool = False) -> Iterator[DumpedFile]:
        """Yield every file with its symbols and edges, by path."""
        with _faults():
            yield from self._index.dump(all_kinds=all_kinds)

    @property
    def notices(self) -> tuple[str, ...]:
        """What is written as a setting now and is not taken, and why."""
        return self._live.now().notices

    @property
    def is_outdated(self) -> bool:
        """Whether settings changed that count when a repository is opened."""
        settings = self._live.now()
        return self._opened_with != (settings.max_file_bytes, settings.ignore)

    @property
    def project_hash(self) -> str:
        """A short name of this repository on this machine, the same in all its work trees."""
        return project_hash(self.location.common_dir)

    def close(self) -> None:
        """Let go of the index and of git."""
        self._index.close()
        self._source.close()

    def __enter__(self) -> "Code":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def index_folder(location: Location) -> Path:
    """Return the folder of the index, which all work trees of a repository share."""
    return location.common_dir / "mneme"


def status_row(found: IndexStatus) -> Row:
    """Return the part of a status that is about what is indexed."""
    reasons: dict[str, int] = {}
    for row in found.skipped:
        reasons[row.reason] = reasons.get(row.reason, 0) + 1
    languages = {name: count for name, count in found.languages.items() if name}
    return {
        "schema_version": found.schema_version,
        "languages": list(languages),
        "files_by_language": languages,
        "counts": {
            "files": found.files,
            "symbols": found.symbols,
            "edges": found.edges,
            "skipped": len(found.skipped),
            "with_errors": found.with_errors,
            "without_grammar": found.languages.get("", 0),
        },
        "skipped_by_reason": _most_first(reasons),
        "skipped": to_builtins(found.skipped),
        "merkle_root": found.tree,
        "tree": found.tree,
        "size_bytes": found.size_bytes,
    }


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda row: (-row[1], row[0])))


def _view(location: Location, source: WorkTreeSource | RevisionSource) -> str:
    """Return the name of a view: it outlives a move of the repository."""
    if isinstance(source, RevisionSource):
        return f"commit {source.commit}"
    return f"work tree {os.path.relpath(location.git_dir, location.common_dir)}"


def _sayable(name: str) -> str:
    """Return a name as UTF-8 can say it; bytes that are no text are no symbol's name, and told as such."""
    return as_text(name).encode("utf-8", "backslashreplace").decode()


@contextmanager
def _faults() -> Iterator[None]:
    """Tell errors of the index in our own terms."""
    try:
        yield
    except Cancelled as error:
        raise Stopped(error.message, hint=error.hint) from error
    except IndexerError as error:
        raise CodeIndexFault(error.message, hint=error.hint) from error
