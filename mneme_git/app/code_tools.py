"""The use cases behind the code tools of an agent: every call looks at the files as they are then."""

from collections.abc import Callable

from mneme_git.app.code import Code, Row
from mneme_git.app.workspace import Workspace
from mneme_git.errors import AmbiguousId, NotFound, Refused
from mneme_indexer.answers import KindFilter, Query, Refreshed

_SKIPPED = 50  # files that a status names; the rest is counted


class CodeTools:
    """One repository, kept open from the first call on; one call at a time."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._code: Code | None = None

    def get_context(self, query: Query) -> Row:
        """Return what bears on a task."""
        return self._fresh(lambda code, refreshed: code.context(query, refreshed))

    def lookup_symbol(self, name: str, kind: KindFilter, limit: int) -> Row:
        """Return the symbols of that name."""
        return self._fresh(lambda code, _: code.lookup(name, kind, limit))

    def index_status(self) -> Row:
        """Return what the index holds, with the first of the files that are not read."""
        row = self._fresh(lambda code, _: code.status())
        skipped = row["skipped"]
        more = {"truncated": True} if len(skipped) > _SKIPPED else {}
        return {**row, "skipped": skipped[:_SKIPPED], **more}

    def callers(self, symbol: str, file: str, hops: int, limit: int) -> Row:
        """Return who calls a symbol."""
        return self._fresh(lambda code, _: code.callers(symbol, file, hops, limit))

    def callees(self, symbol: str, file: str, hops: int, limit: int) -> Row:
        """Return whom a symbol calls."""
        return self._fresh(lambda code, _: code.callees(symbol, file, hops, limit))

    def close(self) -> None:
        """Let go of the repository; the next call opens it again."""
        if self._code is not None:
            self._code.close()
            self._code = None

    def _fresh(self, question: Callable[[Code, Refreshed], Row]) -> Row:
        if self._code is not None and self._code.is_outdated:
            self.close()
        if self._code is None:
            self._code = _opened(self._workspace)
        code = self._code
        try:
            return code.fresh(lambda refreshed: question(code, refreshed))
        except (NotFound, AmbiguousId):  # what was asked for is not there; the index is
            raise
        except Exception:
            self.close()  # whatever it was, the next call begins with what is on disk
            raise


def _opened(workspace: Workspace) -> Code:
    try:
        return Code(workspace)
    except Refused as error:  # a bare repository
        error.tool_hint = "start the server in a clone that has files, or set MNEME_PROJECT_ROOT to one"
        raise
