"""The server `mneme` in this process, called by the names and arguments that a client sends."""

import asyncio
import json

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mneme_git.app.agent_tools import AgentTools
from mneme_git.app.workspace import Environment, Workspace
from mneme_mcp.server import build


class Clock:
    def __init__(self):
        self.at = 1_700_000_000

    def __call__(self):
        return self.at


class Server:
    """A server; calling it calls a tool and returns the structure of the answer."""

    def __init__(self, path, clock=None):
        self.clock = clock or Clock()
        self._tools = AgentTools(Workspace(cwd=path, env=Environment(), now=self.clock))
        self._server = build(self._tools)

    def schemas(self):
        return {tool.name: tool.input_schema for tool in asyncio.run(self._server.list_tools())}

    def __call__(self, tool, **arguments):
        result = asyncio.run(self._server.call_tool(f"mneme_{tool}", arguments))
        assert [json.loads(block.text) for block in result.content] == [result.structured_content]
        return result.structured_content

    def refused(self, tool, **arguments):
        with pytest.raises(ToolError) as caught:
            self(tool, **arguments)
        told = str(caught.value)
        assert "\n" not in told
        return told

    def bodies(self, **asked):
        return [row["body"] for row in self("recall_memory", **asked)["matches"]]

    def close(self):
        self._tools.close()
