"""All that the server for agents offers, over one repository."""

from mneme_git.app.code_tools import CodeTools
from mneme_git.app.memories_tools import MemoriesTools
from mneme_git.app.workspace import Workspace


class AgentTools:
    """The tools about code and those about memories; each opens the repository when it is first asked."""

    def __init__(self, workspace: Workspace) -> None:
        self.code = CodeTools(workspace)
        self.memories = MemoriesTools(workspace)

    def close(self) -> None:
        """Let go of the repository."""
        self.code.close()
        self.memories.close()
