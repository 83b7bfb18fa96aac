"""Answers of tools as the protocol carries them."""

from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from mneme_indexer.answers import serialised


def reply(found: Mapping[str, Any]) -> CallToolResult:
    """Return an answer as structure and as the same in JSON, for clients that read only text."""
    told = dict(found)
    return CallToolResult(content=[TextContent(text=serialised(told))], structured_content=told)
