"""The code index as its callers see it: one folder for the file, one source of files, questions."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from mneme_indexer.answers import (
    ContextAnswer,
    DumpedFile,
    IndexStatus,
    KindFilter,
    Match,
    OutlineRow,
    Progress,
    Query,
    Refreshed,
    Related,
    Settings,
)
from mneme_indexer.sources import History, SourceTree

Report = Callable[[Progress], None]
Stop = Callable[[], bool]
Note = Callable[[str], None]


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
        self._folder = folder
        self._source = source
        self._history = history
        self._settings = settings
        self._view = view
        self._note = note

    def refresh(self, progress: Report | None = None, cancelled: Stop | None = None) -> Refreshed:
        """Bring the view to the snapshot that the source has now.

        Raises:
            Cancelled: ``cancelled`` said so; what was parsed is kept.
            IndexUnusable: the file can be neither written nor built anew.
        """
        raise NotImplementedError  # rooms build, db

    def start_anew(self) -> None:
        """Forget all views and all that was parsed; the next refresh builds the file again."""
        raise NotImplementedError  # room db

    def context(self, query: Query) -> ContextAnswer:
        """Return what bears on a task, within the budget."""
        raise NotImplementedError  # room rank

    def lookup(self, name: str, kind: KindFilter = "any", limit: int = 20) -> tuple[Match, ...]:
        """Return symbols by name: exact before prefix before substring, then by path and line."""
        raise NotImplementedError  # room rank, db

    def callers(self, symbol: str, file: str = "", hops: int = 2) -> tuple[Related, ...]:
        """Return who calls ``symbol``, nearest first, one row for each symbol."""
        raise NotImplementedError  # room resolve

    def callees(self, symbol: str, file: str = "", hops: int = 2) -> tuple[Related, ...]:
        """Return whom ``symbol`` calls, nearest first, one row for each symbol."""
        raise NotImplementedError  # room resolve

    def outline(self, path: str) -> tuple[OutlineRow, ...] | None:
        """Return the definitions of a file in order, None if the snapshot has no such file."""
        raise NotImplementedError  # room db

    def status(self) -> IndexStatus:
        """Return what the view holds."""
        raise NotImplementedError  # room db

    def dump(self, *, all_kinds: bool = False) -> Iterator[DumpedFile]:
        """Yield every file of the view, by path."""
        raise NotImplementedError  # rooms db, resolve

    def close(self) -> None:
        """Let go of the file; nothing may be asked afterwards."""

    def __enter__(self) -> "CodeIndex":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
