"""A memory file and a git store in one repository, and the ways from one to the other."""

from __future__ import annotations

from typing import Any

from mneme_git.app.export import ExportedFile, Written, plan_export, write_export
from mneme_git.app.to_git import Moved, move_to_git
from mneme_git.app.workspace import Workspace, environment
from mneme_git.decisions.record import Draft, plan_add
from mneme_git.store.git_store import GitStore
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_write import encode_document
from tests.support.gitrepo import GitRepo
from tests.support.memory import META, indexed
from tests.support.writing import NOW, open_store

NAME = ".mneme/project_memory.json"


class Both:
    """A repository with a memory file and, once it was moved, a git store."""

    def __init__(self, repo: GitRepo) -> None:
        self.repo = repo
        self.workspace = Workspace(cwd=repo.path, env=environment({}), now=lambda: NOW)

    def write(self, document: dict[str, Any] | bytes, name: str = NAME) -> bytes:
        data = document if isinstance(document, bytes) else encode_document(document)
        self.repo.write(name, data)
        return data

    def move(self, name: str = NAME, *, apply: bool = True) -> Moved:
        return move_to_git(self.workspace, MemoryFile(self.repo.path / name, as_given=name), apply=apply)

    def outcomes(self, name: str = NAME) -> dict[str, str]:
        return {fate.decision_id: fate.outcome for fate in self.move(name, apply=False).summary.fates}

    def git(self) -> GitStore:
        return open_store(self.repo.path, prefer="program")

    def add(self, decision_id: str, statement: str = "New") -> None:
        store = self.git()
        store.commit(plan_add(store.load(), Draft(decision_id=decision_id, statement=statement)), stage=True)

    def add_to_file(self, decision_id: str, statement: str = "New", name: str = NAME) -> None:
        store = MemoryFile(self.repo.path / name, as_given=name)
        store.commit(
            plan_add(store.load(), Draft(decision_id=decision_id, statement=statement), at="t"), stage=True
        )

    def export(
        self, target: str | None = None, *, force: bool = False, **more: Any
    ) -> tuple[ExportedFile, Written]:
        made = plan_export(self.workspace, target, **more)
        return made, write_export(self.workspace, made, force=force)

    def exported(self, target: str | None = None, **more: Any) -> bytes:
        return plan_export(self.workspace, target, **more).data


def full() -> dict[str, Any]:
    """Unknown keys everywhere, odd key orders, records that the format only tolerates."""
    document = {
        "x-first": [1.5, None],
        "meta": {"z": 1, **META},
        "items": [{"id": "i"}],
        **indexed(),
        "activation": {"state": "x"},
    }
    document["decision_index"]["note"] = {"kept": True}
    for rows in ("decisions", "versions", "rules"):
        for number, record in enumerate(document["decision_index"][rows]):
            record["x-note"] = number
    document["decision_index"]["versions"][1]["source_evidence"] = [{"source_type": "fax"}]
    del document["decision_index"]["rules"][0]["binding_authority"]
    document["decisions"][1] = {"note": "mine", **document["decisions"][1]}
    return document
