"""The memory tools of the server ``mneme``.

Names, inputs and the keys of answers are those of the existing engine; what is new is added to them.
"""

import inspect
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from mneme_git.app.memories import Question
from mneme_git.app.memories_tools import MemoriesTools
from mneme_git.memories.record import Draft
from mneme_git.model.memory import MemoryKind, MemoryScope
from mneme_mcp.answering import Answering
from mneme_mcp.replies import reply

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_FORGETS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
# Name, title and what it does to the world, in the order in which they are listed.
_TOOLS = (
    ("mneme_record_memory", "Remember something", _ADDS),
    ("mneme_recall_memory", "Recall what is remembered", _READS),
    ("mneme_list_memories", "List what is remembered", _READS),
    ("mneme_forget", "Forget a memory", _FORGETS),
    ("mneme_promote_memory", "Remember something for all projects", _ADDS),
    ("mneme_gc_memory", "Forget old memories that nobody recalls", _FORGETS),
    ("mneme_search_projects", "Search the memories of other projects", _READS),
)

KindName = Literal["decision", "learning", "gotcha", "todo"]
AnyKindName = Literal["any", "decision", "learning", "gotcha", "todo"]
ScopeName = Literal["project", "global"]
AnyScopeName = Literal["any", "project", "global"]
Item = Annotated[str, Field(max_length=256)]

Kind = Annotated[
    KindName,
    Field(description="A decision that holds, something learned, a trap to avoid, or work that is left."),
]
Body = Annotated[
    str,
    Field(
        min_length=1,
        max_length=16_000,
        description="The text, kept as it is. Say why as well as what; no secrets.",
    ),
]
Scope = Annotated[
    ScopeName, Field(description="For this project, or global: for every project of this user.")
]
Task = Annotated[str, Field(max_length=4000, description="What was being done, in a sentence.")]
Files = Annotated[
    list[Item],
    Field(max_length=64, description="Paths from the root of the repository that it is about."),
]
Identifiers = Annotated[
    list[Item], Field(max_length=64, description="Names of functions, classes or settings that it is about.")
]
Tags = Annotated[list[Item], Field(max_length=64, description="Words to find it by.")]
Supersedes = Annotated[
    list[int | Annotated[str, Field(max_length=64)]],
    Field(max_length=64, description="Ids of memories that no longer hold because of this one."),
]
AllowSecret = Annotated[
    bool, Field(description="Record a text though it looks like a secret. Only if the user asked for it.")
]
Query = Annotated[
    str,
    Field(max_length=1000, description="Words, names or a question; all of it is plain text. Empty: newest."),
]
AnyKind = Annotated[AnyKindName, Field(description="Only memories of this kind.")]
AnyScope = Annotated[AnyScopeName, Field(description="Only memories of this scope.")]
AnyFiles = Annotated[
    list[Item],
    Field(max_length=64, description="Only what is about one of these files or folders, or ends of paths."),
]
AnyTags = Annotated[list[Item], Field(max_length=64, description="Only what has one of these tags.")]
AnyIdentifiers = Annotated[
    list[Item], Field(max_length=64, description="Only what is about one of these names.")
]
Limit = Annotated[int, Field(ge=1, le=1000, description="The most memories to return.")]
Offset = Annotated[int, Field(ge=0, description="How many of the newest to pass over.")]
Superseded = Annotated[bool, Field(description="Return also what newer memories have replaced.")]
TokenBudget = Annotated[
    int | None,
    Field(ge=100, le=50_000, description="The most tokens, of four characters, of the whole reply."),
]
Id = Annotated[
    int | Annotated[str, Field(max_length=64)],
    Field(description="The id, as other tools return it; or the name, or the beginning of it."),
]
Days = Annotated[int, Field(ge=1, le=36_500, description="Only what is older than so many days.")]


def add_memories(server: MCPServer[Any], tools: MemoriesTools) -> None:
    """Add the tools to ``server``."""
    offered = _Offered(tools)
    for name, title, does in _TOOLS:
        use = getattr(offered, name)
        server.add_tool(use, name, title=title, description=inspect.getdoc(use), annotations=does)


class _Offered:
    """One method for each tool, named after it, because the names appear in the schemas.

    The docstrings are read by models: what a tool gives, and when to call it.
    """

    def __init__(self, tools: MemoriesTools) -> None:
        self._tools = tools
        self._answering = Answering()

    def mneme_record_memory(  # noqa: PLR0913, PLR0917 - the arguments are the schema
        self,
        kind: Kind,
        body: Body,
        scope: Scope = "project",
        task: Task = "",
        files: Files = [],  # noqa: B006 - the library copies defaults
        identifiers: Identifiers = [],  # noqa: B006
        tags: Tags = [],  # noqa: B006
        supersedes: Supersedes = [],  # noqa: B006
        allow_secret: AllowSecret = False,
    ) -> CallToolResult:
        """Remember something that will matter in a later session: a decision, a trap, a thing learned.

        Call this when you have found out what the code does not say. Recording the same again gives
        the memory that is there. It is kept at once, and goes into the repository with `mneme commit`.
        """
        with self._answering:
            draft = Draft(
                kind=MemoryKind(kind),
                body=body,
                scope=MemoryScope(scope),
                task=task,
                files=tuple(files),
                identifiers=tuple(identifiers),
                tags=tuple(tags),
            )
            return reply(self._tools.record(draft, supersedes, allow_secret=allow_secret))

    def mneme_recall_memory(  # noqa: PLR0913, PLR0917 - the arguments are the schema
        self,
        query: Query = "",
        kind: AnyKind = "any",
        scope: AnyScope = "any",
        files: AnyFiles = [],  # noqa: B006
        tags: AnyTags = [],  # noqa: B006
        limit: Limit = 20,
        identifiers: AnyIdentifiers = [],  # noqa: B006
        include_superseded: Superseded = False,
        token_budget: TokenBudget = None,
    ) -> CallToolResult:
        """Recall what earlier sessions have recorded, best match first.

        Call this before you work something out anew: ask for the files, names or the problem at hand.
        All conditions must hold; of a list one is enough. `stale` says that the code a memory is about
        has changed since, so check before you rely on it.
        """
        with self._answering:
            question = Question(
                query=query,
                kinds=_chosen(kind),
                scopes=_chosen(scope),
                files=tuple(files),
                tags=tuple(tags),
                identifiers=tuple(identifiers),
                limit=limit,
                superseded=include_superseded,
                budget=token_budget,
            )
            return reply(self._tools.recall(question))

    def mneme_list_memories(
        self, scope: AnyScope = "any", kind: AnyKind = "any", limit: Limit = 20, offset: Offset = 0
    ) -> CallToolResult:
        """List memories, newest first, with how often each was recalled here.

        Call this to see what there is, or to find the id of a memory that is to be forgotten.
        """
        with self._answering:
            question = Question(kinds=_chosen(kind), scopes=_chosen(scope), limit=limit, offset=offset)
            return reply(self._tools.listed(question))

    def mneme_forget(self, id: Id) -> CallToolResult:  # noqa: A002 - the name of the argument
        """Forget a memory that is wrong or no longer of use; its text is kept for audit.

        To replace it by a better one, record that one with `supersedes` instead.
        """
        with self._answering:
            return reply(self._tools.forget(id))

    def mneme_promote_memory(self, id: Id) -> CallToolResult:  # noqa: A002
        """Make a memory of this project known in all projects of this user.

        Call this only for what holds everywhere. Doing it twice changes nothing.
        """
        with self._answering:
            return reply(self._tools.promote(id))

    def mneme_gc_memory(self, older_than_days: Days = 90) -> CallToolResult:
        """Forget what is older than so many days, was never recalled in this clone and is not pinned.

        It acts at once. Call it only when the user asks for it.
        """
        with self._answering:
            return reply(self._tools.gc(older_than_days))

    def mneme_search_projects(self, query: Query = "", limit: Limit = 20) -> CallToolResult:
        """Search memories of the user's other projects, where the user has allowed it, best match first.

        Call this when this project has no answer and another one may. It never returns code.
        """
        with self._answering:
            return reply(self._tools.search_projects(query, limit))


def _chosen(word: str) -> tuple[str, ...]:
    return () if word == "any" else (word,)
