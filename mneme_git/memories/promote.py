"""Promoting: a project's memory, said again for all projects of its user."""

from collections.abc import Mapping

from msgspec.structs import replace

from mneme_git.errors import Refused
from mneme_git.memories.record import Recording, plan_record
from mneme_git.model.memory import FileAnchor, Memory, MemoryScope, SymbolAnchor
from mneme_git.model.memory_view import MemoryView

SOURCE = "promoted"


def promoted(name: str, memory: Memory, *, created_at: str, author: str) -> Memory:
    """Return the global memory that says what a project's one says.

    The names of files and symbols stay; their hashes, which hold in one repository only, do not.

    Raises:
        Refused: it is global already.
    """
    if memory.scope is MemoryScope.GLOBAL:
        raise Refused(f"memory '{name}' is already global scope", hint="nothing is left to do")
    return replace(
        memory,
        scope=MemoryScope.GLOBAL,
        files=tuple(FileAnchor(path=anchor.path) for anchor in memory.files),
        identifiers=tuple(SymbolAnchor(name=anchor.name) for anchor in memory.identifiers),
        source=SOURCE,
        supersedes=(),
        created_at=created_at,
        author=author,
        branch="",
    )


def plan_promote(memory: Memory, view: MemoryView, existing: Mapping[str, Memory]) -> Recording:
    """Plan to record a promoted memory; ``view`` and ``existing`` are of the global store.

    What a live global memory says already is not recorded again.
    """
    made = plan_record(memory, view, existing)
    return made if made.plan is None else replace(made, plan=replace(made.plan, verb="promote"))
