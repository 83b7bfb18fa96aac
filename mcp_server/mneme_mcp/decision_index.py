"""The MCP server ``mneme-decision-index``: six tools over the decision index, on stdin and stdout.

Names, titles, schemas, annotations and the shape of answers are those of the decision-index format,
section 10.
"""

import inspect
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from mneme_git.app.index_tools import IndexTools
from mneme_git.decisions.index_queries import SearchFilters
from mneme_mcp import inputs
from mneme_mcp.answering import Answering
from mneme_mcp.stdio import serve_on_stdio

NAME = "mneme-decision-index"
VERSION = "0.1.0"
# Name, title, and whether it only reads; in the order in which they are listed.
_TOOLS = (
    ("decision.propose", "Propose a decision (non-authoritative)", False),
    ("decision.propose_batch", "Propose decisions in batch (non-authoritative)", False),
    ("decision.get", "Get a proposal or canonical decision", True),
    ("decision.search", "Search proposals and canonical decisions", True),
    ("decision.applicable_to", "Get retrieval/context applicability", True),
    ("decision.trace", "Trace decision lineage", True),
)


def serve(tools: IndexTools) -> None:
    """Serve ``tools`` until stdin closes."""
    serve_on_stdio(build(tools))


def build(tools: IndexTools) -> MCPServer[Any]:
    """Return the server with its tools."""
    server: MCPServer[Any] = MCPServer(NAME, version=VERSION, log_level="ERROR")
    offered = _Offered(tools)
    for name, title, reads in _TOOLS:
        use = getattr(offered, name.replace(".", "_"))
        hints = ToolAnnotations(
            read_only_hint=reads, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        )
        server.add_tool(use, name, title=title, description=inspect.getdoc(use), annotations=hints)
    return server


class _Offered:
    """One method for each tool, named after it, because the names appear in the schemas.

    The docstrings are read by models: what a tool gives, and when to call it.
    """

    def __init__(self, tools: IndexTools) -> None:
        self._tools = tools
        self._answering = Answering()

    def decision_propose(self, candidate: inputs.Candidate) -> dict[str, Any]:
        """Suggest one architectural decision for a person to accept or reject.

        Call this when the work at hand settles a question that should hold for everybody later. The
        proposal enforces nothing. The same suggestion again gives the stored one, whatever became of it.
        """
        with self._answering:
            return self._tools.propose([candidate.model_dump()])[0]

    def decision_propose_batch(
        self, candidates: inputs.Candidates, shared_provenance: inputs.SharedProvenance = None
    ) -> dict[str, Any]:
        """Suggest several decisions that come from one source, for example a plan or a review.

        All are stored or, if one is refused, none. Answers come in the order of the candidates.
        """
        with self._answering:
            shared = shared_provenance.model_dump() if shared_provenance else None
            return {"results": self._tools.propose([row.model_dump() for row in candidates], shared)}

    def decision_get(self, record_id: inputs.RecordId) -> dict[str, Any]:
        """Get one proposal or one decision in full, by its whole id.

        Call this after decision.search, before you act on what a decision says.
        """
        with self._answering:
            return self._tools.get(record_id)

    def decision_search(
        self,
        query: inputs.Query = "",
        proposal_status: inputs.ProposalStatus = None,
        canonical_lifecycle_status: inputs.CanonicalLifecycle = None,
        producer_name: inputs.ProducerName = None,
        source_reference: inputs.SourceReference = None,
        origin_classification: inputs.Origin = None,
    ) -> dict[str, Any]:
        """Find proposals and decisions whose text holds a word or phrase.

        Call this before you propose or design something, to see what is decided or suggested already.
        Only decisions with lifecycle status active are in force. Filters of proposals leave decisions
        alone, and the reverse. There is no limit: ask for something narrow.
        """
        filters = SearchFilters(
            proposal_status=proposal_status,
            canonical_lifecycle_status=canonical_lifecycle_status,
            producer_name=producer_name,
            source_reference=source_reference,
            origin_classification=origin_classification,
        )
        with self._answering:
            return self._tools.search(query, filters)

    def decision_applicable_to(
        self, context: inputs.Context = None, paths: inputs.Paths = None
    ) -> dict[str, Any]:
        """Find what is said to be about the work at hand: hints and scopes that occur in your texts.

        Call this before you change files. It is a help to remember, not enforcement: a match is a hint
        or scope entry that occurs in a context or path as plain text, and no match proves nothing.
        """
        with self._answering:
            return self._tools.applicable_to([*(context or []), *(paths or [])])

    def decision_trace(self, record_id: inputs.RecordId) -> dict[str, Any]:
        """Show where a proposal or decision comes from, what it led to, and which links are missing.

        Call this to explain why something is in force. A link that is missing is named, never guessed.
        """
        with self._answering:
            return self._tools.trace(record_id)
