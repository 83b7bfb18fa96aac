"""The MCP server ``mneme-decision-index``: six tools over the decision index, on stdin and stdout.

Names, titles, schemas, annotations and the shape of answers are those of the decision-index format,
section 10. The functions are named after their tools because the names appear in the schemas.
"""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

from mneme_git.app.index_tools import IndexTools
from mneme_git.decisions.index_queries import SearchFilters
from mneme_mcp import inputs
from mneme_mcp.answering import Answering
from mneme_mcp.stdio import serve_on_stdio

NAME = "mneme-decision-index"
VERSION = "0.1.0"


def serve(tools: IndexTools) -> None:
    """Serve ``tools`` until stdin closes."""
    serve_on_stdio(build(tools))


def build(tools: IndexTools) -> MCPServer[Any]:
    """Return the server with its tools, in the order in which they are listed."""
    server: MCPServer[Any] = MCPServer(NAME, version=VERSION, log_level="ERROR")
    answering = Answering()
    _add_proposing(server, tools, answering)
    _add_asking(server, tools, answering)
    return server


def _annotations(*, reads: bool) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=reads, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )


def _add_proposing(server: MCPServer[Any], tools: IndexTools, answering: Answering) -> None:
    @server.tool(
        "decision.propose",
        title="Propose a decision (non-authoritative)",
        annotations=_annotations(reads=False),
    )
    def decision_propose(candidate: inputs.Candidate) -> dict[str, Any]:
        """Suggest one architectural decision for a person to accept or reject.

        Call this when the work at hand settles a question that should hold for everybody later. The
        proposal enforces nothing. The same suggestion again gives the stored one, whatever became of it.
        """
        with answering:
            return tools.propose([candidate.model_dump()])[0]

    @server.tool(
        "decision.propose_batch",
        title="Propose decisions in batch (non-authoritative)",
        annotations=_annotations(reads=False),
    )
    def decision_propose_batch(
        candidates: inputs.Candidates, shared_provenance: inputs.SharedProvenance = None
    ) -> dict[str, Any]:
        """Suggest several decisions that come from one source, for example a plan or a review.

        All are stored or, if one is refused, none. Answers come in the order of the candidates.
        """
        with answering:
            shared = shared_provenance.model_dump() if shared_provenance else None
            return {"results": tools.propose([row.model_dump() for row in candidates], shared)}


def _add_asking(server: MCPServer[Any], tools: IndexTools, answering: Answering) -> None:
    @server.tool(
        "decision.get", title="Get a proposal or canonical decision", annotations=_annotations(reads=True)
    )
    def decision_get(record_id: inputs.RecordId) -> dict[str, Any]:
        """Get one proposal or one decision in full, by its whole id.

        Call this after decision.search, before you act on what a decision says.
        """
        with answering:
            return tools.get(record_id)

    @server.tool(
        "decision.search",
        title="Search proposals and canonical decisions",
        annotations=_annotations(reads=True),
    )
    def decision_search(
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
        with answering:
            return tools.search(query, filters)

    @server.tool(
        "decision.applicable_to",
        title="Get retrieval/context applicability",
        annotations=_annotations(reads=True),
    )
    def decision_applicable_to(context: inputs.Context = None, paths: inputs.Paths = None) -> dict[str, Any]:
        """Find what is said to be about the work at hand: hints and scopes that occur in your texts.

        Call this before you change files. It is a help to remember, not enforcement: a match is a hint
        or scope entry that occurs in a context or path as plain text, and no match proves nothing.
        """
        with answering:
            return tools.applicable_to([*(context or []), *(paths or [])])

    @server.tool("decision.trace", title="Trace decision lineage", annotations=_annotations(reads=True))
    def decision_trace(record_id: inputs.RecordId) -> dict[str, Any]:
        """Show where a proposal or decision comes from, what it led to, and which links are missing.

        Call this to explain why something is in force. A link that is missing is named, never guessed.
        """
        with answering:
            return tools.trace(record_id)
