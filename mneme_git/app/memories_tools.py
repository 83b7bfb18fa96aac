"""The use cases behind the memory tools of an agent, in the shapes that existing clients know."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from msgspec.structs import replace

from mneme_git.app.memories import Id, Memories, Question, Row
from mneme_git.app.memories_open import path_in_project
from mneme_git.app.workspace import Workspace
from mneme_git.errors import NotFound, UserError
from mneme_git.memories.record import Draft

_SOURCE = "agent"
_Answer = TypeVar("_Answer")


class MemoriesTools:
    """The memories of one clone, kept open from the first call on; one call at a time."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._opened: Memories | None = None

    def record(self, draft: Draft, supersedes: Sequence[Id], *, allow_secret: bool) -> Row:
        """Record a memory; ``db_path`` is the git folder that keeps it. Raises as ``Memories.record``."""

        def use(memories: Memories) -> Row:
            placed = replace(draft, files=_paths(memories, draft.files), source=_SOURCE)
            done = memories.record(placed, replaces=supersedes, allow_secret=allow_secret)
            told = {key: done[key] for key in ("id", "name", "short", "scope", "created_at")}
            folder = memories.clone.side(draft.scope).backend.common_dir
            return {**told, "db_path": str(folder), "existing": done["existing"], **_notices(done)}

        return self._with(use)

    def recall(self, question: Question) -> Row:
        """Return what fits, best match first."""
        return self._with(
            lambda memories: memories.recall(replace(question, files=_paths(memories, question.files)))
        )

    def listed(self, question: Question) -> Row:
        """Return memories, the newest first."""
        return self._with(lambda memories: memories.listed(question))

    def forget(self, given: Id) -> Row:
        """Forget a memory.

        Raises:
            UserError: there is none, or it is forgotten already.
        """

        def use(memories: Memories) -> Row:
            with suppress(NotFound):
                done = memories.mark("forget", [given])
                if done["changed"]:
                    (asked,) = done["asked"]
                    told = {"ok": True, "forgotten_id": asked["id"], "name": asked["name"]}
                    return {**told, "scope": asked["scope"], **_notices(done)}
            raise _not_there(given)

        return self._with(use)

    def promote(self, given: Id) -> Row:
        """Make a memory global; again gives the same two ids.

        Raises:
            UserError: there is none, it is forgotten, or it is global already.
        """

        def use(memories: Memories) -> Row:
            with suppress(NotFound):
                done = memories.promote(given)
                told = {"globalId": done["id"], "originalId": done["original"]["id"]}
                names = {"name": done["name"], "existing": done["existing"]}
                return {**told, **names, **_notices(done)}
            raise _not_there(given)

        return self._with(use)

    def gc(self, days: int) -> Row:
        """Forget at once what nobody recalls; raises as ``collected``."""
        from mneme_git.app.memories_gc import collected

        def use(memories: Memories) -> Row:
            done = collected(memories, days=days, apply=True)
            told = {"softDeleted": len(done["changed"]), "olderThanDays": days}
            return {**told, "names": done["changed"], "undo": done["undo"], **_notices(done)}

        return self._with(use)

    def search_projects(self, query: str, limit: int) -> Row:
        """Return memories of other projects, best match first."""
        from mneme_git.app.search_projects import search_projects

        return self._with(lambda memories: search_projects(memories.clone, query, limit=limit))

    def close(self) -> None:
        """Let go of the repository; the next call opens it again."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _with(self, use: Callable[[Memories], _Answer]) -> _Answer:
        if self._opened is None:
            self._opened = Memories(self._workspace, prefer="pygit2")
        try:
            return use(self._opened)
        except UserError:
            raise
        except Exception:
            self.close()  # whatever it was, the next call begins with what is on disk
            raise


def _paths(memories: Memories, given: Sequence[str]) -> tuple[str, ...]:
    return tuple(path_in_project(memories.clone, path, from_here=False) for path in given)


def _notices(done: Row) -> Row:
    return {"notices": done["notices"]} if done.get("notices") else {}


def _not_there(given: Id) -> UserError:
    return UserError(
        f"Memory id {given} not found or already forgotten",
        hint="`mneme memory list --all` shows the ids",
        tool_hint="mneme_list_memories shows the ids",
    )
