"""A place with a decision index, in each of the two stores, and what an agent proposes there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mneme_git.app.desk import Desk, open_desk, open_tool_desk
from mneme_git.app.index_tools import IndexTools
from mneme_git.app.workspace import Workspace, environment
from tests.support.gitrepo import GitRepo

PROPOSALS = ".mneme/decision_proposals.json"
MEMORY = ".mneme/project_memory.json"

NOON = 1_738_411_200  # 2025-02-01T12:00:00Z
SOURCE = {"producer_name": "arch-bot", "producer_type": "agent", "source_reference": "docs/plan.md#3"}
CANDIDATE = {
    "title": "Cache",
    "statement": "Cache in Redis",
    "rationale": "fast",
    "provenance": SOURCE,
    "scope_hints": ["cache", "perf"],
}
CACHE_ID = "dprop-8f68192909ba19aa0af550727bd15bc1"
CACHE_DECISION = "ddec-e18bce9f009343f6753630f516be939a"

EMPTY_MEMORY = {
    "meta": {"name": "n", "description": "d"},
    "items": [],
    "examples": [],
    "decisions": [],
    "decision_index": {
        "schema": "mneme.decision-index/v1",
        "decisions": [],
        "versions": [],
        "rules": [],
    },
}


@dataclass(frozen=True)
class Place:
    """A repository whose decisions are in git, or in a memory file."""

    repo: GitRepo
    kind: str

    @property
    def folder(self) -> Path:
        return self.repo.path

    def workspace(self, now: int = NOON) -> Workspace:
        return Workspace(cwd=self.folder, env=environment({}), now=lambda: now)

    def desk(self) -> Desk:
        return open_desk(self.workspace())

    def tools(self, now: int = NOON) -> IndexTools:
        return IndexTools(self.workspace(now), open_tool_desk(self.workspace(now)))

    def propose(self, **but: Any) -> str:
        """Propose the example, with some fields changed, and return its id."""
        row = self.tools().propose([CANDIDATE | but])[0]
        return row["proposal"]["proposal_id"]

    def memory(self) -> dict[str, Any]:
        return json.loads((self.folder / MEMORY).read_text())


def make_place(repo: GitRepo, kind: str) -> Place:
    """Make an empty decision index in the repository."""
    if kind == "git":
        assert repo.mneme("init", "--yes").code == 0
    else:
        repo.write(MEMORY, json.dumps(EMPTY_MEMORY, indent=2) + "\n")
    return Place(repo, kind)
