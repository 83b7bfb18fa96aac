"""From a use case to the answer of a tool: one call at a time, and errors that say what to do."""

import threading
from types import TracebackType

from mcp.server.mcpserver.exceptions import ToolError

from mneme_git.errors import MnemeError


class Answering:
    """Wraps every tool: ``with answering: return ...``.

    The library runs tools in threads; the stores are used by one at a time.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def __enter__(self) -> None:
        self._turn.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the next call in; an expected error becomes text for the model.

        Raises:
            ToolError: the use case ended in an expected error. What is unexpected goes on as it is:
                the library then says nothing of it to the client.
        """
        self._turn.release()
        if isinstance(error, MnemeError):
            hint = error.hint if error.tool_hint is None else error.tool_hint
            raise ToolError(f"{error.message}. {hint}" if hint else error.message) from error
