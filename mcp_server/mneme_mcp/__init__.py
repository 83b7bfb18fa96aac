"""The MCP server: the second door to the use cases of mneme_git.app."""
