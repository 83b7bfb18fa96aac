"""The MCP server ``mneme``: the code of a repository and its memories as tools, on stdin and stdout."""

import inspect
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from mneme_git import __version__
from mneme_git.app.agent_tools import AgentTools
from mneme_git.app.code import USUAL_BUDGET
from mneme_git.app.code_tools import CodeTools
from mneme_indexer.answers import BUDGET, BUDGETS, HOPS, LIMIT, RELATED_LIMIT, Query
from mneme_mcp.answering import Answering
from mneme_mcp.arguments import CarefulServer
from mneme_mcp.memories import add_memories
from mneme_mcp.replies import reply
from mneme_mcp.stdio import serve_on_stdio

NAME = "mneme"
# Name and title, in the order in which they are listed.
_TOOLS = (
    ("mneme_get_context", "Get the code that bears on a task"),
    ("mneme_lookup_symbol", "Look up where a symbol is defined"),
    ("mneme_index_status", "Show what is indexed"),
    ("mneme_callers", "Find who calls a symbol"),
    ("mneme_callees", "Find whom a symbol calls"),
)

Task = Annotated[
    str, Field(min_length=1, max_length=4000, description="What is to be done, in words; names help.")
]
Hint = Annotated[str, Field(max_length=2000, description="Files or names that have to do with it.")]
Budget = Annotated[
    int, Field(ge=BUDGETS[0], le=BUDGETS[1], description="The most tokens, of four characters, to return.")
]
UseModel = Annotated[
    bool, Field(description="Let the discovery model narrow the candidates, if one is configured.")
]
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=256,
        description="The name or a part of it, whatever its case; or a qualified one such as Cart.total.",
    ),
]
KindName = Literal["any", "function", "class", "method", "interface", "type", "enum", "const"]
Kind = Annotated[KindName, Field(description="Only symbols of this kind.")]
Limit = Annotated[int, Field(ge=1, le=1000, description="The most symbols to return.")]
Symbol = Annotated[
    str, Field(min_length=1, max_length=256, description="A name, or a qualified one such as Cart.total.")
]
File = Annotated[
    str,
    Field(
        max_length=1024,
        description="Only the symbol of that name in this file: a path from the root, or the end of one.",
    ),
]
Hops = Annotated[int, Field(ge=HOPS[0], le=HOPS[1], description="How many calls away.")]


class _NotGiven(int):
    """A number that the caller did not give, in the schema like any other."""


_NOT_GIVEN = _NotGiven(BUDGET)


def serve(tools: AgentTools) -> None:
    """Serve ``tools`` until stdin closes."""
    try:
        serve_on_stdio(build(tools))
    finally:
        tools.close()


def build(tools: AgentTools) -> MCPServer[Any]:
    """Return the server with its tools."""
    server = CarefulServer(NAME, version=__version__, log_level="ERROR")
    offered = _Offered(tools.code)
    reads = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    for name, title in _TOOLS:
        use = getattr(offered, name)
        server.add_tool(use, name, title=title, description=inspect.getdoc(use), annotations=reads)
    add_memories(server, tools.memories)
    server.publish_closed()
    return server


class _Offered:
    """One method for each tool, named after it, because the names appear in the schemas.

    The docstrings are read by models: what a tool gives, and when to call it.
    """

    def __init__(self, tools: CodeTools) -> None:
        self._tools = tools
        self._answering = Answering()

    def mneme_get_context(
        self,
        task: Task,
        hint: Hint = "",
        token_budget: Budget = _NOT_GIVEN,
        use_discovery_model: UseModel = True,
    ) -> CallToolResult:
        """Get the code that bears on a task: ranked symbols with their text and why they are there.

        Call this first, before you search or read files. The whole reply keeps to the budget. A symbol
        that is too long is cut with a marker that says how to read the rest.
        """
        budget = USUAL_BUDGET if isinstance(token_budget, _NotGiven) else token_budget
        query = Query(task=task, hint=hint, budget=budget, use_discovery_model=use_discovery_model)
        with self._answering:
            return reply(self._tools.get_context(query))

    def mneme_lookup_symbol(self, name: Name, kind: Kind = "any", limit: Limit = LIMIT) -> CallToolResult:
        """Find where a function, class, method, type or constant is defined.

        Call this when you know a name or a part of it. The very name comes first, then names that begin
        with it, then names that hold it.
        """
        with self._answering:
            return reply(self._tools.lookup_symbol(name, kind, limit))

    def mneme_index_status(self) -> CallToolResult:
        """Show how many files, symbols and edges are indexed, and which files are not read, and why.

        Call this when something that should be found is not.
        """
        with self._answering:
            return reply(self._tools.index_status())

    def mneme_callers(
        self, symbol: Symbol, file: File = "", hops: Hops = 2, limit: Limit = RELATED_LIMIT
    ) -> CallToolResult:
        """Find who calls a function or method, directly and through others, nearest first.

        Call this before you change what a function takes or gives.
        """
        with self._answering:
            return reply(self._tools.callers(symbol, file, hops, limit))

    def mneme_callees(
        self, symbol: Symbol, file: File = "", hops: Hops = 2, limit: Limit = RELATED_LIMIT
    ) -> CallToolResult:
        """Find whom a function or method calls, directly and through others, nearest first.

        Call this to see what a function rests on without reading every file on the way.
        """
        with self._answering:
            return reply(self._tools.callees(symbol, file, hops, limit))
