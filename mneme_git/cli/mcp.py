"""``mneme mcp``: the server that agents talk to."""

import typer


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("mcp")(mcp)


def mcp() -> None:
    """Serve this repository to an agent over MCP, on stdin and stdout, until stdin closes.

    MNEME_PROJECT_ROOT names another folder than the current one. Example: mneme mcp
    """
    from mneme_git.app.agent_tools import AgentTools
    from mneme_git.app.open import here, start_folder
    from mneme_git.cli.servers import run_server

    workspace = here()
    start_folder(workspace)  # says now, not at the first call, that the folder is not there
    run_server("mcp", AgentTools(workspace))
